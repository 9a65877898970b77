"""The small decoder: with the mask it sees no future, without it does."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional as F

from helpers.decoding import prefill
from helpers.models.decoder import Decoder, next_token_loss, train_decoder, write
from helpers.tasks.characters import CHARACTERS, character_batch, encode, write_corpus
from helpers.training import build

N, CUT = 13, 7


def decoder(**kind):
    return build(lambda: Decoder(**(dict(vocabulary=11) | kind)), 3)


def pair(vocabulary=11):
    tokens = torch.randint(vocabulary, (2, N))
    other = tokens.clone()
    other[:, CUT:] = (other[:, CUT:] + 1) % vocabulary
    return tokens, other


@pytest.mark.parametrize("causal", [True, False])
def test_the_past_is_equal_to_the_last_bit_only_with_the_mask(causal):
    model, (tokens, other) = decoder(causal=causal), pair()
    a, b = model(tokens), model(other)
    assert torch.equal(a[:, :CUT], b[:, :CUT]) == causal
    for one, two in zip(model.layers(tokens), model.layers(other), strict=True):
        assert torch.equal(one.rows[:, :CUT], two.rows[:, :CUT]) == causal
        assert one.attn_weights.shape == (2, 4, N, N)


@pytest.mark.parametrize("causal", [True, False])
def test_gradient_to_the_future(causal):
    model, (tokens, _) = decoder(causal=causal), pair()
    x = model.embed(tokens).detach().requires_grad_()
    model.read(x)[:, CUT - 1].sum().backward()
    assert bool((x.grad[:, CUT:] == 0).all()) == causal
    assert bool((x.grad[:, :CUT] != 0).any(dim=-1).all())


def test_layers_are_those_of_the_forward_pass():
    model, (tokens, _) = decoder(), pair()
    rows = model.layers(tokens)[-1].rows
    assert torch.allclose(model.out(model.norm(rows)), model(tokens), atol=1e-5)


def test_the_loss_is_the_mean_over_all_places():
    model = decoder(vocabulary=len(CHARACTERS))
    data = encode(write_corpus(20, 0))
    batch = character_batch(data, torch.Generator().manual_seed(0), 5, N)
    with torch.no_grad():
        logits = model(batch.tokens)
    wanted = F.cross_entropy(logits.reshape(-1, len(CHARACTERS)), batch.target.ravel())
    assert next_token_loss(model, batch).item() == pytest.approx(wanted.item())
    assert 0.5 * math.log(len(CHARACTERS)) < wanted < 3 * math.log(len(CHARACTERS))


def test_it_learns_the_same_way_twice():
    data = encode(write_corpus(50, 0))
    model, losses = train_decoder(data, seed=1, steps=8)
    again, same = train_decoder(data, seed=1, steps=8)
    assert losses == same and losses[-1] < 0.9 * losses[0]
    assert model.causal and not train_decoder(data, 1, causal=False, steps=1)[0].causal
    assert torch.equal(model.out.weight, again.out.weight)


def test_writing_appends_what_was_drawn_and_slides_the_window():
    model, prompt = decoder(context=9), torch.randint(11, (2, 5))
    new = write(model, prompt, 12, seed=1)
    assert new.shape == (2, 12) and new.min() >= 0 and new.max() < 11
    assert torch.equal(new, write(model, prompt, 12, seed=1))
    assert not torch.equal(new, write(model, prompt, 12, seed=2))
    assert write(model, prompt, 0, seed=1).shape == (2, 0)


def test_refusals():
    tokens = torch.zeros(1, 10).long()
    with pytest.raises(ValueError, match="10 tokens are more than the 9 positions"):
        decoder(context=9)(tokens)
    model = decoder(context=9)
    _, cache = prefill(model, tokens[:, :6])
    with pytest.raises(ValueError, match="10 tokens"):
        model(tokens[:, :4], cache)
    with pytest.raises(ValueError, match="needs a causal mask"):
        prefill(decoder(causal=False), tokens)
