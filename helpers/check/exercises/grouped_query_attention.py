"""grouped_query_attention(Q, K, V) -> output: causal, with shared heads of K and V."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise


def interleaved(x: Tensor, r: int) -> Tensor:
    """Heads 0 0 1 1 …: neighbours share."""
    return x.repeat_interleave(r, dim=1)


def tiled(x: Tensor, r: int) -> Tensor:
    """Heads 0 1 0 1 …"""
    return x.repeat(1, r, 1, 1)


def first(x: Tensor, r: int) -> Tensor:
    """Head 0 for all."""
    return x[:, :1].repeat(1, r * x.shape[1], 1, 1)


def summed(x: Tensor, r: int) -> Tensor:
    """The sum of all heads, for all."""
    return first(x.sum(dim=1, keepdim=True).expand_as(x), r)


def averaged(x: Tensor, r: int) -> Tensor:
    """The mean of all heads, for all."""
    return first(x.mean(dim=1, keepdim=True).expand_as(x), r)


def before(scores: Tensor) -> Tensor:
    """What lies before each token; the first token sees itself."""
    n = scores.shape[-1]
    seen = torch.ones(n, n).tril(-1).bool()
    seen[0, 0] = True
    return seen


LINES = {
    "r": ("Q.shape[1] // K.shape[1]", {}),
    "share": (
        "interleaved",
        {
            "tiled": "grouped-tiled",
            "first": "grouped-first-only",
            "summed": "grouped-summed",
            "averaged": "grouped-averaged",
        },
    ),
    "share_keys": ("share", {"tiled": "grouped-keys-tiled"}),
    "share_values": ("share", {"tiled": "grouped-values-tiled"}),
    "keys": ("share_keys(K, r)", {}),
    "values": ("share_values(V, r)", {}),
    "asked": (
        "Q",
        {"interleaved(Q.unflatten(1, (-1, r)).mean(2), r)": "grouped-queries-averaged"},
    ),
    "scale": (
        "Q.shape[-1] ** 0.5",
        {
            "1.0": "no-scale",
            "Q.shape[-1]": "scale-d-k",
            "(r * Q.shape[-1]) ** 0.5": "grouped-scale-of-the-group",
            "(Q.shape[1] * Q.shape[-1]) ** 0.5": "grouped-scale-of-all-heads",
        },
    ),
    "scores": ("asked @ keys.mT / scale", {}),
    "seen": (
        "torch.ones(scores.shape[-2:]).tril().bool()",
        {
            "torch.ones(scores.shape[-2:]).bool()": "grouped-no-mask",
            "before(scores)": "grouped-itself-hidden",
        },
    ),
    "weights": (
        "scores.masked_fill(~seen, -INF).softmax(-1)",
        {
            "scores.masked_fill(~seen, -INF).softmax(-2)": "softmax-over-queries",
            "scores.masked_fill(~seen, -INF).softmax(1).nan_to_num()": (
                "softmax-over-heads"
            ),
        },
    ),
    "output": ("weights @ values", {}),
    "returned": ("output", {"(output, weights)": "returns-two"}),
}


def cases(seed: int) -> Sequence[Case]:
    """Several groups of several heads first: only there repeats differ."""
    g = torch.Generator().manual_seed(11_001 + seed)

    def case(name: str, about: str, B: int, H: int, G: int, n: int, d_v: int) -> Case:
        Q, K = (torch.randn(B, h, n, 5, generator=g) for h in (H, G))
        return Case(name, about, (2 * Q, K, torch.randn(B, G, n, d_v, generator=g)))

    return [
        case("plain", "6 query heads, 2 of keys and values", 2, 6, 2, 7, 3),
        case("three", "6 query heads, 3 of keys and values", 3, 6, 3, 4, 5),
        case("multi-query", "4 query heads, 1 of keys and values", 2, 4, 1, 5, 3),
        case("multi-head", "3 heads of each", 2, 3, 3, 6, 7),
        case("one token", "a single token", 2, 4, 2, 1, 3),
    ]


SHARES = {f.__name__: f for f in (interleaved, tiled, first, summed, averaged)}
EXERCISES = [
    Exercise(
        name="grouped_query_attention",
        parts=("output",),
        compute=Program("Q K V", LINES, before=before, **SHARES),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
        remarks=(behave.gradients("plain", names=("Q", "K", "V")),),
    )
]
