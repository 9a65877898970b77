"""Two relations: say the previous value, and the value of the key that is asked for.

Every position shows a key, a value, and a second key for which it asks. It has to give
two answers at once. The right attention pattern is known: half of the attention goes to
the position before, the other half to the position that shows the asked key.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

LENGTH = 16
NUM_VALUES = 8


@dataclass(frozen=True)
class TwoRelationsBatch:
    """Sequences of LENGTH positions, n for short.

    keys: (B, n), every key once.
    values: (B, n).
    asks: (B, n), the key that each position asks for; it may be its own.
    previous: (B, n), the first answer, the value of the position before. Position 0
        has none; its entry is its own value and is never scored.
    asked: (B, n), the second answer, the value of the asked key.
    where: (B, n), the position of the asked key.
    """

    keys: Tensor
    values: Tensor
    asks: Tensor
    previous: Tensor
    asked: Tensor
    where: Tensor


def two_relations_batch(
    generator: torch.Generator, batch: int = 64
) -> TwoRelationsBatch:
    """Draw a batch; chance is 1 / NUM_VALUES = 1/8 per answer, 1/64 for both.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
    """
    keys = torch.rand(batch, LENGTH, generator=generator).argsort(dim=1)
    values = torch.randint(NUM_VALUES, (batch, LENGTH), generator=generator)
    where = torch.randint(LENGTH, (batch, LENGTH), generator=generator)
    return TwoRelationsBatch(
        keys=keys,
        values=values,
        asks=keys.gather(1, where),
        previous=torch.cat([values[:, :1], values[:, :-1]], dim=1),
        asked=values.gather(1, where),
        where=where,
    )
