"""The sentences about animals and places."""

from __future__ import annotations

import random

import torch

from helpers.tasks import coref

ARTICLE = "the animal did not cross the street because it was too {} ."


def test_the_referent_is_the_noun_that_the_adjective_fits():
    for held_out in (False, True):
        generator = torch.Generator().manual_seed(1)
        for s in coref.draw_sentences(generator, 200, held_out):
            referent, other = s.words[s.referent], s.words[s.other]
            adjective = s.words[s.adjective]
            assert (referent in coref._ANIMALS) == (adjective in coref.FEELINGS)
            assert (other in coref._ANIMALS) != (referent in coref._ANIMALS)
            assert coref.is_held_out(referent, adjective) == held_out
            assert s.words[s.it] == "it"
            assert len(s.words) <= coref.MAX_LENGTH


def test_a_fifth_of_the_pairs_and_the_articles_sentences_are_held_out():
    pairs = [(a, f) for a in coref._ANIMALS for f in coref.FEELINGS]
    pairs += [(p, look) for p in coref._PLACES for look in coref.LOOKS]
    assert (
        abs(sum(coref.is_held_out(*pair) for pair in pairs) / len(pairs) - 0.2) < 0.01
    )
    assert coref.is_held_out("animal", "tired")
    assert coref.is_held_out("street", "wide")
    for noun in (*coref._ANIMALS, *coref._PLACES):
        mine = coref.FEELINGS if noun in coref._ANIMALS else coref.LOOKS
        assert 0 < sum(coref.is_held_out(noun, a) for a in mine) < 5


def test_no_word_is_in_two_lists():
    words = [*coref._ANIMALS, *coref._PLACES, *coref.FEELINGS, *coref.LOOKS]
    words += [*coref.SIZES, *coref.THINGS]
    assert len(set(words)) == len(words)
    assert len(coref._ANIMALS) == len(coref._PLACES) == 24


def test_tired_means_the_animal_and_wide_the_street():
    tired = coref.read_sentence(ARTICLE.format("tired"))
    wide = coref.read_sentence(ARTICLE.format("wide"))
    assert (tired.words[tired.referent], tired.pronoun) == ("animal", "es")
    assert (wide.words[wide.referent], wide.pronoun) == ("street", "sie")


def test_a_swapped_adjective_moves_the_referent():
    s = coref.read_sentence(ARTICLE.format("tired"))
    swapped = coref.swap_adjective(s, random.Random(0))
    assert (swapped.referent, swapped.other) == (s.other, s.referent)
    changed = [i for i in range(len(s.words)) if s.words[i] != swapped.words[i]]
    assert changed == [s.adjective]


def test_the_batch_is_padded_behind_the_words():
    batch = coref.coref_batch(torch.Generator().manual_seed(2), 17)
    B, T = batch.tokens.shape
    assert B == 17
    assert batch.mask.shape == (17, 1, 1, T)
    assert torch.equal(batch.mask[:, 0, 0], batch.tokens != coref.ID[coref.PAD])
    rows = torch.arange(B)
    assert torch.equal(batch.tokens[rows, batch.referent], batch.noun)
    assert (batch.tokens[rows, batch.it] == coref.ID["it"]).all()


def test_the_same_seed_gives_the_same_sentences():
    a, b = (coref.coref_batch(torch.Generator().manual_seed(3), 8) for _ in range(2))
    assert torch.equal(a.tokens, b.tokens)
