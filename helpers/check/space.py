"""The vocabulary of an exercise: cases to try, choices to make, ways to depart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .program import Program

Choices = Mapping[str, Any]
Values = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Case:
    """One probe: arguments for the learner's function, and what is special about it.

    `about` completes "on the case …"; `tags` are short phrases that complete "with …"
    (the search looks for a tag that all failing cases share and no passing one has).
    """

    name: str
    about: str
    args: tuple[Any, ...]
    tags: frozenset[str] = frozenset()
    tol: float = 2e-4


@dataclass(frozen=True)
class Departure:
    """One choice made otherwise; `mistake` is its id in words/."""

    mistake: str
    choice: str
    value: Any
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """Departures that reproduce the numbers; `scope` says which of them."""

    departures: tuple[Departure, ...]
    scope: str  # "everything", "part", "failing" or "plain"
    part: int | None = None
    others: tuple[str, ...] = ()  # ids that give the same numbers

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids, each once."""
        return tuple(dict.fromkeys(d.mistake for d in self.departures))


@dataclass(frozen=True)
class Finding:
    """A named mistake with the numbers its sentence needs, and evidence to print."""

    mistake: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """All the checker knows about one exercise.

    compute: a Program; or a function (case, choices, memo) of the `space`, which is
        choice -> (right value, {other value: mistake id}), likeliest first.
    cases(seed): the probes, plainest first.
    glance(case, choices, memo, seen): cheaply, could the choices have given these?
    facts(case, values): numbers that sentences may mention, beside the usual ones.
    imitate(choices): an answer that makes them, where `compute` is none.
    """

    name: str
    parts: tuple[str, ...]
    compute: Program | Callable[[Case, Choices, dict[Any, Any]], Values]
    cases: Callable[[int], Sequence[Case]]
    space: Mapping[str, tuple[Any, Mapping[Any, str]]] = field(default_factory=dict)
    facts: Callable[[Case, Values], Mapping[str, Any]] = lambda case, values: {}
    also_right: tuple[Choices, ...] = ()
    fit: Callable[[Sequence[Case], Sequence[Values | None]], list[Departure]] | None = (
        None
    )
    glance: Callable[[Case, Choices, dict[Any, Any], Values], bool] | None = None
    behaviours: tuple[Callable[..., Finding | None], ...] = ()
    symptoms: tuple[Callable[..., Finding | None], ...] = ()
    remarks: tuple[Callable[..., Finding | None], ...] = ()
    looks: tuple[Callable[[Any], Finding | None], ...] = ()  # before any case is run
    call: Callable[..., Any] = lambda answer, *args: answer(*args)
    unpack: Callable[[Any], Values] | None = None
    imitate: Callable[[Choices], Any] | None = None
    argument_names: tuple[str, ...] = ()
    value: bool = False  # the answer is a value (a prediction), not a function
    praise: str = ""  # said of a right answer, instead of how many cases agree

    def __post_init__(self) -> None:
        if isinstance(self.compute, Program):
            object.__setattr__(self, "space", self.compute.lines)
            if not self.argument_names:
                object.__setattr__(self, "argument_names", self.compute.arguments)

    def base(self) -> dict[str, Any]:
        """The right choices."""
        return {choice: right for choice, (right, _) in self.space.items()}

    def departures(self) -> list[Departure]:
        """Every single departure, likeliest first within its choice."""
        return [
            Departure(mistake, choice, value)
            for choice, (_, others) in self.space.items()
            for value, mistake in others.items()
        ]


def as_values(result: Any) -> Values:
    """Tensors from what a learner returned: one, or a tuple/list/namedtuple of them.

    Raises TypeError for anything else.
    """
    items = tuple(result) if isinstance(result, list | tuple) else (result,)
    return tuple(_tensor(item) for item in items)


def one_number(result: Any) -> Values:
    """One number, in a tensor or array of any shape; what else there is, as it is."""
    values = as_values(result)
    if len(values) == 1 and values[0].numel() == 1:
        values = (values[0].reshape(()),)
    return values


def two_numbers(result: Any) -> Values:
    """Two numbers, from one tensor or array of two as well."""
    if hasattr(result, "__array__") and tuple(result.shape) == (2,):
        result = tuple(result)
    return as_values(result)


def _tensor(item: Any) -> torch.Tensor:
    if isinstance(item, torch.Tensor):
        if item.is_meta or item.is_complex():
            raise TypeError(type(item).__name__)
        item = item.detach().as_subclass(torch.Tensor).cpu().to_dense()
    elif isinstance(item, bool | int | float) or hasattr(item, "__array__"):
        item = torch.as_tensor(item)
    else:
        raise TypeError(type(item).__name__)
    return item.to(torch.int8) if item.dtype == torch.bool else item


def same(a: torch.Tensor, b: torch.Tensor, tol: float) -> bool:
    """Equal but for rounding; NaN equals NaN, inf equals inf.

    >>> same(torch.tensor([1.0, math.nan]), torch.tensor([1.0 + 1e-9, math.nan]), 1e-6)
    True
    >>> same(torch.tensor(7.5), torch.tensor(math.nan), 1e-6)
    False
    """
    if a.shape != b.shape:
        return False
    if not a.numel():
        return True
    a, b = a.detach().double(), b.detach().double()
    largest = float((a - b).abs().max())
    if math.isfinite(largest):
        return largest <= tol or largest <= tol * float(b.abs().max())
    odd_a, odd_b = ~torch.isfinite(a), ~torch.isfinite(b)
    if not torch.equal(odd_a, odd_b):
        return False
    a, b, odd = a.flatten(), b.flatten(), odd_a.flatten()
    if not bool(((a == b) | (a.isnan() & b.isnan()))[odd].all()):
        return False
    return bool(odd.all()) or same(a[~odd], b[~odd], tol)


def shared_tag(cases: Sequence[Case], failing: Sequence[int]) -> str | None:
    """A tag that every failing case has and no passing one, if there is one."""
    bad = [cases[i].tags for i in failing]
    good = [c.tags for i, c in enumerate(cases) if i not in set(failing)]
    common = frozenset.intersection(*bad) if bad else frozenset()
    telling = sorted(t for t in common if not any(t in g for g in good))
    return telling[0] if telling else None
