"""Black boxes for the leak hunt: sequence in, sequence out; some look ahead.

A box takes x, (B, T, d), and returns one row per token, (B, T, d). A sound one computes
row t from the tokens up to t. A leaky one lets something of a later token through, each
in its own way. Nothing is trained; the parameters come from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from helpers.masks import create_causal_mask

WIDTH = 8
"""Features d of a token."""
LENGTH = 12
"""Tokens T of the example input."""
Weights = list[Tensor]


@dataclass(frozen=True)
class Box:
    """A model that can be called and, printed, says nothing about itself.

    name: what it is called. about: what it does inside. leaks: does it look ahead?
    """

    name: str
    about: str = field(repr=False)
    leaks: bool = field(repr=False)
    run: Callable[[Tensor], Tensor] = field(repr=False)

    def __call__(self, x: Tensor) -> Tensor:
        """(B, T, WIDTH), one row per token, from x of the same shape."""
        if x.ndim != 3 or x.shape[-1] != WIDTH:
            raise ValueError(
                f"x has shape {tuple(x.shape)}, but a box reads (batch, tokens, "
                f"{WIDTH})"
            )
        return self.run(x)


def example_input(seed: int = 0, batch: int = 2) -> Tensor:
    """(batch, LENGTH, WIDTH): random tokens, standard normal."""
    g = torch.Generator().manual_seed(900 + seed)
    return torch.randn(batch, LENGTH, WIDTH, generator=g)


def black_boxes() -> dict[str, Box]:
    """The three boxes of lesson 06: A, B and C. One of them leaks."""
    return {box.name: box for box in all_boxes()[:3]}


def all_boxes(seed: int = 0) -> list[Box]:
    """A, B and C, and after them those that only the checker tries.

    Args:
        seed: other seeds give other parameters; the kinds of box stay the same.
    """
    g = torch.Generator().manual_seed(70 + seed)
    W = [torch.randn(WIDTH, WIDTH, generator=g) / math.sqrt(WIDTH) for _ in range(4)]

    def causal(x: Tensor) -> Tensor:
        return _attend(x, W, _past(x))

    def opened(rows: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        """A causal mask in which some rows see one token more."""

        def run(x: Tensor) -> Tensor:
            T = x.shape[1]
            more = rows(torch.arange(T))[:, None] & _ones(T).tril(1)
            return _attend(x, W, _past(x) | more)

        return run

    given = [
        ("A", "a causal convolution, outputs in the thousands", False,
         lambda x: 5000 * _convolve(x, W)),
        ("B", "attention masked after the softmax", True,
         lambda x: _masked_after(x, W, renormalise=False)),
        ("C", "attention masked after the softmax and divided by what is left", False,
         lambda x: _masked_after(x, W, renormalise=True)),
    ]  # fmt: skip
    sound = [
        ("causal", "causal attention", causal),
        ("two layers", "two layers of causal attention", lambda x: causal(causal(x))),
        ("itself", "an MLP within each token", lambda x: torch.tanh(x @ W[0]) @ W[1]),
        ("running mean", "the mean of the tokens so far", lambda x: _running(x) @ W[0]),
        ("recurrent", "a recurrent network", lambda x: _recur(x, W)),
        ("large", "causal attention, outputs around 20,000",
         lambda x: 2e4 * causal(x) + 1e4),
        ("small", "causal attention, outputs around 0.001",
         lambda x: 1e-3 * causal(x)),
        ("renormalised, large", "the mask after the softmax and renormalised, outputs "
         "in the thousands", lambda x: 3e3 * _masked_after(x, W, renormalise=True)),
        ("cancelling", "attention whose feature 3 is a difference of two equal "
         "numbers, so nothing but rounding", lambda x: _cancelling(x, W)),
    ]  # fmt: skip
    leaky = [
        ("no mask", "attention without a mask", lambda x: _attend(x, W, None)),
        ("off by one", "a mask in which every token sees the next one",
         opened(lambda t: t >= 0)),
        ("wrong axis", "a causal mask that is transposed",
         lambda x: _attend(x, W, _past(x).T)),
        ("mean", "causal attention after which the mean over the sequence is taken "
         "off", lambda x: causal(x) - causal(x).mean(dim=1, keepdim=True)),
        ("statistic", "causal attention, each feature divided by its standard "
         "deviation over the sequence",
         lambda x: causal(x) / (0.1 + causal(x).std(1, correction=0, keepdim=True))),
        ("late", "a mask in which the tokens from 8 on see the next one",
         opened(lambda t: t >= 8)),
        ("early", "a mask in which token 0 sees token 1", opened(lambda t: t == 0)),
        ("hole", "a mask with one hole: token 4 sees token 5",
         opened(lambda t: t == 4)),
        ("faint", "causal attention plus a thousandth of the next token",
         lambda x: causal(x) + 1e-3 * _next(x) @ W[3]),
        ("faint, large", "causal attention plus a thousandth of the next token, "
         "outputs in the thousands",
         lambda x: 3e3 * (causal(x) + 1e-3 * _next(x) @ W[3])),
        ("small, off by one", "a mask in which every token sees the next one, outputs "
         "around 0.0001", lambda x: 1e-4 * _attend(x, W, _ones(x.shape[1]).tril(1))),
        ("one sample", "causal attention, but no mask for the last sample of a batch",
         lambda x: torch.cat([causal(x)[:-1], _attend(x[-1:], W, None)])),
        ("one feature", "causal attention, but the last feature sees all tokens",
         lambda x: torch.cat([causal(x)[..., :-1], _attend(x, W, None)[..., -1:]], -1)),
        ("choice", "causal attention, kept only for the half of the tokens that scores "
         "highest in the whole sequence", lambda x: causal(x) * _chosen(x, W)),
    ]  # fmt: skip
    return [
        *(Box(name, about, leaks, run) for name, about, leaks, run in given),
        *(Box(name, about, False, run) for name, about, run in sound),
        *(Box(name, about, True, run) for name, about, run in leaky),
    ]


def _ones(T: int) -> Tensor:
    return torch.ones(T, T, dtype=torch.bool)


def _past(x: Tensor) -> Tensor:
    return create_causal_mask(x.shape[1])


def _scores(x: Tensor, W: Weights) -> Tensor:
    return (x @ W[0]) @ (x @ W[1]).transpose(1, 2) / math.sqrt(WIDTH)


def _attend(x: Tensor, W: Weights, mask: Tensor | None) -> Tensor:
    scores = _scores(x, W)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ (x @ W[2])


def _masked_after(x: Tensor, W: Weights, renormalise: bool) -> Tensor:
    weights = _scores(x, W).softmax(dim=-1) * _past(x)
    if renormalise:
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ (x @ W[2])


def _cancelling(x: Tensor, W: Weights) -> Tensor:
    """Causal attention; feature 3 is what two ways to compute it differ by."""
    rows = _attend(x, W, _past(x))
    difference = _masked_after(x, W, renormalise=True) - rows
    return torch.cat([rows[..., :3], difference[..., 3:4], rows[..., 4:]], dim=-1)


def _convolve(x: Tensor, W: Weights) -> Tensor:
    """Each token, the one before and the one before that."""
    padded = torch.nn.functional.pad(x, (0, 0, 2, 0))
    T = x.shape[1]
    return sum(padded[:, 2 - back : 2 - back + T] @ W[back] for back in range(3))


def _running(x: Tensor) -> Tensor:
    counts = torch.arange(1, x.shape[1] + 1)[:, None]
    return x.cumsum(dim=1) / counts


def _recur(x: Tensor, W: Weights) -> Tensor:
    state, rows = torch.zeros_like(x[:, 0]), []
    for t in range(x.shape[1]):
        state = torch.tanh(x[:, t] @ W[0] + state @ W[1])
        rows.append(state)
    return torch.stack(rows, dim=1)


def _next(x: Tensor) -> Tensor:
    """The token after each token, 0 after the last."""
    return torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)


def _chosen(x: Tensor, W: Weights) -> Tensor:
    """1 for the half of the tokens that scores highest, 0 for the rest."""
    score = x @ W[3][:, :1]
    return (score >= score.median(dim=1, keepdim=True).values).to(x.dtype)
