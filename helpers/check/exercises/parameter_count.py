"""parameter_count(d_model, num_heads): the four layers, with their biases."""

from __future__ import annotations

import math

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Finding
from ._counts import a_number, counting

LINES = {
    "d": ("d_model", {}),
    "h": ("num_heads", {}),
    "k": ("d // h", {}),
    "matrices": (
        "4 * d * d",
        {
            "(3 * h + 1) * d * d": "params-heads-multiply",
            "4 * h * d * d": "params-heads-multiply",
            "3 * d * d": "params-w-o-forgotten",
            "3 * h * d * d": "params-heads-multiply-no-w-o",
            "d * d": "params-one-matrix",
            "2 * d * d": "params-two-matrices",
            "5 * d * d": "params-five-matrices",
            "6 * d * d": "params-too-many-matrices",
            "8 * d * d": "params-too-many-matrices",
            "12 * d * d": "params-too-many-matrices",
            "4 * d * k": "params-one-head",
            "3 * d * k + d * d": "params-one-head",
            "3 * d * k": "params-one-head",
            "4 * k * k": "params-d-k-squared",
            "3 * k * k + d * d": "params-d-k-squared",
            "4 * h * k * k": "params-slices",
            "3 * h * k * k + d * d": "params-slices",
            "3 * h * k * k": "params-slices",
            "4 * d": "params-vectors",
            "0": "params-biases-only",
            "4 * d * h": "params-d-times-heads",
            "4 * d * d / h": "params-divided-by-heads",
        },
    ),
    "biases": (
        "4 * d",
        {
            "0": "params-no-biases",
            "3 * d": "params-bias-missing",
            "d": "params-bias-missing",
            "2 * d": "params-bias-missing",
            "4 * h * d": "params-biases-per-head",
            "(3 * h + 1) * d": "params-biases-per-head",
            "4 * k": "params-biases-of-one-head",
            "3 * k + d": "params-biases-of-one-head",
            "4": "params-one-number-a-bias",
            "1": "params-one-number-a-bias",
            "4 * h": "params-one-number-per-head",
            "h": "params-one-number-per-head",
            "3 * h + d": "params-one-number-per-head",
            "4 * d * d": "params-biases-as-matrices",
            "5 * d": "params-bias-too-many",
            "6 * d": "params-layer-norm-counted",
            "8 * d": "params-layer-norm-counted",
        },
    ),
    "times": (
        "1",
        {
            "h": "params-times-heads",
            "2": "params-doubled",
            "1 / 2": "params-halved",
            "4": "params-in-bytes",
            "32": "params-in-bits",
            "1 / h": "params-divided-by-heads",
            "3": "params-tripled",
            "1e-6": "params-in-millions",
            "1e-3": "params-in-thousands",
        },
    ),
    "count": ("one(times * (matrices + biases))", {}),
}


def a_whole_number(trial: Trial) -> Finding | None:
    """The count is an int, in a tensor or an array too."""
    got = trial.result
    kind = getattr(got, "dtype", None)
    real = kind.is_floating_point if isinstance(kind, torch.dtype) else False
    real = real or getattr(kind, "kind", "") == "f" or isinstance(got, float)
    if not real or trial.failing:
        return None
    return Finding("params-a-float", {"got": repr(got), "type": type(got).__name__})


def heads_matter(trial: Trial) -> Finding | None:
    """The total is the same for any number of heads that share d_model."""
    counts = {h: _count(trial, 48, h) for h in (2, 4, 8)}
    if None in counts.values() or len(set(counts.values())) == 1:
        return None
    shown = {
        f"yours for d_model = 48, num_heads = {h}": number(n) for h, n in counts.items()
    }
    return Finding("params-depend-on-heads", {}, shown)


def other_formula(trial: Trial) -> Finding | None:
    """a d² + b d + c, if that is what was counted."""
    x, y, z, control = (_count(trial, d, 1) for d in (2, 4, 6, 20))
    if None in (x, y, z, control):
        return None
    a = (z - 2 * y + x) / 8
    b = (y - x) / 2 - 6 * a
    c = x - 4 * a - 2 * b
    if not math.isclose(a * 400 + b * 20 + c, control, rel_tol=1e-9):
        return None
    terms = [(a, " d²"), (b, " d"), (c, "")]
    formula = " + ".join(f"{v:.10g}{name}" for v, name in terms if v) or "0"
    return Finding("params-other-formula", {"formula": formula.replace("+ -", "− ")})


def _count(trial: Trial, d: int, heads: int) -> float | None:
    got = trial.values(trial.call((d, heads)))
    return None if got is None or got[0].isnan() else float(got[0])


def facts(case: Case, values: object) -> dict[str, int]:
    """The width of a head."""
    d, h = case.args
    return {"d_k": d // h, "small": (d // h) ** 2}


EXERCISES = [
    counting(
        "parameter_count",
        "d_model num_heads",
        LINES,
        (12, 3),
        (64, 8),
        (512, 8),
        (30, 5),
        (768, 12),
        (10, 1, "a single head"),
        (16, 4, "d_k = num_heads"),
        facts=facts,
        behaviours=(a_number, a_whole_number, behave.calls_agree("sizes0")),
        symptoms=(a_number, heads_matter, other_formula, behave.not_finite),
    )
]
