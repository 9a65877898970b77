"""Exercises whose answer is one number, counted by a formula."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Behaviour, Trial
from ..diagnosis import number
from ..program import Lines, Program
from ..space import Case, Exercise, Finding, Values

UNITS = (1000, 1024, 1000**2, 1024**2, 1000**3, 1024**3)


def one(value: float) -> torch.Tensor:
    """The number as a tensor."""
    return torch.tensor(float(value), dtype=torch.float64)


def factor(name: str, called: str) -> tuple[str, Mapping[str, str]]:
    """A line for an argument that stands in the formula once; how often else it may."""
    return name, {
        "1": f"{called}-not-counted",
        f"{name}**2": f"{called}-counted-twice",
        f"1 / {name}": f"{called}-divided",
    }


SIZE = (
    "bytes_per_number",
    {
        "1": "numbers-not-bytes",
        "bytes_per_number**2": "number-size-squared",
        "1 / bytes_per_number": "number-size-divided",
        "4": "number-size-hard-coded",
        "2": "number-size-hard-coded",
        "8": "number-size-hard-coded",
        "32": "number-size-hard-coded",
        "16": "number-size-hard-coded",
    },
)
IN_BYTES = (
    "one(total)",
    {
        "one(total * 8)": "bits-not-bytes",
        "one(total / 8)": "bytes-divided-by-eight",
        **{f"one(total / {unit})": "bytes-in-larger-unit" for unit in UNITS},
    },
)


def unpack(result: Any) -> Values:
    """One number; what is none becomes NaN, and `a_number` says so."""
    if isinstance(result, list | tuple) and len(result) == 1:
        result = result[0] if isinstance(result[0], torch.Tensor) else None
    if hasattr(result, "__array__") and getattr(result, "size", 0) == 1:
        result = result.item()
    try:
        odd = isinstance(result, str | bool)
        return (one(math.nan if odd else float(result)),)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return (one(math.nan),)


def a_number(trial: Trial) -> Finding | None:
    """What comes back is one finite number."""
    got, value = trial.result, trial.seen[0]
    if trial.outcomes[0].trouble is not None or value is None:
        return None
    if not value[0].isnan() or (isinstance(got, float) and got != got):
        return None
    facts = {"type": type(got).__name__, "got": repr(got)[:40]}
    if isinstance(got, list | tuple):
        return Finding("several-numbers", facts | {"count": len(got)})
    if isinstance(got, str):
        return Finding("text-not-a-number", facts)
    return Finding("no-number", facts)


def rounded_unit(trial: Trial) -> Finding | None:
    """The right number in a larger unit, cut off to a whole one."""
    pairs = _pairs(trial)
    for unit in UNITS:
        whole = [round(got) == got == due // unit for got, due in pairs]
        if whole and all(whole) and any(got for got, _ in pairs):
            return Finding("bytes-in-larger-unit")
    return None


def _pairs(trial: Trial) -> list[tuple[float, float]]:
    """What came back and what was due, for each case."""
    return [
        (float(got[0]), float(trial.right(case)[0]))
        for case, got in zip(trial.cases, trial.seen)
        if got is not None and math.isfinite(got[0])
    ]


def grows_otherwise(trial: Trial) -> Finding | None:
    """Doubling an argument multiplies the result as it does the right one."""
    case, got = trial.cases[0], trial.seen[0]
    if got is None or not math.isfinite(got[0]):
        return None
    if all(v is not None and v[0] == got[0] for v in trial.seen):
        return Finding("count-always-the-same", {"got": number(got[0])})
    if not got[0]:
        return None
    seen, off = {}, []
    for i, name in enumerate(trial.exercise.argument_names):
        args = tuple(a * 2 if i == j else a for j, a in enumerate(case.args))
        twice = trial.values(trial.call(args))
        if twice is None:
            continue
        yours = float(twice[0] / got[0])
        due = float(trial.right(Case("", "", args))[0] / trial.right(case)[0])
        seen[f"{name} doubled"] = f"yours × {number(yours)}, due × {number(due)}"
        if abs(yours - due) > 1e-3:
            off.append((name, number(yours), number(due)))
    if not off:
        return _constant_factor(trial)
    facts = dict(zip(("argument", "yours", "due"), off[0]))
    others = ", ".join(name for name, *_ in off[1:])
    return Finding(
        "count-grows-otherwise",
        facts | {"more": f" ({others}: also off)" if others else ""},
        seen,
    )


def _constant_factor(trial: Trial) -> Finding | None:
    ratios = [got / due for got, due in _pairs(trial)]
    if not ratios or max(ratios) - min(ratios) > 1e-6 * abs(max(ratios)):
        return None
    return Finding("count-times-constant", {"factor": number(ratios[0])})


def counting(
    name: str,
    arguments: str,
    lines: Lines,
    *shapes: tuple[int | str | None, ...],
    **fields: Any,
) -> Exercise:
    """An exercise whose answer is one number.

    Args:
        name: of the exercise.
        arguments: their names, as in "n_q n_k".
        lines: the formula; the last line is `one(...)`.
        shapes: for each case its sizes, then its tags; None is a prime drawn by the
            seed.
        fields: of Exercise, to replace the usual ones.
    """

    def cases(seed: int) -> Sequence[Case]:
        drawn = random.Random(seed + 17).sample((3, 5, 7, 11, 13, 17), 4)
        found = []
        for shape in shapes:
            sizes = [a for a in shape if not isinstance(a, str)]
            args = tuple(drawn.pop() if a is None else a for a in sizes)
            tags = frozenset(a for a in shape if isinstance(a, str))
            about = "the sizes " + ", ".join(map(str, args))
            found.append(Case(f"sizes{len(found)}", about, args, tags, 1e-9))
        return found

    judges: tuple[Behaviour, ...] = (a_number, behave.calls_agree("sizes0"))
    fields = {
        "behaviours": judges,
        "symptoms": (a_number, rounded_unit, grows_otherwise, behave.not_finite),
    } | fields
    return Exercise(
        name=name,
        parts=("count",),
        compute=Program(arguments, lines, one=one),
        cases=cases,
        unpack=unpack,
        **fields,
    )
