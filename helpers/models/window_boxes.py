"""Black boxes that say they look back no further than a window; some look further.

Each takes x, (B, T, WIDTH), and returns one row per token, (B, T, WIDTH), made from the
tokens up to its own. In a sound one, row t is made from the last WINDOW tokens alone.
In the others something of an older token comes through, each in its own way. Nothing is
trained.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from helpers.windows import create_window_mask

from .boxes import WIDTH, Box, Weights, _attend, _convolve, _recur, _running, _scores

WINDOW = 4
"""How many tokens a row is made from, its own included."""


def window_boxes() -> dict[str, Box]:
    """The three boxes of lesson 12: D, E and F. One of them looks too far back."""
    return {box.name: box for box in all_window_boxes()[:3]}


def all_window_boxes(seed: int = 0) -> list[Box]:
    """D, E and F, and after them those that only the checker tries.

    `leaks` says of a box whether it looks beyond its window.

    Args:
        seed: other seeds give other parameters; the kinds of box stay the same.
    """
    g = torch.Generator().manual_seed(1270 + seed)
    W = [torch.randn(WIDTH, WIDTH, generator=g) / math.sqrt(WIDTH) for _ in range(4)]

    def seen(x: Tensor, window: int | None = WINDOW, sinks: int = 0) -> Tensor:
        return _attend(x, W, create_window_mask(x.shape[1], window, sinks))

    def opened(rows: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        """A window in which some rows see one token more."""

        def run(x: Tensor) -> Tensor:
            T = x.shape[1]
            more = rows(torch.arange(T))[:, None] & create_window_mask(T, WINDOW + 1)
            return _attend(x, W, create_window_mask(T, WINDOW) | more)

        return run

    sound = [
        ("itself", "an MLP within each token", lambda x: torch.tanh(x @ W[0]) @ W[1]),
        ("convolution", "a causal convolution over three tokens",
         lambda x: _convolve(x, W)),
        ("window", "attention with a window of 4", seen),
        ("three relays", "three layers with windows of 2, so a reach of 3",
         lambda x: seen(seen(seen(x, 2), 2), 2)),
        ("large", "a window of 4, outputs around 20,000",
         lambda x: 2e4 * seen(x) + 1e4),
        ("small", "a window of 4, outputs around 0.001", lambda x: 1e-3 * seen(x)),
    ]  # fmt: skip
    beyond = [
        ("no window", "causal attention over all tokens", lambda x: seen(x, None)),
        ("one too many", "a window of 5", lambda x: seen(x, WINDOW + 1)),
        ("sink", "a window of 4, and the first token stays visible",
         lambda x: seen(x, sinks=1)),
        ("far", "a window of 4, and the eighth token back",
         lambda x: seen(x) + _back(x, 8) @ W[3]),
        ("recurrent", "a recurrent network", lambda x: _recur(x, W)),
        ("mean", "a window of 4, from which the mean of all tokens so far is taken off",
         lambda x: seen(x) - _running(x)),
        ("faint", "a window of 4, and a thousandth of the token before it",
         lambda x: seen(x) + 1e-3 * _back(x, WINDOW) @ W[3]),
        ("small, one too many", "a window of 5, outputs around 0.0001",
         lambda x: 1e-4 * seen(x, WINDOW + 1)),
        ("late", "a window of 4, and of 5 from token 8 on", opened(lambda t: t >= 8)),
        ("hole", "a window of 4, and of 5 for token 6", opened(lambda t: t == 6)),
        ("one sample", "a window of 4, but none for the last sample of a batch",
         lambda x: torch.cat([seen(x)[:-1], seen(x[-1:], None)])),
        ("one feature", "a window of 4, but none for the last feature",
         lambda x: torch.cat([seen(x)[..., :-1], seen(x, None)[..., -1:]], -1)),
        ("choice", "a window of 4, kept only for tokens that score higher than the "
         "fifth token back", lambda x: seen(x) * _above(x, W)),
    ]  # fmt: skip
    given = [
        ("D", "a window of 4 by a mask after the softmax, divided by what is left",
         False, lambda x: 1e3 * _after(x, W, renormalise=True)),
        ("E", "a window of 4 by a mask after the softmax", True,
         lambda x: _after(x, W, renormalise=False)),
        ("F", "two layers with windows of 2, so a reach of 2", False,
         lambda x: seen(seen(x, 2), 2)),
        ("two layers", "two layers with windows of 4, so a reach of 6", True,
         lambda x: seen(seen(x))),
    ]  # fmt: skip
    return [
        *(Box(name, about, leaks, run) for name, about, leaks, run in given),
        *(Box(name, about, False, run) for name, about, run in sound),
        *(Box(name, about, True, run) for name, about, run in beyond),
    ]


def _after(x: Tensor, W: Weights, renormalise: bool) -> Tensor:
    """The weights of causal attention, of which only those in the window are kept."""
    T = x.shape[1]
    scores = _scores(x, W).masked_fill(~create_window_mask(T, None), -math.inf)
    weights = scores.softmax(dim=-1) * create_window_mask(T, WINDOW)
    if renormalise:
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ (x @ W[2])


def _back(x: Tensor, k: int) -> Tensor:
    """The token k places before each token, 0 where there is none."""
    return torch.nn.functional.pad(x, (0, 0, k, 0))[:, : x.shape[1]]


def _above(x: Tensor, W: Weights) -> Tensor:
    """1 where a token scores higher than the fifth before it, else 0."""
    score = x @ W[3][:, :1]
    return (score > _back(score, WINDOW + 1)).to(x.dtype)
