"""Four questions at once at every place; tasks differ in what the answers share.

- one: one set of keys, one value per place. Ask i names a key; say the value there.
- offsets: no asks. Answer i is the value i + 1 places before.
- keys: four sets of keys, one value per place. Ask i names a key of set i.
- values: one set of keys, four values per place. Ask i names a key; say its value i.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from torch import Tensor

Kind = Literal["one", "offsets", "keys", "values"]
ASKS = 4
PLACES = 8
VALUES = 8


class RelationsBatch(NamedTuple):
    """B sequences of PLACES tokens, each made of several symbols.

    symbols: (B, PLACES, m), numbers of one table of embeddings; they are summed.
    answers: (B, PLACES, ASKS), values from 0 to VALUES − 1.
    """

    symbols: Tensor
    answers: Tensor


def relations_batch(
    generator: torch.Generator, kind: Kind, batch: int = 64
) -> RelationsBatch:
    """Draw sequences of a task; chance is 1 / VALUES per answer.

    Args:
        generator: where the random numbers come from.
        kind: which task.
        batch: number of sequences B.

    Raises:
        ValueError: if there is no such task.
    """
    if kind not in ("one", "offsets", "keys", "values"):
        raise ValueError(f"kind must be one, offsets, keys or values; got {kind!r}")
    sets, many = (ASKS if kind == name else 1 for name in ("keys", "values"))
    keys = torch.rand(batch, sets, PLACES, generator=generator).argsort(dim=-1)
    values = torch.randint(VALUES, (batch, many, PLACES), generator=generator)
    place = torch.arange(PLACES).expand(batch, 1, PLACES)
    parts = [(place, PLACES), (values, VALUES)]
    if kind == "offsets":
        where = torch.arange(PLACES) - torch.arange(1, ASKS + 1)[:, None]
        where = where.clamp(min=0).expand(batch, ASKS, PLACES)
    else:
        where = torch.randint(PLACES, (batch, ASKS, PLACES), generator=generator)
        asked = keys.expand(batch, ASKS, PLACES).gather(2, where)
        parts += [(keys, PLACES), (asked, PLACES)]
    symbols, start = [], 0
    for part, size in parts:
        for one in part.unbind(dim=1):
            symbols.append(one + start)
            start += size
    answers = values.expand(batch, ASKS, PLACES).gather(2, where)
    return RelationsBatch(torch.stack(symbols, dim=-1), answers.mT)


def num_symbols(kind: Kind) -> int:
    """How many symbols the table of embeddings of a task needs.

    >>> num_symbols("offsets")
    16
    """
    sets, many = (ASKS if kind == name else 1 for name in ("keys", "values"))
    asked = 0 if kind == "offsets" else (sets + ASKS) * PLACES
    return PLACES + many * VALUES + asked


def commonest(batch: RelationsBatch) -> Tensor:
    """(B, PLACES, ASKS): whether the commonest value of the sequence is right.

    Only for tasks with one value per place, the symbol after the place.
    """
    values = batch.symbols[..., 1] - PLACES
    return batch.answers == values.mode(dim=1).values[:, None, None]
