"""window_mask(n, window) -> (n, n): who sees whom with a window."""

from __future__ import annotations

from collections.abc import Sequence

from ..program import Program
from ..space import Case
from ._masks import VALUES, mask_exercise, unpack_square

LINES = {
    "i": ("torch.arange(n)[:, None]", {}),
    "j": ("torch.arange(n)", {}),
    "past": (
        "j <= i",
        {
            "(j <= i) | True": "window-future-seen",
            "j < i": "window-not-itself",
            "j >= i": "window-transposed",
        },
    ),
    "near": (
        "i - j < window",
        {
            "i - j <= window": "window-one-more",
            "i - j < window - 1": "window-one-less",
            "(i - j < window) | True": "window-no-bound",
            "j < window": "window-first-tokens",
            "i - j >= window": "window-old-tokens",
            "i // window == j // window": "window-blocks",
            "j - i < window": "window-no-bound",
        },
    ),
    "keep": (
        "past & near",
        {
            "(i - j).abs() < window": "window-both-sides",
            "(j - i >= 0) & (j - i < window)": "window-transposed",
            "(i - j).abs() <= window // 2": "window-centred",
            "~(past & near)": "window-inverted",
            "past & (i - j == window - 1)": "window-oldest-only",
            "past | near": "window-or",
        },
    ),
    "x": VALUES,
}


def cases(seed: int) -> Sequence[Case]:
    """Lengths and windows that differ; a window of 1; one longer than the sequence."""

    def case(n: int, window: int, *tags: str) -> Case:
        about = f"n = {n}, window = {window}"
        return Case(f"n{n}w{window}", about, (n, window), frozenset(tags), 1e-6)

    return [
        case(7, 3),
        case(9, 4),
        case(8 + seed % 3, 2),
        case(4, 1, "a window of 1"),
        case(5, 8, "a window longer than the sequence"),
        case(1, 3, "a single token"),
    ]


EXERCISES = [
    mask_exercise(
        "window_mask",
        "n7w3",
        compute=Program("n window", LINES),
        cases=cases,
        unpack=unpack_square,
    )
]
