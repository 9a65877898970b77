"""Recall: sixteen pairs of key and value, then one of the keys; say its value.

The right attention pattern is known: all weight on the pair with the asked key.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

NUM_KEYS = 32
NUM_VALUES = 16
NUM_PAIRS = 16


@dataclass(frozen=True)
class RecallBatch:
    """Sequences of pairs; the last position asks, and shows "no value" (NUM_VALUES).

    keys: (B, NUM_PAIRS + 1), no key twice, except the asked one at the end.
    values: (B, NUM_PAIRS + 1).
    answer: (B,), the value that belongs to the asked key.
    where: (B,), the position of the asked key.
    """

    keys: Tensor
    values: Tensor
    answer: Tensor
    where: Tensor


def recall_batch(generator: torch.Generator, batch: int = 64) -> RecallBatch:
    """Draw a batch of sequences; chance is 1 / NUM_VALUES = 1/16.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
    """
    order = torch.rand(batch, NUM_KEYS, generator=generator).argsort(dim=1)
    keys = order[:, :NUM_PAIRS]
    values = torch.randint(NUM_VALUES, (batch, NUM_PAIRS), generator=generator)
    where = torch.randint(NUM_PAIRS, (batch, 1), generator=generator)
    no_value = torch.full((batch, 1), NUM_VALUES)
    return RecallBatch(
        keys=torch.cat([keys, keys.gather(1, where)], dim=1),
        values=torch.cat([values, no_value], dim=1),
        answer=values.gather(1, where)[:, 0],
        where=where[:, 0],
    )
