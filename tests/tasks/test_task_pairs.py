"""Every answer is what a dict of the pairs shown so far would say."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.pairs import NUM_VALUES, commonest_value, pairs_batch


@pytest.mark.parametrize("num_keys", [None, 5])
def test_the_answer_is_the_last_value_of_the_asked_key(num_keys: int | None) -> None:
    batch = pairs_batch(torch.Generator().manual_seed(7), 11, num_keys, length=29)
    for b in range(11):
        last, first, times, at = {}, {}, {}, {}
        for t in range(29):
            key, value = batch.keys[b, t].item(), batch.values[b, t].item()
            first.setdefault(key, value)
            last[key], at[key], times[key] = value, t, times.get(key, 0) + 1
            asked = batch.asked[b, t].item()
            assert last[asked] == batch.answer[b, t]
            assert first[asked] == batch.first[b, t]
            assert times[asked] == batch.times[b, t]
            assert t - at[asked] == batch.age[b, t]


def test_keys_are_shown_once_unless_told_otherwise() -> None:
    batch = pairs_batch(torch.Generator().manual_seed(7), 3)
    assert (batch.keys.sort(dim=1).values == torch.arange(64)).all()
    assert (batch.times == 1).all()
    assert pairs_batch(torch.Generator().manual_seed(7), 3, 5).keys.max() == 4


def test_the_commonest_value_is_right_more_often_than_a_guess() -> None:
    batch = pairs_batch(torch.Generator().manual_seed(7), 3000)
    right = (commonest_value(batch) == batch.answer).float().mean(dim=0)
    assert right[0] == 1
    assert right[-1] > 1 / NUM_VALUES + 0.03
