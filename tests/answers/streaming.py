"""Answers to streaming_attention(Q, K, V, block)."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from . import Bank

bank = Bank("streaming_attention")
wrong, right = bank.wrong, bank.right


def scores_of(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def start(Q, V):
    """(m, l, o) before the first block."""
    m = torch.full((*Q.shape[:-1], 1), -torch.inf)
    return m, torch.zeros_like(m), torch.zeros(*Q.shape[:-1], V.shape[-1])


def blocks(K, V, block):
    return zip(K.split(block, dim=-2), V.split(block, dim=-2), strict=True)


@wrong("stream-o-not-rescaled")
def values_left_as_they_were(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - new).exp()
        l = l * (m - new).exp() + p.sum(-1, keepdim=True)
        o, m = o + p @ v, new
    return o / l


@wrong("stream-l-not-rescaled")
def normaliser_left_as_it_was(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - new).exp()
        l = l + p.sum(-1, keepdim=True)
        o, m = o * (m - new).exp() + p @ v, new
    return o / l


@wrong("stream-nothing-rescaled")
def maximum_overwritten_first(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = m = torch.maximum(m, s.amax(-1, keepdim=True))
        factor = (m - new).exp()
        p = (s - new).exp()
        l, o = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v
    return o / l


@wrong("stream-factor-inverted")
def new_minus_old(Q, K, V, block):
    o = None
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        top = s.amax(-1, keepdim=True)
        if o is None:
            m, p = top, (s - top).exp()
            l, o = p.sum(-1, keepdim=True), p @ v
            continue
        new = torch.maximum(m, top)
        p, factor = (s - new).exp(), (new - m).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-rescaled-after-adding")
def added_then_rescaled(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        factor = torch.where(m.isinf(), 1.0, (m - new).exp())
        p = (s - new).exp()
        l, o = (l + p.sum(-1, keepdim=True)) * factor, (o + p @ v) * factor
        m = new
    return o / l


@wrong("stream-block-max")
def newest_maximum(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = s.amax(-1, keepdim=True)
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-first-max")
def first_maximum(Q, K, V, block):
    m, l, o = None, 0, 0
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        m = s.amax(-1, keepdim=True) if m is None else m
        p = (s - m).exp()
        l, o = l + p.sum(-1, keepdim=True), o + p @ v
    return o / l


@wrong("stream-one-max-for-all-rows")
def maximum_of_everything(Q, K, V, block):
    m, l, o = torch.tensor(-torch.inf), 0, 0
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.max())
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-no-max")
def plain_exponentials(Q, K, V, block):
    l, o = 0, 0
    for k, v in blocks(K, V, block):
        p = scores_of(Q, k).exp()
        l, o = l + p.sum(-1, keepdim=True), o + p @ v
    return o / l


@wrong("stream-max-from-zero")
def maximum_from_zero(Q, K, V, block):
    _, l, o = start(Q, V)
    m = torch.zeros_like(l)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-old-max-in-exponent")
def old_maximum(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - torch.where(m.isinf(), new, m)).exp()
        factor = (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-no-division")
def not_normalised(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        o, m = o * (m - new).exp() + (s - new).exp() @ v, new
    return o


@wrong("stream-divided-each-block")
def normalised_again_and_again(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = (o * factor + p @ v) / l, new
    return o


@wrong("stream-mean-of-blocks")
def mean_of_blocks(Q, K, V, block):
    outputs = [scores_of(Q, k).softmax(-1) @ v for k, v in blocks(K, V, block)]
    return torch.stack(outputs).mean(0)


@wrong("stream-sum-of-blocks")
def sum_of_blocks(Q, K, V, block):
    return sum(scores_of(Q, k).softmax(-1) @ v for k, v in blocks(K, V, block))


@wrong("stream-merged-by-own-sums")
def sums_in_different_units(Q, K, V, block):
    o, l = 0, 0
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        p = (s - s.amax(-1, keepdim=True)).exp()
        o, l = o + p @ v, l + p.sum(-1, keepdim=True)
    return o / l


@wrong("stream-tail-lost")
def whole_blocks_only(Q, K, V, block):
    whole = K.shape[-2] // block * block
    return F.scaled_dot_product_attention(Q, K[..., :whole, :], V[..., :whole, :])


@wrong("stream-last-block-only")
def nothing_gathered(Q, K, V, block):
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        p = (s - s.amax(-1, keepdim=True)).exp()
        l, o = p.sum(-1, keepdim=True), p @ v
    return o / l


@wrong("stream-first-block-only")
def returns_within_the_loop(Q, K, V, block):
    for k, v in blocks(K, V, block):
        return F.scaled_dot_product_attention(Q, k, v)


@wrong("stream-first-block-twice")
def first_block_before_the_loop_too(Q, K, V, block):
    K, V = (torch.cat([x[..., :block, :], x], dim=-2) for x in (K, V))
    return F.scaled_dot_product_attention(Q, K, V)


@wrong("stream-block-diagonal")
def each_block_by_itself(Q, K, V, block):
    return torch.cat(
        [
            scores_of(q, k).softmax(-1) @ v
            for q, k, v in zip(*(x.split(block, -2) for x in (Q, K, V)), strict=False)
        ],
        dim=-2,
    )


@wrong("stream-range-over-queries")
def loop_over_the_queries(Q, K, V, block):
    m, l, o = start(Q, V)
    for a in range(0, Q.shape[-2], block):
        k, v = K[..., a : a + block, :], V[..., a : a + block, :]
        if not k.shape[-2]:
            break
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("no-scale")
def no_scale(Q, K, V, block):
    return streamed(Q * math.sqrt(Q.shape[-1]), K, V, block)


@wrong("scale-d-k")
def scaled_twice(Q, K, V, block):
    return streamed(Q / math.sqrt(Q.shape[-1]), K, V, block)


@wrong("stream-l-overwritten")
def normaliser_of_the_last_block(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = (s - new).exp()
        l = p.sum(-1, keepdim=True)
        o, m = o * (m - new).exp() + p @ v, new
    return o / l


@wrong("stream-low-precision")
def half_precision(Q, K, V, block):
    m, l, o = start(Q, V)
    o = o.half()
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, m = l * factor + p.sum(-1, keepdim=True), new
        o = (o * factor + p @ v).half()
    return o / l


@wrong("always-causal")
def causal(Q, K, V, block):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=True)


@right
@torch.no_grad()
def without_gradient(Q, K, V, block):
    return streamed(Q, K, V, block)


@wrong("changes-argument")
def scales_the_argument(Q, K, V, block):
    Q /= math.sqrt(Q.shape[-1])
    return (Q @ K.transpose(-2, -1)).softmax(-1) @ V


@wrong("size-hard-coded", "shapes-do-not-fit")
def equal_blocks_only(Q, K, V, block):
    count = K.shape[-2] // block
    k = K.view(*K.shape[:2], count, block, K.shape[-1])
    s = torch.einsum("bhqd,bhckd->bhqck", Q, k) / math.sqrt(Q.shape[-1])
    return s.flatten(-2).softmax(-1) @ V


@wrong("no-scale", "stream-l-not-rescaled")
def two_mistakes(Q, K, V, block):
    return normaliser_left_as_it_was(Q * math.sqrt(Q.shape[-1]), K, V, block)


@right
def streamed(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-whole-matrix")
def all_at_once(Q, K, V, block):
    return F.scaled_dot_product_attention(Q, K, V)


@wrong("stream-whole-matrix")
def the_whole_matrix(Q, K, V, block):
    return scores_of(Q, K).softmax(-1) @ V


@right
def two_passes(Q, K, V, block):
    parts = list(blocks(K, V, block))
    top = torch.stack([scores_of(Q, k).amax(-1) for k, _ in parts]).amax(0)
    o, l = 0, 0
    for k, v in parts:
        p = (scores_of(Q, k) - top[..., None]).exp()
        o, l = o + p @ v, l + p.sum(-1, keepdim=True)
    return o / l


@right
def merged_by_log_sums(Q, K, V, block):
    outputs, logs = [], []
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        outputs.append(s.softmax(-1) @ v)
        logs.append(s.logsumexp(-1))
    shares = torch.stack(logs).softmax(0)
    return (torch.stack(outputs) * shares[..., None]).sum(0)


@right
def normalised_in_every_step(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, old = (s - new).exp(), l * (m - new).exp()
        l = old + p.sum(-1, keepdim=True)
        o, m = (o * old + p @ v) / l, new
    return o


@right
def in_float64_from_the_end(Q, K, V, block):
    Q, K, V = Q.double(), K.double(), V.double()
    o, l, m = 0, 0, torch.tensor(-torch.inf)
    for a in reversed(range(0, K.shape[-2], block)):
        s = scores_of(Q, K[..., a : a + block, :])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = o * factor + p @ V[..., a : a + block, :], new
    return (o / l).float()


@right
def accumulators_overwritten(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l *= factor
        l += p.sum(-1, keepdim=True)
        o *= factor
        o += p @ v
        m = new
    return o / l


@right
def query_by_query(Q, K, V, block):
    def one(q):
        m, l, o = torch.full(q.shape[:-1], -1e30)[..., None], 0, 0
        for k, v in blocks(K, V, block):
            s = scores_of(q, k)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            p, factor = (s - new).exp(), (m - new).exp()
            l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
        return o / l

    return torch.cat([one(q) for q in Q.split(1, dim=-2)], dim=-2)


@wrong("stream-tail-padded")
def filled_up_with_zeros(Q, K, V, block):
    rest = -K.shape[-2] % block
    K, V = (F.pad(x, (0, 0, 0, rest)) for x in (K, V))
    return F.scaled_dot_product_attention(Q, K, V)


@wrong("stream-l-from-one")
def one_more_in_the_normaliser(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / (l + 1)


@wrong("k-used-as-v")
def keys_twice(Q, K, V, block):
    return streamed(Q, K, K, block)


@wrong("stream-low-precision")
def bfloat16(Q, K, V, block):
    short = (x.bfloat16() for x in (Q, K, V))
    return F.scaled_dot_product_attention(*short).float()


@right
def values_cut_off(Q, K, V, block):
    return streamed(Q, K, V.detach(), block)


def over_spans(Q, K, V, spans):
    """The right stream, over the spans of keys that are given."""
    m, l, o = start(Q, V)
    for a, b in spans:
        s = scores_of(Q, K[..., a:b, :])
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = o * factor + p @ V[..., a:b, :], new
    return o / l


@wrong("stream-blocks-end-early")
def ends_one_key_early(Q, K, V, block):
    starts = range(0, K.shape[-2], block)
    return over_spans(Q, K, V, [(a, a + block - 1) for a in starts])


@wrong("stream-last-key-missing")
def slices_up_to_the_last_index(Q, K, V, block):
    last = K.shape[-2] - 1
    starts = range(0, last, block)
    return over_spans(Q, K, V, [(a, min(a + block, last)) for a in starts])


@wrong("returns-two")
def weights_too(Q, K, V, block):
    return all_at_once(Q, K, V, block), scores_of(Q, K).softmax(-1)


@right
def halves_of_halves(Q, K, V, block):
    def part(k, v):
        if k.shape[-2] <= block:
            s = scores_of(Q, k)
            m = s.amax(-1, keepdim=True)
            p = (s - m).exp()
            return m, p.sum(-1, keepdim=True), p @ v
        middle = k.shape[-2] // 2
        first = part(k[..., :middle, :], v[..., :middle, :])
        second = part(k[..., middle:, :], v[..., middle:, :])
        m = torch.maximum(first[0], second[0])
        factors = [(x[0] - m).exp() for x in (first, second)]
        l, o = (factors[0] * first[i] + factors[1] * second[i] for i in (1, 2))
        return m, l, o

    _, l, o = part(K, V)
    return o / l


@right
def in_powers_of_two(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k) * math.log2(math.e)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = torch.exp2(s - new), torch.exp2(m - new)
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = o * factor + p @ v, new
    return o / l


@wrong("stream-normalised-in-block-too")
def softmax_in_every_block(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = s.softmax(-1), (m - new).exp()
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = o * factor + p @ v, new
    return o / l


@wrong("stream-normalised-in-block-too")
def values_normalised_in_every_block(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l = l * factor + p.sum(-1, keepdim=True)
        o, m = o * factor + s.softmax(-1) @ v, new
    return o / l


@wrong("stream-wide-table")
def as_many_blocks_as_the_block_has_keys(Q, K, V, block):
    return streamed(Q, K, V, math.ceil(K.shape[-2] / block))


@wrong("stream-wide-table")
def two_blocks_at_a_time(Q, K, V, block):
    return streamed(Q, K, V, 2 * block)


@wrong("stream-whole-matrix")
def scores_first_then_blocks(Q, K, V, block):
    m, l, o = start(Q, V)
    for s, v in zip(scores_of(Q, K).split(block, -1), V.split(block, -2)):
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-nan-from-the-start")
def growth_for_the_factor(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (new - m).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@wrong("stream-no-max")
def float64_will_hold_it(Q, K, V, block):
    l, o = 0, 0
    for k, v in blocks(K, V, block):
        p = scores_of(Q, k).double().exp()
        l, o = l + p.sum(-1, keepdim=True), o + p @ v.double()
    return (o / l).to(Q.dtype)


@wrong("axis-of-one-lost")
def squeezed_at_the_end(Q, K, V, block):
    return streamed(Q, K, V, block).squeeze()


@wrong("stream-max-of-absolute")
def largest_in_size(Q, K, V, block):
    m, l, o = start(Q, V)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.abs().amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@right
def output_as_wide_as_the_queries(Q, K, V, block):
    m, l, _ = start(Q, V)
    o = torch.zeros(Q.shape)
    for k, v in blocks(K, V, block):
        s = scores_of(Q, k)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, factor = (s - new).exp(), (m - new).exp()
        l, o, m = l * factor + p.sum(-1, keepdim=True), o * factor + p @ v, new
    return o / l


@right
def with_einsum_and_logs_side_by_side(Q, K, V, block):
    outputs, logs = [], []
    for k, v in blocks(K, V, block):
        s = torch.einsum("bhqd,bhkd->bhqk", Q, k) / math.sqrt(Q.shape[-1])
        outputs.append(torch.einsum("bhqk,bhkv->bhqv", s.softmax(-1), v))
        logs.append(s.logsumexp(-1, keepdim=True))
    shares = torch.cat(logs, -1).softmax(-1)
    return sum(o * shares[..., i : i + 1] for i, o in enumerate(outputs))
