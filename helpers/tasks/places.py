"""Three questions that need the order of the tokens in different ways.

- back: which letter stood three places back? Only *where* counts.
- recall: which value had this key? Only *what* counts.
- latest: which was the latest letter among the blanks? Both count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor

LETTERS = 16
STEPS_BACK = 3
KEYS = VALUES = 8
KINDS = 8
SHARE_OF_LETTERS = 1 / 8


class PlacesBatch(NamedTuple):
    """B sequences of n tokens, with what is asked of each of them.

    tokens: (B, n).
    target: (B, n), the right answers; −1 where nothing is asked.
    where: (B, n), the place at which the answer stands.
    """

    tokens: Tensor
    target: Tensor
    where: Tensor


def back_batch(generator: torch.Generator, n: int = 16, batch: int = 64) -> PlacesBatch:
    """Every token asks for the letter STEPS_BACK places back.

    Args:
        generator: where the random numbers come from.
        n: tokens of a sequence.
        batch: number of sequences B.
    """
    tokens = torch.randint(LETTERS, (batch, n), generator=generator)
    target = tokens.roll(STEPS_BACK, dims=1)
    target[:, :STEPS_BACK] = -1
    return PlacesBatch(tokens, target, (torch.arange(n) - STEPS_BACK).expand(batch, n))


def recall_batch(
    generator: torch.Generator, n: int = 16, batch: int = 64
) -> PlacesBatch:
    """The last token is a key alone; its pair occurred once. The rest are other pairs.

    A pair of key k and value v is the token 8 k + v, a key alone the token 64 + k.

    Args:
        generator, n, batch: as for `back_batch`.
    """
    key = torch.randint(KEYS, (batch, 1), generator=generator)
    others = torch.randint(1, KEYS, (batch, n), generator=generator)
    values = torch.randint(VALUES, (batch, n), generator=generator)
    place = torch.randint(n - 1, (batch, 1), generator=generator)
    keys = ((key + others) % KEYS).scatter(1, place, key)
    tokens = keys * VALUES + values
    tokens[:, -1:] = KEYS * VALUES + key
    target = torch.full_like(tokens, -1)
    target[:, -1:] = values.gather(1, place)
    return PlacesBatch(tokens, target, place.expand(batch, n))


def latest_batch(
    generator: torch.Generator, n: int = 16, batch: int = 64
) -> PlacesBatch:
    """One token in eight is a letter, the others are blanks of eight kinds.

    Letters are the tokens 0 to 7, blanks 8 to 15; a sequence starts with a letter.

    Args:
        generator, n, batch: as for `back_batch`.
    """
    kinds = torch.randint(KINDS, (batch, n), generator=generator)
    is_letter = torch.rand(batch, n, generator=generator) < SHARE_OF_LETTERS
    is_letter[:, 0] = True
    tokens = torch.where(is_letter, kinds, kinds + KINDS)
    where = torch.where(is_letter, torch.arange(n), -1).cummax(dim=1).values
    return PlacesBatch(tokens, tokens.gather(1, where), where)


TASKS: Mapping[str, Callable[..., PlacesBatch]] = {
    "back": back_batch,
    "recall": recall_batch,
    "latest": latest_batch,
}
SIZES: Mapping[str, tuple[int, int]] = {
    "back": (LETTERS, LETTERS),
    "recall": (KEYS * VALUES + KEYS, VALUES),
    "latest": (2 * KINDS, KINDS),
}
"""Task -> how many tokens, and how many answers there are."""


def without_order(batch: PlacesBatch, answers: int) -> Tensor:
    """(B, n): whether the commonest answer among the tokens so far is right.

    That is the best that a reader can say who sees the set of the tokens, and not their
    order. Where k answers are equally common, the share is 1/k.

    Args:
        batch: of "back" or "latest".
        answers: how many answers there are; larger tokens are no answers.
    """
    shown = torch.arange(answers) == batch.tokens[..., None]
    counts = shown.cumsum(dim=1)
    best = counts == counts.amax(dim=-1, keepdim=True)
    right = best.gather(-1, batch.target.clamp(min=0)[..., None])[..., 0]
    return right / best.sum(dim=-1)
