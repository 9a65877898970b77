"""The needle: one pair, noise, the key again."""

from __future__ import annotations

import torch

from helpers.tasks.needle import NO_KEY, NO_VALUE, NUM_KEYS, NUM_VALUES, needle_batch


def draw(distance: int = 7, batch: int = 500):
    return needle_batch(torch.Generator().manual_seed(1), distance, batch)


def test_the_answer_stands_beside_the_key():
    batch = draw()
    assert batch.keys.shape == batch.values.shape == (500, 9)
    assert torch.equal(batch.keys[:, 0], batch.keys[:, -1])
    assert torch.equal(batch.values[:, 0], batch.answer)


def test_noise_has_no_key_and_the_question_no_value():
    batch = draw()
    assert (batch.keys[:, 1:-1] == NO_KEY).all()
    assert (batch.values[:, -1] == NO_VALUE).all()
    assert set(batch.values[:, 1:-1].flatten().tolist()) == set(range(NUM_VALUES))
    assert set(batch.keys[:, 0].tolist()) == set(range(NUM_KEYS))


def test_without_noise_the_question_follows_at_once():
    assert draw(distance=0).keys.shape == (500, 2)
