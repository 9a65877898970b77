"""softmax(x, dim)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..program import Program
from ..space import Case, Exercise, Finding, Values

INF = float("inf")
LINES = {
    "d": (
        "dim",
        {
            "-1": "dim-ignored",
            "0": "dim-ignored",
            "min(1, x.dim() - 1)": "dim-ignored",
            "(dim + 1) % x.dim()": "other-dim",
        },
    ),
    "top": (
        "x.amax(d, True)",
        {
            "torch.zeros_like(x)": "no-max-subtraction",
            "x.mean(d, True)": "no-max-subtraction",
            "x.max()": "global-max-subtraction",
            "x.amin(d, True)": "min-subtracted",
            "x.amax(d)": "keepdim-forgotten",
        },
    ),
    "e": (
        "(x - top).exp()",
        {
            "2 ** (x - top)": "softmax-base-2",
            "10.0 ** (x - top)": "softmax-base-2",
            "x": "normalised-without-exp",
            "x.abs()": "normalised-without-exp",
            "x * x": "normalised-without-exp",
            "x.relu()": "relu-not-softmax",
            "F.softplus(x)": "softplus-not-softmax",
            "(x.amin(d, True) - x).exp()": "softmax-of-minus-scores",
            "(x / top).exp()": "max-divided-out",
            "x.exp() - x.exp().amax(d, True)": "max-subtracted-after-exp",
        },
    ),
    "total": (
        "e.sum(d, True)",
        {
            "torch.ones(())": "exp-not-normalised",
            "e.sum()": "sum-over-everything",
            "e.sum(-1, True)": "dim-ignored",
            "e.sum(d)": "keepdim-forgotten",
            "e.sum(d, True) + 1": "softmax-plus-one",
            "e.mean(d, True)": "divided-by-mean",
            "e.amax(d, True)": "divided-by-max",
            "e.norm(dim=d, keepdim=True)": "softmax-l2-normalised",
            "e.sum(d, True) + 0.1": "eps-too-large",
            "e.sum(d, True) + 0.01": "eps-too-large",
        },
    ),
    "w": (
        "e / total",
        {
            "x.sigmoid()": "sigmoid-not-softmax",
            "x.tanh()": "tanh-not-softmax",
            "x.exp()": "exp-not-normalised",
            "x.log_softmax(d)": "log-softmax",
            "x.softmax(d).softmax(d)": "double-softmax",
            "torch.zeros_like(x).scatter(d, x.argmax(d, True), 1.0)": "hard-argmax",
            "(x - x.amin(d, True)) / (x - x.amin(d, True)).amax(d, True)": (
                "min-max-not-softmax"
            ),
            "x": "no-softmax",
            "x.flatten().softmax(0).view_as(x)": "softmax-over-everything",
            "x.reshape(-1, x.shape[dim]).softmax(-1).view_as(x)": "rows-by-reshape",
            "(x.exp() / x.exp().sum(d, True)).nan_to_num(0.0)": "no-max-subtraction",
            "(x.exp() / x.exp().sum(d, True)).nan_to_num(0.0, 0.0, 0.0)": (
                "no-max-subtraction"
            ),
            "x.exp() / (x.exp().sum(d, True) + 1)": "softmax-plus-one",
            "x.exp() / x.exp().amax(d, True)": "divided-by-max",
            "(x - x.amax(d)).exp() / (x - x.amax(d)).exp().sum(d)": "keepdim-forgotten",
            "x.softmax(d).round(decimals=1)": "weights-rounded",
            "x.softmax(d).round(decimals=2)": "weights-rounded",
            "x.half().softmax(d).float()": "softmax-in-half-precision",
            "x.bfloat16().softmax(d).float()": "softmax-in-half-precision",
        },
    ),
    "returned": (
        "w",
        {
            "w.transpose(-2, -1)": "output-transposed",
            "(w, x)": "returns-two",
            "w.flatten()": "result-flattened",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Every dim of small tensors, then large, low and hidden numbers."""
    g = torch.Generator().manual_seed(7919 + seed)
    flat, cube = torch.randn(3, 5, generator=g), torch.randn(2, 3, 7, generator=g)
    spread = flat + torch.tensor([0.0, 300.0, -300.0])[:, None]
    other = "a dim other than the last"
    big, low = "large numbers", "very negative numbers"

    def case(name: str, about: str, x: torch.Tensor, dim: int, *tags: str) -> Case:
        return Case(name, about, (x, dim), frozenset(tags), 1e-4)

    return [
        case("rows", "a 3×5 tensor, dim=-1", flat, -1),
        case("cube", "a 2×3×7 tensor, dim=2", cube, 2),
        case("columns", "a 3×5 tensor, dim=0", flat, 0, other),
        case("middle", "a 2×3×7 tensor, dim=1", cube, 1, other),
        case("cube-first", "a 2×3×7 tensor, dim=0", cube, 0, other),
        case("negative-dim", "a 2×3×7 tensor, dim=-2", cube, -2, other),
        case("square", "a 4×4 tensor, dim=-1", torch.randn(4, 4, generator=g), -1),
        case(
            "square-columns",
            "a 4×4 tensor, dim=0",
            torch.randn(4, 4, generator=g),
            0,
            other,
        ),
        case("vector", "a vector of 5 numbers", flat[0], -1, "a 1-D tensor"),
        case(
            "four",
            "a 2×3×4×5 tensor",
            torch.randn(2, 3, 4, 5, generator=g),
            -1,
            "a 4-D tensor",
        ),
        case("single", "a 1×5×1 tensor, dim=1", flat[:1, :, None], 1, "axes of size 1"),
        case("large", "numbers in the hundreds", flat * 300, -1, big),
        case("thousands", "numbers of 1000", flat + 1000, -1, big),
        case("low", "numbers around -500", flat - 500, -1, low),
        case("spread", "rows that lie 300 apart", spread, -1, "rows far apart", big),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The sum along dim."""
    x, dim = case.args
    w = values[0]
    return {"row_sum": numbers(w.sum(dim).flatten()[0])} if w.shape == x.shape else {}


def own_softmax(trial: behave.Trial) -> Finding | None:
    """A remark: the answer hands the work to PyTorch's softmax."""
    code = getattr(trial.answer, "__code__", None)
    names = code.co_names if code else (getattr(trial.answer, "__name__", ""),)
    own = next((n for n in names if "softmax" in n and not n.startswith("my")), None)
    return Finding("calls-the-real-one", {"own": own}) if own else None


def hidden_entries(trial: behave.Trial) -> Finding | None:
    """A remark: entries of -inf, as a mask leaves them, should get weight 0."""
    x = torch.tensor([[-INF, 0.5, 1.0], [2.0, -INF, -INF]])
    got = trial.values(trial.call((x, -1)))
    if got and bool(torch.isfinite(got[0]).all()):
        return None
    return Finding("nan-for-hidden-entries")


EXERCISES = [
    Exercise(
        name="softmax",
        parts=("weights",),
        compute=Program("x dim", LINES),
        cases=cases,
        facts=facts,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("cube"),
        ),
        symptoms=(
            behave.overflows("rows", "thousands"),
            behave.not_finite,
            behave.sums_along_dim,
        ),
        remarks=(
            own_softmax,
            hidden_entries,
            behave.gradients("cube", names=("x",)),
            behave.precisions("cube"),
        ),
    )
]
