"""Answers to score_variance(q, k)."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Bank

bank = Bank("score_variance")
wrong, right = bank.wrong, bank.right


@wrong("scale-d-k")
def scores_over_d(q, k):
    scores = (q * k).sum(1)
    return scores.var(), (scores / q.shape[1]).var()


@wrong("products-not-summed")
def single_products(q, k):
    products = q * k
    return products.var(), (products / q.shape[1] ** 0.5).var()


@wrong("summed-over-samples")
def wrong_axis(q, k):
    scores = torch.sum(q * k, dim=0)
    return scores.var(), (scores / q.shape[1] ** 0.5).var()


@wrong("mean-over-features")
def mean_for_sum(q, k):
    scores = torch.mean(q * k, dim=1)
    return scores.var(), (scores / q.shape[1] ** 0.5).var()


@wrong("one-dot-product")
def first_pair_only(q, k):
    score = torch.dot(q[0], k[0])[None]
    return score.var(), (score / q.shape[1] ** 0.5).var()


@wrong("std-not-variance")
def standard_deviation(q, k):
    scores = (q * k).sum(1)
    return scores.std(), (scores / q.shape[1] ** 0.5).std()


@wrong("second-not-scaled")
def same_twice(q, k):
    variance = (q * k).sum(1).var()
    return variance, variance


@wrong("variance-divided-by-root-d")
def variance_over_root(q, k):
    variance = (q * k).sum(1).var()
    return variance, variance / math.sqrt(q.shape[1])


@wrong("scale-multiplied")
def multiplied(q, k):
    scores = (q * k).sum(1)
    return scores.var(), (scores * math.sqrt(q.shape[1])).var()


@wrong("returns-swapped")
def swapped(q, k):
    scores = (q * k).sum(1)
    return (scores / math.sqrt(q.shape[1])).var(), scores.var()


@wrong("all-pairs")
def all_pairs(q, k):
    scores = q @ k.T
    return scores.var(), (scores / math.sqrt(q.shape[1])).var()


@wrong("mean-not-subtracted")
def mean_of_squares(q, k):
    scores = (q * k).sum(1)
    return scores.pow(2).mean(), (scores / math.sqrt(q.shape[1])).pow(2).mean()


@wrong("q-with-itself")
def q_times_q(q, k):
    scores = (q * q).sum(1)
    return scores.var(), (scores / math.sqrt(q.shape[1])).var()


@wrong("returns-first-only")
def one_result(q, k):
    return (q * k).sum(1).var()


@wrong("scale-root-samples")
def root_of_rows(q, k):
    scores = (q * k).sum(1)
    return scores.var(), (scores / math.sqrt(len(q))).var()


@wrong("std-not-variance", "scale-d-k")
def two_mistakes(q, k):
    scores = (q * k).sum(1)
    return scores.std(), (scores / q.shape[1]).std()


@right
def by_rows(q, k):
    scores = (q * k).sum(-1)
    return scores.var(), (scores / math.sqrt(q.shape[1])).var()


@right
def population(q, k):
    scores = torch.einsum("nd,nd->n", q, k)
    return scores.var(unbiased=False), scores.var(unbiased=False) / q.shape[1]


@right
def diagonal_of_all(q, k):
    scores = torch.diagonal(q @ k.T)
    return scores.var().item(), (scores / q.shape[1] ** 0.5).var().item()


@right
def by_hand_in_a_list(q, k):
    scores = torch.stack([a.dot(b) for a, b in zip(q, k, strict=True)])
    scaled = scores / q.shape[1] ** 0.5
    return [((s - s.mean()) ** 2).sum() / (len(s) - 1) for s in (scores, scaled)]


@right
def through_numpy(q, k):
    scores = (q.numpy() * k.numpy()).sum(axis=1)
    return scores.var(), (scores / q.shape[1] ** 0.5).var()


@wrong("vectors-standardised")
def standardised_first(q, k):
    q, k = ((x - x.mean()) / x.std() for x in (q, k))
    scores = (q * k).sum(-1)
    return scores.var(), scores.var() / q.shape[1]


@wrong("vectors-centred")
def around_their_means(q, k):
    q, k = (x - x.mean(0, keepdim=True) for x in (q, k))
    scores = (q * k).sum(-1)
    return scores.var(), (scores / q.shape[1] ** 0.5).var()


@wrong("all-zeros")
def spread_of_one_number(q, k):
    centre = (q * k).sum(-1).mean()
    return (centre - centre) ** 2, (centre - centre) ** 2


@wrong("first-scaled-too")
def divided_too_soon(q, k):
    scores = (q * k).sum(-1) / math.sqrt(q.shape[1])
    return scores.var(), scores.var()


@wrong("std-and-variance")
def both_spreads(q, k):
    scores = (q * k).sum(-1)
    return scores.std(), scores.var()


@wrong("variances-added")
def feature_by_feature(q, k):
    total = (q * k).var(dim=0).sum()
    return total, total / q.shape[1]


@wrong("variances-of-the-vectors")
def of_each(q, k):
    return q.var(), k.var()


@right
def in_vectors_of_one(q, k):
    scores = (q * k).sum(-1, keepdim=True)
    return scores.var(0), (scores / q.shape[1] ** 0.5).var(0)


@wrong("variances-multiplied")
def by_the_rule_for_products(q, k):
    one = q.var() * k.var()
    return q.shape[1] * one, one


@right
def in_one_tensor(q, k):
    scores = (q * k).sum(-1)
    return torch.stack([scores.var(), (scores / q.shape[1] ** 0.5).var()])


@right
def in_one_array(q, k):
    return (q * k).sum(-1).numpy().var() * np.array([1, 1 / q.shape[1]])
