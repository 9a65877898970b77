"""Induction: [..., a, b, ..., a], all at random; say what followed a the last time.

Nothing can be learned by heart: which token follows which is drawn anew for every
sequence. The right attention pattern is known: from the last token to the one right
after its earlier occurrence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

NUM_TOKENS = 16
LENGTH = 20
LETTERS = "abcdefghijklmnop"


@dataclass(frozen=True)
class InductionBatch:
    """Sequences of n tokens; the last one occurred exactly once before.

    tokens: (B, n), whole numbers below NUM_TOKENS.
    answer: (B,), the token after the earlier occurrence of the last one.
    where: (B,), the position of the answer, from 1 to n - 2.
    """

    tokens: Tensor
    answer: Tensor
    where: Tensor


def induction_batch(
    generator: torch.Generator, batch: int = 64, length: int = LENGTH
) -> InductionBatch:
    """Draw a batch; chance is 1 / (NUM_TOKENS - 1) = 1/15.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
        length: number of tokens n, 3 or more.

    Raises:
        ValueError: if the length leaves no room for a, b and a.

    >>> induction_batch(torch.Generator().manual_seed(0), batch=5).tokens.shape
    torch.Size([5, 20])
    """
    if length < 3:
        raise ValueError(f"a sequence needs 3 tokens, a b a, or more; got {length}")
    a = torch.randint(NUM_TOKENS, (batch, 1), generator=generator)
    others = torch.randint(1, NUM_TOKENS, (batch, length), generator=generator)
    tokens = (a + others) % NUM_TOKENS  # none of them is a
    place = torch.randint(length - 2, (batch, 1), generator=generator)
    tokens.scatter_(1, place, a)
    tokens[:, -1:] = a
    return InductionBatch(tokens, tokens.gather(1, place + 1)[:, 0], place[:, 0] + 1)


def most_frequent(tokens: Tensor) -> Tensor:
    """(B,): the most common token of each sequence, except the last one's own kind.

    It is the best guess of a reader who knows which tokens occur and how often, but not
    which follows which. Of equally common ones the first in the alphabet is taken.

    Args:
        tokens: (B, n).
    """
    counts = F.one_hot(tokens, NUM_TOKENS).sum(dim=1)
    return counts.scatter(1, tokens[:, -1:], 0).argmax(dim=-1)


def as_letters(tokens: Iterable[int]) -> list[str]:
    """Token numbers as letters, to print and to draw: 0 is a, 15 is p."""
    return [LETTERS[int(token)] for token in tokens]
