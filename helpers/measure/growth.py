"""How something grows: the power law that fits it best, and how sure that is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PowerLaw:
    """value = factor · sizeᵉˣᵖᵒⁿᵉⁿᵗ.

    Attributes:
        exponent: 1 if doubling the size doubles the value, 2 if it makes it 4 times.
        factor: the value at size 1.
        low, high: the smallest and largest exponent when one size is left out.
    """

    exponent: float
    factor: float
    low: float
    high: float

    def at(self, size: float) -> float:
        """The value at a size. Beyond those measured it is an extrapolation."""
        return self.factor * size**self.exponent


def fit_power(sizes: Sequence[float], values: Sequence[float]) -> PowerLaw:
    """The straight line through the points on log-log axes, by least squares.

    log value = log factor + exponent · log size.

    Args:
        sizes: at least 3 different positive numbers.
        values: as many positive numbers.

    Returns:
        PowerLaw.

    Raises:
        ValueError: if there are too few points, or one is not positive.

    >>> round(fit_power([1, 2, 4, 8], [3, 12, 48, 192]).exponent, 6)
    2.0
    """
    if len(sizes) != len(values) or len(set(sizes)) < 3:
        raise ValueError(
            f"{len(sizes)} sizes and {len(values)} values: at least 3 different sizes "
            f"with one value each are needed"
        )
    if min(*sizes, *values) <= 0:
        raise ValueError("sizes and values must be positive to have a logarithm")
    points = [(math.log(s), math.log(v)) for s, v in zip(sizes, values)]
    exponent, shift = _line(points)
    others = [
        _line(points[:i] + points[i + 1 :])[0]
        for i in range(len(points))
        if len({x for x, _ in points[:i] + points[i + 1 :]}) > 1
    ]
    return PowerLaw(exponent, math.exp(shift), min(others), max(others))


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    xs, ys = zip(*points)
    slope, shift = statistics.linear_regression(xs, ys)
    return slope, shift
