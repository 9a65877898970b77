"""Answers to scaled_dot_product_attention(Q, K, V, mask=None)."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
import torch
import torch.nn.functional as F

from . import Bank

bank = Bank("scaled_dot_product_attention")
wrong, right = bank.wrong, bank.right
NEVER = -math.inf


def hide(scores, mask, fill=NEVER):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


def shares(scores, dim=-1):
    return torch.softmax(scores, dim).nan_to_num(0.0)


def score(Q, K):
    return Q @ K.mT / Q.shape[-1] ** 0.5


def proper(Q, K, V, mask=None):
    weights = shares(hide(score(Q, K), mask))
    return weights @ V, weights


def finish(scores, V, mask):
    weights = shares(hide(scores, mask))
    return weights @ V, weights


# ---------------------------------------------------------------- scale
@wrong("no-scale")
def unscaled(Q, K, V, mask=None):
    return finish(Q @ K.mT, V, mask)


@wrong("scale-d-k")
def over_d(Q, K, V, mask=None):
    return finish(Q @ K.mT / Q.size(-1), V, mask)


@wrong("scale-d-k")
def root_on_both(Q, K, V, mask=None):
    root = Q.size(-1) ** 0.5
    return finish((Q / root) @ (K / root).mT, V, mask)


@wrong("scale-d-k")
def library_scales_again(Q, K, V, mask=None):
    ready = Q / math.sqrt(Q.size(-1))
    keep = None if mask is None else mask.bool()
    return F.scaled_dot_product_attention(ready, K, V, keep), proper(Q, K, V, mask)[1]


@wrong("scale-root-heads")
def size_of_the_wrong_axis(Q, K, V, mask=None):
    return finish(Q @ K.mT / Q.size(1) ** 0.5, V, mask)


@wrong("scale-root-n-k")
def root_of_length(Q, K, V, mask=None):
    return finish(Q @ K.mT / K.size(-2) ** 0.5, V, mask)


@wrong("scale-root-d-model")
def root_of_model(Q, K, V, mask=None):
    return finish(Q @ K.mT / (Q.size(1) * Q.size(-1)) ** 0.5, V, mask)


@wrong("scale-multiplied")
def times_root(Q, K, V, mask=None):
    return finish(Q @ K.mT * Q.size(-1) ** 0.5, V, mask)


@wrong("scale-hard-coded")
def over_twelve(Q, K, V, mask=None):
    return finish(Q @ K.mT / 12, V, mask)


@wrong("scale-hard-coded")
def over_eight(Q, K, V, mask=None):
    return finish(Q @ K.mT / 8, V, mask)


@wrong("scale-fourth-root")
def one_side_only(Q, K, V, mask=None):
    return finish((Q / Q.size(-1) ** 0.25) @ K.mT, V, mask)


@wrong("scale-after-softmax")
def scaled_weights(Q, K, V, mask=None):
    weights = shares(hide(Q @ K.mT, mask)) / Q.size(-1) ** 0.5
    return weights @ V, weights


@wrong("no-scale")
def scale_lost_with_a_mask(Q, K, V, mask=None):
    raw = Q @ K.mT
    return finish(raw / Q.size(-1) ** 0.5 if mask is None else raw, V, mask)


# ---------------------------------------------------------------- softmax
@wrong("softmax-over-queries")
def columns_sum_to_one(Q, K, V, mask=None):
    weights = shares(hide(score(Q, K), mask), -2)
    return weights @ V, weights


@wrong("softmax-over-heads")
def heads_compete(Q, K, V, mask=None):
    weights = shares(hide(score(Q, K), mask), 1)
    return weights @ V, weights


@wrong("softmax-over-batch")
def samples_compete(Q, K, V, mask=None):
    weights = shares(hide(score(Q, K), mask), 0)
    return weights @ V, weights


@wrong("softmax-over-matrix")
def whole_matrix(Q, K, V, mask=None):
    scores = hide(score(Q, K), mask)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ V, weights


@wrong("double-softmax")
def twice(Q, K, V, mask=None):
    weights = torch.softmax(proper(Q, K, V, mask)[1], -1)
    return weights @ V, weights


@wrong("sigmoid-not-softmax")
def each_on_its_own(Q, K, V, mask=None):
    weights = torch.sigmoid(hide(score(Q, K), mask))
    return weights @ V, weights


@wrong("normalised-without-exp")
def raw_shares(Q, K, V, mask=None):
    scores = score(Q, K) if mask is None else score(Q, K) * (mask != 0)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ V, weights


@wrong("exp-not-normalised")
def powers_only(Q, K, V, mask=None):
    weights = hide(score(Q, K), mask).exp()
    return weights @ V, weights


@wrong("no-max-subtraction")
def overflows(Q, K, V, mask=None):
    powers = score(Q, K).exp()
    powers = powers if mask is None else powers * (mask != 0)
    weights = powers / powers.sum(-1, keepdim=True).clamp(min=1e-20)
    return weights @ V, weights


@wrong("hard-argmax")
def winner_takes_all(Q, K, V, mask=None):
    scores = hide(score(Q, K), mask)
    weights = F.one_hot(scores.argmax(-1), scores.shape[-1]).to(Q.dtype)
    return weights @ V, weights


@wrong("log-softmax")
def logarithms(Q, K, V, mask=None):
    weights = F.log_softmax(hide(score(Q, K), mask, -1e4), -1)
    return weights @ V, weights


@wrong("no-softmax")
def scores_as_weights(Q, K, V, mask=None):
    scores = score(Q, K) if mask is None else score(Q, K) * (mask != 0)
    return scores @ V, scores


@wrong("relu-not-softmax")
def relu_shares(Q, K, V, mask=None):
    open_scores = score(Q, K) if mask is None else score(Q, K) * (mask != 0)
    weights = open_scores.relu()
    weights = (weights / weights.sum(-1, keepdim=True)).nan_to_num(0.0)
    return weights @ V, weights


@wrong("weights-rounded")
def rounded(Q, K, V, mask=None):
    weights = proper(Q, K, V, mask)[1].round(decimals=1)
    return weights @ V, weights


@wrong("softmax-in-half-precision")
def softmax_in_half(Q, K, V, mask=None):
    weights = shares(hide(score(Q, K), mask).half()).to(Q.dtype)
    return weights @ V, weights


@wrong("scores-negated")
def worst_key_wins(Q, K, V, mask=None):
    return finish(-score(Q, K), V, mask)


# ---------------------------------------------------------------- mask
@wrong("mask-inverted")
def true_means_forbidden(Q, K, V, mask=None):
    scores = score(Q, K)
    weights = shares(scores if mask is None else scores.masked_fill(mask.bool(), NEVER))
    return weights @ V, weights


@wrong("mask-inverted")
def equals_one(Q, K, V, mask=None):
    scores = score(Q, K)
    weights = shares(scores if mask is None else scores.masked_fill(mask == 1, NEVER))
    return weights @ V, weights


@wrong("mask-multiplied")
def scores_times_mask(Q, K, V, mask=None):
    scores = score(Q, K) if mask is None else score(Q, K) * (mask != 0)
    weights = scores.softmax(-1)
    return weights @ V, weights


def leaking(fill):
    def attention(Q, K, V, mask=None):
        weights = hide(score(Q, K), mask, fill).softmax(-1)
        return weights @ V, weights

    attention.__name__ = f"fills_with_{fill}"
    return attention


for leak in (-math.e, -5.0, -10.0):
    wrong("fill-too-small")(leaking(leak))
wrong("fill-plus-inf")(leaking(math.inf))
wrong("uniform-for-empty-row")(leaking(-1e4))
wrong("nan-for-empty-row")(leaking(NEVER))
wrong("fill-plus-large")(leaking(1e9))


@wrong("mask-multiplied", "fill-zero", "fill-tiny")
def tiny_fill(Q, K, V, mask=None):
    return leaking(1e-9)(Q, K, V, mask)


@wrong("minus-inf-into-weights")
def never_as_weight(Q, K, V, mask=None):
    weights = hide(score(Q, K).softmax(-1), mask)
    return weights @ V, weights


@wrong("mask-after-softmax")
def not_renormalised(Q, K, V, mask=None):
    weights = score(Q, K).softmax(-1)
    weights = weights if mask is None else weights * (mask != 0)
    return weights @ V, weights


@wrong("mask-on-values")
def hides_values(Q, K, V, mask=None):
    weights = score(Q, K).softmax(-1)
    if mask is not None:
        seen = (mask != 0).broadcast_to(weights.shape).any(-2)
        V = V * seen[..., None]
    return weights @ V, weights


@wrong("mask-on-keys-and-values")
def zero_embeddings(Q, K, V, mask=None):
    if mask is not None:
        shape = (*Q.shape[:-1], K.shape[-2])
        seen = (mask != 0).broadcast_to(shape).any(-2)[..., None]
        K, V = K * seen, V * seen
    weights = score(Q, K).softmax(-1)
    return weights @ V, weights


@wrong("mask-on-output")
def hides_output_rows(Q, K, V, mask=None):
    weights = score(Q, K).softmax(-1)
    output = weights @ V
    if mask is not None and mask.shape[-1] == Q.shape[-2]:
        seen = (mask != 0).broadcast_to(weights.shape).any(-2)
        output = output * seen[..., None]
    return output, weights


@wrong("mask-transposed")
def other_way_round(Q, K, V, mask=None):
    return proper(Q, K, V, None if mask is None else mask.mT)


@wrong("mask-added")
def plus_mask(Q, K, V, mask=None):
    scores = score(Q, K) if mask is None else score(Q, K) + mask.to(Q.dtype)
    weights = scores.softmax(-1)
    return weights @ V, weights


@wrong("mask-added")
def library_takes_ints_as_numbers(Q, K, V, mask=None):
    if mask is None or mask.dtype == torch.bool:
        return proper(Q, K, V, mask)
    weights = (score(Q, K) + mask).softmax(-1)
    return F.scaled_dot_product_attention(Q, K, V, mask.to(Q.dtype)), weights


@wrong("mask-ignored")
def result_dropped(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        torch.masked_fill(scores, mask == 0, NEVER)
    weights = scores.softmax(-1)
    return weights @ V, weights


@wrong("mask-ignored")
def only_bool_masks_count(Q, K, V, mask=None):
    usable = mask if mask is not None and mask.dtype == torch.bool else None
    return proper(Q, K, V, usable)


@wrong("truth-of-a-tensor")
def asks_the_mask(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask:
        scores = hide(scores, mask)
    return scores.softmax(-1) @ V, scores.softmax(-1)


@wrong("everything-masked")
def not_of_an_int(Q, K, V, mask=None):
    if mask is None:
        return proper(Q, K, V)
    hidden = (~mask.to(torch.int64)).bool() if mask.dtype != torch.bool else ~mask
    return finish(score(Q, K).masked_fill(hidden, NEVER), V, None)


@wrong("not-on-floats")
def not_of_any(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = scores.masked_fill((~mask).bool(), NEVER)
    return finish(scores, V, None)


@wrong("fill-overflows-half")
def too_large_for_half(Q, K, V, mask=None):
    weights = hide(score(Q, K), mask, -1e9).softmax(-1)
    weights = weights if mask is None else weights * (mask != 0)
    return weights @ V, weights


@wrong("mask-2d-taken-as-padding")
def two_axes_mean_padding(Q, K, V, mask=None):
    if mask is not None and mask.dim() == 2:
        mask = mask[:, None, None]
    return proper(Q, K, V, mask)


@wrong("mask-unsqueezed-again")
def one_axis_more(Q, K, V, mask=None):
    return proper(Q, K, V, None if mask is None else mask[:, None])


@wrong("fill-before-scale")
def filled_then_scaled(Q, K, V, mask=None):
    weights = (hide(Q @ K.mT, mask, -12.0) / Q.shape[-1] ** 0.5).softmax(-1)
    return weights @ V, weights


@wrong("mask-on-queries-too")
def pads_may_not_look(Q, K, V, mask=None):
    if mask is not None and mask.shape[-2] == 1 and mask.shape[-1] == Q.shape[-2]:
        mask = (mask != 0) & (mask.mT != 0)
    return proper(Q, K, V, mask)


@wrong("mask-brackets")
def brackets_missing(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = scores + (1 - mask.float() * -1e9)
    weights = scores.softmax(-1)
    return weights @ V, weights


@wrong("fill-min-score")
def lowest_score(Q, K, V, mask=None):
    scores = score(Q, K)
    weights = hide(scores, mask, scores.min().item()).softmax(-1)
    return weights @ V, weights


@wrong("always-causal")
def causal_unasked(Q, K, V, mask=None):
    past = torch.ones(Q.shape[-2], K.shape[-2]).tril().bool()
    return proper(Q, K, V, past if mask is None else past & (mask != 0))


@wrong("mask-of-first-sample")
def first_mask_for_all(Q, K, V, mask=None):
    if mask is not None and mask.dim() == 4:
        mask = mask[0]
    return proper(Q, K, V, mask)


@wrong("mask-of-first-head")
def head_zero_mask_for_all(Q, K, V, mask=None):
    if mask is not None and mask.dim() == 4:
        mask = mask[:, :1]
    return proper(Q, K, V, mask)


@wrong("mask-of-first-query")
def first_row_for_all(Q, K, V, mask=None):
    return proper(Q, K, V, None if mask is None else mask[..., :1, :])


@wrong("mask-self-always-allowed")
def always_sees_itself(Q, K, V, mask=None):
    if mask is not None:
        mask = (mask != 0) | torch.eye(Q.shape[-2], K.shape[-2]).bool()
    return proper(Q, K, V, mask)


@wrong("mask-inf-times-zero")
def infinity_times_zero(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = scores + (1 - mask.float()) * NEVER
    weights = scores.softmax(-1)
    return weights @ V, weights


# ---------------------------------------------------------------- wiring
@wrong("q-k-swapped")
def keys_ask(Q, K, V, mask=None):
    return finish(K @ Q.mT / Q.shape[-1] ** 0.5, V, mask)


@wrong("weights-transposed")
def sum_over_queries(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    return torch.einsum("...kq,...kd->...qd", weights, V), weights


@wrong("k-used-as-v")
def averages_keys(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    return weights @ K, weights


@wrong("q-used-as-k")
def asks_itself(Q, K, V, mask=None):
    return finish(score(Q, Q), V, mask)


@wrong("all-axes-reversed")
def reversed_axes(Q, K, V, mask=None):
    return finish(Q @ K.permute(3, 2, 1, 0) / Q.shape[-1] ** 0.5, V, mask)


@wrong("k-reshaped")
def reshaped(Q, K, V, mask=None):
    b, h, n, d = K.shape
    return finish(Q @ K.reshape(b, h, d, n) / d**0.5, V, mask)


@wrong("elementwise-product")
def no_pairs(Q, K, V, mask=None):
    weights = ((Q * K).sum(-1) / Q.shape[-1] ** 0.5).softmax(-1)
    return weights[..., None] * V, weights


@wrong("cosine-similarity")
def directions_only(Q, K, V, mask=None):
    return finish(score(F.normalize(Q, dim=-1), F.normalize(K, dim=-1)), V, mask)


@wrong("mean-not-sum")
def mean_of_products(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    return (weights[..., None] * V[..., None, :, :]).mean(-2), weights


@wrong("returns-scores")
def hands_back_scores(Q, K, V, mask=None):
    return proper(Q, K, V, mask)[0], score(Q, K)


@wrong("returns-swapped")
def other_order(Q, K, V, mask=None):
    output, weights = proper(Q, K, V, mask)
    return weights, output


@wrong("returns-output-only")
def output_only(Q, K, V, mask=None):
    return proper(Q, K, V, mask)[0]


@wrong("no-return")
def forgets_return(Q, K, V, mask=None):
    proper(Q, K, V, mask)


@wrong("weights-averaged-over-heads")
def averaged_weights(Q, K, V, mask=None):
    output, weights = proper(Q, K, V, mask)
    return output, weights.mean(1)


@wrong("returns-unmasked-weights")
def weights_before_the_mask(Q, K, V, mask=None):
    return proper(Q, K, V, mask)[0], proper(Q, K, V)[1]


@wrong("head-0-only")
def values_of_head_zero(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    return weights @ V[:, :1], weights


# ---------------------------------------------------------------- behaviour
@wrong("scores-detached")
def detached_scores(Q, K, V, mask=None):
    return finish(score(Q, K).detach(), V, mask)


@wrong("scores-detached")
def weights_as_data(Q, K, V, mask=None):
    weights = proper(Q, K, V, mask)[1].data
    return weights @ V, weights


@wrong("v-detached")
def detached_values(Q, K, V, mask=None):
    return proper(Q, K, V.detach(), mask)


@wrong("no-gradient")
@torch.no_grad()
def without_gradient(Q, K, V, mask=None):
    return proper(Q, K, V, mask)


@wrong("numpy-cuts-gradient")
def through_numpy(Q, K, V, mask=None):
    raw = np.einsum("bhqd,bhkd->bhqk", Q.numpy(), K.numpy())
    return finish(torch.from_numpy(raw) / Q.shape[-1] ** 0.5, V, mask)


@wrong("dropout-on")
def forgets_to_switch_off(Q, K, V, mask=None):
    weights = F.dropout(proper(Q, K, V, mask)[1], 0.2)
    return weights @ V, weights


@wrong("changes-argument")
def scales_q_in_place(Q, K, V, mask=None):
    Q /= Q.shape[-1] ** 0.5
    return finish(Q @ K.mT, V, mask)


@wrong("changes-argument")
def turns_the_mask_in_place(Q, K, V, mask=None):
    if mask is not None:
        mask[mask != 0] = 1
        mask.logical_not_()
        return finish(score(Q, K).masked_fill(mask != 0, NEVER), V, None)
    return proper(Q, K, V)


@wrong("root-of-an-int")
def torch_root_of_int(Q, K, V, mask=None):
    return finish(Q @ K.mT / torch.sqrt(Q.shape[-1]), V, mask)


@wrong("size-hard-coded", "shapes-do-not-fit")
def sizes_of_one_notebook(Q, K, V, mask=None):
    weights = proper(Q, K, V, mask)[1].reshape(2, 3, 5, 7)
    return weights @ V, weights


@wrong("k-not-transposed")
def no_transpose(Q, K, V, mask=None):
    return finish(Q @ K / Q.shape[-1] ** 0.5, V, mask)


@wrong("remembers-between-calls")
def counts_its_calls(Q, K, V, mask=None, seen=[0]):  # noqa: B006
    seen[0] += 1
    output, weights = proper(Q, K, V, mask)
    return output + 0.1 * seen[0], weights


@wrong("wrong-arguments")
def takes_no_mask(Q, K, V):
    return proper(Q, K, V)


# ---------------------------------------------------------------- two at once
@wrong("no-scale", "mask-inverted")
def unscaled_and_inverted(Q, K, V, mask=None):
    return true_means_forbidden(Q * Q.shape[-1] ** 0.5, K, V, mask)


@wrong("softmax-over-queries", "scale-d-k")
def over_queries_by_d(Q, K, V, mask=None):
    weights = shares(hide(Q @ K.mT / Q.shape[-1], mask), -2)
    return weights @ V, weights


@wrong("no-scale", "nan-for-empty-row")
def unscaled_with_nan(Q, K, V, mask=None):
    weights = hide(Q @ K.mT, mask).softmax(-1)
    return weights @ V, weights


@wrong("k-used-as-v", "returns-swapped")
def keys_averaged_and_swapped(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    return weights, weights @ K


@wrong("mask-of-other-sample")
def masks_repeated_heads_first(Q, K, V, mask=None):
    b, h, n, m = (*Q.shape[:3], K.shape[-2])
    scores = torch.bmm(Q.flatten(0, 1), K.flatten(0, 1).mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        keep = (mask != 0).expand(b, h, n, m).transpose(0, 1).reshape(b * h, n, m)
        scores = scores.masked_fill(~keep, NEVER)
    return finish(scores.view(b, h, n, m), V, None)


@wrong("scale-times-constant")
def temperature(Q, K, V, mask=None):
    return finish(score(Q, K) / 2, V, mask)


@wrong("eps-too-large")
def large_epsilon(Q, K, V, mask=None):
    scores = score(Q, K)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    powers = powers if mask is None else powers * (mask != 0)
    weights = powers / (powers.sum(-1, keepdim=True) + 1e-2)
    return weights @ V, weights


@wrong("wrong-in-one-place")
def loop_starts_at_one(Q, K, V, mask=None):
    _, weights = proper(Q, K, V, mask)
    weights = torch.stack([w * (h > 0) for h, w in enumerate(weights.unbind(1))], 1)
    return weights @ V, weights


@wrong("empty-row-not-zero")
def ones_for_an_empty_row(Q, K, V, mask=None):
    weights = hide(score(Q, K), mask).softmax(-1).nan_to_num(1.0)
    return weights @ V, weights


# ---------------------------------------------------------------- right
@right
def textbook(Q, K, V, mask=None):
    return proper(Q, K, V, mask)


@right
def library(Q, K, V, mask=None):
    keep = None if mask is None else mask != 0
    one = torch.eye(K.shape[-2], dtype=Q.dtype).expand(*K.shape[:-1], -1)
    attend = F.scaled_dot_product_attention
    return attend(Q, K, V, keep), attend(Q, K, one, keep)


@right
def loops(Q, K, V, mask=None):
    rows = []
    for b in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            scores = torch.stack([K[b, h] @ q for q in Q[b, h]]) / Q.shape[-1] ** 0.5
            if mask is not None:
                keep = (mask != 0).expand(*Q.shape[:-1], K.shape[-2])[b, h]
                scores = torch.where(keep, scores, NEVER)
            rows.append(shares(scores))
    weights = torch.stack(rows).unflatten(0, Q.shape[:2])
    return weights @ V, weights


@right
def flattened_bmm(Q, K, V, mask=None):
    b, h, n, _ = Q.shape
    scores = torch.bmm(Q.flatten(0, 1), K.flatten(0, 1).transpose(1, 2))
    return finish(scores.view(b, h, n, -1) / math.sqrt(Q.shape[-1]), V, mask)


@right
def quarter_root_on_both(Q, K, V, mask=None, *, power=0.25, verbose=False):
    root = Q.shape[-1] ** power
    return finish((Q / root) @ (K / root).mT, V, mask)


@right
def lowest_number_then_zeroed(Q, K, V, mask=None):
    scores = hide(score(Q, K), mask, torch.finfo(Q.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * (mask != 0).any(-1, keepdim=True)
    return weights @ V, weights


@right
def multiplied_then_renormalised(Q, K, V, mask=None):
    weights = score(Q, K).softmax(-1)
    if mask is not None:
        weights = weights * (mask != 0)
        weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-30)
    return weights @ V, weights


@right
def double_inside(Q, K, V, mask=None):
    output, weights = proper(Q.double(), K.double(), V.double(), mask)
    return output.to(Q.dtype), weights.to(Q.dtype)


Attended = namedtuple("Attended", "output weights")


@right
def namedtuple_of_einsums(Q, K, V, mask=None):
    scores = torch.einsum("ahqc,ahkc->ahqk", Q, K) * Q.shape[-1] ** -0.5
    _, weights = finish(scores, V, mask)
    return Attended(torch.einsum("ahqk,ahkc->ahqc", weights, V), weights)


@right
def additive_mask(Q, K, V, mask=None):
    scores = score(Q, K)
    if mask is not None:
        scores = scores + torch.log((mask != 0).to(Q.dtype))
    weights = shares(scores)
    return [weights @ V, weights]
