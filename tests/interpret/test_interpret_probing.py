"""What a straight line can read, and what comes free."""

from __future__ import annotations

import torch

from helpers.interpret.probing import control_labels, probe_accuracy

G = torch.Generator().manual_seed(1)
X = torch.randn(600, 8, generator=G)


def split(y):
    return (X[:400], y[:400]), (X[400:], y[400:])


def test_what_is_there_is_read():
    assert probe_accuracy(*split((X[:, 2] > 0.5).long())) > 0.9


def test_the_threshold_need_not_be_zero():
    assert probe_accuracy(*split((X @ torch.ones(8) > 3).long())) > 0.85


def test_noise_is_not_read():
    y = torch.randint(3, (600,), generator=G)
    assert 0.2 < probe_accuracy(*split(y)) < 0.47


def test_control_labels_are_the_same_labels_dealt_out_anew():
    kinds = torch.arange(48) % 3
    dealt = control_labels(kinds, torch.Generator().manual_seed(2))
    assert torch.equal(dealt.sort().values, kinds.sort().values)
    assert (dealt == kinds).float().mean() < 0.6
