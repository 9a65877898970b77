"""Results in which nothing can be searched for: they fit too many mistakes, or none.

Zeros, numbers that are the same for any arguments, an axis of size 1 that is lost.
"""

from __future__ import annotations

from typing import Any

import torch

from .behaviours import Trial
from .search import Search
from .space import Finding, Values, same


def zeros(trial: Trial, search: Search) -> Finding | None:
    """All numbers are 0, on every case, though they should not be."""
    values = [v for v in trial.seen if v is not None]
    right = [v for i in search.failing if (v := search.right[i]) is not None]
    due = any(bool(part.any()) for v in right for part in v if part.is_floating_point())
    if due and values and not any(_holds_something(v) for v in values):
        return Finding("all-zeros")
    return None


def _holds_something(values: Values) -> bool:
    return not values or any(bool((part != 0).any()) for part in values)


def axis_lost(trial: Trial, search: Search) -> Finding | None:
    """The numbers are right, but an axis of size 1 is gone or was put in."""
    wrong: tuple[str, tuple[int, ...], tuple[int, ...]] | None = None
    for i in search.failing:
        got, want, tol = trial.seen[i], search.right[i], trial.cases[i].tol
        if got is None or want is None or len(got) != len(want):
            return None
        for name, a, b in zip(trial.exercise.parts, got, want, strict=False):
            if not same(a.squeeze(), b.squeeze(), tol):
                return None
            if a.shape != b.shape and len(a.shape) < len(b.shape):
                wrong = wrong or (name, tuple(a.shape), tuple(b.shape))
    if wrong is None:
        return None
    name, got, want = wrong
    return Finding("axis-of-one-lost", {"part": name, "got": got, "want": want})


def deaf(trial: Trial) -> Finding | None:
    """A returned part is the same whatever numbers the tensors hold."""
    i = next((i for i in trial.failing if trial.seen[i] is not None), None)
    if i is None:
        return None
    case, before = trial.cases[i], trial.seen[i]
    args = [_drawn_anew(a) for a in case.args]
    if not any(a is not b for a, b in zip(args, case.args, strict=True)):
        return None
    after = trial.values(trial.call(args))
    if not before or after is None or len(after) != len(before):
        return None
    again = trial.right(type(case)(case.name, case.about, tuple(args)))
    parts = zip(trial.exercise.parts, before, after, trial.right(case), again)
    for name, old, new, right, other in parts:
        still = same(old, new, 0.0) and not same(old, right, case.tol)
        if still and not same(right, other, case.tol):
            return Finding("same-for-any-argument", {"part": name})
    return None


def _drawn_anew(argument: Any) -> Any:
    if not isinstance(argument, torch.Tensor) or not argument.is_floating_point():
        return argument
    g = torch.Generator().manual_seed(argument.numel())
    drawn = torch.rand(argument.shape, generator=g).to(argument.dtype)
    return drawn if bool(((argument != 0) & (argument != 1)).any()) else argument
