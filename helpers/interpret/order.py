"""A second score for explanations: are the words in the order of their effects?"""

from __future__ import annotations

from torch import Tensor


def in_order(
    explanation: Tensor, effects: Tensor, named: Tensor, gap: float = 0.2
) -> Tensor:
    """(B,): the share of pairs of words that the explanation puts in the right order.

    Only pairs of nameable words count whose effects differ by more than the gap; a tie
    in the explanation counts half. So one that says nothing scores 0.5. (Kendall's tau
    over these pairs is 2 · share − 1.)

    Args:
        explanation: (B, T), one number per word.
        effects: (B, T), what the judge measured.
        named: (B, T) bool, the words that can be named.
        gap: smaller differences between effects are taken for noise.

    Returns:
        (B,), NaN where there is no such pair.

    >>> effects, named = Tensor([[0.9, 0.0, 0.8]]), Tensor([[1, 1, 1]]).bool()
    >>> in_order(Tensor([[0.5, 0.1, 0.1]]), effects, named)
    tensor([0.7500])
    """
    larger = effects[:, :, None] - effects[:, None] > gap
    pairs = larger & named[:, :, None] & named[:, None]
    sign = (explanation[:, :, None] - explanation[:, None]).sign()
    return ((0.5 + 0.5 * sign) * pairs).sum((1, 2)) / pairs.sum((1, 2))
