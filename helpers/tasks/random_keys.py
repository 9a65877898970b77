"""Random keys: pairs to be written into a state and read back, nothing is trained.

A value is one of NUM_VALUES codes, as a one-hot vector. It is recalled if the code is
the largest entry of what is read; a guess is right in 1 of NUM_VALUES = 16 cases.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

NUM_VALUES = 16


class RandomPairs(NamedTuple):
    """B sets of P pairs.

    keys: (B, P, d_k), each of length 1, float64.
    values: (B, P, NUM_VALUES), one-hot, float64.
    codes: (B, P), which value it is.
    """

    keys: Tensor
    values: Tensor
    codes: Tensor


class Rewritten(NamedTuple):
    """B sequences in which every key gets several values, in random order.

    writes: RandomPairs of P · times pairs.
    keys: (B, P, d_k), each key once.
    last: (B, P), the code that was written last under each key.
    """

    writes: RandomPairs
    keys: Tensor
    last: Tensor


def random_pairs(
    generator: torch.Generator,
    pairs: int,
    d_k: int,
    batch: int = 64,
    rank: int | None = None,
) -> RandomPairs:
    """Draw P random unit keys and P random values, B times.

    Args:
        generator: where the random numbers come from.
        pairs: P.
        d_k: width of the keys.
        batch: B.
        rank: None draws keys in all directions. A number draws them in so many
            directions only, as a linear layer does that widens narrower embeddings.
    """
    sizes = dict(generator=generator, dtype=torch.float64)
    keys = torch.randn(batch, pairs, rank or d_k, **sizes)
    if rank is not None:
        keys = keys @ torch.randn(rank, d_k, **sizes)
    codes = torch.randint(NUM_VALUES, (batch, pairs), generator=generator)
    values = F.one_hot(codes, NUM_VALUES).double()
    return RandomPairs(F.normalize(keys, dim=-1), values, codes)


def rewritten(
    generator: torch.Generator, pairs: int, times: int, d_k: int, batch: int = 64
) -> Rewritten:
    """Every key is written `times` times, each time with another value.

    Args:
        generator: where the random numbers come from.
        pairs: number of keys P.
        times: how often each is written, up to NUM_VALUES.
        d_k: width of the keys.
        batch: number of sequences B.
    """
    keys = random_pairs(generator, pairs, d_k, batch).keys
    orders = torch.rand(batch, pairs, NUM_VALUES, generator=generator).argsort(dim=-1)
    codes = orders[..., :times].flatten(1)
    which = torch.arange(pairs).repeat_interleave(times).expand(batch, -1)
    turn = torch.rand(batch, pairs * times, generator=generator).argsort(dim=-1)
    which, codes = which.gather(1, turn), codes.gather(1, turn)
    written = keys.gather(1, which[..., None].expand(-1, -1, d_k))
    same = which[:, None] == torch.arange(pairs)[:, None]
    when = torch.where(same, torch.arange(pairs * times), -1).amax(dim=-1)
    values = F.one_hot(codes, NUM_VALUES).double()
    return Rewritten(RandomPairs(written, values, codes), keys, codes.gather(1, when))


def recalled(read: Tensor, codes: Tensor) -> Tensor:
    """(B, P): 1.0 where the largest entry of what was read is the right code.

    Args:
        read: (B, P, NUM_VALUES).
        codes: (B, P).
    """
    return (read.argmax(dim=-1) == codes).double()
