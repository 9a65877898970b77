"""linear_attention(Q, K, V) -> the output: causal attention without softmax."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise

LINES = {
    "asked": ("Q @ K.mT", {"K @ Q.mT": "linear-roles-swapped"}),
    "products": (
        "asked",
        {
            "asked / Q.shape[-1] ** 0.5": "linear-scaled",
            "asked / Q.shape[-1]": "linear-scaled",
            "asked.exp()": "linear-exp-kept",
            "asked.relu()": "linear-negatives-cut",
            "asked.abs()": "linear-signs-lost",
            "F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).mT": "linear-cosines",
        },
    ),
    "before": (
        "products.tril()",
        {
            "products": "linear-no-mask",
            "products.tril(-1)": "linear-itself-hidden",
            "products.tril(1)": "linear-one-ahead",
            "products.triu()": "linear-mask-transposed",
            "products.triu(1)": "linear-mask-transposed",
        },
    ),
    "shares": (
        "before",
        {
            "softmax(products)": "linear-softmax-kept",
            "products.softmax(-1).tril()": "linear-softmax-kept",
            "before / before.sum(-1, keepdim=True)": "linear-divided-by-sum",
            "before / counts(Q)": "linear-mean-not-sum",
            "before / Q.shape[-2]": "linear-mean-not-sum",
        },
    ),
    "output": (
        "shares @ V",
        {
            "shares.mT @ V": "linear-products-transposed",
            "shares @ V.cumsum(-2)": "linear-summed-twice",
            "(shares @ V).cumsum(-2)": "linear-summed-twice",
        },
    ),
    "returned": (
        "output",
        {
            "(output, shares)": "returns-two",
            "output[..., -1:, :]": "linear-last-token-only",
            "output[..., -1, :]": "linear-last-token-only",
        },
    ),
}


def softmax(products: torch.Tensor) -> torch.Tensor:
    """The weights of causal attention, from scores that are not scaled."""
    future = torch.ones_like(products).triu(1).bool()
    return products.masked_fill(future, float("-inf")).softmax(-1)


def counts(Q: torch.Tensor) -> torch.Tensor:
    """(T, 1): how many tokens each one may see."""
    return torch.arange(1.0, Q.shape[-2] + 1)[:, None]


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide, one token, one head."""
    g = torch.Generator().manual_seed(13_001 + seed)

    def case(name: str, about: str, B: int, H: int, T: int, d_k: int, d_v: int) -> Case:
        Q, K = torch.randn(2, B, H, T, d_k, generator=g)
        return Case(name, about, (Q, K, torch.randn(B, H, T, d_v, generator=g)))

    return [
        case("plain", "7 tokens, d_k = 5, d_v = 3", 2, 3, 7, 5, 3),
        case("wide", "5 tokens, d_k = 11, d_v = 13", 3, 2, 5, 11, 13),
        case("square", "4 samples, heads, tokens and features", 4, 4, 4, 4, 4),
        case("one-head", "a single head", 2, 1, 6, 3, 5),
        case("one-token", "a single token", 2, 3, 1, 5, 7),
    ]


EXERCISES = [
    Exercise(
        name="linear_attention",
        parts=("output",),
        compute=Program("Q K V", LINES, softmax=softmax, counts=counts),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
        remarks=(behave.gradients("plain", names=("Q", "K", "V")),),
    )
]
