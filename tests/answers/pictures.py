"""Answers to head_jobs."""

from __future__ import annotations

import torch

from helpers.interpret import patterns

from . import Bank

jobs = Bank("head_jobs")


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


@jobs.wrong("jobs-last-for-first")
def last_column(weights, tokens):
    first = int(weights[:, :, -1].mean(-1).argmax())
    return {**with_loops(weights, tokens), "first": first}


@jobs.wrong("jobs-no-head")
def numbers_as_text(weights, tokens):
    return {job: str(head) for job, head in with_loops(weights, tokens).items()}
