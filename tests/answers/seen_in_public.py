"""Kinds of answers that once were named wrongly, or not at all."""

from __future__ import annotations

import torch
from torch import nn

from . import Bank

attention, cross = Bank("scaled_dot_product_attention"), Bank("cross_attention")
softmax, heads = Bank("softmax"), Bank("MultiHeadAttention")
split, padding = Bank("split_heads"), Bank("padding_mask")
between, combined = Bank("causal_mask_between"), Bank("combine_masks")


def score(Q, K):
    return Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5


def hidden(scores, mask, fill=-torch.inf):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


# ------------------------------------------------------------------ attention
@attention.wrong("mask-inverted")
def fills_what_is_allowed(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), -1e9)
    weights = torch.softmax(scores, -1)
    return weights @ V, weights


@attention.wrong("mask-inverted")
def fills_what_is_allowed_with_inf(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = torch.where(mask != 0, -torch.inf, scores)
    weights = torch.softmax(scores, -1)
    return weights @ V, weights


@attention.wrong("mask-inverted")
def adds_to_what_is_allowed(Q, K, V, mask=None):
    scores = score(Q, K) + (0 if mask is None else -1e9 * mask.float())
    weights = torch.softmax(scores, -1)
    return weights @ V, weights


@attention.wrong("softmax-over-queries")
def columns_that_may_be_empty(Q, K, V, mask=None):
    weights = torch.softmax(hidden(score(Q, K), mask), 2)
    return weights @ V, weights


@attention.wrong("all-zeros")
def only_the_shapes(Q, K, V, mask=None):
    weights = torch.zeros(Q.shape[:3] + K.shape[2:3])
    return weights @ V, weights


@attention.wrong("same-for-any-argument")
def equal_shares(Q, K, V, mask=None):
    weights = torch.ones(Q.shape[:3] + K.shape[2:3]) / K.shape[2]
    return weights @ V, weights


@attention.wrong("axis-of-one-lost")
def squeezed(Q, K, V, mask=None):
    weights = torch.softmax(hidden(score(Q, K), mask), -1).nan_to_num(0.0)
    return (weights @ V).squeeze(), weights.squeeze()


@attention.wrong("wrong-in-one-place")
def one_head_short(Q, K, V, mask=None):
    scores = hidden(score(Q, K), mask)
    weights = torch.zeros_like(scores)
    for head in range(Q.shape[1] - 1):
        weights[:, head] = torch.softmax(scores[:, head], -1).nan_to_num(0.0)
    return weights @ V, weights


@attention.wrong("one-key-only")
def overwrites_in_the_loop(Q, K, V, mask=None):
    weights = torch.softmax(hidden(score(Q, K), mask), -1).nan_to_num(0.0)
    for key in range(K.shape[2]):
        output = weights[..., key, None] * V[:, :, None, key]
    return output, weights


@attention.wrong("heads-averaged-before-sum")
def one_mixture_for_all_heads(Q, K, V, mask=None):
    weights = torch.softmax(hidden(score(Q, K), mask), -1).nan_to_num(0.0)
    return weights.mean(dim=1, keepdim=True) @ V, weights


@attention.wrong("inner-refusal")
def a_layer_for_three_axes(Q, K, V, mask=None):
    layer = nn.MultiheadAttention(Q.shape[-1], 1, batch_first=True)
    return layer(Q, K, V)


@attention.wrong("inner-arguments")
def forgets_the_axis(Q, K, V, mask=None):
    weights = torch.softmax(score(Q, K))
    return weights @ V, weights


@attention.wrong("number-of-many")
def root_of_the_keys(Q, K, V, mask=None):
    weights = torch.softmax(Q @ K.mT / float(K) ** 0.5, -1)
    return weights @ V, weights


@attention.wrong("t-of-many-axes")
def transposes_a_matrix(Q, K, V, mask=None):
    weights = torch.softmax(Q @ K.t(), -1)
    return weights @ V, weights


@attention.wrong("zero-scores-hidden")
def zeros_are_taken_for_hidden(Q, K, V, mask=None):
    scores = score(Q, K)
    scores = scores if mask is None else scores * (mask != 0)
    weights = torch.softmax(scores.masked_fill(scores == 0, -torch.inf), -1)
    return weights.nan_to_num(0.0) @ V, weights.nan_to_num(0.0)


@attention.right
def strides_do_not_matter(Q, K, V, mask=None):
    weights = torch.softmax(hidden(score(Q.contiguous(), K), mask), -1)
    weights = weights.nan_to_num(0.0)
    return torch.einsum("bhqk,bhkd->bhqd", weights, V), weights


# ----------------------------------------------------------------- multi-head
class Layers(nn.Module):
    """The four layers, and the split."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def split(self, x):
        return x.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k = self.split(self.W_q(query)), self.split(self.W_k(key))
        weights = self.weigh(score(q, k), mask)
        found = weights @ self.split(self.W_v(value))
        return self.W_o(found.transpose(1, 2).flatten(2)), weights

    def weigh(self, scores, mask):
        return torch.softmax(hidden(scores, mask), -1)


@heads.wrong("mask-inverted")
class HidesTheAllowed(Layers):
    def weigh(self, scores, mask):
        if mask is not None:
            scores = scores.masked_fill(mask.bool(), -torch.inf)
        return torch.softmax(scores, -1)


@heads.wrong("mask-inverted")
class HidesTheAllowedSoftly(Layers):
    def weigh(self, scores, mask):
        if mask is not None:
            scores = scores + -1e9 * mask.float()
        return torch.softmax(scores, -1)


@heads.wrong("extra-parameters")
class OneMoreLayer(Layers):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.more = nn.MultiheadAttention(d_model, num_heads, batch_first=True)

    def forward(self, query, key, value, mask=None):
        query, weights = super().forward(query, key, value, mask)
        return self.more(query, query, query)[0], weights


@heads.wrong("float-as-a-size")
class DividesWithAPoint(Layers):
    def split(self, x):
        d_k = x.shape[2] / self.num_heads
        return x.view(len(x), -1, self.num_heads, d_k).transpose(1, 2)


@heads.wrong("forward-misspelt")
class Misspelt(nn.Module):
    __init__ = Layers.__init__
    split = Layers.split
    weigh = Layers.weigh

    def foward(self, query, key, value, mask=None):
        return self.W_o(query), None


# --------------------------------------------------------------- the others
@softmax.wrong("no-max-subtraction")
def twice_the_digits(x, dim):
    powers = x.double().exp()
    return (powers / powers.sum(dim, keepdim=True)).to(x.dtype)


@softmax.wrong("axis-of-one-lost")
def squeezed_shares(x, dim):
    return torch.softmax(x, dim).squeeze()


@softmax.wrong("rows-by-reshape")
def rows_of_that_length(x, dim):
    rows = x.reshape(-1, x.shape[dim])
    return torch.softmax(rows, 1).reshape(x.shape)


@softmax.wrong("all-zeros")
def nothing_yet(x, dim):
    return 0 * x


@split.wrong("float-as-a-size")
def whole_numbers_with_a_point(x, num_heads):
    d_k = x.shape[-1] / num_heads
    return x.reshape(x.shape[0], x.shape[1], num_heads, d_k).transpose(1, 2)


@cross.wrong("axis-of-one-lost")
def squeezed_output(mha, decoder_out, encoder_out, mask=None):
    output, weights = mha(decoder_out, encoder_out, encoder_out, mask)
    return torch.squeeze(output), weights


@cross.wrong("inner-arguments")
def the_module_of_torch(mha, decoder_out, encoder_out, mask=None):
    return mha(decoder_out, encoder_out, encoder_out, attn_mask=mask)


@cross.right
def piece_by_piece(mha, decoder_out, encoder_out, mask=None):
    q = mha.split_heads(mha.W_q(decoder_out))
    k = mha.split_heads(mha.W_k(encoder_out))
    v = mha.split_heads(mha.W_v(encoder_out))
    weights = torch.softmax(hidden(score(q, k), mask), -1).nan_to_num(0.0)
    return mha.W_o(mha.merge_heads(weights @ v)), weights


@padding.wrong("padding-empty-sentence-shown")
def at_least_one(lengths, max_len):
    real = torch.arange(max_len) < torch.clamp(lengths, min=1)[:, None]
    return real[:, None, None]


@padding.wrong("padding-full-sentence-hidden")
def cut_from_behind(lengths, max_len):
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for sample, length in enumerate(lengths.tolist()):
        mask[sample, ..., length - max_len :] = False
    return mask


@between.wrong("between-window-of-n-q")
def as_many_keys_as_queries(n_q, n_k):
    i = torch.arange(n_k - n_q, n_k)[:, None]
    return (torch.arange(n_k) <= i) & (torch.arange(n_k) + n_q > i)


@between.wrong("axis-of-one-lost")
def squeezed_mask(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_k - n_q).bool().squeeze()


@combined.wrong("combined-padding-sees-all")
def nothing_is_empty(causal, padding):
    return (causal & padding) | ~padding.transpose(-2, -1)


@combined.wrong("combined-paddings-pile-up")
def one_mask_for_all_rounds(causal, padding):
    kept, found = causal.clone(), []
    for own in padding:
        kept &= own[0]
        found.append(kept.clone()[None])
    return torch.stack(found)
