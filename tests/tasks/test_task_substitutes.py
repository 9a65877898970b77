"""Which words may replace which."""

from __future__ import annotations

import random

import pytest

from helpers.tasks import coref
from helpers.tasks.coref import FEELINGS, GENDER, ID, LOOKS, WORDS, read_sentence
from helpers.tasks.shortcut import CUES
from helpers.tasks.substitutes import nameable, replaced, substitutes

SENTENCE = read_sentence(
    "the big cat near the boat did not cross the street because it was too tired ."
)


def named(word: str, fair: bool = True) -> set[str]:
    return {WORDS[other] for other in substitutes(fair)[ID[word]]}


@pytest.mark.parametrize("fair", [True, False])
def test_no_word_replaces_itself_and_fixed_words_stay(fair):
    found = substitutes(fair)
    assert all(word not in others and others for word, others in found.items())
    assert not {ID[w] for w in "the it was because near not .".split()} & found.keys()


def test_a_fair_noun_is_of_its_kind_and_of_another_gender():
    assert len(named("cat")) == 16 and len(named("cat", fair=False)) == 23
    assert not any(GENDER[noun] == "sie" for noun in named("cat"))
    assert "street" not in named("cat", fair=False)


def test_adjectives_are_of_the_other_kind():
    assert named("tired") == named("tired", fair=False) == set(LOOKS)
    assert named("wide") == set(FEELINGS)


def test_a_fair_thing_gives_another_pronoun_away():
    assert named("boat") == {thing for thing in CUES if CUES[thing] != "er"}
    assert len(named("boat", fair=False)) == 5


def test_the_words_that_can_be_named():
    (tokens,) = coref.pad_sentences([SENTENCE]).tokens
    words = zip(SENTENCE.words, nameable(tokens).tolist(), strict=True)
    wanted = ["big", "cat", "boat", "cross", "street", "tired"]
    assert [word for word, can in words if can] == wanted


@pytest.mark.parametrize("word", ["referent", "adjective"])
def test_one_word_is_replaced_fairly_and_the_positions_stay(word):
    (other,) = replaced([SENTENCE], word, random.Random(1))
    place = getattr(SENTENCE, word)
    pairs = zip(SENTENCE.words, other.words, strict=True)
    assert [i for i, (a, b) in enumerate(pairs) if a != b] == [place]
    assert other.words[place] in named(SENTENCE.words[place])
    assert getattr(other, word) == place
