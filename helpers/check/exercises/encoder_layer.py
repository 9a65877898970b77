"""encoder_layer(x, attention, mlp, norm_1, norm_2, mask): pre-norm."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise
from ._draw import padded
from .cross_attention import Attention

LINES: Lines = {
    "given": (
        "mask",
        {"None": "layer-mask-dropped", "~mask": "layer-mask-inverted"},
    ),
    "attend": ("lambda q, k, v: attention(q, k, v, given)[0]", {}),
    "second": (
        "norm_2",
        {"norm_1": "layer-first-norm-twice", "plain": "layer-one-norm"},
    ),
    "normed": ("norm_1(x)", {"norm_2(x)": "layer-norms-swapped"}),
    "change": (
        "attend(normed, normed, normed)",
        {
            "attend(x, x, x)": "layer-attention-not-normed",
            "attend(normed, x, x)": "layer-only-queries-normed",
            "attend(normed, normed, x)": "layer-values-not-normed",
        },
    ),
    "middle": (
        "x + change",
        {
            "change": "layer-no-first-residual",
            "normed + change": "layer-residual-normed",
            "x - change": "layer-subtracted",
        },
    ),
    "inner": ("second(middle)", {"second(x)": "layer-parallel"}),
    "after": ("mlp(inner)", {"mlp(mlp(inner))": "layer-mlp-twice"}),
    "out": (
        "middle + after",
        {
            "after": "layer-no-second-residual",
            "x + after": "layer-second-sum-from-x",
            "inner + after": "layer-second-residual-normed",
            "middle": "layer-no-mlp",
        },
    ),
    "returned": (
        "out",
        {
            "post(x, attend, mlp, norm_1, norm_2)": "layer-post-norm",
            "mlp_first(x, attend, mlp, norm_1, norm_2)": "layer-mlp-first",
            "mlp_first(x, attend, mlp, norm_2, norm_1)": "layer-mlp-first",
            "norm_2(out)": "layer-output-normed",
            "bare(x, attend, mlp)": "layer-no-norms",
        },
    ),
}


def plain(x: Tensor) -> Tensor:
    """Nothing done."""
    return x


def post(x: Tensor, attend: nn.Module, mlp: nn.Module, *norms: nn.Module) -> Tensor:
    """The post-norm layer."""
    middle = norms[0](x + attend(x, x, x))
    return norms[1](middle + mlp(middle))


def bare(x: Tensor, attend: nn.Module, mlp: nn.Module) -> Tensor:
    """A layer without norms."""
    middle = x + attend(x, x, x)
    return middle + mlp(middle)


def mlp_first(
    x: Tensor, attend: nn.Module, mlp: nn.Module, *norms: nn.Module
) -> Tensor:
    """The MLP before the attention."""
    middle = x + mlp(norms[1](x))
    h = norms[0](middle)
    return middle + attend(h, h, h)


def cases(seed: int) -> Sequence[Case]:
    """Random parts; the norms are far from 1 and 0, so that each shows."""
    g = torch.Generator().manual_seed(10_037 + seed)
    attention = Attention(12, 3, g).eval()
    mlp = nn.Sequential(nn.Linear(12, 20), nn.ReLU(), nn.Linear(20, 12)).eval()
    norms = [nn.LayerNorm(12).eval() for _ in range(2)]
    with torch.no_grad():
        for p in mlp.parameters():
            p.normal_(0, 0.4, generator=g)
        for p in [p for norm in norms for p in norm.parameters()]:
            p.add_(0.5 * torch.randn(12, generator=g))

    def case(name: str, about: str, b: int, t: int, mask: Tensor | None) -> Case:
        x = 0.5 + 2 * torch.randn(b, t, 12, generator=g)
        tags = frozenset() if mask is None else frozenset(["a mask"])
        return Case(name, about, (x, attention, mlp, *norms, mask), tags)

    causal = torch.ones(7, 7, dtype=torch.bool).tril()
    return [
        case("plain", "no mask", 2, 5, None),
        case("padded", "a padding mask", 2, 6, padded(6, 3, 5)),
        case("causal", "a causal mask", 3, 7, causal),
        case("one token", "one token", 2, 1, None),
    ]


EXERCISES = [
    Exercise(
        name="encoder_layer",
        parts=("output",),
        compute=Program(
            "x attention mlp norm_1 norm_2 mask",
            LINES,
            {"mask": {"given": "None"}},
            plain=plain,
            post=post,
            bare=bare,
            mlp_first=mlp_first,
        ),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
