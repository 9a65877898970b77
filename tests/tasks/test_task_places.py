"""Every answer is found by walking through the tokens."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.places import (
    SIZES,
    TASKS,
    back_batch,
    latest_batch,
    recall_batch,
    without_order,
)


def seeded(seed: int = 7) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_back_is_the_letter_three_places_back() -> None:
    batch = back_batch(seeded(), n=11, batch=5)
    assert (batch.target[:, :3] == -1).all()
    assert torch.equal(batch.target[:, 3:], batch.tokens[:, :-3])
    there = batch.tokens.gather(1, batch.where.clamp(min=0))
    assert torch.equal(there[:, 3:], batch.target[:, 3:])


def test_recall_asks_for_a_key_that_occurred_once() -> None:
    batch = recall_batch(seeded(), n=13, batch=29)
    for tokens, target, where in zip(*batch):
        assert (target[:-1] == -1).all()
        key = tokens[-1].item() - 64
        values = [t % 8 for t in tokens[:-1].tolist() if t // 8 == key]
        assert values == [target[-1].item()]
        assert tokens[where[0]].item() == 8 * key + values[0]


def test_latest_is_the_last_letter_so_far() -> None:
    batch = latest_batch(seeded(), n=31, batch=11)
    for tokens, target in zip(batch.tokens.tolist(), batch.target.tolist()):
        last = None
        for token, answer in zip(tokens, target):
            last = token if token < 8 else last
            assert last == answer
    share = (latest_batch(seeded(), n=101, batch=101).tokens < 8).float().mean()
    assert abs(share - 1 / 8) < 0.02


@pytest.mark.parametrize("task", TASKS)
def test_tokens_and_answers_fit_their_sizes(task: str) -> None:
    batch = TASKS[task](seeded(), 17, 101)
    tokens, answers = SIZES[task]
    assert batch.tokens.min() >= 0 and batch.tokens.max() < tokens
    assert batch.target.min() >= -1 and batch.target.max() < answers


def test_a_reader_of_the_set_says_the_commonest_letter() -> None:
    batch = back_batch(seeded(), n=7, batch=3)
    share = without_order(batch, 16)
    for b in range(3):
        for t in range(3, 7):
            seen = batch.tokens[b, : t + 1].tolist()
            most = max(seen.count(x) for x in seen)
            best = {x for x in seen if seen.count(x) == most}
            right = batch.target[b, t].item() in best
            assert share[b, t].item() == pytest.approx(right / len(best))
