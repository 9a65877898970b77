"""The flag can be found in the sequence, at the distance that is said."""

from __future__ import annotations

import torch

from helpers.tasks.flag import LENGTH, NUM_FLAGS, flag_batch, last_asked_batch


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def test_one_flag_and_the_rest_is_noise() -> None:
    for batch in (flag_batch(generator(), 50), last_asked_batch(generator(), 3, 9, 50)):
        is_flag = batch.tokens < NUM_FLAGS
        assert (is_flag.sum(dim=1) == 1).all()
        assert torch.equal(batch.tokens[is_flag][:, None], batch.flag)


def test_distances_count_from_the_flag() -> None:
    batch = flag_batch(generator(), 50)
    for row, distance in zip(batch.tokens, batch.distance, strict=True):
        where = int((row < NUM_FLAGS).nonzero())
        assert distance.tolist() == [t - where for t in range(LENGTH)]
    assert batch.distance.max() == LENGTH - 1


def test_only_the_last_token_is_asked() -> None:
    batch = last_asked_batch(generator(), 3, 9, 200)
    assert torch.equal(batch.asked.sum(dim=1), torch.ones(200).long())
    assert set(batch.distance[:, -1].tolist()) == set(range(3, 10))
    where = (batch.tokens < NUM_FLAGS).int().argmax(dim=1)
    assert torch.equal(LENGTH - 1 - where, batch.distance[:, -1])
