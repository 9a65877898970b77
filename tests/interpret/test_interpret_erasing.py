"""Is the answer kept by the words that an explanation names?"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch.nn import functional as F

from helpers.interpret.erasing import answer_kept, top_words
from helpers.tasks.coref import (
    GENDER,
    PRONOUNS,
    WORDS,
    draw_sentences,
    pad_sentences,
)
from helpers.tasks.substitutes import nameable

SENTENCES = [
    s for s in draw_sentences(torch.Generator().manual_seed(1), 90) if s.genders_differ
]
BATCH = pad_sentences(SENTENCES)
ROWS = torch.arange(len(SENTENCES))


def by_the_noun(batch):
    """A model that answers with the gender of the word at the referent, surely."""
    words = batch.tokens[ROWS, BATCH.referent].tolist()
    genders = torch.tensor([PRONOUNS.index(GENDER[WORDS[word]]) for word in words])
    return SimpleNamespace(pronoun=50.0 * F.one_hot(genders, 3))


def at(*places):
    explanation = torch.zeros(BATCH.tokens.shape)
    for place in places:
        explanation[ROWS, place] = 1.0
    return explanation


def test_the_word_that_decides_keeps_the_answer():
    kept = answer_kept(by_the_noun, BATCH, at(BATCH.referent), k=1)
    assert torch.allclose(kept, torch.ones(len(ROWS)))


def test_without_it_the_answer_is_lost():
    kept = answer_kept(by_the_noun, BATCH, at(BATCH.other), k=1)
    assert kept.max() < 1e-6


def test_all_words_kept_change_nothing():
    assert answer_kept(by_the_noun, BATCH, at(), k=99).min() > 0.99


def test_a_word_that_cannot_be_named_is_never_chosen():
    named = nameable(BATCH.tokens)
    chosen = top_words(at(BATCH.it), named, 2, torch.Generator())
    assert (chosen.sum(dim=1) == 2).all() and not (chosen & ~named).any()


def test_ties_are_broken_at_random():
    named = torch.ones(3000, 3, dtype=torch.bool)
    chosen = top_words(torch.zeros(3000, 3), named, 1, torch.Generator().manual_seed(1))
    assert chosen.float().mean(dim=0).tolist() == pytest.approx(3 * [1 / 3], abs=0.04)


def test_the_largest_are_chosen():
    numbers, named = torch.tensor([[0.1, 0.7, 0.2]]), torch.ones(1, 3) > 0
    assert top_words(numbers, named, 2, torch.Generator()).tolist() == [
        [False, True, True]
    ]
