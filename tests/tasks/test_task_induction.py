"""The puzzle of induction: the answer is where the task says, and nowhere else."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.tasks.induction import (
    LENGTH,
    NUM_TOKENS,
    as_letters,
    induction_batch,
    most_frequent,
)


def draw(seed: int = 0, batch: int = 40, length: int = LENGTH):
    return induction_batch(torch.Generator().manual_seed(seed), batch, length)


@given(seed=st.integers(0, 10_000), length=st.integers(3, 31))
@settings(max_examples=50, deadline=None)
def test_the_last_token_has_one_twin_and_the_answer_stands_behind_it(seed, length):
    b = draw(seed, 7, length)
    assert b.tokens.shape == (7, length)
    assert b.tokens.min() >= 0 and b.tokens.max() < NUM_TOKENS
    for tokens, answer, where in zip(
        b.tokens.tolist(), b.answer.tolist(), b.where.tolist(), strict=True
    ):
        assert tokens.count(tokens[-1]) == 2
        assert tokens.index(tokens[-1]) == where - 1
        assert 1 <= where <= length - 2
        assert tokens[where] == answer != tokens[-1]


def test_every_place_and_every_answer_occurs_about_equally_often():
    b = draw(batch=9000)
    places = torch.bincount(b.where, minlength=LENGTH).double() / 9000
    assert places[0] == places[-1] == 0
    assert (places[1:-1] - 1 / (LENGTH - 2)).abs().max() < 0.012
    answers = torch.bincount(b.answer, minlength=NUM_TOKENS).double() / 9000
    assert (answers - 1 / NUM_TOKENS).abs().max() < 0.012


def test_the_letter_behind_the_twin_says_nothing_about_the_next_sequence():
    """Nothing to learn by heart: each answer is equally likely behind each token."""
    b = draw(batch=24_000)
    pairs = torch.zeros(NUM_TOKENS, NUM_TOKENS)
    ones = torch.ones(len(b.answer))
    pairs.index_put_((b.tokens[:, -1], b.answer), ones, accumulate=True)
    assert pairs.diagonal().sum() == 0
    off = pairs[~torch.eye(NUM_TOKENS, dtype=torch.bool)] / 24_000
    assert (off - 1 / (NUM_TOKENS * (NUM_TOKENS - 1))).abs().max() < 0.0016


def test_most_frequent_leaves_the_last_kind_out():
    tokens = torch.tensor([[3, 3, 5, 5, 5, 3, 3], [7, 2, 2, 9, 9, 1, 7]])
    assert most_frequent(tokens).tolist() == [5, 2]


def test_most_frequent_beats_chance_and_no_more():
    b = draw(batch=5000)
    share = (most_frequent(b.tokens) == b.answer).double().mean()
    assert 0.17 < share < 0.21


def test_the_generator_decides_everything():
    assert torch.equal(draw(3).tokens, draw(3).tokens)
    assert not torch.equal(draw(3).tokens, draw(4).tokens)


def test_letters():
    assert as_letters(torch.tensor([0, 15, 1])) == ["a", "p", "b"]


def test_too_short_is_refused():
    with pytest.raises(ValueError, match="3 tokens"):
        draw(length=2)
