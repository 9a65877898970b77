"""split_heads(x, num_heads): (B, T, d_model) -> (B, H, T, d_k)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise, Finding, Values

LINES: Lines = {
    "b": ("len(x)", {}),
    "t": ("x.shape[1]", {}),
    "h": ("num_heads", {}),
    "d": ("x.shape[2] // h", {}),
    "view": ("lambda x: x.reshape(b, h, t, d).transpose(1, 2)", {}),
    "blocks": ("x.reshape(b, t, h, d)", {}),
    "cut": (
        "blocks",
        {
            "view(x)": "split-by-view",
            "x.reshape(b, t, d, h).mT": "split-interleaved",
            "x.reshape(b, t, d, h)": "split-sizes-swapped",
            "view(x) if t % h == 0 else x": "split-along-tokens",
            "blocks[:, :, :1].expand(b, t, h, d)": "split-first-features-only",
            "blocks[:, :, -1:].expand(b, t, h, d)": "split-last-features-only",
            "x.reshape(b, h, d, t).permute(0, 3, 1, 2)": (
                "split-mixes-tokens-and-features"
            ),
            "view(blocks.permute(2, 0, 1, 3))": "split-mixes-samples",
            "view(torch.cat(x.chunk(h, -1), 0))": "split-mixes-samples",
            "x.reshape(t, b, h, d).transpose(0, 1)": "split-mixes-samples",
            "view(x.transpose(1, 2))": "split-mixes-tokens-and-features",
            "x.unsqueeze(2).expand(b, t, h, -1)": "split-every-head-gets-all",
            "x.unfold(2, d, 1)[:, :, :h]": "split-overlapping",
            "blocks.flip(2)": "split-heads-reversed",
            "blocks.flip(3)": "split-features-reversed",
            "blocks[:, :, :-1]": "split-one-head-short",
            "blocks[:, :, 1:]": "split-one-head-short",
            "blocks[:1]": "split-sample-0-only",
            "blocks.mean(2, keepdim=True).expand(b, t, h, d)": "split-averages",
        },
    ),
    "heads": (
        "cut.transpose(1, 2)",
        {
            "cut": "split-not-transposed",
            "cut.permute(0, 2, 3, 1)": "split-features-before-tokens",
            "cut.permute(2, 0, 1, 3)": "split-heads-first",
            "cut.unbind(2)": "split-list-of-heads",
            "cut.transpose(1, 2).flatten(0, 1)": "split-heads-in-batch",
            "cut.permute(2, 0, 1, 3).flatten(0, 1)": "split-heads-in-batch",
            "cut.mT": "split-heads-last",
            "x": "split-unchanged",
            "torch.stack(x.chunk(h, dim=1), 1)": "split-along-tokens",
            **{
                f"cut.permute{axes}": "split-other-axes"
                for axes in itertools.permutations(range(4))
                if axes
                not in (
                    (0, 2, 1, 3),
                    (0, 1, 2, 3),
                    (0, 2, 3, 1),
                    (2, 0, 1, 3),
                    (0, 1, 3, 2),
                )
            },
        },
    ),
    "returned": ("heads", {}),
}
"""`cut`: what a head gets, (B, T, H, d_k); `heads`: the order of the axes."""


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide."""
    g = torch.Generator().manual_seed(4001 + seed)

    def case(name: str, b: int, t: int, heads: int, d: int, *tags: str) -> Case:
        x = torch.randn(b, t, heads * d, generator=g)
        about = f"{b} samples of {t} tokens, {heads} heads of {d} features"
        return Case(name, about, (x, heads), frozenset(tags), 1e-6)

    return [
        case("plain", 2, 5, 3, 7),
        case("other-sizes", 3, 7, 2, 5),
        case("tokens-divide", 2, 6, 3, 5, "a length that num_heads divides"),
        case("one-head", 2, 5, 1, 6, "a single head"),
        case("tokens-are-heads", 2, 4, 4, 3, "as many tokens as heads"),
        case("heads-are-wide", 2, 5, 3, 3, "as many features a head as heads"),
        case("batch-is-heads", 3, 5, 3, 2, "as many samples as heads"),
        case("one-sample", 1, 5, 3, 2, "a single sample"),
        case("all-equal", 3, 3, 3, 3, "as many tokens as heads"),
    ]


def refuses_ragged(trial: behave.Trial) -> Finding | None:
    """A remark: what a width that the heads do not divide gets."""
    x = torch.arange(100.0).reshape(2, 5, 10)
    outcome = trial.call((x, 3))
    got = trial.values(outcome)
    if got is None or not got[0].numel():
        return None
    evidence = {
        "case": "d_model = 10, num_heads = 3",
        "your shape": str(tuple(got[0].shape)),
        "numbers in": str(x.numel()),
        "numbers out": str(got[0].numel()),
    }
    return Finding("split-ragged-in-silence", {"got": tuple(got[0].shape)}, evidence)


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    x, heads = case.args
    return {
        "heads": heads,
        "d_k": x.shape[2] // heads,
        "d_model": x.shape[2],
        "tokens": x.shape[1],
        "batch": x.shape[0],
        "count": len(values),
    }


EXERCISES = [
    Exercise(
        name="split_heads",
        parts=("heads",),
        compute=Program("x num_heads", LINES),
        cases=cases,
        facts=facts,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
        ),
        symptoms=(behave.samples_independent, behave.not_finite),
        remarks=(refuses_ragged, behave.gradients("plain", names=("x",))),
    )
]
