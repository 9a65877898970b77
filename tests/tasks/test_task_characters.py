"""The text of the character model."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.characters import (
    CHARACTERS,
    REAL_WORDS,
    character_batch,
    decode,
    encode,
    share_of_real_words,
    write_corpus,
)


def test_a_corpus_is_sentences_of_the_grammar():
    text = write_corpus(200, seed=3)
    assert text == write_corpus(200, seed=3) != write_corpus(200, seed=4)
    sentences = text.split(". ")
    assert len(sentences) == 200 and text.endswith(".")
    assert set(text.replace(".", "").split()) <= REAL_WORDS
    assert all("because it was too" in sentence for sentence in sentences)


def test_no_sentence_is_in_both_texts():
    texts = (write_corpus(500, 1), write_corpus(500, 2, held_out=True))
    seen, new = (set(text.rstrip(".").split(". ")) for text in texts)
    assert not seen & new


def test_encode_and_decode_undo_each_other():
    text = write_corpus(20, seed=5)
    assert decode(encode(text)) == text
    assert encode(text).max() < len(CHARACTERS) == len(set(CHARACTERS)) <= 28
    assert encode("").shape == (0,)
    with pytest.raises(ValueError, match="'!', 'T'"):
        encode("The end!")


def test_the_target_is_the_next_character():
    data = torch.arange(100)
    batch = character_batch(data, torch.Generator().manual_seed(0), 7, 11)
    assert batch.tokens.shape == batch.target.shape == (7, 11)
    assert torch.equal(batch.target, batch.tokens + 1)


def test_every_place_can_be_drawn_and_none_beyond():
    g = torch.Generator().manual_seed(0)
    batch = character_batch(torch.arange(5), g, 50, 3)
    assert set(batch.tokens[:, 0].tolist()) == {0, 1}
    with pytest.raises(ValueError, match="need a text of 6"):
        character_batch(torch.arange(5), g, 2, 5)


def test_share_of_real_words():
    assert share_of_real_words(["x the animal qq street y", "x was. y"]) == 0.8
    assert share_of_real_words(["", "one two"]) == 0.0
