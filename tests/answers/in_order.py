"""Answers to in_order."""

from __future__ import annotations

import itertools

import torch

from helpers.interpret import order

from . import Bank

bank = Bank("in_order")


def pairs_of(effects, named, gap):
    """(i, j) where i has the larger effect."""
    words = [i for i in range(len(effects)) if named[i]]
    return [
        (i, j)
        for i, j in itertools.permutations(words, 2)
        if effects[i] - effects[j] > gap
    ]


def score(explanation, i, j, tie=0.5):
    if explanation[i] == explanation[j]:
        return tie
    return float(explanation[i] > explanation[j])


@bank.right
def with_loops(explanation, effects, named, gap):
    pairs = pairs_of(effects, named, gap)
    return sum(score(explanation, i, j) for i, j in pairs) / len(pairs)


@bank.right
def with_broadcasting(explanation, effects, named, gap):
    pairs = (effects[:, None] - effects[None] > gap) & named[:, None] & named[None]
    lead = explanation[:, None] - explanation[None]
    return (0.5 + 0.5 * lead.sign())[pairs].mean()


@bank.right
def named_words_first(explanation, effects, named, gap):
    e, f = explanation[named], effects[named]
    pairs = f.unsqueeze(1) > f + gap
    return (torch.heaviside(e[:, None] - e, torch.tensor(0.5)) * pairs).sum() / (
        pairs.sum()
    )


@bank.right
def the_course_s_own(explanation, effects, named, gap):
    return order.in_order(explanation[None], effects[None], named[None], gap).item()


@bank.right
def with_each_pair_once(explanation, effects, named, gap):
    right = total = 0.0
    for i, j in itertools.combinations(range(len(effects)), 2):
        if named[i] and named[j] and abs(effects[i] - effects[j]) > gap:
            total += 1
            product = (explanation[i] - explanation[j]) * (effects[i] - effects[j])
            right += 1 if product > 0 else 0.5 if product == 0 else 0
    return right / total


@bank.wrong("order-ties-wrong")
def ties_are_wrong(explanation, effects, named, gap):
    pairs = pairs_of(effects, named, gap)
    return sum(score(explanation, i, j, 0.0) for i, j in pairs) / len(pairs)


@bank.wrong("order-ties-right")
def ties_are_right(explanation, effects, named, gap):
    pairs = pairs_of(effects, named, gap)
    return sum(explanation[i] >= explanation[j] for i, j in pairs) / len(pairs)


@bank.wrong("order-no-gap")
def every_difference_counts(explanation, effects, named, gap):
    return with_broadcasting(explanation, effects, named, 0)


@bank.wrong("order-fixed-gap")
def the_gap_from_the_text(explanation, effects, named, gap):
    return with_loops(explanation, effects, named, 0.2)


@bank.wrong("order-all-words")
def every_word_counts(explanation, effects, named, gap):
    return with_loops(explanation, effects, torch.ones_like(named), gap)


@bank.wrong("order-one-of-two-named")
def one_name_is_enough(explanation, effects, named, gap):
    pairs = (effects[:, None] - effects > gap) & named[:, None]
    lead = explanation[:, None] - explanation
    return (0.5 + 0.5 * lead.sign())[pairs].mean()


@bank.wrong("order-turned-round")
def the_wrong_ones(explanation, effects, named, gap):
    return 1 - with_loops(explanation, effects, named, gap)


@bank.wrong("order-turned-round")
def the_smaller_first(explanation, effects, named, gap):
    return with_loops(-explanation, effects, named, gap)


@bank.wrong("order-both-directions")
def absolute_difference(explanation, effects, named, gap):
    pairs = ((effects[:, None] - effects).abs() > gap) & named[:, None] & named
    lead = explanation[:, None] - explanation
    return (0.5 + 0.5 * lead.sign())[pairs].mean()


@bank.wrong("order-as-tau")
def tau(explanation, effects, named, gap):
    return 2 * with_loops(explanation, effects, named, gap) - 1


@bank.wrong("order-as-tau")
def signs_multiplied(explanation, effects, named, gap):
    pairs = (effects[:, None] - effects > gap) & named[:, None] & named
    return (explanation[:, None] - explanation).sign()[pairs].mean()


@bank.wrong("order-counted")
def a_count(explanation, effects, named, gap):
    pairs = pairs_of(effects, named, gap)
    return sum(score(explanation, i, j) for i, j in pairs)


@bank.wrong("order-over-all-cells")
def over_all_pairs(explanation, effects, named, gap):
    T = len(effects)
    return a_count(explanation, effects, named, gap) / (T * (T - 1) / 2)


@bank.wrong("order-gap-in-explanation")
def the_gap_twice(explanation, effects, named, gap):
    pairs = pairs_of(effects, named, gap)
    hits = [explanation[i] - explanation[j] > gap for i, j in pairs]
    return sum(map(float, hits)) / len(pairs)


@bank.wrong("order-top-only")
def the_top_word(explanation, effects, named, gap):
    return float(explanation.argmax() == effects.argmax())


@bank.wrong("order-correlation")
def pearson(explanation, effects, named, gap):
    return torch.corrcoef(torch.stack([explanation[named], effects[named]]))[0, 1]


@bank.wrong("order-mean-of-means")
def word_by_word(explanation, effects, named, gap):
    pairs = (effects[:, None] - effects > gap) & named[:, None] & named
    hits = (0.5 + 0.5 * (explanation[:, None] - explanation).sign()) * pairs
    return (hits.sum(1) / pairs.sum(1)).nanmean()


@bank.wrong("order-leads-added")
def by_how_much(explanation, effects, named, gap):
    pairs = (effects[:, None] - effects > gap) & named[:, None] & named
    return (explanation[:, None] - explanation)[pairs].mean()


@bank.wrong("order-sign-dropped")
def without_the_sign(explanation, effects, named, gap):
    return with_loops(explanation.abs(), effects, named, gap)


@bank.wrong("order-both-directions")
def chance(explanation, effects, named, gap):
    return 0.5


@bank.wrong("order-effects-twice")
def perfect(explanation, effects, named, gap):
    return 1.0
