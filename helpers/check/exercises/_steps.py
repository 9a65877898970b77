"""What the steps of a state have in common: their cases, and how they are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise, Values, as_values

RETURNED = {
    "(new, output)": "step-returns-swapped",
    "(output, S)": "step-old-state-returned",
    "output": "step-output-only",
    "new": "step-state-only",
}
"""What may come back instead of (output, new)."""
OUTPUT = {
    "k @ read": "step-reads-with-k",
    "(q @ read) / len(q) ** 0.5": "step-read-scaled",
    "(q @ read).softmax(-1)": "step-softmax-of-output",
}
"""How the output may be read instead of q @ read."""


def cases(gate: bool, unit: bool, seed: int) -> Sequence[Case]:
    """A state that holds something, widths that differ; then what coincides.

    Args:
        gate: True adds a number between 0 and 1.
        unit: True makes keys of length 1.
        seed: of the numbers.
    """
    g = torch.Generator().manual_seed(13_101 + seed)

    def case(name: str, about: str, d_k: int, d_v: int, *tags: str) -> Case:
        S = torch.randn(d_k, d_v, generator=g)
        q, k = torch.randn(2, d_k, generator=g)
        k = k / k.norm() if unit else k
        args: tuple[Any, ...] = (S, q, k, torch.randn(d_v, generator=g))
        if name == "first":
            args = (0 * S, *args[1:])
        if gate:
            args += (0.3 + 0.5 * torch.rand((), generator=g),)
        return Case(name, about, args, frozenset(tags))

    return [
        case("plain", "d_k = 5, d_v = 7", 5, 7),
        case("tall", "d_k = 11, d_v = 3", 11, 3),
        case("square", "d_k = d_v = 4", 4, 4),
        case("first", "a state of zeros", 5, 3, "a state of zeros"),
        case("narrow", "d_k = 1", 1, 5, "d_k = 1"),
    ]


def pair(result: Any) -> Values:
    """Output and state; axes of length 1 around a vector do not matter."""
    values = as_values(result)
    if len(values) == 2 and values[0].dim() == 2 and 1 in values[0].shape:
        values = (values[0].reshape(-1), values[1])
    return values


def step_exercise(name: str, program: Program, gate: bool, unit: bool) -> Exercise:
    """An exercise whose answer is one step: (S, q, k, v, …) -> (output, new state)."""

    def drawn(seed: int) -> Sequence[Case]:
        return cases(gate, unit, seed)

    return Exercise(
        name=name,
        parts=("output", "state"),
        compute=program,
        cases=drawn,
        unpack=pair,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
