"""Recurrences without waiting: a prefix scan for linear ones, Newton's method for tanh.

A linear step is the map h → a h + b. Two such steps, one after the other, are one such
step, so that n of them can be joined in pairs, pairs of pairs, …: ⌈log₂ n⌉ rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Scan(NamedTuple):
    """The states, and how many rounds had to wait for each other.

    states: as b, the state after each step.
    rounds: ⌈log₂ n⌉ for n steps.
    """

    states: Tensor
    rounds: int


def prefix_scan(a: Tensor, b: Tensor) -> Scan:
    """All states of h_t = a_t h_{t-1} + b_t at once, from h_0 = 0.

    In round r each map is joined with the one 2^(r-1) steps before it.

    Args:
        a: (n, ...) factors, for each feature alone; or (n, d, d) matrices.
        b: (n, ...) inputs as a; or (n, d) beside matrices.

    Raises:
        ValueError: if shapes do not fit.

    Source: Hillis and Steele (1986); Blelloch (1990); Martin and Cundy (2018).

    >>> prefix_scan(torch.tensor([0.5, 0.5, 0.5]), torch.tensor([8.0, 0.0, 2.0]))
    Scan(states=tensor([8., 4., 4.]), rounds=2)
    """
    matrices = a.dim() == 3 and b.dim() == 2 and a.shape == (*b.shape, b.shape[-1])
    if not len(b) or not (matrices or a.shape == b.shape):
        raise ValueError(
            f"a and b must both be (n, ...), or a (n, d, d) and b (n, d), n at least "
            f"1; got {tuple(a.shape)} and {tuple(b.shape)}"
        )

    def apply(left: Tensor, right: Tensor) -> Tensor:
        if not matrices:
            return left * right
        if right.dim() == 2:
            return (left @ right[..., None]).squeeze(-1)
        return left @ right

    rounds, gap = 0, 1
    while gap < len(b):
        b = torch.cat([b[:gap], apply(a[gap:], b[:-gap]) + b[gap:]])
        a = torch.cat([a[:gap], apply(a[gap:], a[:-gap])])
        rounds, gap = rounds + 1, 2 * gap
    return Scan(b, rounds)


def tanh_states(W: Tensor, x: Tensor) -> Tensor:
    """The states of h_t = tanh(W h_{t-1} + x_t), one after the other.

    Args:
        W: (d, d).
        x: (n, d).

    Returns:
        (n, d).
    """
    h, states = torch.zeros_like(x[0]), []
    for x_t in x:
        h = torch.tanh(W @ h + x_t)
        states.append(h)
    return torch.stack(states)


def newton_rounds(W: Tensor, x: Tensor, tolerance: float = 1e-8) -> int | None:
    """Rounds of Newton's method until all states of a tanh RNN are right at once.

    A round replaces the tanh by its tangent at the states guessed so far. That makes
    the recurrence linear, and a scan computes its states: the next guess.

    Args:
        W: (d, d).
        x: (n, d).
        tolerance: largest error of a state.

    Returns:
        the number of rounds; None if not even n rounds suffice.

    Source: Lim et al. (2024), DEER.
    """
    true = tanh_states(W, x)
    guess = torch.zeros_like(x)
    for done in range(1, len(x) + 1):
        before = torch.cat([torch.zeros_like(x[:1]), guess[:-1]])
        values = torch.tanh(before @ W.T + x)
        slopes = (1 - values**2)[:, :, None] * W
        rest = values - (slopes @ before[..., None]).squeeze(-1)
        # A tangent may lead far astray; no state of a tanh lies beyond 1.
        guess = prefix_scan(slopes, rest).states.nan_to_num(0.0, 0.0, 0.0).clamp(-1, 1)
        if (guess - true).abs().max() <= tolerance:
            return done
    return None
