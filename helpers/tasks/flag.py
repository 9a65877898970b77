"""Flag: one token among noise says something, and every later token has to repeat it.

All distances are asked at once. Nothing but the flag helps, so the right source is
known, and so is how far each answer has to travel.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

LENGTH = 24
NUM_FLAGS = 8
NUM_NOISE = 8


@dataclass(frozen=True)
class FlagBatch:
    """Sequences of LENGTH tokens, one of which is a flag.

    tokens: (B, T); below NUM_FLAGS it is the flag, the others are noise.
    flag: (B, 1), what the tokens after the flag have to say.
    distance: (B, T), how many tokens after the flag; 0 or less is not asked.
    """

    tokens: Tensor
    flag: Tensor
    distance: Tensor

    @property
    def asked(self) -> Tensor:
        """(B, T), True where the flag has to be named."""
        return self.distance > 0


def flag_batch(generator: torch.Generator, batch: int = 64) -> FlagBatch:
    """The flag stands anywhere; every later token answers. Chance is 1/8."""
    where = torch.randint(LENGTH, (batch, 1), generator=generator)
    return _placed(generator, where, torch.arange(LENGTH) - where)


def last_asked_batch(
    generator: torch.Generator, nearest: int, farthest: int, batch: int = 64
) -> FlagBatch:
    """Only the last token answers; the flag is a given number of tokens before it.

    Args:
        generator: where the random numbers come from.
        nearest, farthest: the distance is drawn between them, both included.
        batch: number of sequences B.
    """
    ago = torch.randint(nearest, farthest + 1, (batch, 1), generator=generator)
    distance = torch.full((batch, LENGTH), -1)
    distance[:, -1:] = ago
    return _placed(generator, LENGTH - 1 - ago, distance)


def _placed(generator: torch.Generator, where: Tensor, distance: Tensor) -> FlagBatch:
    noise = torch.randint(NUM_NOISE, distance.shape, generator=generator)
    flag = torch.randint(NUM_FLAGS, where.shape, generator=generator)
    tokens = (NUM_FLAGS + noise).scatter(1, where, flag)
    return FlagBatch(tokens, flag, distance)
