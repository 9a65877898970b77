"""The numbers that every sentence may mention, whatever the exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from .diagnosis import number
from .space import Case, Exercise, Values


def usual_facts(
    spec: Exercise, case: Case, got: Values, want: Values
) -> dict[str, Any]:
    """What was given, what came back, and what was due.

    Every plain argument by its name; `got` and `want`: the first part that differs, as
    a number or as its shape; of the last part returned (the weights, where there are
    any) `row_sum` of its first row that does not sum to 1, `total`, `least` and `most`.
    """
    plain = bool | int | float | str
    names = zip(spec.argument_names, case.args)
    found = {name: a for name, a in names if isinstance(a, plain)}
    part = next((p for p, (a, b) in enumerate(zip(got, want)) if differs(a, b)), 0)
    found["got"], found["want"] = told(got, part), told(want, part)
    return found | _of_numbers(got[-1] if got else torch.zeros(0))


def differs(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Do two results differ in shape, or by more than rounding?"""
    return a.shape != b.shape or not torch.allclose(
        a.double(), b.double(), 1e-4, 1e-4, equal_nan=True
    )


def told(values: Values, part: int = 0) -> str:
    """One returned part: its number if it is one, else its shape."""
    if part >= len(values):
        return "nothing"
    value = values[part].detach()
    return number(value) if value.numel() == 1 else str(tuple(value.shape))


def _of_numbers(values: torch.Tensor) -> Mapping[str, str]:
    if not values.numel():
        return dict.fromkeys(("row_sum", "total", "least", "most"), "nothing")
    values = values.detach().double()
    sums = values.sum(-1).flatten() if values.dim() else values.reshape(1)
    odd = ((sums - 1).abs() > 1e-3) & (sums != 0) | sums.isnan()
    return {
        "row_sum": number(sums[int(odd.int().argmax())]),
        "total": number(values.sum()),
        "least": number(values.min()),
        "most": number(values.max()),
    }
