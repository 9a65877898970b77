"""Needle: one pair of key and value, noise, then the key again; say its value.

The right attention pattern is known: all weight on the first token. It is an easy task
for attention, because key and value are in one token and no order matters.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

NUM_KEYS = 8
NUM_VALUES = 8
NO_KEY = NUM_KEYS
NO_VALUE = NUM_VALUES


@dataclass(frozen=True)
class NeedleBatch:
    """Sequences of length T = distance + 2; a token shows a key and a value.

    keys: (B, T), a key at the first and the same one at the last token, NO_KEY between.
    values: (B, T), the value to keep at the first token, random ones between (noise),
        NO_VALUE at the last.
    answer: (B,), the value of the first token.
    """

    keys: Tensor
    values: Tensor
    answer: Tensor

    @property
    def inputs(self) -> tuple[Tensor, Tensor]:
        """What a model gets to see, each (B, T)."""
        return self.keys, self.values


INPUT_SIZES = (NUM_KEYS + 1, NUM_VALUES + 1)
"""How many different ids each input has."""


def needle_batch(
    generator: torch.Generator, distance: int, batch: int = 64
) -> NeedleBatch:
    """Draw a batch of sequences; chance is 1 / NUM_VALUES = 1/8.

    Args:
        generator: where the random numbers come from.
        distance: number of noise tokens N between the pair and the question.
        batch: number of sequences B.
    """
    key = torch.randint(NUM_KEYS, (batch, 1), generator=generator)
    value = torch.randint(NUM_VALUES, (batch, 1), generator=generator)
    noise = torch.randint(NUM_VALUES, (batch, distance), generator=generator)
    no_key = torch.full((batch, distance), NO_KEY)
    no_value = torch.full((batch, 1), NO_VALUE)
    return NeedleBatch(
        keys=torch.cat([key, no_key, key], dim=1),
        values=torch.cat([value, noise, no_value], dim=1),
        answer=value[:, 0],
    )
