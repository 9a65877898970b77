"""Answers to attention_flops, attention_bytes and kv_cache_bytes."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Bank

flops, bytes_, cache = (
    Bank("attention_flops"),
    Bank("attention_bytes"),
    Bank("kv_cache_bytes"),
)


@flops.wrong("d-not-counted")
def pairs_alone(n_q, n_k, d_k, d_v):
    return 2 * 2 * n_q * n_k


@flops.wrong("d-not-counted")
def pairs_of_one_product(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k


@flops.wrong("multiply-adds-not-flops")
def multiply_adds(n_q, n_k, d_k, d_v):
    return n_q * n_k * d_k + n_q * n_k * d_v


@flops.wrong("weights-times-v-not-counted")
def scores_alone(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * d_k


@flops.wrong("scores-not-counted")
def output_alone(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * d_v


@flops.wrong("projection-not-attention")
def two_projections(n_q, n_k, d_k, d_v):
    return 2 * n_q * d_k * d_v + 2 * n_q * d_k * d_v


@flops.wrong("projection-not-attention")
def quadratic_in_the_width(n_q, n_k, d_k, d_v):
    return 8 * n_q * d_k**2


@flops.wrong("d-k-for-d-v")
def one_width(n_q, n_k, d_k, d_v):
    return 4 * n_q * n_k * d_k


@flops.wrong("n-q-for-n-k")
def square(n_q, n_k, d_k, d_v):
    return 2 * n_q**2 * (d_k + d_v)


@flops.wrong("n-k-for-n-q")
def square_of_keys(n_q, n_k, d_k, d_v):
    return 2 * n_k**2 * (d_k + d_v)


@flops.wrong("second-product-with-n-q")
def output_as_wide_as_the_queries(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * d_k + 2 * n_q * n_q * d_v


@flops.wrong("widths-multiplied")
def product_of_widths(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * d_k * d_v


@flops.wrong("flops-doubled")
def doubled(n_q, n_k, d_k, d_v):
    return 4 * n_q * n_k * (d_k + d_v)


@flops.wrong("softmax-counted")
def with_the_softmax(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * (d_k + d_v) + 3 * n_q * n_k


@flops.wrong("projections-counted")
def with_projections(n_q, n_k, d_k, d_v):
    projections = 2 * (n_q * d_k * d_k + n_k * d_k * d_k + n_k * d_v * d_v)
    return projections + 2 * n_q * n_k * (d_k + d_v)


@flops.wrong("first-addition-not-counted")
def exact_additions(n_q, n_k, d_k, d_v):
    return n_q * n_k * (2 * d_k - 1) + n_q * d_v * (2 * n_k - 1)


@flops.wrong("lengths-added")
def lengths_added(n_q, n_k, d_k, d_v):
    return 2 * (n_q + n_k) * (d_k + d_v)


@flops.wrong("flops-in-larger-unit")
def in_billions(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * (d_k + d_v) / 1e9


@flops.wrong("text-not-a-number")
def order_of_growth(n_q, n_k, d_k, d_v):
    return "O(n²·d)"


@flops.wrong("several-numbers")
def two_products(n_q, n_k, d_k, d_v):
    return 2 * n_q * n_k * d_k, 2 * n_q * n_k * d_v


@flops.wrong("count-grows-otherwise")
def exponential(n_q, n_k, d_k, d_v):
    return n_q * n_k * (d_k + d_v) + 2 ** min(n_q, 30)


@flops.wrong("count-times-constant")
def five_times(n_q, n_k, d_k, d_v):
    return 10 * n_q * n_k * (d_k + d_v)


@flops.wrong("multiply-adds-not-flops", "n-q-for-n-k")
def two_mistakes(n_q, n_k, d_k, d_v):
    return n_q * n_q * (d_k + d_v)


@flops.right
def product_by_product(n_q, n_k, d_k, d_v):
    scores = n_q * n_k * (2 * d_k)
    output = n_q * d_v * (2 * n_k)
    return scores + output


@flops.right
def counted_in_a_loop(n_q, n_k, d_k, d_v):
    return float(sum(2 * n_k * width * n_q for width in (d_k, d_v)))


@flops.right
def in_a_tensor(n_q, n_k, d_k, d_v):
    return torch.tensor([n_q, n_k, d_k + d_v]).prod() * 2


@bytes_.wrong("heads-not-counted")
def one_head(batch, heads, n, bytes_per_number):
    return batch * n * n * bytes_per_number


@bytes_.wrong("batch-not-counted")
def one_sequence(batch, heads, n, bytes_per_number):
    return heads * n * n * bytes_per_number


@bytes_.wrong("bits-not-bytes")
def bits(batch, heads, n, bytes_per_number):
    return batch * heads * n**2 * bytes_per_number * 8


@bytes_.wrong("length-not-squared")
def one_number_a_token(batch, heads, n, bytes_per_number):
    return batch * heads * n * bytes_per_number


@bytes_.wrong("length-cubed")
def cubed(batch, heads, n, bytes_per_number):
    return batch * heads * n**3 * bytes_per_number


@bytes_.wrong("length-added-not-squared")
def n_plus_n(batch, heads, n, bytes_per_number):
    return batch * heads * (n + n) * bytes_per_number


@bytes_.wrong("numbers-not-bytes")
def numbers(batch, heads, n, bytes_per_number):
    return batch * heads * n * n


@bytes_.wrong("number-size-hard-coded")
def always_float32(batch, heads, n, bytes_per_number):
    return batch * heads * n * n * 4


@bytes_.wrong("bytes-in-larger-unit")
def megabytes(batch, heads, n, bytes_per_number):
    return batch * heads * n * n * bytes_per_number / 1e6


@bytes_.wrong("bytes-in-larger-unit")
def mebibytes(batch, heads, n, bytes_per_number):
    return batch * heads * n * n * bytes_per_number / 2**20


@bytes_.wrong("causal-half-counted")
def triangle(batch, heads, n, bytes_per_number):
    return batch * heads * n * (n + 1) // 2 * bytes_per_number


@bytes_.wrong("causal-half-counted")
def half(batch, heads, n, bytes_per_number):
    return batch * heads * n * n / 2 * bytes_per_number


@bytes_.wrong("heads-divided")
def shared_out(batch, heads, n, bytes_per_number):
    return batch * n * n * bytes_per_number / heads


@bytes_.wrong("heads-counted-twice")
def heads_squared(batch, heads, n, bytes_per_number):
    return batch * heads**2 * n**2 * bytes_per_number


@bytes_.wrong("scores-and-weights-counted")
def scores_and_weights(batch, heads, n, bytes_per_number):
    return 2 * batch * heads * n**2 * bytes_per_number


@bytes_.wrong("added-up-not-multiplied")
def summed(batch, heads, n, bytes_per_number):
    return batch + heads + n**2 + bytes_per_number


@bytes_.wrong("text-not-a-number")
def written_out(batch, heads, n, bytes_per_number):
    return f"{batch * heads * n * n * bytes_per_number} B"


@bytes_.wrong("heads-not-counted", "numbers-not-bytes")
def two_of_them(batch, heads, n, bytes_per_number):
    return batch * n * n


@bytes_.right
def matrix_by_matrix(batch, heads, n, bytes_per_number):
    one = n * n * bytes_per_number
    return sum(one for _ in range(batch * heads))


@bytes_.right
def from_the_shape(batch, heads, n, bytes_per_number):
    return torch.Size((batch, heads, n, n)).numel() * bytes_per_number


@bytes_.right
def by_numpy(batch, heads, n, bytes_per_number):
    return np.prod([batch, heads, n, n, bytes_per_number])


@cache.wrong("keys-or-values-only")
def keys_alone(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return layers * batch * n * kv_heads * d_head * bytes_per_number


@cache.wrong("kv-heads-counted-twice")
def width_of_the_model(layers, batch, n, kv_heads, d_head, bytes_per_number):
    d_model = kv_heads * d_head
    return 2 * layers * batch * n * kv_heads * d_model * bytes_per_number


@cache.wrong("kv-heads-not-counted")
def width_of_one_head(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n * d_head * bytes_per_number


@cache.wrong("layers-not-counted")
def one_layer(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * batch * n * kv_heads * d_head * bytes_per_number


@cache.wrong("batch-not-counted")
def one_of_the_batch(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * n * kv_heads * d_head * bytes_per_number


@cache.wrong("d-head-not-counted")
def a_number_a_head(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n * kv_heads * bytes_per_number


@cache.wrong("length-not-counted")
def newest_token(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * kv_heads * d_head * bytes_per_number


@cache.wrong("cache-length-squared")
def a_matrix(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n**2 * kv_heads * d_head * bytes_per_number


@cache.wrong("numbers-not-bytes")
def how_many_numbers(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n * kv_heads * d_head


@cache.wrong("number-size-hard-coded")
def always_half(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n * kv_heads * d_head * 2


@cache.wrong("bits-not-bytes")
def in_bits(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 16 * layers * batch * n * kv_heads * d_head * bytes_per_number


@cache.wrong("bytes-in-larger-unit")
def gibibytes(layers, batch, n, kv_heads, d_head, bytes_per_number):
    total = 2 * layers * batch * n * kv_heads * d_head * bytes_per_number
    return total / 1024**3


@cache.wrong("queries-cached-too")
def three_tensors(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 3 * layers * batch * n * kv_heads * d_head * bytes_per_number


@cache.wrong("cache-doubled")
def twice_two(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 4 * layers * batch * n * kv_heads * d_head * bytes_per_number


@cache.wrong("one-token-missing")
def past_alone(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * (n - 1) * kv_heads * d_head * bytes_per_number


@cache.wrong("heads-and-width-added")
def heads_plus_width(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return 2 * layers * batch * n * (kv_heads + d_head) * bytes_per_number


@cache.wrong("keys-or-values-only", "layers-not-counted")
def keys_of_one_layer(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return batch * n * kv_heads * d_head * bytes_per_number


@cache.right
def keys_and_values(layers, batch, n, kv_heads, d_head, bytes_per_number):
    keys = values = layers * batch * n * kv_heads * d_head
    return (keys + values) * bytes_per_number


@cache.right
def by_the_token(layers, batch, n, kv_heads, d_head, bytes_per_number):
    token = 2 * layers * kv_heads * d_head * bytes_per_number
    return float(batch * n * token)


@cache.right
def of_a_list(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return math.prod((2, layers, batch, n, kv_heads, d_head, bytes_per_number))


@flops.wrong("all-zeros")
def nothing_counted(n_q, n_k, d_k, d_v):
    total = 0
    return total


@bytes_.wrong("count-times-constant")
def mebibits(batch, heads, n, bytes_per_number):
    return batch * heads * n * n * bytes_per_number / 2**20 / 8


@cache.wrong("several-numbers")
def keys_and_values_apart(layers, batch, n, kv_heads, d_head, bytes_per_number):
    one = layers * batch * n * kv_heads * d_head * bytes_per_number
    return one, one


@bytes_.wrong("bytes-in-larger-unit")
def whole_kibibytes(batch, heads, n, bytes_per_number):
    return batch * heads * n * n * bytes_per_number // 1024


@flops.right
def in_an_array_of_one(n_q, n_k, d_k, d_v):
    return np.array([2 * n_q * n_k * (d_k + d_v)])


@flops.wrong("second-product-as-projection")
def second_product_by_the_widths(n_q, n_k, d_k, d_v):
    scores, output = n_q * n_k * d_k, n_q * d_k * d_v
    return 2 * scores + 2 * output


@flops.wrong("factor-at-one-product")
def doubles_the_output_only(n_q, n_k, d_k, d_v):
    return n_q * n_k * d_k + 2 * n_q * n_k * d_v


@flops.wrong("n-longer-only")
def a_square_of_the_longer(n_q, n_k, d_k, d_v):
    n = max(n_q, n_k)
    return 2 * n * n * (d_k + d_v)


@bytes_.wrong("pairs-shared-among-heads")
def a_share_of_the_pairs(batch, heads, n, bytes_per_number):
    per_head = (n * n) // heads
    return batch * heads * per_head * bytes_per_number


@bytes_.wrong("pairs-shared-among-heads")
def a_share_of_the_tokens(batch, heads, n, bytes_per_number):
    per_head = (n // heads) * (n // heads)
    return batch * heads * per_head * bytes_per_number


@cache.wrong("quarter-of-the-cache")
def a_half_of_the_keys(layers, batch, n, kv_heads, d_head, bytes_per_number):
    return layers * batch * n * kv_heads * d_head * bytes_per_number // 2


@flops.wrong("count-always-the-same")
def for_one_size_only(n_q, n_k, d_k, d_v):
    n_q, n_k, d_k, d_v = 10, 10, 64, 64
    return 2 * n_q * n_k * (d_k + d_v)
