"""The order network: without positions it sees a set."""

from __future__ import annotations

import pytest
import torch

from helpers.models.order import OrderNet, order_accuracy, order_loss
from helpers.tasks.order import order_batch, swapped
from helpers.training import build


def logits(positions):
    net = build(lambda: OrderNet(positions), 0)
    batch = order_batch(torch.Generator().manual_seed(0), 30)
    with torch.no_grad():
        return net(batch.tokens), net(swapped(batch).tokens)


def test_without_positions_a_swap_changes_nothing():
    before, after = logits(positions=False)
    assert before.shape == (30, 2)
    assert torch.allclose(before, after, atol=1e-5)


def test_with_positions_it_does():
    before, after = logits(positions=True)
    assert (before - after).abs().max() > 1e-2


def test_loss_and_accuracy():
    net = build(lambda: OrderNet(True), 0)
    batch = order_batch(torch.Generator().manual_seed(0), 30)
    assert order_loss(net, batch).isfinite()
    other = order_accuracy(net, type(batch)(batch.tokens, ~batch.a_first))
    assert abs(order_accuracy(net, batch) + other - 1) < 1e-6


@pytest.mark.parametrize(("layers", "knows"), [(1, False), (2, True)])
def test_under_a_causal_mask_the_last_row_needs_two_layers(layers, knows):
    kind = dict(causal=True, layers=layers, read_last=True)
    net = build(lambda: OrderNet(False, **kind), 0)
    batch = order_batch(torch.Generator().manual_seed(0), 30, last_free=True)
    with torch.no_grad():
        moved = (net(batch.tokens) - net(swapped(batch).tokens)).abs().max()
    assert (moved > 1e-4) == knows and (knows or moved < 1e-5)


def test_under_a_causal_mask_the_mean_knows():
    net = build(lambda: OrderNet(False, causal=True), 0)
    batch = order_batch(torch.Generator().manual_seed(0), 30)
    with torch.no_grad():
        moved = (net(batch.tokens) - net(swapped(batch).tokens)).abs().max()
    assert moved > 1e-4


def test_a_net_without_layers_is_refused():
    with pytest.raises(ValueError, match="1 or more"):
        OrderNet(False, layers=0)
