"""Answers to the exercises on positions."""

from __future__ import annotations

import math

import numpy as np
import torch

from helpers.positions import rotate

from . import Bank

sinusoid = Bank("sinusoidal_positions")


@sinusoid.right
def as_in_the_paper(length, d_model):
    rows = torch.zeros(length, d_model)
    times = torch.arange(length).unsqueeze(1).float()
    rates = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10_000.0) / d_model))
    rows[:, 0::2] = torch.sin(times * rates)
    rows[:, 1::2] = torch.cos(times * rates)
    return rows


@sinusoid.right
def in_loops(length, d_model):
    return torch.tensor(
        [
            [
                (math.cos if j % 2 else math.sin)(t / 10_000 ** (j // 2 * 2 / d_model))
                for j in range(d_model)
            ]
            for t in range(length)
        ]
    )


@sinusoid.right
def with_numpy(length, d_model):
    angles = np.arange(length)[:, None] / 10_000 ** (
        np.arange(d_model) // 2 * 2 / d_model
    )
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles


@sinusoid.wrong("sinusoid-cosine-another-rate")
def every_feature_its_own(length, d_model):
    angles = torch.arange(length)[:, None] / 10_000 ** (torch.arange(d_model) / d_model)
    rows = torch.zeros(length, d_model)
    rows[:, 0::2], rows[:, 1::2] = angles[:, 0::2].sin(), angles[:, 1::2].cos()
    return rows


@sinusoid.wrong("sinusoid-index-halved")
def i_over_d(length, d_model):
    angles = torch.arange(length)[:, None] / 10_000 ** (
        torch.arange(d_model // 2) / d_model
    )
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(length, d_model)


@sinusoid.wrong("sinusoid-in-halves")
def tensor2tensor(length, d_model):
    rates = 10_000 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(length)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], 1)


@sinusoid.wrong("sinusoid-places-from-one")
def from_one(length, d_model):
    return as_in_the_paper(length + 1, d_model)[1:]


@sinusoid.wrong("sinusoid-cosine-first")
def cosine_first(length, d_model):
    rows = as_in_the_paper(length, d_model)
    return rows.unflatten(1, (-1, 2)).flip(2).flatten(1)


@sinusoid.wrong("sinusoid-exponent-positive")
def sign_of_exponent(length, d_model):
    rows = torch.zeros(length, d_model)
    rates = torch.exp(torch.arange(0, d_model, 2) * (math.log(10_000.0) / d_model))
    angles = torch.arange(length).double()[:, None] * rates.double()
    rows[:, 0::2], rows[:, 1::2] = angles.sin(), angles.cos()
    return rows


@sinusoid.wrong("sinusoid-transposed")
def columns(length, d_model):
    return as_in_the_paper(length, d_model).T


@sinusoid.wrong("sinusoid-no-cosine")
def sines_twice(length, d_model):
    rows = as_in_the_paper(length, d_model)
    rows[:, 1::2] = rows[:, 0::2]
    return rows


turn = Bank("rotate")


@turn.right
def complex_numbers(x, places):
    d = x.shape[-1]
    rates = 10_000.0 ** (-torch.arange(0, d, 2) / d)
    angles = torch.outer(places.float(), rates)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2)


@turn.right
def with_a_swapped_copy(x, places):
    d = x.shape[-1]
    rates = (10_000.0 ** (-torch.arange(0, d, 2) / d)).repeat_interleave(2)
    angles = places[:, None] * rates
    swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)
    return x * angles.cos() + swapped * angles.sin()


@turn.right
def in_place_of_a_copy(x, places):
    out = x.clone()
    d = x.shape[-1]
    for i in range(d // 2):
        angle = places * 10_000.0 ** (-2 * i / d)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        out[..., 2 * i] = a * angle.cos() - b * angle.sin()
        out[..., 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out


@turn.wrong("rotate-halves")
def rotate_half(x, places):
    d = x.shape[-1]
    rates = (10_000.0 ** (-torch.arange(0, d, 2) / d)).repeat(2)
    angles = places[:, None] * rates
    swapped = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return x * angles.cos() + swapped * angles.sin()


@turn.wrong("rotate-other-direction")
def backwards(x, places):
    return complex_numbers(x, -places)


@turn.wrong("rotate-places-ignored")
def counts_itself(x, places):
    return complex_numbers(x, torch.arange(x.shape[-2]))


@turn.wrong("rotate-places-from-one")
def one_more(x, places):
    return complex_numbers(x, places + 1)


@turn.wrong("rotate-index-halved")
def slow_pairs_too_fast(x, places):
    d = x.shape[-1]
    angles = torch.outer(places.float(), 10_000.0 ** (-torch.arange(d // 2) / d))
    a, b = x[..., 0::2], x[..., 1::2]
    turned = (a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos())
    return torch.stack(turned, -1).flatten(-2)


@turn.wrong("rotate-joined-as-halves")
def put_back_wrongly(x, places):
    turned = complex_numbers(x, places)
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], -1)


@turn.wrong("rotate-one-rate")
def one_angle(x, places):
    a, b, angle = x[..., 0::2], x[..., 1::2], places[:, None]
    turned = (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos())
    return torch.stack(turned, -1).flatten(-2)


@turn.wrong("rotate-sign-lost")
def both_plus(x, places):
    d = x.shape[-1]
    angles = torch.outer(places.float(), 10_000.0 ** (-torch.arange(0, d, 2) / d))
    a, b = x[..., 0::2], x[..., 1::2]
    turned = (a * angles.cos() + b * angles.sin(), a * angles.sin() + b * angles.cos())
    return torch.stack(turned, -1).flatten(-2)


bias = Bank("alibi_bias")


@bias.right
def from_the_formula(n, num_heads):
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)])
    index = torch.arange(n)
    return -slopes[:, None, None] * (index[None] - index[:, None]).abs()


@bias.right
def in_loops_over_all(n, num_heads):
    heads = range(1, num_heads + 1)
    rows = [[[-abs(i - j) for j in range(n)] for i in range(n)] for _ in heads]
    slopes = [1 / 2 ** (8 * h / num_heads) for h in heads]
    return torch.tensor(rows) * torch.tensor(slopes).view(-1, 1, 1)


@bias.right
def geometric(n, num_heads):
    start = 2 ** (-8 / num_heads)
    slopes = torch.tensor([start**h for h in range(1, num_heads + 1)])
    distance = torch.cdist(
        torch.arange(n)[:, None].float(), torch.arange(n)[:, None].float()
    )
    return torch.einsum("h,ij->hij", -slopes, distance)


@bias.wrong("alibi-sign")
def rewards(n, num_heads):
    return -from_the_formula(n, num_heads)


@bias.wrong("alibi-signed")
def causal_habit(n, num_heads):
    index = torch.arange(n)
    slopes = 2 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    return slopes[:, None, None] * (index - index[:, None])


@bias.wrong("alibi-slopes-reversed")
def flat_first(n, num_heads):
    return from_the_formula(n, num_heads).flip(0)


@bias.wrong("alibi-heads-from-zero")
def zero_based(n, num_heads):
    slopes = 2 ** (-8 * torch.arange(num_heads) / num_heads)
    index = torch.arange(n)
    return -slopes[:, None, None] * (index - index[:, None]).abs()


@bias.wrong("alibi-slopes-of-eight-heads")
def halves(n, num_heads):
    slopes = 0.5 ** torch.arange(1, num_heads + 1)
    index = torch.arange(n)
    return -slopes[:, None, None] * (index - index[:, None]).abs()


@bias.wrong("alibi-key-place")
def by_key(n, num_heads):
    slopes = 2 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    return (-slopes[:, None, None] * torch.arange(n)).expand(num_heads, n, n)


@bias.wrong("alibi-mask-included")
def masked(n, num_heads):
    future = torch.ones(n, n).triu(1).bool()
    return from_the_formula(n, num_heads).masked_fill(future, float("-inf"))


@bias.wrong("alibi-future-zero")
def lower_half(n, num_heads):
    return from_the_formula(n, num_heads).tril()


step = Bank("rotary_decode_step")


@step.right
def with_rotate(q, k, v, keys, values):
    at = torch.tensor([keys.shape[1]])
    keys = torch.cat([keys, rotate(k[:, None], at)], dim=1)
    values = torch.cat([values, v[:, None]], dim=1)
    scores = rotate(q[:, None], at) @ keys.mT / q.shape[-1] ** 0.5
    return (scores.softmax(dim=-1) @ values)[:, 0], keys, values


@step.right
def head_by_head(q, k, v, keys, values):
    outputs, all_keys = [], []
    at = torch.tensor([keys.shape[1]])
    values = torch.cat([values, v[:, None]], dim=1)
    for h in range(len(q)):
        own = torch.cat([keys[h], rotate(k[h : h + 1], at)])
        weights = (own @ rotate(q[h : h + 1], at)[0] / math.sqrt(q.shape[1])).softmax(0)
        outputs.append(weights @ values[h])
        all_keys.append(own)
    return torch.stack(outputs), torch.stack(all_keys), values


def stepped(q, k, v, keys, values, q_at, k_at):
    q, k = (rotate(x[:, None], torch.tensor([p])) for x, p in ((q, q_at), (k, k_at)))
    keys, values = torch.cat([keys, k], 1), torch.cat([values, v[:, None]], 1)
    weights = (q @ keys.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ values)[:, 0], keys, values


@step.wrong("rotary-told-zero")
def always_first(q, k, v, keys, values):
    return stepped(q, k, v, keys, values, 0, 0)


@step.wrong("rotary-query-at-zero")
def query_first(q, k, v, keys, values):
    return stepped(q, k, v, keys, values, 0, keys.shape[1])


@step.wrong("rotary-key-at-zero")
def key_first(q, k, v, keys, values):
    return stepped(q, k, v, keys, values, keys.shape[1], 0)


@step.wrong("rotary-one-ahead")
def after_appending(q, k, v, keys, values):
    return stepped(q, k, v, keys, values, keys.shape[1] + 1, keys.shape[1] + 1)


@step.wrong("rotary-query-one-ahead")
def query_after_appending(q, k, v, keys, values):
    return stepped(q, k, v, keys, values, keys.shape[1] + 1, keys.shape[1])


@step.wrong("rotary-key-cached-unturned")
def keeps_the_raw_key(q, k, v, keys, values):
    output, *_ = with_rotate(q, k, v, keys, values)
    return output, torch.cat([keys, k[:, None]], 1), torch.cat([values, v[:, None]], 1)


@step.wrong("rotary-cache-turned-again")
def turns_all(q, k, v, keys, values):
    n = keys.shape[1]
    keys = rotate(torch.cat([keys, k[:, None]], 1), torch.arange(n + 1))
    values = torch.cat([values, v[:, None]], 1)
    scores = rotate(q[:, None], torch.tensor([n])) @ keys.mT / q.shape[-1] ** 0.5
    return (scores.softmax(-1) @ values)[:, 0], keys, values


@step.wrong("no-scale")
def unscaled(q, k, v, keys, values):
    return with_rotate(q * q.shape[-1] ** 0.5, k, v, keys, values)


@step.wrong("rotary-old-cache-returned")
def forgets(q, k, v, keys, values):
    return with_rotate(q, k, v, keys, values)[0], keys, values


@step.wrong("rotary-output-only")
def only_output(q, k, v, keys, values):
    return with_rotate(q, k, v, keys, values)[0]


cause = Bank("name_the_cause")


@cause.right
def the_causes():
    return {"A": "distances", "B": "keys", "C": "rows", "D": "keys"}


@cause.right
def as_a_list():
    return ["Distances", "keys", "rows", "keys"]


@cause.wrong("cause-always-keys")
def all_diluted():
    return dict.fromkeys("ABCD", "keys")


@cause.wrong("cause-distances-missed")
def a_diluted():
    return {"A": "keys", "B": "keys", "C": "rows", "D": "keys"}


@cause.wrong("cause-rows-though-moved")
def a_rows():
    return {"A": "rows", "B": "keys", "C": "rows", "D": "keys"}


@cause.wrong("cause-rows-missed")
def c_diluted():
    return {"A": "distances", "B": "keys", "C": "keys", "D": "keys"}


@cause.wrong("cause-rows-called-distances")
def c_distances():
    return {"A": "distances", "B": "keys", "C": "distances", "D": "keys"}


@cause.wrong("cause-distances-though-stretched")
def b_distances():
    return {"A": "distances", "B": "distances", "C": "rows", "D": "keys"}


@cause.wrong("cause-no-such-cause")
def another_word():
    return {"A": "distances", "B": "noise", "C": "rows", "D": "keys"}


@cause.wrong("cause-letter-missing")
def three_letters():
    return {"A": "distances", "B": "keys", "C": "rows"}


@cause.wrong("cause-no-labels")
def a_sentence():
    return "they are all diluted"
