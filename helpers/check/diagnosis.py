"""What the checker says: a status, named mistakes, a message, numbers to recompute."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

WIDTH = 88
Status = Literal["correct", "wrong", "not attempted"]


@dataclass(frozen=True)
class Diagnosis:
    """The verdict on one answer. `print(diagnosis)` shows it as plain text."""

    exercise: str
    status: Status
    message: str
    mistakes: tuple[str, ...] = ()
    evidence: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        verdict = "" if self.status == "not attempted" else f"{self.status}. "
        text = f"{self.exercise}: {verdict}{self.message}"
        lines = [textwrap.fill(text, WIDTH, break_long_words=False)]
        lines += [f"    {name}: {value}" for name, value in self.evidence.items()]
        return "\n".join(lines)


def numbers(values: object, limit: int = 6, digits: int = 4) -> str:
    """A few numbers as text.

    >>> numbers([0.125, 2.0, 3], limit=2)
    '0.125  2  …'
    """
    flat = values.detach().flatten().tolist() if hasattr(values, "detach") else values
    flat = list(flat) if isinstance(flat, list | tuple) else [flat]
    text = "  ".join(number(v, digits) for v in flat[:limit])
    return text + ("  …" if len(flat) > limit else "")


def number(value: object, digits: int = 4) -> str:
    """One number with a few telling digits; a whole number with all.

    >>> number(2 / 3), number(1000000.0)
    ('0.6667', '1000000')
    """
    if isinstance(value, bool | int | str):
        return str(value)
    value = float(value) + 0.0
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"
