"""What the four mask exercises share.

Everywhere True (or 1, in any dtype) means may attend.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import behaviours as behave
from ..space import Exercise, Values, as_values

VALUES: tuple[str, Mapping[str, str]] = (
    "keep.to(torch.int8)",
    {
        "torch.zeros(keep.shape).masked_fill(~keep, -INF)": "mask-is-additive",
        "~keep * -1e9": "mask-is-additive",
        "torch.zeros(keep.shape).masked_fill(keep, -INF)": "mask-is-additive-inverted",
        "(~keep).float() * -INF": "mask-inf-times-zero",
        "keep.float() * -INF": "mask-inf-times-zero",
        "keep.float().masked_fill(~keep, INF)": "mask-one-or-inf",
        "keep.float().masked_fill(~keep, -INF)": "mask-one-or-inf",
        "2 * keep.float() - 1": "mask-plus-minus",
        "keep / keep.sum(-1, keepdim=True)": "mask-is-averaged",
    },
)
"""What may stand in a mask in the place of True and False."""

SEES: tuple[str, Mapping[str, str]] = (
    "j <= i",
    {
        "j > i": "causal-inverted",
        "j >= i": "causal-transposed",
        "j < i": "causal-not-itself",
        "j <= i + 1": "causal-one-ahead",
        "j <= i + 2": "causal-two-ahead",
        "j == i": "causal-itself-only",
        "(j <= i) | True": "causal-hides-nothing",
        "(j <= i) & False": "causal-hides-everything",
        "j != i": "causal-all-but-itself",
        "(j <= i).flip(1)": "causal-mirrored",
        "(j <= i).flip(0)": "causal-mirrored",
        "(j <= i) & (j >= i - 1)": "causal-window-of-two",
        "j == i - 1": "causal-one-before-only",
        "(j == 0) | (i < i.min())": "causal-first-key-only",
        "(j == n_k - 1) | (i < i.min())": "causal-last-key-only",
        "j < i - 1": "causal-two-steps-late",
    },
)
"""Which keys j a query at position i sees."""


def mask_exercise(name: str, first: str, **more: Any) -> Exercise:
    """An exercise whose answer is a mask; `first` names a plain case."""
    return Exercise(
        name=name,
        parts=("mask",),
        behaviours=(behave.arguments_untouched, behave.calls_agree(first)),
        symptoms=(behave.not_finite,),
        **more,
    )


def unpack_square(result: Any) -> Values:
    """A causal mask, without axes of size 1 in front, since it broadcasts as it is."""
    return tuple(
        t.reshape(t.shape[-2:]) if t.dim() > 2 and t[..., 0, 0].numel() == 1 else t
        for t in as_values(result)
    )
