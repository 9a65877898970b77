"""How far a share that was counted may be from the true one."""

from __future__ import annotations

import math


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
