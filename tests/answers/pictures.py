"""Answers to the exercises of lesson 07: head_jobs, find_the_lie."""

from __future__ import annotations

import torch

from helpers.interpret import patterns

from . import Bank

jobs = Bank("head_jobs")
lie = Bank("find_the_lie")


def table(tokens, same=True, itself=False):
    n = len(tokens)
    return torch.tensor(
        [
            [(tokens[i] == tokens[j]) and (itself or i != j) for j in range(n)]
            for i in range(n)
        ]
    )


def scores(weights, tokens):
    before = weights.diagonal(offset=-1, dim1=1, dim2=2).mean(-1)
    first = weights[:, :, 0].mean(-1)
    same = (weights * table(tokens)).sum(-1).mean(-1)
    return before, first, same


def named(before, first, same):
    return {"before": int(before), "first": int(first), "same": int(same)}


@jobs.wrong("jobs-everything-before")
def all_that_came_before(weights, tokens):
    before, first, same = scores(weights, tokens)
    before = weights.tril(-1).sum(-1).mean(-1)
    return named(before.argmax(), first.argmax(), same.argmax())


@jobs.wrong("jobs-one-row-decides")
def by_the_last_word(weights, tokens):
    same = weights[:, -1][:, table(tokens)[-1]].sum(-1)
    found = weights[:, -1, -2], weights[:, -1, 0], same
    return named(*(s.argmax() for s in found))


@jobs.wrong("jobs-two-before")
def one_too_far(weights, tokens):
    before, first, same = scores(weights, tokens)
    before = weights.diagonal(offset=-2, dim1=1, dim2=2).mean(-1)
    return named(before.argmax(), first.argmax(), same.argmax())


@jobs.wrong("jobs-fixed")
def always_these(weights, tokens):
    return {"before": 2, "first": 0, "same": 1}


@jobs.right
def by_hand(weights, tokens):
    return named(*(s.argmax() for s in scores(weights, tokens)))


@jobs.right
def by_patterns(weights, tokens):
    ids = torch.tensor([tokens.index(token) for token in tokens])
    same = patterns.same_token(weights, ids)
    first = (weights.argmax(-1) == 0).float().mean(-1)
    return named(
        patterns.previous_token(weights).argmax(), first.argmax(), same.argmax()
    )


@jobs.right
def by_arg_max(weights, tokens):
    looks = weights.argmax(-1)
    n = len(tokens)
    before = (looks[:, 1:] == torch.arange(n - 1)).float().mean(-1)
    first = (looks == 0).float().mean(-1)
    same = table(tokens).float()
    hits = same[torch.arange(n), looks].float().sum(-1)
    return {"same": hits.argmax(), "first": first.argmax(), "before": before.argmax()}


@jobs.right
def with_loops(weights, tokens):
    n = len(tokens)
    sums = {"before": [], "first": [], "same": []}
    for head in weights.tolist():
        sums["before"].append(sum(head[i][i - 1] for i in range(1, n)))
        sums["first"].append(sum(row[0] for row in head))
        pairs = [(i, j) for i in range(n) for j in range(i) if tokens[i] == tokens[j]]
        sums["same"].append(sum(head[i][j] + head[j][i] for i, j in pairs))
    return {name: values.index(max(values)) for name, values in sums.items()}


@jobs.wrong("jobs-read-by-columns")
def columns(weights, tokens):
    return by_hand(weights.mT, tokens)


@jobs.wrong("jobs-behind-for-before")
def next_word(weights, tokens):
    after = weights.diagonal(offset=1, dim1=1, dim2=2).mean(-1)
    return by_hand(weights, tokens) | {"before": int(after.argmax())}


@jobs.wrong("jobs-itself-counts")
def itself_too(weights, tokens):
    same = (weights * table(tokens, itself=True)).sum(-1).mean(-1)
    return by_hand(weights, tokens) | {"same": int(same.argmax())}


@jobs.wrong("jobs-one-row-decides")
def best_row(weights, tokens):
    before = weights.diagonal(offset=-1, dim1=1, dim2=2).amax(-1)
    first = weights[:, :, 0].amax(-1)
    same = (weights * table(tokens)).sum(-1).amax(-1)
    return named(before.argmax(), first.argmax(), same.argmax())


@jobs.wrong("jobs-smallest-picked")
def smallest(weights, tokens):
    return named(*(s.argmin() for s in scores(weights, tokens)))


@jobs.wrong("jobs-counted-from-one")
def from_one(weights, tokens):
    return {name: head + 1 for name, head in by_hand(weights, tokens).items()}


@jobs.wrong("jobs-names-exchanged")
def exchanged(weights, tokens):
    found = by_hand(weights, tokens)
    return found | {"first": found["same"], "same": found["first"]}


@jobs.wrong("jobs-fixed")
def seen_in_the_picture(weights, tokens):
    return {"before": 0, "first": 1, "same": 2}


@jobs.wrong("jobs-by-entropy")
def sharpest(weights, tokens):
    order = patterns.entropy(weights).argsort()
    return named(*order[:3])


@jobs.wrong("jobs-no-dict")
def a_list(weights, tokens):
    return [s.argmax() for s in scores(weights, tokens)]


@jobs.wrong("jobs-no-dict")
def other_names(weights, tokens):
    return {"prev": 0, "first": 1, "same": 2}


@jobs.wrong("jobs-no-head")
def scores_not_heads(weights, tokens):
    before, first, same = scores(weights, tokens)
    return {"before": before, "first": first, "same": same}


@jobs.wrong("jobs-wrong-head")
def first_two_columns(weights, tokens):
    spread = weights.std(-1).mean(-1)
    return by_hand(weights, tokens) | {"first": int(spread.argmin())}


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


@jobs.wrong("jobs-last-for-first")
def last_column(weights, tokens):
    first = int(weights[:, :, -1].mean(-1).argmax())
    return {**with_loops(weights, tokens), "first": first}


@jobs.wrong("jobs-no-head")
def numbers_as_text(weights, tokens):
    return {job: str(head) for job, head in with_loops(weights, tokens).items()}
