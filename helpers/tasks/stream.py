"""Stream: every token shows a new pair, and asks for the value of an earlier key.

There is more and more to keep: at token t any of t + 1 pairs may be asked for. The
right attention pattern is known: all weight on the token that showed the asked key.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

LENGTH = 32
NUM_VALUES = 8
INPUT_SIZES = (LENGTH, NUM_VALUES, LENGTH)
"""How many different ids each input has: keys, values, asked keys."""


@dataclass(frozen=True)
class StreamBatch:
    """Sequences of LENGTH tokens; no key occurs twice in a sequence.

    keys, values: (B, T), the pair that a token shows.
    asked: (B, T), the key that it asks for: its own or an earlier one.
    answer: (B, T), the value of the asked key.
    age: (B, T), how many tokens ago the asked key was shown; 0 is its own.
    """

    keys: Tensor
    values: Tensor
    asked: Tensor
    answer: Tensor
    age: Tensor

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        """What a model gets to see, each (B, T)."""
        return self.keys, self.values, self.asked


def stream_batch(generator: torch.Generator, batch: int = 32) -> StreamBatch:
    """Draw a batch of sequences; chance is 1 / NUM_VALUES = 1/8.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
    """
    shape = (batch, LENGTH)
    keys = torch.rand(shape, generator=generator).argsort(dim=1)
    values = torch.randint(NUM_VALUES, shape, generator=generator)
    places = torch.arange(LENGTH)
    age = (torch.rand(shape, generator=generator) * (places + 1)).long()
    shown_at = places - age
    return StreamBatch(
        keys=keys,
        values=values,
        asked=keys.gather(1, shown_at),
        answer=values.gather(1, shown_at),
        age=age,
    )
