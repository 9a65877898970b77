"""FLOPs and bytes by formula, against PyTorch's counter and tensors that exist."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.measure import (
    attention_bytes,
    attention_flops,
    counted_flops,
    kv_cache_bytes,
    mlp_flops,
    projection_flops,
)

sizes = st.integers(1, 13)


@settings(max_examples=10)
@given(sizes, sizes, sizes, sizes)
def test_the_formula_is_what_pytorch_counts(n_q, n_k, d_k, d_v):
    Q, K, V = torch.ones(n_q, d_k), torch.ones(n_k, d_k), torch.ones(n_k, d_v)
    counted = counted_flops(lambda: (Q @ K.T).softmax(-1) @ V)
    assert attention_flops(n_q, n_k, d_k, d_v) == counted


@pytest.mark.parametrize("heads", [1, 2, 7])
def test_a_whole_layer_is_projections_and_attention(heads):
    mha, x = MultiHeadAttention(14, heads), torch.ones(1, 11, 14)
    wanted = projection_flops(11, 14) + attention_flops(11, 11, 14, 14)
    assert counted_flops(lambda: mha(x, x, x)) == wanted


@pytest.mark.parametrize("widening", [4, 3])
def test_an_mlp(widening):
    mlp = nn.Sequential(nn.Linear(5, 5 * widening), nn.ReLU())
    mlp.append(nn.Linear(5 * widening, 5))
    assert counted_flops(lambda: mlp(torch.ones(7, 5))) == mlp_flops(7, 5, widening)


def test_the_counter_does_not_see_into_the_fused_kernel_on_a_cpu():
    Q, K, V = torch.ones(3, 1, 2, 5, 7)
    assert counted_flops(lambda: F.scaled_dot_product_attention(Q, K, V)) == 0


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_attention_bytes_are_those_of_the_weights(dtype):
    x = torch.ones(3, 2, 11, 5, dtype=dtype)
    _, weights = scaled_dot_product_attention(x, x, x)
    assert attention_bytes(3, 2, 11, dtype.itemsize) == weights.nbytes


def test_cache_bytes_are_those_of_keys_and_values():
    keys = torch.ones(3, 2, 5, 11, 7, dtype=torch.float16)
    values = torch.ones_like(keys)
    assert kv_cache_bytes(3, 2, 11, 5, 7, 2) == keys.nbytes + values.nbytes


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "4"])
def test_sizes_must_be_whole_numbers_from_one(bad):
    with pytest.raises(ValueError, match=r"heads is .* at least 1"):
        attention_bytes(1, bad, 5, 4)
    with pytest.raises(ValueError, match=r"kv_heads is .* at least 1"):
        kv_cache_bytes(1, 1, 5, bad, 7, 4)
