"""Characters: read a text letter by letter and say which comes next.

The text is made by the course's own grammar, that of `helpers.tasks.coref`: sentences
about an animal and a place, one after the other. What the right next character is
cannot always be known (which animal?), so the loss of an honest reader has a floor.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from helpers.tasks.coref import PAD, WORDS, draw_sentence

CONTEXT = 64
"""Characters in a training sequence."""
REAL_WORDS = frozenset(WORDS) - {PAD, "."}
CHARACTERS = " ." + "".join(sorted(set("".join(REAL_WORDS))))
"""All characters of the text, 26 or fewer letters after space and full stop."""
_ID = {character: i for i, character in enumerate(CHARACTERS)}


@dataclass(frozen=True)
class CharacterBatch:
    """tokens: (B, T) character ids; target: (B, T), at each position the next one."""

    tokens: Tensor
    target: Tensor


def write_corpus(count: int, seed: int, held_out: bool = False) -> str:
    """A text of random sentences.

    Args:
        count: number of sentences, about 70 characters each.
        seed: the same seed gives the same text.
        held_out: True takes only pairs of noun and adjective that the other text never
            has, so that no sentence can be in both.

    >>> write_corpus(1, seed=3).endswith(".")
    True
    """
    rng = random.Random(seed)
    sentences = (draw_sentence(rng, held_out) for _ in range(count))
    return " ".join(" ".join(s.words).replace(" .", ".") for s in sentences)


def encode(text: str) -> Tensor:
    """Character ids of a text, (len(text),).

    Raises:
        ValueError: if a character is not one of CHARACTERS.
    """
    unknown = sorted(set(text) - set(CHARACTERS))
    if unknown:
        raise ValueError(
            f"the text has characters that are not known: {unknown}; known are "
            f"{CHARACTERS!r}"
        )
    return torch.tensor([_ID[character] for character in text], dtype=torch.long)


def decode(ids: Tensor | Sequence[int]) -> str:
    """The text of character ids; the inverse of `encode`."""
    return "".join(CHARACTERS[int(i)] for i in ids)


def character_batch(
    data: Tensor, generator: torch.Generator, batch: int = 16, length: int = CONTEXT
) -> CharacterBatch:
    """Cut random pieces out of a text.

    Args:
        data: (N,) character ids of the text.
        generator: where the random numbers come from.
        batch: number of pieces B.
        length: characters per piece, T; at most N - 1.

    Raises:
        ValueError: if the text is too short for one piece and its next character.
    """
    if len(data) < length + 1:
        raise ValueError(
            f"a piece of {length} characters and the next need a text of "
            f"{length + 1}; got {len(data)}"
        )
    starts = torch.randint(len(data) - length, (batch, 1), generator=generator)
    pieces = data[starts + torch.arange(length + 1)]
    return CharacterBatch(pieces[:, :-1], pieces[:, 1:])


def share_of_real_words(texts: Sequence[str]) -> float:
    """The share of the words that the grammar knows; 0.0 if there are no words.

    The first and the last word of each text may be cut off and do not count.

    >>> share_of_real_words(["he cat crossed the strxet toda"])
    0.75
    """
    words = [w for text in texts for w in text.replace(".", "").split(" ")[1:-1]]
    return sum(word in REAL_WORDS for word in words) / max(1, len(words))
