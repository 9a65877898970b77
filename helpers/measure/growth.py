"""How something grows: a sum of given powers, or the one power that fits best."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import torch


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


@dataclass(frozen=True)
class Terms:
    """value = Σ factor · sizeᵖᵒʷᵉʳ, with powers that were given, not fitted.

    Attributes:
        powers: the exponents.
        factors: what each power is multiplied by, as many.
    """

    powers: tuple[float, ...]
    factors: tuple[float, ...]

    def at(self, size: float) -> float:
        """The value at a size. Beyond those measured it is an extrapolation."""
        return sum(f * size**p for f, p in zip(self.factors, self.powers))


def fit_terms(
    sizes: Sequence[float], values: Sequence[float], powers: Sequence[float] = (1, 2)
) -> Terms:
    """The factors of given powers that fit best, by least squares of relative errors.

    value ≈ Σ factor · sizeᵖᵒʷᵉʳ; every value counts the same, however small it is.

    Args:
        sizes: positive numbers, at least as many different ones as powers.
        values: as many positive numbers.
        powers: exponents that follow from a count of the work, such as (1, 2).

    Returns:
        Terms.

    Raises:
        ValueError: if there are too few points, or one is not positive.

    >>> [round(f, 6) for f in fit_terms([1, 2, 4], [5, 16, 56]).factors]
    [2.0, 3.0]
    """
    if len(sizes) != len(values) or len(set(sizes)) < len(powers):
        raise ValueError(
            f"{len(sizes)} sizes and {len(values)} values: at least {len(powers)} "
            f"different sizes with one value each are needed"
        )
    if min(*sizes, *values) <= 0:
        raise ValueError("sizes and values must be positive")
    n, due = torch.tensor([sizes, values], dtype=torch.float64)
    terms = torch.stack([n**power for power in powers], dim=-1)
    unit = terms.amax(dim=0)  # columns of like size, for the solver's sake
    relative = terms / unit / due[:, None]
    solved = torch.linalg.lstsq(relative, torch.ones_like(due)[:, None]).solution
    return Terms(tuple(powers), tuple((solved[:, 0] / unit).tolist()))


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
