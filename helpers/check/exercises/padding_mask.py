"""padding_mask(lengths, max_len) -> (B, 1, 1, max_len)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..program import Program
from ..space import Case, Values
from ._masks import VALUES, mask_exercise

LINES = {
    "n": (
        "max_len",
        {
            "int(lengths.max())": "padding-size-longest",
            "max_len + 1": "padding-size-one-more",
            "max_len - 1": "padding-size-one-less",
            "int(lengths.sum())": "padding-size-sum",
            "len(lengths)": "padding-size-batch",
        },
    ),
    "end": (
        "lengths[:, None]",
        {
            "lengths[:1, None].expand(len(lengths), 1)": "padding-first-length-for-all",
            "lengths.max().expand(len(lengths), 1)": "padding-longest-for-all",
            "lengths.min().expand(len(lengths), 1)": "padding-shortest-for-all",
            "lengths[-1:, None].expand(len(lengths), 1)": "padding-last-length-for-all",
            "lengths.flip(0)[:, None]": "padding-lengths-reversed",
            "n - lengths[:, None]": "padding-counts-the-padding",
            "lengths.clamp(min=1)[:, None]": "padding-empty-sentence-shown",
        },
    ),
    "j": ("torch.arange(n)", {}),
    "keep": (
        "j < end",
        {
            "j >= end": "padding-inverted",
            "j <= end": "padding-one-too-many",
            "j < end - 1": "padding-one-too-few",
            "j > end": "padding-inverted-and-shifted",
            "j >= n - end": "padding-on-the-left",
            "j < n - end": "padding-on-the-left-inverted",
            "(j < end) | True": "padding-hides-nothing",
            "(j < end) & False": "padding-hides-everything",
            "j == end": "padding-only-the-boundary",
            "j == end - 1": "padding-only-the-boundary",
            "(j < end) & (j > 0)": "padding-first-hidden",
            "(j < end) & (end < n)": "padding-full-sentence-hidden",
            "(j < lengths).expand(len(lengths), n)": "padding-lengths-along-tokens",
        },
    ),
    "x": (
        VALUES[0],
        {
            **VALUES[1],
            "j * (j < end)": "padding-holds-positions",
            "end * (j < end)": "padding-holds-lengths",
        },
    ),
    "returned": (
        "x[:, None, None]",
        {
            "x[:, None]": "padding-axes-missing",
            "x": "padding-axes-missing",
            "x[:, None, :, None]": "padding-on-queries",
            "x[:, :, None, None]": "padding-on-heads",
            "x[:, :, None]": "padding-on-queries",
            "x[None, :, None]": "padding-batch-misplaced",
            "x[None, None]": "padding-batch-misplaced",
            "x[None]": "padding-batch-misplaced",
            "x.T[None, :, None]": "padding-turned",
            "x.T[:, None, None]": "padding-turned",
            "x.T": "padding-turned",
            "x[:, None, None].expand(-1, 1, n, n)": "padding-expanded",
            "x[:, None].expand(-1, n, n)": "padding-expanded",
            "x[:, None, :, None] * x[:, None, None]": "padding-on-queries-too",
            "x[:, :, None] * x[:, None]": "padding-on-queries-too",
            "x[:, None, None, None]": "padding-axis-too-many",
            "x.flatten()": "padding-flattened",
            "x[:1, None, None]": "padding-first-sample-only",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Lengths unsorted, shorter than max_len, as many as max_len."""

    def case(lengths: list[int], max_len: int, *tags: str) -> Case:
        about = f"lengths {lengths}, max_len {max_len}"
        name = "-".join(map(str, lengths)) + f"of{max_len}"
        args = (torch.tensor(lengths), max_len)
        return Case(name, about, args, frozenset(tags), 1e-6)

    r = seed % 2
    return [
        case([2, 5, 1 + r], 5),
        case([2, 3], 6, "a max_len above the longest"),
        case([3, 1, 4, 1], 7, "a max_len above the longest"),
        case([1, 2, 3], 3, "as many samples as tokens"),
        case([4, 4], 4, "no padding at all"),
        case([2], 4, "a max_len above the longest"),
        case([0, 3, 2], 4, "an empty sentence"),
    ]


def call(answer: Callable[..., Any], lengths: torch.Tensor, max_len: int) -> Any:
    """With a tensor of lengths; with a list, if the answer wants one."""
    try:
        return answer(lengths, max_len)
    except (TypeError, AttributeError) as error:
        try:
            return answer(lengths.tolist(), max_len)
        except Exception:
            raise error from None


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    lengths, max_len = case.args
    got = values[0]
    return {
        "got": tuple(got.shape),
        "want": (len(lengths), 1, 1, max_len),
        "max_len": max_len,
        "longest": int(lengths.max()),
        "batch": len(lengths),
        "first": int(lengths[0]),
    }


EXERCISES = [
    mask_exercise(
        "padding_mask",
        "2-3of6",
        compute=Program("lengths max_len", LINES),
        cases=cases,
        facts=facts,
        call=call,
    )
]
