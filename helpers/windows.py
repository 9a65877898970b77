"""Windows: which tokens a query may see, if only the latest are kept."""

from __future__ import annotations

import torch
from torch import Tensor

from helpers.masks import whole_number


def create_window_mask(seq_len: int, window: int | None, sinks: int = 0) -> Tensor:
    """Mask in which a token sees the last `window` tokens, and the first `sinks`.

    mask[i, j] = (0 ≤ i - j < window) or (j < sinks and j ≤ i).

    Args:
        seq_len: number of tokens n.
        window: how many tokens a query sees, itself included; None for all so far.
        sinks: how many of the first tokens stay visible for ever.

    Returns:
        bool tensor (n, n), True = may attend.

    Raises:
        ValueError: if a number is not whole or below 0, or the window below 1.

    >>> create_window_mask(4, 2).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    """
    n = whole_number("seq_len", seq_len)
    kept = n if window is None else whole_number("window", window)
    if window is not None and kept < 1:
        raise ValueError("window is 0, but a token sees at least itself")
    back = torch.arange(n)[:, None] - torch.arange(n)
    first = torch.arange(n) < whole_number("sinks", sinks)
    return (back >= 0) & ((back < kept) | first)


def places_kept(windows: tuple[int | None, ...], n: int) -> int:
    """How many keys a stack has in its caches after n tokens, over all layers.

    Args:
        windows: the window of each layer; None keeps every token.
        n: number of tokens.

    >>> places_kept((5, 5, None), 24)
    34
    """
    return sum(n if window is None else min(window, n) for window in windows)
