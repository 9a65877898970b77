"""The attention-only models of lesson 14, their hooks, and the score of a head."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional as F

from helpers.models.induction import (
    MAX_LENGTH,
    POSITIONS,
    REACH,
    InductionNet,
    induction_accuracy,
    induction_answers,
    induction_looks,
    induction_loss,
    induction_score,
)
from helpers.tasks.induction import NUM_TOKENS, induction_batch
from helpers.training import build, count_parameters, train

BATCH = induction_batch(torch.Generator().manual_seed(5), 7, 11)
KINDS = [(1, p) for p in POSITIONS] + [(2, p) for p in POSITIONS]


def net(layers: int, positions: str = "table", **settings) -> InductionNet:
    model = build(lambda: InductionNet(layers, positions, **settings), 3)
    if model.bias is not None:
        with torch.no_grad():
            g = torch.Generator().manual_seed(4)
            model.bias.copy_(torch.randn(model.bias.shape, generator=g))
    return model


@pytest.mark.parametrize(("layers", "positions"), KINDS)
def test_it_is_causal_attention_and_nothing_else(layers, positions):
    """PyTorch's own attention gives the same logits."""
    model = net(layers, positions)
    tokens = BATCH.tokens
    x = model.embedding(tokens)
    if positions == "table":
        x = x + model.table.weight[:11]
    for number, mha in enumerate(model.layers):
        allowed = torch.zeros(11, 11)
        if positions == "relative":
            for i in range(11):
                for j in range(i + 1):
                    allowed[i, j] = model.bias[number, min(i - j, REACH)]
        allowed = allowed.masked_fill(~torch.ones(11, 11).bool().tril(), -math.inf)
        heads = F.scaled_dot_product_attention(
            mha.W_q(x), mha.W_k(x), mha.W_v(x), attn_mask=allowed
        )
        x = x + mha.W_o(heads)
    assert torch.allclose(model(tokens).logits, model.out(x[:, -1]), atol=1e-5)


@pytest.mark.parametrize(("layers", "positions"), KINDS)
def test_asking_from_the_last_position_only_gives_the_same_answer(layers, positions):
    model = net(layers, positions)
    full, short = model(BATCH.tokens), model(BATCH.tokens, answer_only=True)
    assert torch.allclose(full.logits, short.logits, atol=1e-5)
    last_row = full.attn_weights[-1][:, :, -1:]
    assert torch.allclose(last_row, short.attn_weights[-1], atol=1e-6)


@pytest.mark.parametrize("positions", POSITIONS)
def test_maps_and_what_is_added(positions):
    model = net(2, positions)
    out = model(BATCH.tokens)
    for weights, added in zip(out.attn_weights, out.added, strict=True):
        assert weights.shape == (7, 1, 11, 11) and added.shape == (7, 11, 32)
        assert torch.allclose(weights.sum(-1), torch.ones(7, 1, 11))
        assert weights.triu(1).abs().max() == 0
    x = model.embed(BATCH.tokens) + sum(out.added)
    assert torch.allclose(model.out(x[:, -1]), out.logits, atol=1e-5)


def test_scores_are_what_the_weights_are_made_of():
    for positions in POSITIONS:
        model = net(2, positions)
        out = model(BATCH.tokens)
        x = model.embed(BATCH.tokens) + out.added[0]
        scores = model.scores(1, x, x[:, -1:])
        assert scores.shape == (7, 1, 1, 11)
        expected = out.attn_weights[1][:, :, -1:]
        assert torch.allclose(scores.softmax(-1), expected, atol=1e-6)


def test_a_layer_that_is_off_adds_nothing():
    model = net(2)
    full = model(BATCH.tokens)
    first_off = model(BATCH.tokens, off=[0])
    assert first_off.added[0].abs().max() == 0
    x = model.embed(BATCH.tokens)
    assert torch.allclose(model(BATCH.tokens, off=[0, 1]).logits, model.out(x[:, -1]))
    second_off = model(BATCH.tokens, off=[1]).logits
    assert torch.allclose(second_off, model.out((x + full.added[0])[:, -1]), atol=1e-5)
    assert not torch.allclose(first_off.logits, full.logits, atol=1e-3)


def test_the_first_layer_can_be_replaced():
    model = net(2)
    full = model(BATCH.tokens)
    same = model(BATCH.tokens, first=full.added[0])
    assert torch.equal(same.logits, full.logits)
    nothing = model(BATCH.tokens, first=torch.zeros_like(full.added[0]))
    assert torch.allclose(nothing.logits, model(BATCH.tokens, off=[0]).logits)
    answers = induction_answers(model, BATCH, first=torch.zeros_like(full.added[0]))
    assert torch.equal(answers, nothing.logits.argmax(-1))


def test_neighbour_tells_each_token_the_one_before():
    model = net(1, neighbour=True)
    plain = model.embedding(BATCH.tokens) + model.table.weight[:11]
    told = model.embed(BATCH.tokens) - plain
    assert told[:, 0].abs().max() == 0
    expected = model.before(BATCH.tokens[:, :-1])
    assert torch.allclose(told[:, 1:], expected, atol=1e-5)


@pytest.mark.parametrize("layers", [1, 2])
def test_heads_and_an_mlp_are_what_pytorch_makes_of_them(layers):
    model = net(layers, num_heads=4, mlp=24)
    x = model.embed(BATCH.tokens)
    mask = torch.ones(11, 11).bool().tril()
    for mha, mlp in zip(model.layers, model.mlps, strict=True):
        Q, K, V = (
            m(x).unflatten(-1, (4, 8)).transpose(1, 2)
            for m in (mha.W_q, mha.W_k, mha.W_v)
        )
        blend = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
        x = x + mha.W_o(blend.transpose(1, 2).flatten(2))
        x = x + mlp[2](mlp[0](x).relu())
    expected = model.out(x[:, -1])
    for answer_only in (False, True):
        logits = model(BATCH.tokens, answer_only=answer_only).logits
        assert torch.allclose(logits, expected, atol=1e-5)


def test_one_layer_cannot_hear_of_a_predecessor():
    """Exchange two tokens: the scores of all others stay, bit for bit or nearly."""
    model = net(1)
    tokens = torch.arange(9)[None]
    other = tokens[:, [0, 5, 2, 3, 4, 1, 6, 7, 8]]
    before, after = (model.scores(0, model.embed(t))[0, 0, -1] for t in (tokens, other))
    kept = [0, 2, 3, 4, 6, 7, 8]
    assert torch.allclose(before[kept], after[kept], atol=1e-6)
    assert not torch.allclose(before, after, atol=1e-3)


def test_every_parameter_learns():
    for positions in POSITIONS:
        model = net(2, positions, neighbour=True)
        induction_loss(model, BATCH).backward()
        assert all(p.grad is not None for p in model.parameters())


def test_one_wide_layer_has_more_parameters_than_two():
    assert count_parameters(net(1, d_model=48)) > count_parameters(net(2))


def test_two_layers_start_to_learn_and_guessing_is_chance():
    batch = induction_batch(torch.Generator().manual_seed(6), 400)
    model = net(2, "relative")
    assert abs(induction_accuracy(model, batch) - 1 / NUM_TOKENS) < 0.06
    losses = train(model, induction_batch, induction_loss, steps=30, lr=0.01, seed=1)
    assert sum(losses[-10:]) < sum(losses[:10])


def test_looks_count_what_the_right_pattern_says():
    class Right(InductionNet):
        def forward(self, tokens, *args, **kwargs):
            out = super().forward(tokens, *args, **kwargs)
            before = torch.arange(-1, 10).clamp(min=0)
            first = F.one_hot(before, 11).float().expand(7, 1, -1, -1).clone()
            first[:, :, -1] = 1 / 11  # the last position's predecessor is not asked
            second = torch.zeros(7, 1, 11, 11)
            second[torch.arange(7), 0, -1, BATCH.where] = 1
            return out._replace(attn_weights=(first, second))

    model = build(lambda: Right(2), 0)
    assert induction_looks(model, BATCH) == (1.0, 1.0)
    previous, successor = induction_looks(net(2), BATCH)
    assert previous < 0.5 and successor < 0.6


def test_score_reads_the_place_behind_the_latest_earlier_one():
    tokens = torch.tensor([5, 3, 5, 8, 5, 3])
    weights = torch.rand(6, 6, generator=torch.Generator().manual_seed(2))
    wanted = (weights[2, 1] + weights[4, 3] + weights[5, 2]) / 3
    assert induction_score(weights, tokens) == pytest.approx(wanted.item())
    assert induction_score(weights[:3, :3], torch.tensor([1, 2, 3])) == 0.0


def test_too_long_and_unknown_are_refused():
    long = torch.zeros(1, MAX_LENGTH + 1, dtype=torch.long)
    with pytest.raises(ValueError, match="relative"):
        net(1)(long)
    assert net(1, "relative")(long).logits.shape == (1, NUM_TOKENS)
    with pytest.raises(ValueError, match="table, relative, none"):
        InductionNet(1, "sinus")
