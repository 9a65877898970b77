"""Pairs: every token shows a key with a value, and asks for a key shown so far.

At token t up to t + 1 pairs have been shown, so one sequence asks for every number of
stored pairs from 1 to its length. If keys come again with new values, the last value
counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

LENGTH = 64
NUM_VALUES = 8


@dataclass(frozen=True)
class PairsBatch:
    """Sequences of T tokens; all are (B, T).

    keys, values: the pair that a token shows.
    asked: the key that it asks for; its own counts as shown.
    answer: the last value of the asked key so far.
    first: its first value so far.
    age: how many tokens ago the answer was shown; 0 is now.
    times: how often the asked key was shown so far.
    """

    keys: Tensor
    values: Tensor
    asked: Tensor
    answer: Tensor
    first: Tensor
    age: Tensor
    times: Tensor


def pairs_batch(
    generator: torch.Generator,
    batch: int = 32,
    num_keys: int | None = None,
    length: int = LENGTH,
) -> PairsBatch:
    """Draw a batch of sequences; a guess is right in 1 of NUM_VALUES = 8 cases.

    Args:
        generator: where the random numbers come from.
        batch: number of sequences B.
        num_keys: None shows each of `length` keys once. A number draws each token's key
            from that many, so that keys come again.
        length: tokens T of a sequence.
    """
    shape = (batch, length)
    if num_keys is None:
        keys = torch.rand(shape, generator=generator).argsort(dim=1)
    else:
        keys = torch.randint(num_keys, shape, generator=generator)
    values = torch.randint(NUM_VALUES, shape, generator=generator)
    now = torch.arange(length)
    back = (torch.rand(shape, generator=generator) * (now + 1)).long()
    asked = keys.gather(1, now - back)
    shown = (asked[:, :, None] == keys[:, None]) & (now <= now[:, None])
    last = torch.where(shown, now, -1).amax(dim=-1)
    first = torch.where(shown, now, length).amin(dim=-1)
    return PairsBatch(
        keys=keys,
        values=values,
        asked=asked,
        answer=values.gather(1, last),
        first=values.gather(1, first),
        age=now - last,
        times=shown.sum(dim=-1),
    )


def commonest_value(batch: PairsBatch) -> Tensor:
    """(B, T): the answer of somebody who knows no key, only the commonest value so far.

    >>> commonest_value(pairs_batch(torch.Generator().manual_seed(3), 1)).shape
    torch.Size([1, 64])
    """
    return F.one_hot(batch.values, NUM_VALUES).cumsum(dim=1).argmax(dim=-1)
