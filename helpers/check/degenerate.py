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


DRAWS = 8
"""So many: a number out of a few may come again by chance."""


def deaf(trial: Trial) -> Finding | None:
    """A returned part is the same whatever numbers the tensors hold."""
    i = next((i for i in trial.failing if trial.seen[i] is not None), None)
    if i is None:
        return None
    case, before = trial.cases[i], trial.seen[i]
    right = trial.right(case)
    still = {
        p
        for p, (a, b) in enumerate(zip(before, right, strict=False))
        if a.numel() and bool(torch.isfinite(a).all()) and not same(a, b, case.tol)
    }
    due: set[int] = set()  # the parts that should have changed
    for draw in range(DRAWS):
        args = _drawn_anew(case.args, draw)
        if not still or not any(a is not b for a, b in zip(args, case.args)):
            return None
        after = trial.values(trial.call(args))
        if after is None or len(after) != len(before):
            return None
        other = trial.right(type(case)(case.name, case.about, args))
        still = {p for p in still if same(before[p], after[p], 0.0)}
        due |= {p for p in still if not same(right[p], other[p], case.tol)}
    part = next((p for p in sorted(still & due)), None)
    if part is None:
        return None
    return Finding("same-for-any-argument", {"part": trial.exercise.parts[part]})


def _drawn_anew(args: tuple[Any, ...], draw: int) -> tuple[Any, ...]:
    """The arguments, with other numbers in every tensor of numbers."""
    g = torch.Generator().manual_seed(draw)

    def drawn(argument: Any) -> Any:
        if not isinstance(argument, torch.Tensor) or not argument.is_floating_point():
            return argument
        if not bool(((argument != 0) & (argument != 1)).any()):
            return argument  # a mask
        return torch.rand(argument.shape, generator=g).to(argument.dtype)

    return tuple(drawn(argument) for argument in args)
