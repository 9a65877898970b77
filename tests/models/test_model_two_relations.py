"""The layers of lesson 04: equal parameters, a head that can be switched off."""

from __future__ import annotations

import pytest
import torch

from helpers.models.two_relations import (
    TwoRelationsNet,
    two_relations_accuracy,
    two_relations_looks,
    two_relations_loss,
)
from helpers.tasks.two_relations import LENGTH, NUM_VALUES, two_relations_batch
from helpers.training import build, count_parameters

BATCH = two_relations_batch(torch.Generator().manual_seed(5), 6)


def net(*args, **settings) -> TwoRelationsNet:
    return build(lambda: TwoRelationsNet(*args, **settings), 3)


@pytest.mark.parametrize(
    "settings",
    [{}, {"blocks": 2}, {"mlp": True}, {"d_model": 64}],
    ids=["plain", "two blocks", "mlp", "wide"],
)
def test_shapes_and_gradients(settings):
    model = net(2, **settings)
    for logits in model(BATCH):
        assert logits.shape == (6, LENGTH, NUM_VALUES)
    two_relations_loss(model, BATCH).backward()
    assert all(p.grad is not None for p in model.parameters())


def test_heads_cost_no_parameters():
    assert len({count_parameters(net(h)) for h in (1, 2, 4, 8)}) == 1


def test_switching_a_head_off_takes_away_what_it_adds():
    model = net(2)
    x = model.tokens(BATCH)
    mha = model.blocks[0]
    full = mha(x, x, x)[0]
    without = [mha.W_o.bias + full - model._attend(mha, x, [h]) for h in (0, 1)]
    assert torch.allclose(sum(without) - mha.W_o.bias, full, atol=1e-6)
    assert torch.equal(model(BATCH)[0], model(BATCH, off=())[0])


def test_all_heads_off_leaves_the_bias():
    model = net(2)
    x = model.tokens(BATCH)
    mha = model.blocks[0]
    assert torch.allclose(model._attend(mha, x, [0, 1]), mha.W_o.bias.expand_as(x))


def test_weights_are_those_of_the_forward_pass():
    model = net(2, blocks=2)
    weights = model.attn_weights(BATCH)
    assert [w.shape for w in weights] == [(6, 2, LENGTH, LENGTH)] * 2
    assert all(torch.allclose(w.sum(-1), torch.ones(6, 2, LENGTH)) for w in weights)


def test_looks_count_what_the_right_pattern_says():
    class Right(TwoRelationsNet):
        def attn_weights(self, batch):
            before = torch.arange(-1, LENGTH - 1).clamp(min=0).expand(6, -1)
            looks = torch.stack([before, batch.where], dim=1)
            return [torch.nn.functional.one_hot(looks, LENGTH).float()]

    shares = two_relations_looks(build(lambda: Right(2), 0), BATCH)
    assert shares[0, 0] == 1 and shares[1, 1] == 1
    assert shares[0, 1] < 0.3 and shares[1, 0] < 0.3


def test_accuracy_of_guessing_is_chance():
    batch = two_relations_batch(torch.Generator().manual_seed(5), 200)
    shares = two_relations_accuracy(net(2), batch)
    assert set(shares) == {"previous", "asked", "both"}
    assert all(abs(shares[name] - 1 / 8) < 0.06 for name in ("previous", "asked"))


def test_a_head_s_mean_in_its_place_is_the_same_for_every_sequence() -> None:
    model = net(2)
    mha, x = model.blocks[0], model.tokens(BATCH)
    instead = model._attend(mha, x, [0, 1], mean=True)
    assert torch.allclose(instead, instead[:1, :1].expand_as(instead), atol=1e-6)
    whole = mha(x, x, x)[0].mean(dim=(0, 1))
    assert torch.allclose(instead[0, 0], whole, atol=1e-5)
