"""The task's right pattern is where the task says it is."""

from __future__ import annotations

import torch

from helpers.tasks.two_relations import LENGTH, NUM_VALUES, two_relations_batch


def draw(seed: int = 0, batch: int = 40):
    return two_relations_batch(torch.Generator().manual_seed(seed), batch)


def test_shapes_and_ranges():
    b = draw()
    for x in (b.keys, b.values, b.asks, b.previous, b.asked, b.where):
        assert x.shape == (40, LENGTH)
    assert b.values.min() == 0 and b.values.max() == NUM_VALUES - 1
    assert (b.keys.sort(dim=1).values == torch.arange(LENGTH)).all()


def test_the_asked_key_stands_where_the_task_says():
    b = draw()
    assert (b.keys.gather(1, b.where) == b.asks).all()
    assert (b.values.gather(1, b.where) == b.asked).all()


def test_the_previous_value_is_one_position_back():
    b = draw()
    assert (b.previous[:, 1:] == b.values[:, :-1]).all()


def test_one_answer_tells_little_of_the_other():
    """They agree by chance, or because both relations look at the same position."""
    b = draw(batch=2000)
    same = (b.previous == b.asked)[:, 1:].double().mean().item()
    expected = 1 / LENGTH + (1 - 1 / LENGTH) / NUM_VALUES
    assert abs(same - expected) < 0.01


def test_the_generator_decides_everything():
    first, again, other = draw(3), draw(3), draw(4)
    assert torch.equal(first.values, again.values)
    assert not torch.equal(first.values, other.values)
