from __future__ import annotations

import torch

from helpers.tasks.offsets import LENGTH, NUM_VALUES, offsets_answers, offsets_batch


def test_shapes_and_ranges() -> None:
    values = offsets_batch(torch.Generator().manual_seed(0), 41)
    assert values.shape == (41, LENGTH)
    assert values.min() == 0 and values.max() == NUM_VALUES - 1


def test_an_answer_is_the_value_some_positions_back() -> None:
    values = offsets_batch(torch.Generator().manual_seed(1), 7)
    answers = offsets_answers(values, 5)
    assert answers.shape == (5, 7, LENGTH)
    for job in range(5):
        for at in range(LENGTH):
            assert (answers[job, :, at] == values[:, at - job - 1]).all()
