"""chunked_linear_attention(Q, K, V, chunk) -> the output, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise


def walk(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    chunk: int,
    starts: range,
    inside: Callable[[Tensor], Tensor],
    update: Callable[..., Tensor],
    read: Callable[..., Tensor],
) -> Tensor:
    """The loop over the chunks; tokens that no chunk covers come out as zeros."""
    S = torch.zeros(*Q.shape[:-2], Q.shape[-1], V.shape[-1])
    out = torch.zeros(*Q.shape[:-1], V.shape[-1])
    for start in starts:
        part = slice(start, start + chunk)
        q, k, v = (x[..., part, :] for x in (Q, K, V))
        new = update(S, k, v)
        out[..., part, :] = read(q, S, new) + inside(q @ k.mT) @ v
        S = new
    return out


LINES = {
    "starts": (
        "range(0, Q.shape[-2], chunk)",
        {
            "range(0, Q.shape[-2] - chunk + 1, chunk)": "chunk-last-left-out",
            "range(0, chunk, chunk)": "chunk-first-only",
        },
    ),
    "inside": (
        "lambda s: s.tril()",
        {
            "lambda s: s": "chunk-no-mask",
            "lambda s: s.tril(-1)": "chunk-itself-hidden",
            "lambda s: s.triu()": "chunk-mask-transposed",
            "lambda s: 0 * s": "chunk-inside-left-out",
        },
    ),
    "update": (
        "lambda S, k, v: S + k.mT @ v",
        {
            "lambda S, k, v: k.mT @ v": "chunk-state-overwritten",
            "lambda S, k, v: S + k[..., -1:, :].mT @ v[..., -1:, :]": (
                "chunk-last-token-only"
            ),
            "lambda S, k, v: S": "chunk-state-never-written",
            "lambda S, k, v: S + k.mT @ v / k.shape[-2]": "chunk-state-averaged",
        },
    ),
    "read": (
        "lambda q, S, new: q @ S",
        {
            "lambda q, S, new: q @ new": "chunk-state-too-early",
            "lambda q, S, new: 0 * (q @ S)": "chunk-state-not-read",
            "lambda q, S, new: q.mean(-2, True) @ S": "chunk-one-query-for-all",
        },
    ),
    "output": (
        "walk(Q, K, V, chunk, starts, inside, update, read)",
        {"Q @ (K.mT @ V)": "linear-no-mask"},
    ),
    "returned": ("output", {"output[..., -chunk:, :]": "chunk-only-last-returned"}),
}


def cases(seed: int) -> Sequence[Case]:
    """Lengths that the chunk divides, and lengths that it does not."""
    g = torch.Generator().manual_seed(13_201 + seed)

    def case(name: str, about: str, T: int, chunk: int, *tags: str) -> Case:
        Q, K = torch.randn(2, 2, 3, T, 5, generator=g)
        args: tuple[Any, ...] = (Q, K, torch.randn(2, 3, T, 7, generator=g), chunk)
        return Case(name, about, args, frozenset(tags))

    ragged = "a last chunk that is shorter"
    return [
        case("even", "12 tokens, chunks of 4", 12, 4),
        case("more", "15 tokens, chunks of 3", 15, 3),
        case("ragged", "11 tokens, chunks of 4", 11, 4, ragged),
        case("single", "7 tokens, chunks of 1", 7, 1, "chunks of 1"),
        case("whole", "5 tokens, one chunk", 5, 5, "a single chunk"),
        case("large", "5 tokens, a chunk of 8", 5, 8, "a chunk longer than the text"),
    ]


EXERCISES = [
    Exercise(
        name="chunked_linear_attention",
        parts=("output",),
        compute=Program("Q K V chunk", LINES, walk=walk),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("even")),
        symptoms=(behave.not_finite,),
    )
]
