"""parameter_count(d_model, num_heads): the four layers, with their biases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Finding, Values
from .counting import a_number, unpack

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "matrices": (
        "4 d²",
        {
            "(3 H + 1) d²": "params-heads-multiply",
            "4 H d²": "params-heads-multiply",
            "3 d²": "params-w-o-forgotten",
            "3 H d²": "params-heads-multiply-no-w-o",
            "1 d²": "params-one-matrix",
            "2 d²": "params-two-matrices",
            "5 d²": "params-five-matrices",
            "6 d²": "params-too-many-matrices",
            "8 d²": "params-too-many-matrices",
            "12 d²": "params-too-many-matrices",
            "4 d d_k": "params-one-head",
            "3 d d_k + d²": "params-one-head",
            "3 d d_k": "params-one-head",
            "4 d_k²": "params-d-k-squared",
            "3 d_k² + d²": "params-d-k-squared",
            "4 H d_k²": "params-slices",
            "3 H d_k² + d²": "params-slices",
            "3 H d_k²": "params-slices",
            "4 d": "params-vectors",
            "nothing": "params-biases-only",
            "4 d H": "params-d-times-heads",
            "4 d² / H": "params-divided-by-heads",
        },
    ),
    "biases": (
        "4 d",
        {
            "none": "params-no-biases",
            "3 d": "params-bias-missing",
            "d": "params-bias-missing",
            "2 d": "params-bias-missing",
            "4 H d": "params-biases-per-head",
            "(3 H + 1) d": "params-biases-per-head",
            "4 d_k": "params-biases-of-one-head",
            "3 d_k + d": "params-biases-of-one-head",
            "4": "params-one-number-a-bias",
            "1": "params-one-number-a-bias",
            "4 H": "params-one-number-a-bias",
            "4 d²": "params-biases-as-matrices",
            "5 d": "params-bias-too-many",
        },
    ),
    "times": (
        "1",
        {
            "H": "params-times-heads",
            "2": "params-doubled",
            "1/2": "params-halved",
            "4": "params-in-bytes",
            "32": "params-in-bits",
            "1/H": "params-divided-by-heads",
            "3": "params-tripled",
            "1e-6": "params-in-millions",
            "1e-3": "params-in-thousands",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """4 d² + 4 d, or as `c` departs."""
    d, h = case.args
    k = d // h
    matrices = {
        "4 d²": 4 * d * d,
        "(3 H + 1) d²": (3 * h + 1) * d * d,
        "4 H d²": 4 * h * d * d,
        "3 H d²": 3 * h * d * d,
        "3 d²": 3 * d * d,
        "1 d²": d * d,
        "2 d²": 2 * d * d,
        "5 d²": 5 * d * d,
        "6 d²": 6 * d * d,
        "8 d²": 8 * d * d,
        "12 d²": 12 * d * d,
        "4 d d_k": 4 * d * k,
        "3 d d_k + d²": 3 * d * k + d * d,
        "3 d d_k": 3 * d * k,
        "4 d_k²": 4 * k * k,
        "3 d_k² + d²": 3 * k * k + d * d,
        "4 H d_k²": 4 * h * k * k,
        "3 H d_k² + d²": 3 * h * k * k + d * d,
        "3 H d_k²": 3 * h * k * k,
        "4 d": 4 * d,
        "nothing": 0,
        "4 d H": 4 * d * h,
        "4 d² / H": 4 * d * d / h,
    }[c["matrices"]]
    biases = {
        "4 d": 4 * d,
        "none": 0,
        "3 d": 3 * d,
        "2 d": 2 * d,
        "d": d,
        "5 d": 5 * d,
        "4 H d": 4 * h * d,
        "(3 H + 1) d": (3 * h + 1) * d,
        "4 d_k": 4 * k,
        "3 d_k + d": 3 * k + d,
        "4": 4,
        "1": 1,
        "4 H": 4 * h,
        "4 d²": 4 * d * d,
    }[c["biases"]]
    times = {"H": h, "1/H": 1 / h, "1/2": 0.5}.get(c["times"])
    total = (matrices + biases) * (float(c["times"]) if times is None else times)
    return (torch.tensor(total, dtype=torch.float64),)


def cases(seed: int) -> Sequence[Case]:
    """Sizes of real models, small ones, a single head."""

    def case(d, heads, *tags):
        about = f"d_model = {d}, num_heads = {heads}"
        return Case(f"d{d}h{heads}", about, (d, heads), frozenset(tags), 1e-7)

    return [
        case(12, 3),
        case(64, 8),
        case(512, 8),
        case(30, 5),
        case(768, 12),
        case(10, 1, "a single head"),
        case(16, 4, "d_k = num_heads"),
    ]


def heads_matter(trial: Trial) -> Finding | None:
    """The total is the same for any number of heads that share d_model."""
    counts = [_count(trial, 48, heads) for heads in (2, 4, 8)]
    if None in counts or len(set(counts)) == 1:
        return None
    shown = {
        f"yours for d_model = 48, num_heads = {h}": number(n)
        for h, n in zip((2, 4, 8), counts, strict=True)
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
    return None if got is None or got[0].numel() != 1 else float(got[0])


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    d, h = case.args
    got = values[0]
    shown = f"{float(got):.10g}" if got.numel() == 1 else f"shape {tuple(got.shape)}"
    return {
        "got": shown,
        "d_model": d,
        "heads": h,
        "d_k": d // h,
        "square": d * d,
        "small": (d // h) ** 2,
    }


EXERCISES = [
    Exercise(
        name="parameter_count",
        parts=("number of parameters",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("d_model", "num_heads"),
        unpack=unpack,
        behaviours=(a_number, behave.calls_agree("d12h3")),
        symptoms=(a_number, heads_matter, other_formula),
    )
]
