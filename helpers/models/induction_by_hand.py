"""The circuit of induction without training: two layers made by hand.

A token is a row of 36 numbers in three parts: which letter it is, where it is (the
hand of a clock), and room for the letter before it, which is empty at first. Layer 1
fills the room; layer 2 looks for the position whose room holds the last letter. The
scores are not divided by √d_k, so that every number can be checked by hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from helpers.masks import FILL, create_causal_mask
from helpers.tasks.induction import LETTERS, NUM_TOKENS

HOURS = 24
"""One position per hour: position 24 has the same hand as position 0."""

START = NUM_TOKENS
"""A mark that may be put before a sequence: a letter that nobody asks for."""

KINDS = NUM_TOKENS + 1
LETTER = slice(0, KINDS)
CLOCK = slice(KINDS, KINDS + 2)
BEFORE = slice(KINDS + 2, KINDS + 2 + KINDS)
WIDTH = BEFORE.stop

MATCH = 8.0
"""The score of a match in layer 2: among 24 positions, one match then gets 0.99."""

SHARPNESS = 200.0
"""Length of the turned hand in layer 1: the next hour scores lower by 6.8."""


def clock(length: int) -> Tensor:
    """Positions as the hand of a clock with 24 hours.

    p_t = (cos 2πt/24, sin 2πt/24)

    Args:
        length: number of positions n, counted from 0.

    Returns:
        (n, 2) float64.

    >>> clock(7)[6].round().tolist()
    [0.0, 1.0]
    """
    angles = 2 * math.pi / HOURS * torch.arange(length, dtype=torch.float64)
    return torch.stack([angles.cos(), angles.sin()], dim=-1)


def hour_back() -> Tensor:
    """(2, 2) float64: turns a hand back by one hour, and makes it long.

    p_t M is SHARPNESS · p_(t-1), so that (p_t M) · p_j is largest at j = t - 1.
    """
    angle = 2 * math.pi / HOURS
    c, s = math.cos(angle), math.sin(angle)
    return SHARPNESS * torch.tensor([[c, -s], [s, c]], dtype=torch.float64)


def spell(sequence: Sequence[str]) -> Tensor:
    """(n,) token numbers, from the letters a to p.

    Args:
        sequence: a string, or a list of letters.

    Raises:
        ValueError: if there is another letter in it, or none.
    """
    if not sequence or not all(len(t) == 1 and t in LETTERS for t in sequence):
        raise ValueError(
            f"a sequence is made of the letters {LETTERS[0]} to {LETTERS[-1]}; got "
            f"{sequence!r}"
        )
    return torch.tensor([LETTERS.index(letter) for letter in sequence])


def with_start(tokens: Tensor) -> Tensor:
    """The START mark in front: (..., n) → (..., n + 1)."""
    return F.pad(tokens, (1, 0), value=START)


def write(tokens: Tensor) -> Tensor:
    """Letter and clock of every token, and an empty room.

    Args:
        tokens: (..., n), one sequence or several.

    Returns:
        (..., n, 36) float64.
    """
    X = torch.zeros(*tokens.shape, WIDTH, dtype=torch.float64)
    X[..., LETTER] = F.one_hot(tokens, KINDS).double()
    X[..., CLOCK] = clock(tokens.shape[-1])
    return X


@dataclass(frozen=True)
class CausalLookUp:
    """Three matrices that make queries, keys and values; none looks ahead.

    softmax(X W_q (X W_k)ᵀ, masked) X W_v
    """

    W_q: Tensor
    W_k: Tensor
    W_v: Tensor

    def __call__(self, X: Tensor) -> tuple[Tensor, Tensor]:
        """Let every token look once, at itself and at what came before it.

        Args:
            X: (..., n, 36).

        Returns:
            output: (..., n, d_v).
            attn_weights: (..., n, n), rows are queries.
        """
        scores = (X @ self.W_q) @ (X @ self.W_k).transpose(-2, -1)
        mask = create_causal_mask(X.shape[-2])
        attn_weights = scores.masked_fill(~mask, FILL).softmax(dim=-1)
        return attn_weights @ (X @ self.W_v), attn_weights


def first_layer(previous: Tensor) -> CausalLookUp:
    """Every token asks for the hour before, and receives the letter there.

    Args:
        previous: (2, 2), makes the query of the clock's hand.
    """
    W_q, W_k, W_v = (torch.zeros(WIDTH, width).double() for width in (2, 2, WIDTH))
    W_q[CLOCK] = torch.as_tensor(previous, dtype=torch.float64)
    W_k[CLOCK] = torch.eye(2).double()
    W_v[LETTER, BEFORE] = torch.eye(KINDS).double()
    return CausalLookUp(W_q, W_k, W_v)


def second_layer() -> CausalLookUp:
    """Every token asks which token came after its letter, and receives that token."""
    W_q, W_k, W_v = (torch.zeros(WIDTH, KINDS).double() for _ in range(3))
    W_q[LETTER] = MATCH * torch.eye(KINDS).double()
    W_k[BEFORE] = torch.eye(KINDS).double()
    W_v[LETTER] = torch.eye(KINDS).double()
    return CausalLookUp(W_q, W_k, W_v)


def induce(tokens: Tensor, previous: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Both layers, on one sequence or on several of one length.

    Args:
        tokens: (..., n), from `spell` or from the task.
        previous: (2, 2), the one matrix left to choose; `hour_back()` works.

    Returns:
        shares: (..., 17), how much of each letter the last position receives; they
            sum to 1, and the largest is the answer.
        first: (..., n, n), the weights of layer 1.
        second: (..., n, n), those of layer 2, which reads X + output of layer 1.

    >>> shares, _, _ = induce(spell("dabca"), hour_back())
    >>> LETTERS[shares.argmax()]
    'b'
    """
    X = write(tokens)
    taken_in, first = first_layer(previous)(X)
    output, second = second_layer()(X + taken_in)
    return output[..., -1, :], first, second
