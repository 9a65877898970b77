"""weighted_average(values, weights) -> one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Values

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "weights": (
        "as given",
        {
            "ignored": "weights-ignored",
            "exchanged": "roles-exchanged",
            "softmax": "average-softmax",
            "squared": "weights-squared",
        },
    ),
    "divided by": (
        "sum of weights",
        {
            "nothing": "weights-not-divided-out",
            "count": "divided-by-the-count",
        },
    ),
    "result": (
        "sum",
        {"products": "average-not-summed", "heaviest": "heaviest-only"},
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The average of the values, each counted as often as its weight says."""
    x, w = case.args
    if c["weights"] == "exchanged":
        x, w = w, x
    w = {
        "ignored": lambda: torch.ones_like(w),
        "softmax": lambda: w.softmax(0),
        "squared": lambda: w**2,
    }.get(c["weights"], lambda: w)()
    total = {
        "nothing": torch.ones(()),
        "count": torch.tensor(float(len(x))),
    }.get(c["divided by"], w.sum())
    if c["result"] == "heaviest":
        return (x[w.argmax()],)
    products = x * w / total
    return (products if c["result"] == "products" else products.sum(),)


def cases(seed: int) -> Sequence[Case]:
    """Marks with small whole weights first, so that a learner can recompute them."""
    g = torch.Generator().manual_seed(4243 + seed)

    def drawn(n: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.randn(n, generator=g) * 3 + 1, torch.rand(n, generator=g) + 0.1

    marks = torch.tensor([10.0, 4.0, 1.0]), torch.tensor([1.0, 2.0, 3.0])
    values, shares = drawn(5)
    zero = drawn(4)
    zero[1][2] = 0.0
    summed = frozenset(["weights that sum to 1"])
    return [
        Case("marks", "three values with weights 1, 2, 3", marks),
        Case("drawn", "seven random values", drawn(7)),
        Case(
            "shares", "weights that sum to 1", (values, shares / shares.sum()), summed
        ),
        Case("zero", "a weight of 0 among four", zero),
        Case("one", "a single value", drawn(1), frozenset(["a single value"])),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    x, w = case.args
    return {"n": len(x), "total": number(w.sum()), "count": values[0].numel()}


EXERCISES = [
    Exercise(
        name="weighted_average",
        parts=("average",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("values", "weights"),
        behaviours=(behave.arguments_untouched, behave.calls_agree("drawn")),
        symptoms=(behave.not_finite,),
    )
]
