"""Decoding with a cache agrees with the full pass, however the text is cut."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.decoding import KVCache, cached_attention, greedy, prefill, step
from helpers.masks import create_causal_mask
from helpers.models.decoder import Decoder
from helpers.training import build

D, H, N, VOCABULARY = 15, 3, 11, 13


def layer():
    return build(lambda: MultiHeadAttention(D, H), 5)


def decoder(**sizes):
    make = dict(vocabulary=VOCABULARY, d_model=D, num_heads=H, context=29) | sizes
    return build(lambda: Decoder(**make), 5)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_chunks_of_any_size_give_the_rows_of_one_pass(chunks):
    mha, n = layer(), sum(chunks)
    x = torch.randn(2, n, D, generator=torch.Generator().manual_seed(n))
    whole, weights = mha(x, x, x, create_causal_mask(n))
    cache, outputs = KVCache(1), []
    for start, t in zip([sum(chunks[:i]) for i in range(len(chunks))], chunks):
        output, row = cached_attention(mha, x[:, start : start + t], cache)
        outputs.append(output)
        assert torch.allclose(row, weights[:, :, start : start + t, : start + t])
    assert cache.length == n
    assert torch.allclose(torch.cat(outputs, dim=1), whole, atol=1e-6)


def test_one_step_is_pytorchs_attention_of_the_last_query():
    mha, x = layer(), torch.randn(2, N, D)
    cache = KVCache(1)
    cached_attention(mha, x[:, :-1], cache)
    output, _ = cached_attention(mha, x[:, -1:], cache)
    Q, K, V = (mha.split_heads(W(x)) for W in (mha.W_q, mha.W_k, mha.W_v))
    heads = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    wanted = mha.W_o(mha.merge_heads(heads))[:, -1:]
    assert torch.allclose(output, wanted, atol=1e-6)
    assert torch.allclose(cache.keys[0], K, atol=1e-6)
    assert torch.allclose(cache.values[0], V, atol=1e-6)


def test_prefill_and_steps_of_a_model_equal_its_full_pass():
    model, tokens = decoder(), torch.randint(VOCABULARY, (2, N))
    with torch.no_grad():
        whole = model(tokens)
        first, cache = prefill(model, tokens[:, :4])
        parts = [first, *(step(model, tokens[:, i : i + 1], cache) for i in (4, 5))]
        parts.append(step(model, tokens[:, 6:], cache))
    assert cache.length == N and len(cache.keys) == model.num_layers
    assert torch.allclose(torch.cat(parts, dim=1), whole, atol=1e-5)


def test_a_wrong_position_would_be_seen():
    model, tokens = decoder(), torch.randint(VOCABULARY, (1, N))
    with torch.no_grad():
        _, cache = prefill(model, tokens[:, :-1])
        right = step(model, tokens[:, -1:], cache)
        _, cache = prefill(model, tokens[:, 1:-1])
        shifted = step(model, tokens[:, -1:], cache)
    assert (right - shifted).abs().max() > 1e-3


def test_greedy_writes_the_same_with_and_without_a_cache():
    model, prompt = decoder(), torch.randint(VOCABULARY, (2, 3))
    with_cache = greedy(model, prompt, 17)
    assert with_cache.shape == (2, 20) and torch.equal(with_cache[:, :3], prompt)
    assert torch.equal(with_cache, greedy(model, prompt, 17, cached=False))
    assert torch.equal(greedy(model, prompt, 0), prompt)


def test_two_continuations_of_one_prompt():
    model, tokens = decoder(), torch.randint(VOCABULARY, (1, N))
    with torch.no_grad():
        _, cache = prefill(model, tokens[:, :6])
        fork = cache.copy()
        other = step(model, tokens[:, 7:8], fork)
        right = step(model, tokens[:, 6:7], cache)
        assert cache.length == fork.length == 7
        assert torch.allclose(right[:, 0], model(tokens)[:, 6], atol=1e-5)
        swapped = torch.cat([tokens[:, :6], tokens[:, 7:8]], dim=1)
        assert torch.allclose(other[:, 0], model(swapped)[:, 6], atol=1e-5)


def test_gradients_flow_through_the_cache():
    mha, x = layer(), torch.randn(1, N, D, requires_grad=True)
    cache = KVCache(1)
    cached_attention(mha, x[:, :6], cache)
    cached_attention(mha, x[:, 6:], cache)[0][:, -1].sum().backward()
    assert bool((x.grad.abs().sum(dim=-1) > 0).all())


def test_length_counts_what_every_layer_has_read():
    cache = KVCache(2)
    K, V = torch.ones(2, H, 3, 5), torch.ones(2, H, 3, 7)
    assert cache.length == 0
    cache.extend(0, K, V)
    assert cache.length == 0
    cache.extend(1, K, V)
    assert cache.length == 3
    K2, V2 = cache.extend(0, 2 * K, 2 * V)
    assert K2[0, 0, :, 0].tolist() == [1, 1, 1, 2, 2, 2] and V2.shape == (2, H, 6, 7)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (dict(layer=2), "layers 0 to 1"),
        (dict(K=torch.ones(3, H, 1, 5), V=torch.ones(3, H, 1, 7)), "new batch"),
        (dict(K=torch.ones(2, H, 1, 4)), "does not continue"),
        (dict(K=torch.ones(2, H, 2, 5)), "agree"),
        (dict(V=torch.ones(2, 1, 7)), "agree"),
    ],
)
def test_what_does_not_continue_the_cache_is_refused(change, says):
    cache = KVCache(2)
    cache.extend(0, torch.ones(2, H, 3, 5), torch.ones(2, H, 3, 7))
    good = dict(layer=0, K=torch.ones(2, H, 1, 5), V=torch.ones(2, H, 1, 7))
    with pytest.raises(ValueError, match=says):
        cache.extend(**(good | change))
    assert cache.keys[0].shape[2] == 3, "a refused call must not change the cache"


def test_other_refusals():
    with pytest.raises(ValueError, match="at least 1 layer"):
        KVCache(0)
    for layers in (1.0, True, None, -1):
        with pytest.raises(ValueError, match="num_layers must be a whole number"):
            KVCache(layers)
    for tokens in (torch.ones(3).long(), torch.ones(2, 0).long()):
        with pytest.raises(ValueError, match="at least one token"):
            prefill(decoder(), tokens)
