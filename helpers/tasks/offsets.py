"""Offsets: say the values 1, 2, 3, … positions back, all at once.

A task with as many jobs as one likes, all of one kind: job j looks j + 1 positions
back. The sequence is a circle, so every position has every answer.
"""

from __future__ import annotations

import torch
from torch import Tensor

LENGTH = 16
NUM_VALUES = 8


def offsets_batch(generator: torch.Generator, batch: int = 64) -> Tensor:
    """Values (B, n), n = LENGTH, each of NUM_VALUES; chance is 1/8 per answer.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
    """
    return torch.randint(NUM_VALUES, (batch, LENGTH), generator=generator)


def offsets_answers(values: Tensor, jobs: int) -> Tensor:
    """(jobs, B, n): the value j + 1 positions back, around the circle.

    Args:
        values: (B, n).
        jobs: how many answers each position gives.

    >>> offsets_answers(torch.tensor([[3, 5, 7]]), 2).tolist()
    [[[7, 3, 5]], [[5, 7, 3]]]
    """
    return torch.stack([values.roll(j + 1, dims=1) for j in range(jobs)])
