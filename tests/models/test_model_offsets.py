from __future__ import annotations

import torch

from helpers.models.offsets import (
    OffsetsNet,
    offsets_accuracy,
    offsets_looks,
    offsets_loss,
)
from helpers.tasks.offsets import LENGTH, NUM_VALUES, offsets_batch
from helpers.training import build

VALUES = offsets_batch(torch.Generator().manual_seed(3), 11)


def test_shapes_and_parameters() -> None:
    nets = [build(lambda h=h: OffsetsNet(h, 3), 5) for h in (2, 4)]
    sizes = {sum(p.numel() for p in net.parameters()) for net in nets}
    assert len(sizes) == 1
    assert nets[0](VALUES).shape == (3, 11, LENGTH, NUM_VALUES)
    assert nets[1].attn_weights(VALUES).shape == (11, 4, LENGTH, LENGTH)
    assert offsets_looks(nets[1], VALUES).shape == (4, 3)


def test_untrained_it_guesses() -> None:
    net = build(lambda: OffsetsNet(4, 3), 5)
    assert abs(offsets_loss(net, VALUES).item() / 3 - 2.08) < 0.5
    assert offsets_accuracy(net, VALUES).max() < 0.3


def test_a_head_by_hand_is_found_and_missed() -> None:
    """Head 1 is made to look two positions back, and to hand the value over."""
    net = build(lambda: OffsetsNet(2, 3, d_model=64), 5).requires_grad_(False)
    for p in net.mha.parameters():
        p.zero_()
    net.position_embedding.weight.zero_()
    net.position_embedding.weight[:, :LENGTH] = torch.eye(LENGTH)
    net.value_embedding.weight.zero_()
    net.value_embedding.weight[:, LENGTH : LENGTH + NUM_VALUES] = torch.eye(NUM_VALUES)
    part = slice(32, 64)
    for at in range(LENGTH):
        net.mha.W_q.weight[32 + at, at] = 200.0
        net.mha.W_k.weight[32 + (at + 2) % LENGTH, at] = 1.0
    for value in range(NUM_VALUES):
        net.mha.W_v.weight[32 + value, LENGTH + value] = 1.0
        net.mha.W_o.weight[40 + value, 32 + value] = 9.0
        net.reads[1].weight[value].zero_()
        net.reads[1].weight[value, 40 + value] = 1.0
    assert net.mha.W_q.weight[part].any()
    assert offsets_looks(net, VALUES)[1].tolist() == [0.0, 1.0, 0.0]
    assert offsets_accuracy(net, VALUES)[1] == 1.0
    assert offsets_accuracy(net, VALUES, off=[0])[1] == 1.0
    assert offsets_accuracy(net, VALUES, off=[1])[1] < 0.4
