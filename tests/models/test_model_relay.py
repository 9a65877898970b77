"""A message comes as far as the windows allow, trained or not."""

from __future__ import annotations

import pytest
import torch

from helpers.models.relay import (
    RelayNet,
    flag_loss,
    moved_by_flag,
    right_at,
    right_by_distance,
    train_relay,
)
from helpers.tasks.flag import LENGTH, flag_batch
from helpers.training import build


@pytest.mark.parametrize("windows", [(5,), (3, 4), (2, 2, 2), (5, None)])
def test_the_reach_is_exact(windows):
    model = build(lambda: RelayNet(windows), 3)
    moved = moved_by_flag(model, 7)
    reach = sum(LENGTH - 1 if w is None else w - 1 for w in windows)
    assert (moved[: reach + 1] > 0).all() and not moved[reach + 1 :].any()


def test_one_layer_learns_its_window():
    model = train_relay([3], 11, steps=80)
    assert right_at(model, 2, 5) > 0.9
    shares = right_by_distance(model, 5, batch=500)
    assert shares.shape == (LENGTH - 1,) and shares[2:].mean() < 0.2


def test_the_loss_is_over_asked_tokens():
    batch = flag_batch(torch.Generator().manual_seed(1), 7)
    model = build(lambda: RelayNet((3,)), 3)
    logits = model(batch.tokens).log_softmax(-1)
    total = [
        -logits[b, t, batch.flag[b, 0]]
        for b in range(7)
        for t in range(LENGTH)
        if batch.distance[b, t] > 0
    ]
    assert torch.allclose(flag_loss(model, batch), torch.stack(total).mean())
