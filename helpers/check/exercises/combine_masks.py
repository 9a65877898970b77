"""combine_masks(causal, padding) -> (B, 1, T, T)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..program import Program
from ..space import Case, Values
from ._draw import real
from ._masks import VALUES, mask_exercise

LINES = {
    "c": (
        "causal",
        {
            "causal.T": "combined-causal-transposed",
            "causal & ~torch.eye(len(causal)).bool()": "combined-without-diagonal",
        },
    ),
    "p": (
        "padding",
        {
            "padding.mT": "combined-padding-on-queries",
            "padding & padding.mT": "combined-padding-on-queries-too",
            "padding[:1].expand_as(padding)": "combined-first-sample",
            "padding[-1:].expand_as(padding)": "combined-last-sample",
            "padding.any(0, True).expand_as(padding)": "combined-any-sample",
            "padding.all(0, True).expand_as(padding)": "combined-any-sample",
            "padding.flip(-1)": "combined-padding-flipped",
        },
    ),
    "keep": (
        "c & p",
        {
            "c | p": "combined-with-or",
            "c ^ p": "combined-with-xor",
            "c.expand(len(p), 1, -1, -1)": "combined-causal-only",
            "c": "combined-causal-only",
            "p.expand(-1, 1, len(c), -1)": "combined-padding-only",
            "p": "combined-padding-only",
            "~(c & p)": "combined-inverted",
            "~(c | p)": "combined-with-nor",
            "c == p": "combined-where-equal",
            "c & ~p": "combined-padding-inverted",
            "~c & p": "combined-causal-inverted",
            "c | ~p": "combined-pads-see-all",
            "~c | p": "combined-implication",
            "(c & p) | torch.eye(len(c)).bool()": "combined-diagonal-always",
            "(c & p) | ~p.mT": "combined-padding-sees-all",
            "c & p.cummin(0).values": "combined-paddings-pile-up",
            "(c & p) | True": "combined-hides-nothing",
            "(c & p) & False": "combined-hides-everything",
        },
    ),
    "x": (
        VALUES[0],
        {
            **VALUES[1],
            "c.float() + p.float()": "combined-by-adding",
            "c.float() - p.float()": "combined-by-subtracting",
            "(c.float() + p.float()) / 2": "combined-averaged",
        },
    ),
    "returned": (
        "x",
        {
            "x[:, 0]": "combined-axis-lost",
            "x.transpose(0, 1)": "combined-batch-misplaced",
            "x[0, 0]": "combined-first-sample",
            "x[:1]": "combined-first-sample",
            "x[:, :, -1:]": "combined-query-axis-lost",
            "x[:, 0, -1]": "combined-query-axis-lost",
            "torch.cat(torch.broadcast_tensors(c, p), 1) * 1": "combined-stacked",
            "(c.to(torch.int8), p.to(torch.int8))": "combined-both-returned",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Padding at the end, padding in front, as many samples as tokens."""

    def case(name: str, about: str, padding: torch.Tensor, *tags: str) -> Case:
        n = padding.shape[-1]
        tril = torch.ones(n, n, dtype=torch.bool).tril()
        args = (tril, padding[:, None, None])
        return Case(name, about, args, frozenset(tags), 1e-6)

    r = seed % 2
    return [
        case("padded-right", "2 samples of 5 tokens, padded behind", real(5, 3, 4 + r)),
        case("padded-left", "padding in front of the tokens", real(5, 2, 4).flip(-1)),
        case("three", "3 samples of 7 tokens", real(7, 4, 7, 2)),
        case("batch-is-n", "3 samples of 3 tokens", real(3, 2, 3, 1), "B = T"),
        case("one-sample", "a single sample", real(5, 3), "a single sample"),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The sizes."""
    causal, padding = case.args
    return {"batch": len(padding), "n": len(causal)}


EXERCISES = [
    mask_exercise(
        "combine_masks",
        "padded-right",
        compute=Program("causal padding", LINES),
        cases=cases,
        facts=facts,
    )
]
