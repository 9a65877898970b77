"""weighted_average(values, weights) -> one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Values, one_number

LINES = {
    "given": ("(values, weights)", {"(weights, values)": "roles-exchanged"}),
    "x": ("given[0]", {}),
    "w": (
        "given[1]",
        {
            "torch.ones_like(given[1])": "weights-ignored",
            "given[1].softmax(0)": "average-softmax",
            "given[1] ** 2": "weights-squared",
            "1 / given[1]": "weights-inverted",
            "given[1].sqrt()": "weights-rooted",
        },
    ),
    "total": (
        "w.sum()",
        {
            "torch.ones(())": "weights-not-divided-out",
            "len(x)": "divided-by-the-count",
            "w.max()": "divided-by-the-largest",
        },
    ),
    "average": (
        "(x * w).sum() / total",
        {
            "x * w / total": "average-not-summed",
            "x[w.argmax()]": "heaviest-only",
            "x.sum() / w.sum()": "only-the-divisor-weighted",
            "x.sum()": "plain-sum",
            "(x * w)[1:].sum() / total": "value-left-out",
            "(x * w)[:-1].sum() / total": "value-left-out",
            "(x * w)[1:].sum() / w[1:].sum()": "value-left-out",
            "(x * w)[:-1].sum() / w[:-1].sum()": "value-left-out",
            "(x * w.floor()).sum() / w.floor().sum().clamp_min(1)": "weights-cut",
            "(x * w.floor()).sum() / w.floor().sum()": "weights-cut",
            "(x * w.round()).sum() / w.round().sum().clamp_min(1)": "weights-cut",
            "(x * w.round()).sum() / w.round().sum()": "weights-cut",
        },
    ),
    "returned": (
        "average",
        {
            "average.floor()": "average-rounded",
            "average.trunc()": "average-rounded",
            "average.round()": "average-rounded",
            "average.round(decimals=1)": "average-rounded",
            "average.round(decimals=2)": "average-rounded",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Marks with small whole weights first, so that a learner can recompute them."""
    g = torch.Generator().manual_seed(4243 + seed)

    def drawn(n: int, low: float) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.randn(n, generator=g) * 3 + 1, 2 * torch.rand(n, generator=g) + low

    marks = torch.tensor([10.0, 4.0, 1.0]), torch.tensor([1.0, 2.0, 3.0])
    halves = torch.tensor([7.0, 2.0, 5.0, 4.0]), torch.tensor([2.5, 1.5, 0.75, 1.0])
    values, shares = drawn(5, 0.1)
    summed = frozenset(["weights that sum to 1"])
    return [
        Case("marks", "three values with weights 1, 2, 3", marks),
        Case("halves", "four values with weights 2.5, 1.5, 0.75, 1", halves),
        Case("drawn", "seven random values", drawn(7, 1.0)),
        Case(
            "shares", "weights that sum to 1", (values, shares / shares.sum()), summed
        ),
        Case("one", "a single value", drawn(1, 0.1), frozenset(["a single value"])),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """How many values there are, what the weights sum to, how many numbers came."""
    x, w = case.args
    return {"n": len(x), "total": number(w.sum()), "count": values[0].numel()}


EXERCISES = [
    Exercise(
        name="weighted_average",
        parts=("average",),
        compute=Program("values weights", LINES),
        cases=cases,
        facts=facts,
        unpack=one_number,
        behaviours=(behave.arguments_untouched, behave.calls_agree("drawn")),
        symptoms=(behave.not_finite,),
    )
]
