"""merge_heads(x): (B, H, T, d_k) -> (B, T, H · d_k)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise, Values

LINES: Lines = {
    "heads": (
        "x",
        {
            "x.mean(1)": "merge-averages-heads",
            "x.sum(1)": "merge-sums-heads",
            "x.amax(1)": "merge-largest-of-heads",
            "x.prod(1)": "merge-multiplies-heads",
            "x[:, 0]": "merge-one-head-only",
            "x[:, -1]": "merge-one-head-only",
            "x[:, :1].expand_as(x)": "merge-one-head-only",
            "x[:, -1:].expand_as(x)": "merge-one-head-only",
            "x.mean(1, keepdim=True).expand_as(x)": "merge-averages-heads",
            "x[:, :-1]": "merge-one-head-short",
            "x[:, 1:]": "merge-one-head-short",
            "x.flip(1)": "merge-heads-reversed",
            "x.flip(3)": "merge-features-reversed",
            "x[:1]": "merge-sample-0-only",
        },
    ),
    "axes": (
        "(0, 2, 1, 3)",
        {
            "(0, 1, 2, 3)": "merge-by-view",
            "(0, 2, 3, 1)": "merge-interleaved",
            "(0, 1, 3, 2)": "merge-turns-tokens-and-features",
            "(0, 3, 2, 1)": "merge-turns-tokens-and-features",
            "(0, 3, 1, 2)": "merge-turns-tokens-and-features",
            **{
                str(axes): "merge-mixes-samples"
                for axes in itertools.permutations(range(4))
                if axes[0] != 0
            },
        },
    ),
    "merged": (
        "heads if heads.dim() < 4 else laid_out(heads, axes)",
        {"by_tokens(heads)": "merge-mixes-samples"},
    ),
    "apart": (
        "merged if heads.dim() < 4 else "
        "merged.reshape(*merged.shape[:2], heads.shape[1], x.shape[3])",
        {},
    ),
    "returned": (
        "merged",
        {
            "apart.transpose(1, 2).flatten(1, 2)": "merge-along-tokens",
            "apart.flatten(1, 2)": "merge-along-tokens",
            "apart": "merge-stops-early",
            "apart.transpose(1, 2)": "merge-unchanged",
            "apart.transpose(1, 2).flatten(2)": "merge-flattens-tokens",
            "apart.transpose(1, 2).flatten(1)": "merge-flattens-all",
            "apart.flatten(1)": "merge-flattens-all",
            "merged.flatten(0, 1)": "merge-flattens-samples",
            "merged.transpose(0, 1)": "merge-tokens-first",
            "merged.mT": "merge-features-before-tokens",
            "apart.transpose(1, 2).flatten(0, 1)": "merge-into-batch",
            "apart.permute(2, 0, 1, 3).flatten(0, 1)": "merge-into-batch",
            "apart.mT": "merge-stops-early",
            "merged[0]": "merge-sample-0-only",
        },
    ),
}


def laid_out(x: torch.Tensor, axes: Sequence[int]) -> torch.Tensor:
    """The numbers read in this order of the axes, as (B, T, H · d_k)."""
    b, h, t, d = x.shape
    return x.permute(*axes).reshape(b, t, h * d)


def by_tokens(x: torch.Tensor) -> torch.Tensor:
    """Read as if tokens stood before samples."""
    b, h, t, d = x.shape
    return x.transpose(1, 2).reshape(t, b, h * d).transpose(0, 1)


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, sizes that coincide, another order in memory."""
    g = torch.Generator().manual_seed(4201 + seed)

    def case(
        name: str,
        b: int,
        heads: int,
        t: int,
        d: int,
        *tags: str,
        strided: bool = False,
    ) -> Case:
        x = torch.randn(b, heads, t, d, generator=g)
        about = f"{b} samples, {heads} heads, {t} tokens, {d} features a head"
        if strided:
            x = x.transpose(1, 2).contiguous().transpose(1, 2)
            about += ", as a split leaves it in memory"
        return Case(name, about, (x,), frozenset(tags), 1e-6)

    return [
        case("plain", 2, 3, 5, 7),
        case("other-sizes", 3, 2, 7, 5),
        case("one-head", 2, 1, 5, 6, "a single head"),
        case("tokens-are-heads", 2, 4, 4, 3, "as many tokens as heads"),
        case("tokens-are-wide", 2, 3, 4, 4, "as many tokens as features a head"),
        case("one-sample", 1, 3, 5, 4, "a single sample"),
        case("batch-is-tokens", 5, 3, 5, 2, "as many samples as tokens"),
        case("after-a-split", 2, 3, 5, 7, "an x that is not contiguous", strided=True),
        case("all-equal", 3, 3, 3, 3, "as many tokens as heads"),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    b, h, t, d = case.args[0].shape
    return {
        "heads": h,
        "d_k": d,
        "d_model": h * d,
        "tokens": t,
        "batch": b,
        "count": len(values),
    }


EXERCISES = [
    Exercise(
        name="merge_heads",
        parts=("merged heads",),
        compute=Program("x", LINES, laid_out=laid_out, by_tokens=by_tokens),
        cases=cases,
        facts=facts,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
        ),
        symptoms=(behave.samples_independent, behave.not_finite),
        remarks=(behave.gradients("plain", names=("x",)),),
    )
]
