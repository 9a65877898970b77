"""Two roofs: how fast this machine multiplies, and how fast it reads."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch.nn import functional as F

from helpers.measure.timing import rounds_in_turn


class Roofline(NamedTuple):
    """What was measured in one set of rounds.

    peak: FLOPs per second of a large product of matrices.
    bandwidth: bytes per second of a sum over memory that no cache holds.
    intensity: FLOPs per byte of W times b vectors, for each b.
    speed: FLOPs per second of W times b vectors, for each b.
    """

    peak: float
    bandwidth: float
    intensity: list[float]
    speed: list[float]

    def roof(self, intensity: float) -> float:
        """FLOPs per second that the slower of the two roofs allows."""
        return min(self.peak, intensity * self.bandwidth)


def roofline(batches: Sequence[int], side: int = 4096, runs: int = 3) -> Roofline:
    """Measure the roofs, and products of one matrix W with b vectors beneath them.

    Args:
        batches: the numbers b of vectors.
        side: W is (side, side) in float32, and must not fit into a cache: 64 MiB.
        runs: rounds; all is measured in each, and the medians are taken.
    """
    g = torch.Generator().manual_seed(0)
    W = torch.randn(side, side, generator=g)
    memory = torch.randn(16 * 2**20, generator=g)
    A = torch.randn(1024, 1024, generator=g)
    vectors = [torch.randn(b, side, generator=g) for b in batches]
    calls = [lambda: A @ A, lambda: memory.sum()]
    calls += [lambda X=X: F.linear(X, W) for X in vectors]
    rounds = rounds_in_turn(calls, runs=runs)
    seconds = [statistics.median(taken) for taken in zip(*rounds)]
    flops = [2 * b * side * side for b in batches]
    read = [W.nbytes + 2 * X.nbytes for X in vectors]
    return Roofline(
        peak=2 * 1024**3 / seconds[0],
        bandwidth=memory.nbytes / seconds[1],
        intensity=[f / r for f, r in zip(flops, read)],
        speed=[f / s for f, s in zip(flops, seconds[2:])],
    )
