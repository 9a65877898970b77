"""Answers to weighted_average(values, weights)."""

from __future__ import annotations

import torch

from . import Bank

bank = Bank("weighted_average")
wrong, right = bank.wrong, bank.right


@wrong("weights-ignored")
def plain_mean(values, weights):
    return values.mean()


@wrong("weights-not-divided-out")
def weighted_sum(values, weights):
    return (values * weights).sum()


@wrong("weights-not-divided-out")
def dot(values, weights):
    return torch.dot(values, weights)


@wrong("divided-by-the-count")
def mean_of_products(values, weights):
    return (values * weights).mean()


@wrong("roles-exchanged")
def other_sum(values, weights):
    return (values * weights).sum() / values.sum()


@wrong("roles-exchanged")
def exchanged(weights, values):
    return (values * weights).sum() / weights.sum()


@wrong("average-not-summed")
def shares_only(values, weights):
    return values * weights / weights.sum()


@wrong("average-softmax")
def with_softmax(values, weights):
    return (values * weights.softmax(0)).sum()


@wrong("heaviest-only")
def the_heaviest(values, weights):
    return values[weights.argmax()]


@wrong("weights-squared")
def twice(values, weights):
    w = weights**2
    return (values * w).sum() / w.sum()


@wrong("no-return")
def no_result(values, weights):
    (values * weights).sum() / weights.sum()


@wrong("prints-instead-of-returning")
def printed(values, weights):
    print((values * weights).sum() / weights.sum())


@wrong("changes-argument")
def in_place(values, weights):
    weights /= weights.sum()
    return (values * weights).sum()


@wrong("weights-cut")
def so_many_copies(values, weights):
    copies = torch.cat([v.repeat(int(w)) for v, w in zip(values, weights, strict=True)])
    return copies.sum() / max(len(copies), 1)


@wrong("weights-cut")
def repeated(values, weights):
    return values.repeat_interleave(weights.round().long()).mean()


@wrong("average-rounded")
def whole_marks(values, weights):
    return int((values * weights).sum() / weights.sum())


@wrong("weights-inverted")
def surer_when_small(values, weights):
    return (values / weights).sum() / (1 / weights).sum()


@wrong("weights-rooted")
def roots(values, weights):
    return (values * weights.sqrt()).sum() / weights.sqrt().sum()


@wrong("divided-by-the-largest")
def largest_is_one(values, weights):
    return (values * weights / weights.max()).sum()


@wrong("only-the-divisor-weighted")
def plain_sum_above(values, weights):
    return values.sum() / weights.sum()


@wrong("plain-sum")
def every_pair(values, weights):
    return torch.outer(values, weights).sum() / weights.sum()


@wrong("value-left-out")
def from_the_second_on(values, weights):
    total = 0.0
    for i in range(1, len(values)):
        total = total + values[i] * weights[i]
    return total / weights.sum()


@wrong("all-zeros")
def never_added(values, weights):
    total = torch.zeros(())
    for value, weight in zip(values, weights, strict=True):
        total + value * weight
    return total / weights.sum()


@right
def in_a_vector_of_one(values, weights):
    return (values[None] @ weights) / weights.sum()


@right
def one_line(values, weights):
    return (values * weights).sum() / weights.sum()


@right
def shares_first(values, weights):
    return values @ (weights / weights.sum())


@right
def by_loop(values, weights):
    total = count = 0.0
    for value, weight in zip(values, weights, strict=True):
        total += value * weight
        count += weight
    return total / count


@right
def a_plain_number(values, weights):
    pairs = zip(values.tolist(), weights.tolist(), strict=True)
    return sum(v * w for v, w in pairs) / sum(weights.tolist())
