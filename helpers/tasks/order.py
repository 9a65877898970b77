"""Order: does token a come before token b?

Both are somewhere among other tokens. As a set, the tokens say nothing about the
answer: a reader who does not know the positions can only guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

A, B = 0, 1
NUM_TOKENS = 12
LENGTH = 10


@dataclass(frozen=True)
class OrderBatch:
    """tokens: (batch, LENGTH), with one a and one b; a_first: (batch,) bool."""

    tokens: Tensor
    a_first: Tensor


def order_batch(
    generator: torch.Generator, batch: int = 64, last_free: bool = False
) -> OrderBatch:
    """Draw a batch of sequences; chance is 1/2.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences.
        last_free: True never puts a or b last. This is for a model that answers at the
            last token: it knows which token it is itself, and that would give the order
            away.
    """
    tokens = torch.randint(2, NUM_TOKENS, (batch, LENGTH), generator=generator)
    free = LENGTH - last_free
    places = torch.rand(batch, free, generator=generator).argsort(dim=1)[:, :2]
    tokens.scatter_(1, places, torch.tensor([[A, B]]).expand(batch, 2))
    return OrderBatch(tokens, places[:, 0] < places[:, 1])


def swapped(batch: OrderBatch) -> OrderBatch:
    """The same sequences with a and b swapped."""
    tokens = torch.where(batch.tokens <= B, A + B - batch.tokens, batch.tokens)
    return OrderBatch(tokens, ~batch.a_first)
