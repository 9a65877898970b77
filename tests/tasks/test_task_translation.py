"""Toy translations: the French is right, and the alignment points at its source."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks import translation as t

PAIRS = [
    ("the red cat finds the door", "le chat rouge trouve le porte"),
    (
        "the big green door hides the hat now",
        "maintenant le grand porte vert cache le chapeau",
    ),
]
AGREEING = [
    (
        "the big green door hides the hat now",
        "maintenant la grande porte verte cache le chapeau",
    ),
    ("the bad king likes the white queen", "le mauvais roi aime la reine blanche"),
]


def draw(seed=0, batch=200, agreement=False):
    return t.translation_batch(torch.Generator().manual_seed(seed), batch, agreement)


def french(sentence, agreement=False):
    return " ".join(word for word, _, _ in t.translate(sentence, agreement))


@pytest.mark.parametrize(("english", "due"), PAIRS)
def test_without_agreement(english, due):
    assert french(english) == due


@pytest.mark.parametrize(("english", "due"), AGREEING)
def test_with_agreement(english, due):
    assert french(english, agreement=True) == due


def test_vocabularies_have_no_word_twice():
    for words in (t.ENGLISH, t.FRENCH):
        assert len(set(words)) == len(words)
        assert words[t.PAD] == "·" and words[t.END] == "<end>"


def test_a_french_word_is_aligned_with_the_word_it_translates():
    meaning = t.NOUNS | t.VERBS | t.TIMES
    batch = draw(agreement=True)
    for source, target, aligned in zip(batch.source, batch.target, batch.aligned):
        for word, place in zip(target.tolist(), aligned.tolist()):
            if place < 0:
                assert t.FRENCH[word] in {"le", "la", "<end>", "·"}
                continue
            english = t.ENGLISH[source[place]]
            forms = t.ADJECTIVES.get(english) or (meaning[english],)
            assert t.FRENCH[word] in forms


def test_articles_know_their_noun():
    batch = draw(agreement=True)
    rows, columns = (batch.noun >= 0).nonzero(as_tuple=True)
    assert len(rows) == 2 * len(batch.source)
    for row, column in zip(rows.tolist(), columns.tolist()):
        noun = t.ENGLISH[batch.source[row, batch.noun[row, column]]]
        due = "la" if noun in t.FEMININE else "le"
        assert t.FRENCH[batch.target[row, column]] == due


def test_padding_and_ends():
    batch = draw()
    n_k = batch.source.shape[1]
    assert n_k <= t.MAX_LEN and batch.lengths.max() == n_k
    for source, target, length in zip(batch.source, batch.target, batch.lengths):
        assert source[length - 1] == t.END and (source[length:] == t.PAD).all()
        assert (source[:length] != t.PAD).all()
        assert (target != t.PAD).sum() == length  # as many words in both languages


def test_decoder_input_is_one_place_behind():
    batch = draw(batch=3)
    assert (batch.decoder_input[:, 0] == t.BEGIN).all()
    assert torch.equal(batch.decoder_input[:, 1:], batch.target[:, :-1])


def test_the_same_seed_gives_the_same_batch_and_every_kind_of_sentence():
    assert torch.equal(draw(3).source, draw(3).source)
    assert not torch.equal(draw(3).source[:, :3], draw(4).source[:, :3])
    assert draw(0, 2000).lengths.unique().tolist() == list(range(6, t.MAX_LEN + 1))


def test_words_of_stops_at_the_end():
    batch = t.as_batch(["the cat finds the hat", "the big red cat finds the hat soon"])
    assert (
        t.words_of(batch.source[0], t.ENGLISH) == "the cat finds the hat <end>".split()
    )
    assert t.words_of(batch.target[1], t.FRENCH)[0] == "bientôt"
