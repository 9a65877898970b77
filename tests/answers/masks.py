"""Answers to padding_mask, create_causal_mask, causal_mask_between, combine_masks."""

from __future__ import annotations

import math

import torch

from . import Bank

padding, causal = Bank("padding_mask"), Bank("create_causal_mask")
between, combined = Bank("causal_mask_between"), Bank("combine_masks")


# ----------------------------------------------------------------- padding_mask
def real_tokens(lengths, max_len):
    return torch.arange(max_len).unsqueeze(0) < lengths.unsqueeze(1)


@padding.wrong("padding-on-queries")
def on_the_query_axis(lengths, max_len):
    return real_tokens(lengths, max_len)[:, None, :, None]


@padding.wrong("padding-axes-missing")
def one_axis_short(lengths, max_len):
    return real_tokens(lengths, max_len).unsqueeze(1)


@padding.wrong("padding-axes-missing")
def two_axes_short(lengths, max_len):
    return real_tokens(lengths, max_len)


@padding.wrong("padding-on-the-left")
def padded_in_front(lengths, max_len):
    first = max_len - lengths[:, None]
    return (torch.arange(max_len) >= first)[:, None, None, :]


@padding.wrong("padding-size-longest")
def as_wide_as_the_longest(lengths, max_len):
    return real_tokens(lengths, int(max(lengths)))[:, None, None]


@padding.wrong("padding-hides-nothing")
def all_true(lengths, max_len):
    return torch.ones(lengths.shape[0], 1, 1, max_len, dtype=torch.bool)


@padding.wrong("padding-inverted")
def true_for_padding(lengths, max_len):
    return ~real_tokens(lengths, max_len)[:, None, None]


@padding.wrong("padding-one-too-many")
def end_included(lengths, max_len):
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None]


@padding.wrong("padding-one-too-few")
def counted_from_one(lengths, max_len):
    places = torch.arange(1, max_len + 1)
    return (places < lengths[:, None])[:, None, None]


@padding.wrong("padding-first-length-for-all")
def first_length_only(lengths, max_len):
    row = torch.arange(max_len) < lengths[0]
    return row.expand(len(lengths), 1, 1, max_len)


@padding.wrong("mask-is-additive")
def minus_infinity(lengths, max_len):
    hidden = ~real_tokens(lengths, max_len)[:, None, None]
    return torch.zeros(hidden.shape).masked_fill(hidden, -math.inf)


@padding.wrong("padding-on-queries-too")
def both_axes(lengths, max_len):
    keep = real_tokens(lengths, max_len)
    return keep[:, None, :, None] & keep[:, None, None, :]


@padding.wrong("padding-inverted", "padding-axes-missing")
def two_padding_mistakes(lengths, max_len):
    return torch.arange(max_len) >= lengths[:, None]


@padding.right
def one_sentence_at_a_time(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    for sample, length in enumerate(lengths):
        mask[sample, :, :, :length] = 1
    return mask


@padding.right
def from_a_list(lengths, max_len):
    rows = [[1] * n + [0] * (max_len - n) for n in lengths]
    return torch.tensor(rows).view(len(rows), 1, 1, max_len)


@padding.right
def complement(lengths, max_len):
    behind = torch.arange(max_len)[None, None, None] >= lengths[:, None, None, None]
    return behind.logical_not()


# ----------------------------------------------------------- create_causal_mask
@causal.wrong("causal-inverted")
def the_forbidden_half(seq_len):
    return torch.ones(seq_len, seq_len).triu(1) == 1


@causal.wrong("causal-one-ahead")
def next_token_leaks(seq_len):
    return torch.tril(torch.ones(seq_len, seq_len), diagonal=1).bool()


@causal.wrong("mask-inf-times-zero")
def infinity_times_zero(seq_len):
    return torch.ones(seq_len, seq_len).triu(1) * -math.inf


@causal.wrong("causal-itself-only")
def identity(seq_len):
    return torch.eye(seq_len) > 0


@causal.wrong("causal-hides-nothing")
def all_ones(seq_len):
    return torch.full((seq_len, seq_len), True)


@causal.wrong("causal-transposed")
def rows_and_columns_confused(seq_len):
    place = torch.arange(seq_len)
    return place.unsqueeze(0) >= place.unsqueeze(1)


@causal.wrong("causal-size-one-less")
def starts_at_one(seq_len):
    place = torch.arange(1, seq_len)
    return place[None, :] <= place[:, None]


@causal.wrong("causal-not-itself")
def strictly_before(seq_len):
    return torch.ones(seq_len, seq_len).tril(-1).bool()


@causal.wrong("mask-is-additive")
def to_be_added(seq_len):
    return torch.full((seq_len, seq_len), -math.inf).triu(1)


@causal.wrong("causal-size-fixed")
def always_five(seq_len):
    return torch.ones(5, 5).tril().bool()


@causal.wrong("causal-mirrored")
def other_diagonal(seq_len):
    return torch.ones(seq_len, seq_len).tril().flip(1)


@causal.right
def not_the_upper(seq_len):
    return ~torch.ones(seq_len, seq_len).triu(diagonal=1).bool()


@causal.right
def running_sum(seq_len):
    return torch.cumsum(torch.eye(seq_len), dim=0) > 0


@causal.right
def with_axes_in_front(seq_len, dtype=torch.float64):
    return torch.ones(1, 1, seq_len, seq_len, dtype=dtype).tril()


@causal.right
def two_loops(seq_len):
    rows = [[int(j <= i) for j in range(seq_len)] for i in range(seq_len)]
    return torch.tensor(rows)


# ---------------------------------------------------------- causal_mask_between
@between.wrong("between-top-left")
def lower_triangle_as_it_is(n_q, n_k):
    return torch.tril(torch.ones(n_q, n_k)).bool()


@between.wrong("between-one-too-early")
def one_off(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_k - n_q - 1).bool()


@between.wrong("between-one-too-late")
def one_off_the_other_way(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_k - n_q + 1).bool()


@between.wrong("between-offset-negated")
def shifted_to_the_left(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_q - n_k).bool()


@between.wrong("between-transposed")
def turned(n_q, n_k):
    return torch.ones(n_q, n_k).tril(n_k - n_q).T


@between.wrong("between-square")
def square_of_keys(n_q, n_k):
    return torch.ones(n_k, n_k).tril()


@between.wrong("causal-inverted")
def forbidden_ones(n_q, n_k):
    return torch.ones(n_q, n_k).triu(n_k - n_q + 1).bool()


@between.right
def by_positions(n_q, n_k):
    place = torch.arange(n_q).view(-1, 1) + (n_k - n_q)
    return torch.arange(n_k).view(1, -1) <= place


@between.right
def last_rows_of_a_square(n_q, n_k):
    return torch.ones(n_k, n_k).tril()[-n_q:]


@between.right
def old_keys_beside_a_triangle(n_q, n_k):
    old = torch.ones(n_q, n_k - n_q, dtype=torch.int64)
    return torch.cat([old, torch.ones(n_q, n_q, dtype=torch.int64).tril()], dim=1)


# ---------------------------------------------------------------- combine_masks
@combined.wrong("combined-with-or")
def either(causal, padding):
    return torch.logical_or(causal, padding)


@combined.wrong("combined-by-adding")
def sum_of_both(causal, padding):
    return causal.long() + padding.long()


@combined.wrong("combined-causal-only")
def padding_dropped(causal, padding):
    return causal.expand(len(padding), 1, *causal.shape)


@combined.wrong("combined-causal-only")
def causal_as_it_is(causal, padding):
    return causal


@combined.wrong("combined-padding-only")
def padding_as_it_is(causal, padding):
    return padding


@combined.wrong("combined-padding-on-queries")
def padding_turned(causal, padding):
    return padding.mT & causal


@combined.wrong("combined-with-xor")
def exactly_one(causal, padding):
    return causal != padding


@combined.wrong("combined-inverted")
def what_is_forbidden(causal, padding):
    return ~causal | ~padding


@combined.wrong("combined-axis-lost")
def without_the_heads(causal, padding):
    return (causal & padding).squeeze(1)


@combined.wrong("combined-first-sample")
def first_padding_for_all(causal, padding):
    return (causal & padding[:1]).expand(len(padding), -1, -1, -1)


@combined.wrong("combined-causal-transposed")
def causal_turned(causal, padding):
    return causal.T & padding


@combined.right
def de_morgan(causal, padding):
    return (causal.logical_not() | padding.logical_not()).logical_not()


@combined.right
def product(causal, padding):
    return causal.float() * padding.float()


@combined.right
def chosen(causal, padding):
    return torch.where(padding, causal, torch.zeros_like(causal))


@combined.right
def both_counted(causal, padding):
    return (causal.int() + padding.int()) == 2
