"""Which words may take the place of which: what a judge of explanations replaces."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from helpers.tasks.coref import (
    ANIMALS,
    FEELINGS,
    GENDER,
    ID,
    LOOKS,
    PLACES,
    SIZES,
    THINGS,
    VERBS,
    WORDS,
    Sentence,
)
from helpers.tasks.shortcut import CUES


def substitutes(fair: bool = True) -> dict[int, list[int]]:
    """Word id → the ids of the words that may replace it.

    Verbs and sizes are replaced by others of their list, an adjective by those of the
    other kind. Words that are the same in every sentence have no substitute: they
    cannot be named as the reason.

    Args:
        fair: True replaces a noun only by nouns of its kind with another gender, and a
            thing only by things that give away another pronoun: each substitute asks
            for another answer. False replaces them by all others of their list.
    """
    found: dict[str, Sequence[str]] = {}
    for own, others in ((FEELINGS, LOOKS), (LOOKS, FEELINGS)):
        found |= dict.fromkeys(own, others)
    for words in (list(VERBS), list(VERBS.values()), SIZES):
        found |= {word: [w for w in words if w != word] for word in words}
    for group in (ANIMALS, PLACES):
        nouns = [noun for line in group.values() for noun in line.split()]
        found |= _others(nouns, GENDER, fair)
    found |= _others(list(THINGS), CUES, fair)
    return {ID[word]: [ID[w] for w in words] for word, words in found.items()}


def _others(words: list[str], kinds: dict[str, str], fair: bool) -> dict[str, list]:
    return {
        word: [w for w in words if w != word and not (fair and kinds[w] == kinds[word])]
        for word in words
    }


def nameable(tokens: Tensor) -> Tensor:
    """Bool, of the shape of tokens: the words that have a fair substitute."""
    known = torch.zeros(len(WORDS), dtype=torch.bool)
    known[list(substitutes())] = True
    return known[tokens]


def replaced(
    sentences: Sequence[Sentence], word: str, rng: random.Random
) -> list[Sentence]:
    """The same sentences with one word replaced by a fair substitute.

    Args:
        sentences: their positions stay as they are, even where the new word makes *it*
            refer to the other noun.
        word: "referent" or "adjective".
        rng: which substitute.
    """
    fair, found = substitutes(), []
    for sentence in sentences:
        words, place = list(sentence.words), getattr(sentence, word)
        words[place] = WORDS[rng.choice(fair[ID[words[place]]])]
        found.append(replace(sentence, words=tuple(words)))
    return found
