"""The order task: the answer is where the task says, and balanced."""

from __future__ import annotations

import torch

from helpers.tasks.order import LENGTH, NUM_TOKENS, A, B, order_batch, swapped


def test_the_answer_says_which_comes_first():
    batch = order_batch(torch.Generator().manual_seed(0), 500)
    assert batch.tokens.shape == (500, LENGTH)
    assert batch.tokens.max() < NUM_TOKENS
    for tokens, a_first in zip(batch.tokens.tolist(), batch.a_first.tolist()):
        assert tokens.count(A) == tokens.count(B) == 1
        assert a_first == (tokens.index(A) < tokens.index(B))
    assert 0.4 < batch.a_first.float().mean() < 0.6


def test_swapping_turns_the_answer_and_moves_nothing_else():
    batch = order_batch(torch.Generator().manual_seed(1), 50)
    other = swapped(batch)
    assert torch.equal(other.a_first, ~batch.a_first)
    assert torch.equal(other.tokens > B, batch.tokens > B)
    assert torch.equal(other.tokens.sort()[0], batch.tokens.sort()[0])
    assert torch.equal(swapped(other).tokens, batch.tokens)


def test_the_last_place_can_be_kept_free():
    batch = order_batch(torch.Generator().manual_seed(2), 500, last_free=True)
    assert batch.tokens[:, -1].min() > B
    assert (batch.tokens[:, -2] <= B).any()
    for tokens, a_first in zip(batch.tokens.tolist(), batch.a_first.tolist()):
        assert tokens.count(A) == tokens.count(B) == 1
        assert a_first == (tokens.index(A) < tokens.index(B))
