"""How far a share that was counted, or a mean, may be from the true one."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def wilson(right: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share, at 95% by default.

    (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n),  p = right/n

    Unlike p ± z √(p(1−p)/n) it stays within 0 and 1, and has a width when all are
    right or none is. It takes the n cases to be independent of each other: with cases
    that resemble one another it comes out too narrow.

    Args:
        right: how many were right.
        of: how many there were, n.
        z: quantile of the normal distribution; 1.96 leaves out 2.5% at each end.

    Returns:
        The lower and the upper end.

    Raises:
        ValueError: if there are no cases, or right is not between 0 and their number.

    Source: Wilson (1927), Probable inference, the law of succession.

    >>> "{:.3f} {:.3f}".format(*wilson(9, 10))
    '0.596 0.982'
    """
    if of < 1 or not 0 <= right <= of:
        raise ValueError(
            f"{right} right of {of} is not a share: at least 1 case is needed, and "
            f"right must lie between 0 and the number of cases"
        )
    share, shrink = right / of, 1 + z**2 / of
    middle = share + z**2 / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z**2 / (4 * of**2))
    return max(0.0, (middle - spread) / shrink), min(1.0, (middle + spread) / shrink)


def bootstrap(
    values: Tensor,
    groups: Tensor | None = None,
    over: Tensor | None = None,
    draws: int = 4000,
    seed: int = 0,
) -> tuple[float, float, float]:
    """The mean of some values, or its ratio to another mean, and a 95% interval.

    Cases are drawn again and again with replacement, as many as there are. What
    resembles one another, as pairs of one event do, is drawn together.

    Args:
        values: (n,).
        groups: (n,) whole numbers from 0; cases of one group are averaged first, and
            whole groups are drawn. By default each case is its own group.
        over: (n,), what the mean is divided by: its mean over the same draws.
        draws: how often.
        seed: of the draws.

    Returns:
        The mean or ratio, the lower and the upper end.

    Source: Efron (1979), Bootstrap methods.
    """
    groups = torch.arange(len(values)) if groups is None else groups
    own = torch.nn.functional.one_hot(groups).double()
    means = [
        (own.T @ v.double()) / own.sum(dim=0) for v in (values, over) if v is not None
    ]
    generator = torch.Generator().manual_seed(seed)
    count = own.shape[1]
    drawn = torch.randint(count, (draws, count), generator=generator)
    top, *bottom = (m[drawn].mean(dim=1) for m in means)
    found = top / bottom[0] if bottom else top
    middle, *below = (m.mean().item() for m in means)
    low, high = found.quantile(torch.tensor([0.025, 0.975]).double()).tolist()
    return (middle / below[0] if below else middle), low, high
