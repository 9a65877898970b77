"""RNN, GRU, LSTM and attention over the same tokens."""

from __future__ import annotations

import pytest
import torch

from helpers.models.sequence import (
    AGES,
    STREAM_WIDTHS,
    gradient_by_distance,
    needle_accuracy,
    needle_model,
    stream_accuracy,
    train_needle,
    train_stream,
)
from helpers.tasks.needle import needle_batch
from helpers.tasks.stream import LENGTH, stream_batch
from helpers.training import count_parameters

KINDS = ("attention", "lstm", "gru", "rnn")


def needle():
    return needle_batch(torch.Generator().manual_seed(1), 5, 9)


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_answer_is_the_last_of_all_answers(kind):
    model, inputs = needle_model(kind, 1), needle().inputs
    every, last = model(inputs), model(inputs, last=True)
    assert every.shape == (9, 7, 8)
    assert torch.allclose(every[:, -1], last, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_no_model_sees_the_future(kind):
    model, (keys, values) = needle_model(kind, 1), needle().inputs
    changed = values.clone()
    changed[:, 4:] = (changed[:, 4:] + 1) % 8
    before, after = model((keys, values)), model((keys, changed))
    assert torch.allclose(before[:, :4], after[:, :4], atol=1e-6)
    assert not torch.allclose(before[:, 4:], after[:, 4:], atol=1e-6)


def test_equal_in_parameters():
    sizes = [count_parameters(needle_model(kind, 1)) for kind in KINDS]
    assert max(sizes) <= 1.1 * min(sizes)
    sizes = [count_parameters(train_stream(kind, 1, steps=1)) for kind in STREAM_WIDTHS]
    assert max(sizes) <= 1.1 * min(sizes)


def test_the_weights_of_attention_are_causal_and_sum_to_1():
    model, inputs = needle_model("attention", 1), needle().inputs
    weights = model.attn_weights(inputs)
    assert weights.shape == (9, 1, 7, 7)
    assert torch.allclose(weights.sum(-1), torch.ones(9, 1, 7))
    assert not weights.triu(1).any()
    last = model.attn_weights(inputs, last=True)
    assert torch.allclose(last[:, :, 0], weights[:, :, -1], atol=1e-6)


def test_the_forget_bias_moves_the_forget_gate_only():
    one, five = (needle_model("lstm", 1, b).cell.bias_ih_l0 for b in (1.0, 5.0))
    moved = (five - one).detach()
    gate = slice(22, 44)
    assert torch.allclose(moved[gate], torch.full((22,), 4.0))
    assert not moved[:22].any() and not moved[44:].any()


def test_attention_learns_the_needle_and_looks_at_it():
    model = train_needle("attention", 8, seed=1)
    assert needle_accuracy(model, 8, seed=1) >= 0.99
    batch = needle_batch(torch.Generator().manual_seed(5), 8, 100)
    assert model.attn_weights(batch.inputs, last=True)[..., 0].mean() > 0.9


def test_the_gradient_of_attention_is_level_and_that_of_the_rnn_vanishes():
    model = needle_model("attention", 2)
    level = gradient_by_distance(model, 2)
    assert level.shape == (130,)
    assert level[128] > 0.5 * level[1]
    assert next(model.parameters()).dtype == torch.float32
    gone = gradient_by_distance(needle_model("rnn", 2), 2)
    assert 0 < gone[128] < 1e-15 * gone[1]


def test_the_stream_is_answered_at_every_token_and_judged_by_age():
    model = train_stream("attention", seed=1, steps=2)
    batch = stream_batch(torch.Generator().manual_seed(1), 3)
    assert model(batch.inputs).shape == (3, LENGTH, 8)
    assert len(stream_accuracy(model, seed=1)) == len(AGES)


def test_a_wider_stream_model_keeps_a_larger_state():
    usual = train_stream("lstm", seed=1, steps=1)
    wider = train_stream("lstm", seed=1, steps=1, times_wider=2, forget_bias=5.0)
    assert (usual.cell.hidden_size, wider.cell.hidden_size) == (34, 68)
    gate = wider.cell.bias_ih_l0[68:136] + wider.cell.bias_hh_l0[68:136]
    assert gate.mean() > 4.5
    with pytest.raises(ValueError, match="recurrent"):
        train_stream("attention", seed=1, steps=1, times_wider=2)
