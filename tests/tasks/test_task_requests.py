"""Requests can be answered from what the window holds."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.requests import (
    ASK,
    BOS,
    CLASSES,
    NOTHING,
    NUM_PAYLOADS,
    NUM_WORDS,
    WINDOW,
    request_batch,
)


@pytest.mark.parametrize("bos", [True, False])
def test_each_answer_can_be_looked_up(bos: bool) -> None:
    batch = request_batch(torch.Generator().manual_seed(5), 7, n=61, bos=bos)
    start = int(bos)
    for b in range(7):
        for t in range(start, 61):
            word, _, asked = batch.symbols[b, t].tolist()
            assert batch.asks[b, t] == (asked != NOTHING)
            if not batch.asks[b, t]:
                assert batch.answer[b, t] == CLASSES[word]
                continue
            near = range(max(start, t - WINDOW + 2), t)
            wanted = asked - NUM_WORDS - NUM_PAYLOADS
            at = [s for s in near if batch.symbols[b, s, 0] == wanted]
            assert len(at) == 1, "the asked word is in both caches, once"
            assert batch.answer[b, t] == batch.symbols[b, at[0], 1] - NUM_WORDS


def test_bos_shows_nothing_and_a_quarter_asks() -> None:
    batch = request_batch(torch.Generator().manual_seed(5), 100, n=80)
    assert (batch.symbols[:, 0] == BOS).all()
    assert abs(batch.asks[:, 2:].float().mean() - ASK) < 0.02


def test_no_word_comes_twice_within_the_window() -> None:
    words = request_batch(torch.Generator().manual_seed(5), 9, n=50, bos=False).symbols
    for stretch in words[..., 0].unfold(1, WINDOW - 1, 1).flatten(0, 1):
        assert len(set(stretch.tolist())) == WINDOW - 1


def test_classes_are_even() -> None:
    assert set(CLASSES.bincount().tolist()) == {NUM_WORDS // NUM_PAYLOADS}
