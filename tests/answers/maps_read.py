"""Answers to two exercises of an earlier lesson 07: read_maps and find_the_lie."""

from __future__ import annotations

import torch

from . import Bank

letters = Bank("read_maps")

lie = Bank("find_the_lie")


@letters.wrong("maps-read-by-columns")
def all_by_columns():
    return "BDE"


@letters.wrong("maps-read-by-columns")
def one_by_columns():
    return "ADE"


@letters.wrong("maps-diagonal-for-same-word")
def diagonal():
    return "ACF"


@letters.wrong("maps-in-another-order")
def another_order():
    return "CAE"


@letters.wrong("maps-another-job")
def another_job():
    return "FCE"


@letters.wrong("maps-no-letters")
def two_letters():
    return "AC"


@letters.wrong("maps-no-letters")
def letters_that_are_not_there():
    return "ACX"


@letters.wrong("maps-no-letters")
def numbers_for_letters():
    return 135


@letters.right
def as_a_string():
    return "ACE"


@letters.right
def as_a_list():
    return ["a", "c", "e"]


@letters.right
def with_commas():
    return " A, C, E. "


@lie.right
def gap(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (effects.amax(-1) - pointed).argmax()


@lie.right
def gap_by_loop(weights, effects):
    gaps = []
    for row, effect in zip(weights.tolist(), effects.tolist(), strict=True):
        gaps.append(max(effect) - effect[row.index(max(row))])
    return gaps.index(max(gaps))


@lie.right
def by_index(weights, effects):
    rows = torch.arange(len(weights))
    gaps = effects.max(dim=1).values - effects[rows, weights.argmax(dim=1)]
    return int(gaps.topk(1).indices)


@lie.wrong("lie-largest-effect-ignored")
def least_effect(weights, effects):
    return effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0].argmin()


@lie.wrong("lie-as-a-ratio")
def ratio(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (pointed / effects.amax(-1)).argmin()


@lie.wrong("lie-measured-in-weight", "lie-tables-exchanged")
def weight_missed(weights, effects):
    there = weights.gather(1, effects.argmax(-1, keepdim=True))[:, 0]
    return (weights.amax(-1) - there).argmax()


@lie.wrong("lie-measured-in-weight")
def least_weight(weights, effects):
    return weights.gather(1, effects.argmax(-1, keepdim=True))[:, 0].argmin()


@lie.wrong("lie-any-mismatch")
def first_mismatch(weights, effects):
    differs = weights.argmax(-1) != effects.argmax(-1)
    return int(differs.nonzero()[0])


@lie.wrong("lie-distance-of-places")
def far_apart(weights, effects):
    return (weights.argmax(-1) - effects.argmax(-1)).abs().argmax()


@lie.wrong("lie-weights-minus-effects")
def differences(weights, effects):
    return (weights - effects).abs().sum(-1).argmax()


@lie.wrong("lie-weights-minus-effects")
def squares(weights, effects):
    return ((weights - effects) ** 2).mean(-1).argmax()


@lie.wrong("lie-one-table-only")
def surest(weights, effects):
    return weights.amax(-1).argmax()


@lie.wrong("lie-smallest-weight")
def at_the_smallest(weights, effects):
    pointed = effects.gather(1, weights.argmin(-1, keepdim=True))[:, 0]
    return (effects.amax(-1) - pointed).argmax()


@lie.wrong("lie-smallest-picked")
def most_honest(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (effects.amax(-1) - pointed).argmin()


@lie.wrong("lie-word-returned")
def the_word(weights, effects):
    return weights[gap(weights, effects)].argmax()


@lie.wrong("lie-size-returned")
def the_size(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (effects.amax(-1) - pointed).max()


@lie.wrong("lie-all-sentences")
def every_sentence(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return effects.amax(-1) - pointed


@lie.wrong("lie-counted-from-one")
def one_too_high(weights, effects):
    return gap(weights, effects) + 1


@lie.wrong("same-for-any-argument")
def minus_one(weights, effects):
    return -1


@lie.wrong("same-for-any-argument")
def the_first(weights, effects):
    return 0


@lie.wrong("same-for-any-argument")
def one_past_the_end(weights, effects):
    return len(weights)


@lie.wrong("lie-no-sentence")
def one_sentence_further(weights, effects):
    return len(weights) + gap(weights, effects)


@lie.wrong("lie-another-sentence")
def least_effect_of_all(weights, effects):
    return int(effects.prod(1).argmin())


@lie.wrong("lie-map-not-used")
def widest_effects(weights, effects):
    return (effects.amax(1) - effects.amin(1)).argmax()


@lie.wrong("lie-map-not-used")
def clearest_effect(weights, effects):
    ordered = effects.sort(dim=1, descending=True).values
    return int((ordered[:, 0] - ordered[:, 1]).argmax())


@lie.wrong("lie-effect-minus-weight")
def effect_beyond_weight(weights, effects):
    return int((effects.max(1).values - weights.max(1).values).argmax())


@lie.right
def in_a_list_of_one(weights, effects):
    return [int(gap(weights, effects))]


@lie.right
def by_topk(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (effects.amax(-1) - pointed).topk(1).indices


@lie.right
def by_nonzero(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    lies = effects.amax(-1) - pointed
    return (lies == lies.max()).nonzero()


@lie.wrong("lie-weights-minus-effects")
def largest_difference(weights, effects):
    return (effects - weights).amax(-1).argmax()


@lie.wrong("lie-mean-effect")
def below_the_mean(weights, effects):
    pointed = effects.gather(1, weights.argmax(-1, keepdim=True))[:, 0]
    return (effects.mean(-1) - pointed).argmax()


@lie.wrong("same-for-any-argument")
def the_last(weights, effects):
    return len(weights) - 1


@letters.right
def by_number():
    return {1: "A", 2: "C", 3: "E"}


@letters.right
def numbered():
    return "1A, 2C, 3E"
