"""The layer of the requests is attention, with a null key if it has one."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from helpers.models.resting import RestingNet, right_in_stream, train_resting
from helpers.tasks.requests import request_batch
from helpers.training import build
from helpers.windows import create_window_mask


def parts(model, batch):
    x = model.embedding(batch.symbols).sum(dim=2)
    return model.W_q(x), model.W_k(x), model.W_v(x)


def test_look_is_attention():
    model, mask = build(RestingNet, 3), create_window_mask(23, 5)
    batch = request_batch(torch.Generator().manual_seed(1), 3, n=23)
    want = F.scaled_dot_product_attention(*parts(model, batch), attn_mask=mask)
    looked = model.look(batch.symbols, mask)
    assert torch.allclose(looked.read, want, atol=1e-6)
    assert torch.allclose(looked.attn_weights @ looked.values, want, atol=1e-6)


@pytest.mark.parametrize("null", ["zero", "learned"])
def test_a_null_is_a_key_with_the_value_0(null):
    model = build(lambda: RestingNet(null), 3)
    batch = request_batch(torch.Generator().manual_seed(1), 3, n=13)
    Q, K, V = parts(model, batch)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).exp() * torch.ones(13, 13).tril()
    weights = scores / (scores.sum(dim=-1, keepdim=True) + 1)
    assert torch.allclose(model.look(batch.symbols).attn_weights, weights, atol=1e-6)
    assert model.null_score.requires_grad == (null == "learned")


def test_a_dropped_value_keeps_its_weight():
    model = build(RestingNet, 3)
    batch = request_batch(torch.Generator().manual_seed(1), 3, n=13)
    whole, dropped = model.look(batch.symbols), model.look(batch.symbols, None, 0)
    assert torch.equal(whole.attn_weights, dropped.attn_weights)
    lost = whole.attn_weights[..., :1] * whole.values[:, :1]
    assert torch.allclose(whole.read - dropped.read, lost, atol=1e-6)


def test_training_learns_the_quiet_tokens_first():
    model = train_resting(3, steps=60)
    test = request_batch(torch.Generator().manual_seed(1), 40, n=30)
    quiet, asking = right_in_stream(model, test, create_window_mask(30, None))
    assert quiet > 0.5 and 0 < asking < 1
