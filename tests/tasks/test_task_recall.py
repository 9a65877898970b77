from __future__ import annotations

import torch

from helpers.tasks.recall import NUM_KEYS, NUM_PAIRS, NUM_VALUES, recall_batch


def draw(seed: int = 0, batch: int = 509):
    return recall_batch(torch.Generator().manual_seed(seed), batch)


def test_shapes_and_ranges() -> None:
    batch = draw(batch=7)
    assert batch.keys.shape == batch.values.shape == (7, NUM_PAIRS + 1)
    assert batch.answer.shape == batch.where.shape == (7,)
    batch = draw()
    assert batch.keys.min() == 0 and batch.keys.max() == NUM_KEYS - 1
    assert set(batch.values[:, :-1].flatten().tolist()) == set(range(NUM_VALUES))
    assert set(batch.where.tolist()) == set(range(NUM_PAIRS))
    assert (batch.values[:, -1] == NUM_VALUES).all()


def test_the_asked_key_stands_where_it_says_and_nowhere_else() -> None:
    batch = draw()
    rows = torch.arange(len(batch.keys))
    assert torch.equal(batch.keys[rows, batch.where], batch.keys[:, -1])
    assert torch.equal(batch.values[rows, batch.where], batch.answer)
    found = batch.keys[:, :-1] == batch.keys[:, -1:]
    assert (found.sum(dim=1) == 1).all()


def test_no_key_twice() -> None:
    assert all(len(set(row)) == NUM_PAIRS for row in draw().keys[:, :-1].tolist())


def test_the_generator_decides_and_no_other() -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first = draw(3)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(2)
    assert torch.equal(draw(3).keys, first.keys)
    assert not torch.equal(draw(4).keys, first.keys)


def test_answers_are_even_so_chance_is_one_in_sixteen() -> None:
    counts = torch.bincount(draw(batch=8009).answer, minlength=NUM_VALUES)
    assert (counts / 8009 - 1 / NUM_VALUES).abs().max() < 0.02
