"""score_variance(q, k) -> (variance of q·k, variance of the scaled q·k)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Values, two_numbers


def standard(x: torch.Tensor, *dim: int) -> torch.Tensor:
    """Shifted and stretched to mean 0 and variance 1, on the whole or along `dim`."""
    keep = {"dim": dim, "keepdim": True} if dim else {}
    return (x - x.mean(**keep)) / x.std(**keep)


LINES = {
    "n": ("q.shape[0]", {}),
    "d": ("q.shape[1]", {}),
    "dots": (
        "(q * k).sum(-1)",
        {
            "q * k": "products-not-summed",
            "(q * k).sum(0)": "summed-over-samples",
            "(q * k).mean(-1)": "mean-over-features",
            "(q[:1] * k[:1]).sum(-1)": "one-dot-product",
            "q @ k.mT": "all-pairs",
            "(q * q).sum(-1)": "q-with-itself",
            "(k * k).sum(-1)": "k-with-itself",
            "q": "variance-of-q",
            "k": "variance-of-k",
            "(q + k).sum(-1)": "added-not-multiplied",
            "(q * k).abs().sum(-1)": "absolute-products",
            "(q * k).sum().reshape(1)": "one-dot-product",
            "F.cosine_similarity(q, k, dim=-1)": "cosine-similarity",
            "q[:, 0] * k[:, 0]": "one-feature-only",
            "(standard(q) * standard(k)).sum(-1)": "vectors-standardised",
            "(standard(q, 0) * standard(k, 0)).sum(-1)": "vectors-standardised",
            "(standard(q, 1) * standard(k, 1)).sum(-1)": "vectors-standardised",
            "((q - q.mean(0)) * (k - k.mean(0))).sum(-1)": "vectors-centred",
            "((q - q.mean()) * (k - k.mean())).sum(-1)": "vectors-centred",
            "((q - q.mean(1, True)) * (k - k.mean(1, True))).sum(-1)": (
                "vectors-centred"
            ),
        },
    ),
    "spread": (
        "lambda s: s.var()",
        {
            "lambda s: s.std()": "std-not-variance",
            "lambda s: s.std(correction=0)": "std-not-variance",
            "lambda s: (s * s).mean()": "mean-not-subtracted",
            "lambda s: s.mean()": "mean-not-variance",
            "lambda s: (s - s.mean()).abs().mean()": "mean-deviation",
            "lambda s: ((s - s.mean()) ** 2).sum()": "not-divided-by-n",
            "lambda s: s.var() ** 2": "variance-squared",
        },
    ),
    "second": (
        "spread(dots / math.sqrt(d))",
        {
            "spread(dots / d)": "scale-d-k",
            "spread(dots)": "second-not-scaled",
            "spread(dots) / math.sqrt(d)": "variance-divided-by-root-d",
            "spread(dots) / d ** 2": "scale-d-k",
            "spread(dots * math.sqrt(d))": "scale-multiplied",
            "spread(dots) * d": "scale-multiplied",
            "spread(dots / math.sqrt(n))": "scale-root-samples",
            "spread(dots / n)": "scale-root-samples",
            "spread(dots / d ** 0.25)": "scale-fourth-root",
            "spread(dots).abs().sqrt()": "second-is-root-of-first",
            "spread(dots) / spread(dots / math.sqrt(d))": "returns-ratio",
        },
    ),
    "returned": (
        "(spread(dots), second)",
        {
            "(second, spread(dots))": "returns-swapped",
            "(second, second)": "first-scaled-too",
            "spread(dots)": "returns-first-only",
            "second": "returns-second-only",
            "(torch.tensor(float(d)), torch.ones(()))": "theory-not-measured",
            "(d * q.var() * k.var(), q.var() * k.var())": "variances-multiplied",
            "(q.var(), k.var())": "variances-of-the-vectors",
            "(dots.std(), dots.var())": "std-and-variance",
            "((q * k).var(0).sum(), (q * k).var(0).sum() / d)": "variances-added",
            "((q * k).var(0).mean(), (q * k).var(0).mean() / d)": "variances-added",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """The lesson's standard normal rows; then rows off centre, to show the mean."""
    g = torch.Generator().manual_seed(6007 + seed)

    def case(n: int, d: int, *tags: str, off: float = 0.0) -> Case:
        q, k = torch.randn(n, d, generator=g), torch.randn(n, d, generator=g)
        about = f"{n} pairs of vectors with {d} features"
        shift = off * torch.linspace(0, 2, d)
        args = (q + shift, (1 + off) * k + shift / 2)
        return Case(f"n{n}d{d}", about, args, frozenset(tags), 5e-5)

    off = "vectors whose mean is not 0"
    return [
        case(401, 11),
        case(101, 64, off, off=0.5),
        case(17, 3, off, "few pairs", off=0.5),
        case(13, 13, off, "as many pairs as features", off=0.5),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The sizes, and the two numbers returned."""
    n, d = case.args[0].shape
    shown = {
        name: number(v) if v.numel() == 1 else f"shape {tuple(v.shape)}"
        for name, v in zip(("first", "second"), values, strict=False)
    }
    return {"n": n, "d": d, "root_d": f"{math.sqrt(d):.3g}", **shown}


EXERCISES = [
    Exercise(
        name="score_variance",
        parts=("variance", "scaled variance"),
        compute=Program("q k", LINES, standard=standard),
        cases=cases,
        facts=facts,
        unpack=two_numbers,
        also_right=({"spread": "lambda s: s.var(correction=0)"},),
        behaviours=(behave.arguments_untouched, behave.calls_agree("n401d11")),
        symptoms=(behave.not_finite,),
    )
]
