"""rotary_decode_step(q, k, v, keys, values) -> (output, keys, values): one new token.

The cache holds keys that are turned already. The first step is right with every wrong
place, so the cases start with caches of several lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from helpers.positions import rotate

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise


def turned(x: Tensor, place: int) -> Tensor:
    """(H, d): the vectors of one token, each turned as at this place."""
    return rotate(x[:, None], torch.tensor([place]))[:, 0]


def turned_again(keys: Tensor) -> Tensor:
    """(H, n, d): the keys of a cache, turned once more by their places."""
    return rotate(keys, torch.arange(keys.shape[1]))


LINES = {
    "n": ("keys.shape[1]", {}),
    "at": (
        "(n, n)",
        {
            "(0, 0)": "rotary-told-zero",
            "(0, n)": "rotary-query-at-zero",
            "(n, 0)": "rotary-key-at-zero",
            "(n + 1, n)": "rotary-query-one-ahead",
            "(n, n + 1)": "rotary-key-one-ahead",
            "(n + 1, n + 1)": "rotary-one-ahead",
            "(n - 1, n - 1)": "rotary-one-behind",
            "(1, 1)": "rotary-told-one",
        },
    ),
    "asked": ("turned(q, at[0])", {"q": "rotary-query-not-turned"}),
    "own": ("turned(k, at[1])", {"k": "rotary-key-not-turned"}),
    "kept": (
        "keys",
        {
            "turned_again(keys)": "rotary-cache-turned-again",
            "keys[:, :0]": "rotary-cache-not-seen",
        },
    ),
    "all_keys": (
        "torch.cat([kept, own[:, None]], 1)",
        {"torch.cat([own[:, None], kept], 1)": "rotary-cache-behind"},
    ),
    "given": ("v", {"turned_value(v, n)": "rotary-value-turned"}),
    "all_values": (
        "torch.cat([values[:, values.shape[1] - kept.shape[1] :], given[:, None]], 1)",
        {"torch.cat([given[:, None], values], 1)": "rotary-values-behind"},
    ),
    "scores": (
        "(all_keys @ asked[..., None])[..., 0] / q.shape[-1] ** 0.5",
        {
            "(all_keys @ asked[..., None])[..., 0]": "no-scale",
            "(all_keys @ asked[..., None])[..., 0] / q.shape[-1]": "scale-d-k",
        },
    ),
    "weights": (
        "scores.softmax(-1)",
        {
            "scores.softmax(0)": "softmax-over-heads",
            "torch.cat([scores[:, :-1].softmax(-1), 0 * scores[:, -1:]], 1)": (
                "rotary-itself-not-seen"
            ),
        },
    ),
    "output": ("(weights[:, None] @ all_values)[:, 0]", {}),
    "returned": (
        "(output, all_keys, all_values)",
        {
            "(output, keys, values)": "rotary-old-cache-returned",
            "(output, unturned(keys, k), all_values)": "rotary-key-cached-unturned",
            "output": "rotary-output-only",
        },
    ),
}


def turned_value(v: Tensor, place: int) -> Tensor:
    """The value turned as a key is; as it is, where its width is odd."""
    return v if v.shape[-1] % 2 else turned(v, place)


def unturned(keys: Tensor, k: Tensor) -> Tensor:
    """The cache with the new key as it came."""
    return torch.cat([keys, k[:, None]], dim=1)


def cases(seed: int) -> Sequence[Case]:
    """Caches of several lengths, an empty one included."""
    g = torch.Generator().manual_seed(9_201 + seed)

    def case(name: str, about: str, H: int, n: int, d: int, d_v: int) -> Case:
        q, k = 2 * torch.randn(2, H, d, generator=g)
        v, values = (
            torch.randn(H, d_v, generator=g),
            torch.randn(H, n, d_v, generator=g),
        )
        keys = rotate(2 * torch.randn(H, n, d, generator=g), torch.arange(n))
        tags: tuple[Any, ...] = () if n else ("an empty cache",)
        return Case(name, about, (q, k, v, keys, values), frozenset(tags), 1e-3)

    return [
        case("plain", "a cache of 5 tokens, d = 6", 3, 5, 6, 4),
        case("longer", "a cache of 23 tokens, d = 10", 2, 23, 10, 14),
        case("one", "a cache of 1 token", 3, 1, 4, 6),
        case("empty", "an empty cache", 2, 0, 6, 8),
        case("square", "4 heads, 4 tokens, d = d_v = 4", 4, 4, 4, 4),
    ]


KNOWN = {
    "turned": turned,
    "turned_again": turned_again,
    "turned_value": turned_value,
    "unturned": unturned,
}
EXERCISES = [
    Exercise(
        name="rotary_decode_step",
        parts=("output", "keys", "values"),
        compute=Program("q k v keys values", LINES, **KNOWN),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
