"""The stream: a pair and a question at every token."""

from __future__ import annotations

import torch

from helpers.tasks.stream import LENGTH, stream_batch


def test_the_asked_key_was_shown_age_tokens_ago_with_its_answer():
    batch = stream_batch(torch.Generator().manual_seed(1), 50)
    for b in range(50):
        keys = batch.keys[b].tolist()
        assert sorted(keys) == list(range(LENGTH))
        for t in range(LENGTH):
            shown_at = keys.index(batch.asked[b, t])
            assert shown_at == t - batch.age[b, t]
            assert batch.values[b, shown_at] == batch.answer[b, t]


def test_all_ages_are_asked_and_none_from_the_future():
    batch = stream_batch(torch.Generator().manual_seed(2), 400)
    assert batch.age.min() == 0
    assert batch.age.max() == LENGTH - 1
    assert (batch.age <= torch.arange(LENGTH)).all()
