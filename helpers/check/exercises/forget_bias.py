"""forget_bias(steps, left) -> the bias with which a forget gate leaves that share.

The gate is sigmoid(bias) in every step, so sigmoid(bias) ** steps = left.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Finding, Values
from ._counts import a_number, one, unpack


def logit(gate: float) -> float:
    """The number whose sigmoid this is; NaN if there is none."""
    return math.log(gate / (1 - gate)) if 0 < gate < 1 else math.nan


def log(x: float) -> float:
    """The natural logarithm; NaN if there is none."""
    return math.log(x) if x > 0 else math.nan


def sigmoid(x: float) -> float:
    """Between 0 and 1."""
    return torch.tensor(x, dtype=torch.float64).sigmoid().item()


LINES = {
    "count": (
        "steps",
        {
            "steps - 1 or 1": "bias-one-step-missing",
            "steps + 1": "bias-one-step-too-many",
            "128": "bias-for-fixed-steps",
            "32": "bias-for-fixed-steps",
        },
    ),
    "share": (
        "left",
        {
            "1 - left": "bias-lost-for-left",
            "0.5": "bias-for-half",
            "0.4": "bias-for-half",
        },
    ),
    "gate": (
        "share ** (1 / count)",
        {
            "share": "bias-for-one-step",
            "share ** count": "bias-power-not-root",
            "share / count": "bias-share-divided",
            "1 - (1 - share) / count": "bias-equal-losses",
            "1 - share / count": "bias-equal-losses",
            "1 - 1 / count": "bias-share-ignored",
            "1 / count": "bias-share-ignored",
            "math.exp(-share * count)": "bias-power-not-root",
            "share ** (1 / math.sqrt(count))": "bias-root-of-steps",
            "math.sqrt(share)": "bias-steps-ignored",
        },
    ),
    "bias": (
        "logit(gate)",
        {
            "gate": "bias-is-the-gate",
            "sigmoid(gate)": "bias-sigmoid-not-inverse",
            "-logit(gate)": "bias-sign-turned",
            "log(gate)": "bias-log-for-logit",
            "-log(gate)": "bias-log-for-logit",
            "math.log1p(gate)": "bias-log-for-logit",
            "gate / (1 - gate)": "bias-odds",
            "log(gate) / (log(1 - gate) or 1)": "bias-logs-divided",
            "logit(gate) / math.log(10)": "bias-other-logarithm",
            "logit(gate) / math.log(2)": "bias-other-logarithm",
            "logit(gate) - 1": "bias-beside-one",
            "logit(gate) + 1": "bias-beside-one",
            "math.atanh(gate)": "bias-tanh-for-sigmoid",
            "log(count)": "bias-share-ignored",
            "log(count / -log(share))": "bias-for-many-steps",
            "log(count) - log(1 - share)": "bias-for-many-steps",
        },
    ),
    "answer": ("one(bias)", {"one(bias / count)": "bias-shared-over-steps"}),
}

KNOWN = {"logit": logit, "log": log, "sigmoid": sigmoid, "one": one}


def cases(seed: int) -> Sequence[Case]:
    """Many steps and few; half of the memory, nearly all of it, and little."""
    rng = random.Random(seed + 31)
    drawn = rng.choice((37, 41, 43)), rng.choice((0.3, 0.6, 0.7))
    found = [(128, 0.5), (32, 0.1), (1000, 0.9), drawn, (2, 0.25), (1, 0.8)]
    few = {1: frozenset({"a single step"})}
    return [
        Case(
            f"gate{i}",
            f"{steps} step{'s' * (steps > 1)}, of which {left} is to be left",
            (steps, left),
            few.get(steps, frozenset()),
            1e-3,
        )
        for i, (steps, left) in enumerate(found)
    ]


def leaves_another_share(trial: Trial) -> Finding | None:
    """Put into the gate, the bias leaves the share that was asked for."""
    off = []
    for case, got in zip(trial.cases, trial.seen, strict=True):
        if got is None or not math.isfinite(got[0]):
            return None
        steps, left = case.args
        stays = sigmoid(float(got[0])) ** steps
        if abs(stays - left) > 1e-3:
            off.append((steps, left, number(stays)))
    if not off:
        return None
    seen = {f"{n} steps, {due} wanted": f"{stays} is left" for n, due, stays in off}
    (n, due, stays), *_ = off
    return Finding(
        "bias-leaves-another-share", {"n": n, "asked": due, "leaves": stays}, seen
    )


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The gate that is due, and what the returned bias leaves."""
    steps, left = case.args
    got = float(values[0]) if values else math.nan
    gate = sigmoid(got)
    return {
        "gate": number(left ** (1 / steps)),
        "opens": number(gate),
        "leaves": number(gate**steps),
    }


EXERCISES = [
    Exercise(
        name="forget_bias",
        parts=("bias",),
        compute=Program(
            "steps left", LINES, logit=logit, log=log, sigmoid=sigmoid, one=one
        ),
        cases=cases,
        unpack=unpack,
        facts=facts,
        behaviours=(a_number, behave.calls_agree("gate0")),
        symptoms=(a_number, behave.not_finite, leaves_another_share),
    )
]
