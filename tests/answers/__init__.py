"""Wrong and right answers, as learners write them: the checker's own examination.

One module an exercise family. `@wrong("mistake-id")` says what the checker must name
first; `@right` what it must accept.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One answer; `mistakes` is what must be named (nothing: it is right)."""

    exercise: str
    fn: Any
    mistakes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.exercise}:{self.fn.__name__}"


@dataclass
class Bank:
    """The answers to one exercise, filled by decorators."""

    exercise: str
    answers: list[Answer] = field(default_factory=list)

    def wrong(self, *mistakes: str) -> Callable[[Any], Any]:
        def keep(fn: Any) -> Any:
            self.answers.append(Answer(self.exercise, fn, mistakes))
            return fn

        return keep

    def right(self, fn: Any) -> Any:
        self.answers.append(Answer(self.exercise, fn))
        return fn


def everything() -> list[Answer]:
    """All answers of all modules here."""
    found: list[Answer] = []
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        banks = vars(importlib.import_module(f"{__name__}.{module}")).values()
        found += [a for b in banks if isinstance(b, Bank) for a in b.answers]
    return found
