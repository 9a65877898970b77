"""layer_norm(x, gamma, beta, eps) -> every token shifted and stretched."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise

LINES: Lines = {
    "dims": (
        "(-1,)",
        {
            "(-2,)": "norm-over-tokens",
            "(-2, -1)": "norm-over-tokens-and-features",
            "(0, 1, 2)": "norm-over-everything",
            "(0, 1)": "norm-over-samples",
            "(0,)": "norm-over-samples",
        },
    ),
    "mean": ("x.mean(dims, True)", {"torch.zeros(())": "norm-rms"}),
    "top": ("x - mean", {"x": "norm-mean-kept"}),
    "var": (
        "((x - mean) ** 2).mean(dims, True)",
        {
            "x.var(dims, keepdim=True)": "norm-d-minus-1",
            "((x - mean) ** 2).sum(dims, True)": "norm-length",
            "(x**2).mean(dims, True)": "norm-raw-squares",
            "(x - mean).abs().mean(dims, True) ** 2": "norm-mean-deviation",
        },
    ),
    "root": (
        "(var + eps).sqrt()",
        {
            "var.sqrt()": "norm-no-eps",
            "var.sqrt() + eps": "norm-eps-outside",
            "var + eps": "norm-by-variance",
            "(var + 1e-5).sqrt()": "norm-eps-fixed",
            "torch.ones(())": "norm-only-centred",
        },
    ),
    "normed": ("top / root", {"top * root": "norm-multiplied"}),
    "returned": (
        "gamma * normed + beta",
        {
            "normed": "norm-bare",
            "gamma * normed": "norm-beta-forgotten",
            "normed + beta": "norm-gamma-forgotten",
            "gamma * (normed + beta)": "norm-beta-inside",
            "beta * normed + gamma": "norm-roles-swapped",
            "(1 + gamma) * normed + beta": "norm-one-plus-gamma",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Rows off centre; then small rows and equal numbers, where eps counts."""
    g = torch.Generator().manual_seed(10_007 + seed)

    def case(name: str, about: str, x: torch.Tensor, eps: float, *tags: str) -> Case:
        gamma, beta = 1 + 0.5 * torch.randn(2, x.shape[-1], generator=g)
        args = (x, gamma, beta, eps)
        return Case(name, about, args, frozenset(tags), 5e-5)

    x = 1 + 2 * torch.randn(3, 5, 7, generator=g)
    small, equal = "rows that hardly vary", "rows of equal numbers"
    square = 3 * torch.randn(2, 4, 4, generator=g) - 1
    return [
        case("plain", "3 × 5 tokens with 7 features", x, 1e-5),
        case("square", "as many tokens as features", square, 1e-5),
        case("small", small, 0.003 * square, 1e-5, small),
        case("eps", "another eps", 0.2 * x, 0.1, "another eps"),
        case("equal", equal, 5 * torch.ones(2, 3, 5), 1e-5, equal),
    ]


EXERCISES = [
    Exercise(
        name="layer_norm",
        parts=("output",),
        compute=Program("x gamma beta eps", LINES),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
