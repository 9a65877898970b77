"""score_variance(q, k) -> (variance of q·k, variance of the scaled q·k)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Values, two_numbers

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "scale": (
        "root d",
        {
            "d": "scale-d-k",
            "none": "second-not-scaled",
            "variance by root d": "variance-divided-by-root-d",
            "variance by d squared": "scale-d-k",
            "times root d": "scale-multiplied",
            "variance times d": "scale-multiplied",
            "root n": "scale-root-samples",
            "n": "scale-root-samples",
            "fourth root": "scale-fourth-root",
        },
    ),
    "product": (
        "dot",
        {
            "elementwise": "products-not-summed",
            "over samples": "summed-over-samples",
            "mean": "mean-over-features",
            "one": "one-dot-product",
            "all pairs": "all-pairs",
            "q only": "q-with-itself",
            "k only": "k-with-itself",
            "q entries": "variance-of-q",
            "k entries": "variance-of-k",
            "added": "added-not-multiplied",
            "absolute": "absolute-products",
            "total": "one-dot-product",
            "cosine": "cosine-similarity",
            "first feature": "one-feature-only",
            "standardised": "vectors-standardised",
        },
    ),
    "spread": (
        "sample",
        {
            "std": "std-not-variance",
            "population std": "std-not-variance",
            "mean square": "mean-not-subtracted",
            "mean": "mean-not-variance",
            "mean absolute": "mean-deviation",
            "sum": "not-divided-by-n",
            "variance squared": "variance-squared",
        },
    ),
    "returns": (
        "both",
        {
            "swapped": "returns-swapped",
            "first": "returns-first-only",
            "second": "returns-second-only",
            "ratio": "returns-ratio",
            "root of first": "second-is-root-of-first",
            "theory": "theory-not-measured",
            "product": "variances-multiplied",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Both variances, as the choices `c` have them."""
    q, k = case.args
    n, d = q.shape
    s = _products(q, k, c["product"])
    spread, scale = _SPREADS[c["spread"]], c["scale"]
    by = {
        "root d": math.sqrt(d),
        "d": d,
        "times root d": 1 / math.sqrt(d),
        "n": n,
        "root n": math.sqrt(n),
        "fourth root": d**0.25,
    }.get(scale, 1.0)
    first, second = spread(s), spread(s / by)
    second = second / {
        "variance by root d": math.sqrt(d),
        "variance by d squared": d**2,
        "variance times d": 1 / d,
    }.get(scale, 1.0)
    return {
        "both": (first, second),
        "swapped": (second, first),
        "first": (first,),
        "second": (second,),
        "ratio": (first, first / second),
        "root of first": (first, first.abs().sqrt()),
        "theory": (torch.tensor(float(d)), torch.tensor(1.0)),
        "product": (d * q.var() * k.var(), q.var() * k.var()),
    }[c["returns"]]


def _products(q: torch.Tensor, k: torch.Tensor, how: str) -> torch.Tensor:
    return {
        "dot": lambda: (q * k).sum(-1),
        "elementwise": lambda: q * k,
        "over samples": lambda: (q * k).sum(0),
        "mean": lambda: (q * k).mean(-1),
        "one": lambda: (q[:1] * k[:1]).sum(-1),
        "all pairs": lambda: q @ k.T,
        "q only": lambda: (q * q).sum(-1),
        "k only": lambda: (k * k).sum(-1),
        "q entries": lambda: q,
        "k entries": lambda: k,
        "added": lambda: (q + k).sum(-1),
        "absolute": lambda: (q * k).abs().sum(-1),
        "total": lambda: (q * k).sum().reshape(1),
        "cosine": lambda: torch.nn.functional.cosine_similarity(q, k, dim=-1),
        "first feature": lambda: q[:, 0] * k[:, 0],
        "standardised": lambda: (_standard(q) * _standard(k)).sum(-1),
    }[how]()


def _standard(x: torch.Tensor) -> torch.Tensor:
    return (x - x.mean()) / x.std()


_SPREADS = {
    "sample": lambda s: s.var(),
    "population": lambda s: s.var(correction=0),
    "std": lambda s: s.std(),
    "population std": lambda s: s.std(correction=0),
    "mean square": lambda s: (s * s).mean(),
    "mean": lambda s: s.mean(),
    "mean absolute": lambda s: (s - s.mean()).abs().mean(),
    "sum": lambda s: ((s - s.mean()) ** 2).sum(),
    "variance squared": lambda s: s.var() ** 2,
}


def cases(seed: int) -> Sequence[Case]:
    """The lesson's standard normal rows; then rows off centre, to show the mean."""
    g = torch.Generator().manual_seed(6007 + seed)

    def case(n, d, *tags, off=0.0):
        q, k = torch.randn(n, d, generator=g), torch.randn(n, d, generator=g)
        about = f"{n} pairs of vectors with {d} features"
        args = (q + off, (1 + off) * k + off / 2)
        return Case(f"n{n}d{d}", about, args, frozenset(tags), 5e-4)

    off = "vectors whose mean is not 0"
    return [
        case(401, 11),
        case(101, 64, off, off=0.5),
        case(17, 3, off, "few pairs", off=0.5),
        case(13, 13, off, "as many pairs as features", off=0.5),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    q, _ = case.args
    shown = {
        name: number(v) if v.numel() == 1 else f"shape {tuple(v.shape)}"
        for name, v in zip(("first", "second"), values, strict=False)
    }
    return {
        "n": q.shape[0],
        "d": q.shape[1],
        "root_d": f"{math.sqrt(q.shape[1]):.3g}",
        **shown,
    }


EXERCISES = [
    Exercise(
        name="score_variance",
        parts=("variance", "scaled variance"),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("q", "k"),
        unpack=two_numbers,
        also_right=({"spread": "population"},),
        behaviours=(behave.arguments_untouched, behave.calls_agree("n401d11")),
        symptoms=(behave.not_finite,),
    )
]
