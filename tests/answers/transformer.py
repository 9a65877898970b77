"""Answers to the exercises on the whole Transformer."""

from __future__ import annotations

import math

import torch
from torch.nn import functional as F

from . import Bank

norm = Bank("layer_norm")


@norm.wrong("norm-d-minus-1")
def default_std(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    return gamma * (x - mean) / (x.var(dim=-1, keepdim=True) + eps).sqrt() + beta


@norm.wrong("norm-over-tokens")
def feature_by_feature(x, gamma, beta, eps=1e-5):
    mean = x.mean(1, keepdim=True)
    var = x.var(1, correction=0, keepdim=True)
    return gamma * (x - mean) / torch.sqrt(var + eps) + beta


@norm.wrong("norm-over-tokens-and-features")
def each_sentence(x, gamma, beta, eps=1e-5):
    mean = x.mean((1, 2), keepdim=True)
    var = ((x - mean) ** 2).mean((1, 2), keepdim=True)
    return gamma * (x - mean) / (var + eps) ** 0.5 + beta


@norm.wrong("norm-over-everything")
def whole_batch(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean()) / (x.var(correction=0) + eps).sqrt() + beta


@norm.wrong("norm-over-samples")
def batch_norm(x, gamma, beta, eps=1e-5):
    flat = x.flatten(0, 1)
    normed = (flat - flat.mean(0)) / (flat.var(0, correction=0) + eps).sqrt()
    return gamma * normed.view_as(x) + beta


@norm.wrong("norm-rms")
def rms_norm(x, gamma, beta, eps=1e-5):
    return gamma * x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() + beta


@norm.wrong("norm-by-variance")
def no_root(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(-1, True), x.var(-1, correction=0, keepdim=True)
    return gamma * (x - mean) / (var + eps) + beta


@norm.wrong("norm-no-eps")
def without_eps(x, gamma, beta, eps=1e-5):
    std = x.std(-1, correction=0, keepdim=True)
    return gamma * (x - x.mean(-1, True)) / std + beta


@norm.wrong("norm-eps-outside")
def eps_outside(x, gamma, beta, eps=1e-5):
    std = x.std(-1, correction=0, keepdim=True)
    return gamma * (x - x.mean(-1, True)) / (std + eps) + beta


@norm.wrong("norm-eps-fixed")
def own_eps(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta)


@norm.wrong("norm-bare")
def nothing_learnt(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], eps=eps)


@norm.wrong("norm-beta-inside")
def shifted_first(x, gamma, beta, eps=1e-5):
    return gamma * (F.layer_norm(x, x.shape[-1:], eps=eps) + beta)


@norm.wrong("norm-length")
def unit_length(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(-1, True)
    return gamma * centred / ((centred**2).sum(-1, True) + eps).sqrt() + beta


@norm.wrong("norm-d-minus-1", "norm-eps-outside")
def as_often_seen(x, gamma, beta, eps=1e-5):
    mean, std = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)
    return gamma * (x - mean) / (std + eps) + beta


@norm.right
def by_hand(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    var = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return gamma * (x - mean) / torch.sqrt(var + eps) + beta


@norm.right
def by_torch(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


@norm.right
def by_moments(x, gamma, beta, eps=1e-5):
    x64 = x.double()
    mean = x64.mean(-1, True)
    var = (x64**2).mean(-1, True) - mean**2
    return (gamma * (x64 - mean) / (var + eps).sqrt() + beta).float()


layer = Bank("encoder_layer")


@layer.wrong("layer-post-norm")
def as_in_2017(x, attention, mlp, norm_1, norm_2, mask=None):
    x = norm_1(x + attention(x, x, x, mask)[0])
    return norm_2(x + mlp(x))


@layer.wrong("layer-residual-normed")
def norm_kept(x, attention, mlp, norm_1, norm_2, mask=None):
    x = norm_1(x)
    x = x + attention(x, x, x, mask)[0]
    return x + mlp(norm_2(x))


@layer.wrong("layer-no-first-residual")
def attention_replaces(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = attention(h, h, h, mask)[0]
    return x + mlp(norm_2(x))


@layer.wrong("layer-no-second-residual")
def mlp_replaces(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h, mask)[0]
    return mlp(norm_2(x))


@layer.wrong("layer-second-sum-from-x")
def old_x(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    y = x + attention(h, h, h, mask)[0]
    return x + mlp(norm_2(y))


@layer.wrong("layer-parallel")
def side_by_side(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    return x + attention(h, h, h, mask)[0] + mlp(norm_2(x))


@layer.wrong("layer-one-norm")
def one_norm(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h, mask)[0]
    return x + mlp(x)


@layer.wrong("layer-first-norm-twice")
def same_norm(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h, mask)[0]
    return x + mlp(norm_1(x))


@layer.wrong("layer-only-queries-normed")
def queries_only(x, attention, mlp, norm_1, norm_2, mask=None):
    x = x + attention(norm_1(x), x, x, mask)[0]
    return x + mlp(norm_2(x))


@layer.wrong("layer-mask-dropped")
def sees_all(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h)[0]
    return x + mlp(norm_2(x))


@layer.wrong("layer-mlp-first")
def other_order(x, attention, mlp, norm_1, norm_2, mask=None):
    x = x + mlp(norm_2(x))
    h = norm_1(x)
    return x + attention(h, h, h, mask)[0]


@layer.wrong("layer-output-normed")
def three_norms(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h, mask)[0]
    return norm_2(x + mlp(norm_2(x)))


@layer.right
def pre_norm(x, attention, mlp, norm_1, norm_2, mask=None):
    h = norm_1(x)
    x = x + attention(h, h, h, mask)[0]
    return x + mlp(norm_2(x))


@layer.right
def with_names(x, attention, mlp, norm_1, norm_2, mask):
    normed = norm_1(x)
    output, weights = attention(normed, normed, normed, mask=mask)
    stream = output + x
    return mlp(norm_2(stream)) + stream


bits = Bank("bits_per_character")


@bits.wrong("bits-nothing-added", "bits-total-without-ones")
def no_ones(counts, text):
    a, b = text[:-1], text[1:]
    return -(counts[a, b] / counts[a].sum(-1)).log2().mean()


@bits.wrong("bits-total-without-ones")
def total_too_small(counts, text):
    a, b = text[:-1], text[1:]
    return -((counts[a, b] + 1) / counts[a].sum(-1)).log2().mean()


@bits.wrong("bits-in-nats")
def nats(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return -chances[text[:-1], text[1:]].log().mean()


@bits.wrong("bits-transposed")
def column_first(counts, text):
    counts = counts.T + 1
    chances = counts / counts.sum(1, keepdim=True)
    return -chances[text[:-1], text[1:]].log2().mean()


@bits.wrong("bits-over-columns")
def wrong_axis(counts, text):
    chances = (counts + 1) / (counts + 1).sum(0)
    return -chances[text[:-1], text[1:]].log2().mean()


@bits.wrong("bits-summed")
def total_bits(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return -chances[text[:-1], text[1:]].log2().sum()


@bits.wrong("bits-by-n")
def first_counted(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return -chances[text[:-1], text[1:]].log2().sum() / len(text)


@bits.wrong("bits-negative")
def no_minus(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return chances[text[:-1], text[1:]].log2().mean()


@bits.wrong("bits-perplexity")
def perplexity(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return (-chances[text[:-1], text[1:]].log().mean()).exp()


@bits.wrong("bits-log-of-mean")
def mean_first(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return -chances[text[:-1], text[1:]].mean().log2()


@bits.wrong("bits-joint")
def of_pairs(counts, text):
    chances = (counts + 1) / (counts + 1).sum()
    return -chances[text[:-1], text[1:]].log2().mean()


@bits.wrong("bits-own-entropy")
def entropy(counts, text):
    chances = (counts + 1) / (counts + 1).sum(1, keepdim=True)
    return -(chances * chances.log2()).sum(1)[text[:-1]].mean()


@bits.right
def by_table(counts, text):
    chances = (counts + 1) / (counts + 1).sum(dim=1, keepdim=True)
    return -chances[text[:-1], text[1:]].log2().mean()


@bits.right
def by_loop(counts, text):
    total = 0.0
    for a, b in zip(text[:-1].tolist(), text[1:].tolist()):
        p = (counts[a, b].item() + 1) / (counts[a].sum().item() + len(counts))
        total -= math.log2(p)
    return total / (len(text) - 1)


nucleus = Bank("top_p")


def from_sorted(logits, p, keep):
    chances, order = logits.softmax(-1).sort(descending=True)
    kept = chances * keep(chances)
    back = torch.zeros_like(kept)
    back[order] = kept
    return back / back.sum()


@nucleus.wrong("top-p-crossing-dropped")
def at_most_p(logits, p):
    return from_sorted(logits, p, lambda c: c.cumsum(0) <= p)


@nucleus.wrong("top-p-one-too-many")
def one_more(logits, p):
    chances, order = logits.softmax(-1).sort(descending=True)
    removed = chances.cumsum(0) > p
    removed[2:] = removed[:-2].clone()
    removed[:2] = False
    back = torch.zeros_like(chances)
    back[order] = chances.masked_fill(removed, 0)
    return back / back.sum()


@nucleus.wrong("top-p-not-renormalised")
def sums_to_less(logits, p):
    chances, order = logits.softmax(-1).sort(descending=True)
    back = torch.zeros_like(chances)
    back[order] = chances * (chances.cumsum(0) - chances < p)
    return back


@nucleus.wrong("top-p-left-sorted")
def still_sorted(logits, p):
    chances = logits.softmax(-1).sort(descending=True).values
    kept = chances * (chances.cumsum(0) - chances < p)
    return kept / kept.sum()


@nucleus.wrong("top-p-ascending")
def least_first(logits, p):
    chances, order = logits.softmax(-1).sort()
    kept = chances * (chances.cumsum(0) - chances < p)
    return torch.zeros_like(kept).scatter(0, order, kept) / kept.sum()


@nucleus.wrong("top-p-not-sorted")
def vocabulary_order(logits, p):
    chances = logits.softmax(-1)
    kept = chances * (chances.cumsum(0) - chances < p)
    return kept / kept.sum()


@nucleus.wrong("top-p-as-threshold")
def each_above(logits, p):
    chances = logits.softmax(-1)
    kept = chances * (chances >= p)
    return kept / kept.sum()


@nucleus.wrong("top-p-min-p")
def min_p(logits, p):
    chances = logits.softmax(-1)
    kept = chances * (chances >= p * chances.max())
    return kept / kept.sum()


@nucleus.wrong("top-p-zero-logits")
def filled_with_zero(logits, p):
    kept = from_sorted(logits, p, lambda c: c.cumsum(0) - c < p)
    return logits.masked_fill(kept == 0, 0.0).softmax(-1)


@nucleus.wrong("top-p-temperature")
def warmer(logits, p):
    return (logits / p).softmax(-1)


@nucleus.wrong("top-p-nothing-removed")
def untouched(logits, p):
    return logits.softmax(-1)


@nucleus.right
def nucleus_of(logits, p):
    return from_sorted(logits, p, lambda c: c.cumsum(0) - c < p)


@nucleus.right
def by_collecting(logits, p):
    chances = logits.softmax(-1)
    kept, total = torch.zeros_like(chances), 0.0
    for i in chances.argsort(descending=True):
        kept[i] = chances[i]
        total += chances[i].item()
        if total >= p:
            break
    return kept / kept.sum()


@nucleus.right
def by_hiding(logits, p):
    ranked, order = logits.sort(descending=True)
    chances = ranked.softmax(-1)
    hidden = torch.zeros_like(chances, dtype=torch.bool)
    hidden[order] = chances.cumsum(0) - chances >= p
    return logits.masked_fill(hidden, float("-inf")).softmax(-1)


size = Bank("transformer_parameters")


def counted(V, d, L, hidden, T):
    layer = 4 * (d * d + d) + 2 * d * hidden + hidden + d + 4 * d
    return V * d + T * d + L * layer + 2 * d + V


@size.wrong("model-tied-twice")
def untied(vocabulary, d_model, num_heads, num_layers, hidden, context):
    whole = counted(vocabulary, d_model, num_layers, hidden, context)
    return whole + vocabulary * d_model


@size.wrong("model-no-positions")
def without_positions(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return counted(vocabulary, d_model, num_layers, hidden, 0)


@size.wrong("model-no-last-norm")
def no_last_norm(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return counted(vocabulary, d_model, num_layers, hidden, context) - 2 * d_model


@size.wrong("model-no-output-bias")
def no_output_bias(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return counted(vocabulary, d_model, num_layers, hidden, context) - vocabulary


@size.wrong("model-no-norms")
def no_norms(vocabulary, d_model, num_heads, num_layers, hidden, context):
    whole = counted(vocabulary, d_model, num_layers, hidden, context)
    return whole - (4 * num_layers + 2) * d_model


@size.wrong("model-no-biases")
def matrices_and_norms(vocabulary, d_model, num_heads, num_layers, hidden, context):
    whole = counted(vocabulary, d_model, num_layers, hidden, context)
    return whole - num_layers * (5 * d_model + hidden) - vocabulary


@size.wrong("model-no-mlp-biases")
def no_mlp_biases(vocabulary, d_model, num_heads, num_layers, hidden, context):
    whole = counted(vocabulary, d_model, num_layers, hidden, context)
    return whole - num_layers * (d_model + hidden)


@size.wrong("model-heads-multiply")
def each_head_full(vocabulary, d_model, num_heads, num_layers, hidden, context):
    whole = counted(vocabulary, d_model, num_layers, hidden, context)
    return whole + num_layers * 3 * (num_heads - 1) * d_model**2


@size.wrong("model-one-layer")
def first_layer(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return counted(vocabulary, d_model, 1, hidden, context)


@size.wrong("model-12-l-d-squared")
def rule_of_thumb(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return 12 * num_layers * d_model**2


@size.right
def all_of_it(vocabulary, d_model, num_heads, num_layers, hidden, context):
    return counted(vocabulary, d_model, num_layers, hidden, context)


@size.right
def part_by_part(vocabulary, d_model, num_heads, num_layers, hidden, context):
    linear = lambda i, o: i * o + o  # noqa: E731
    block = 4 * linear(d_model, d_model) + 2 * 2 * d_model
    block += linear(d_model, hidden) + linear(hidden, d_model)
    ends = (vocabulary + context + 2) * d_model + vocabulary
    return num_layers * block + ends
