"""Answers to the exercises of lesson 14."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Answer, Bank

fours = Bank("four_sequences")
scores = Bank("induction_score")
sequences = Bank("failing_sequence")


def says(bank: Bank, value, *mistakes: str) -> None:
    """A value as an answer, with a name for the test."""

    def answer(*args):
        return value

    answer.__name__ = f"says {str(value)[:40]!r}"
    bank.answers.append(Answer(bank.exercise, answer, mistakes))


FOUR = ["aecfa", "ceafa", "afcea", "cfaea"]

says(fours, FOUR)
says(fours, tuple(FOUR))
says(fours, FOUR[::-1])
says(fours, [" ".join(text) for text in FOUR])
says(fours, [list(text) for text in FOUR])
says(fours, np.array(FOUR))
says(fours, [f"gg{text[:-1]}p{text[-1]}" for text in FOUR])
says(fours, [f"{text[:2]}h{text[2:]}" for text in FOUR])
says(fours, [text.replace("c", "p") for text in FOUR])
says(fours, ["aebcfa", "cebafa", "afbcea", "cfbaea"])
says(fours, ["afeca", "eafca", "aefca", "feaca"], "four-uneven")

says(fours, FOUR[:2], "four-not-four")
says(fours, "aecfa", "four-not-four")
says(fours, 4, "four-not-four")
says(fours, [1, 2, 3, 4], "four-not-four")
says(fours, [text.replace("c", "x") for text in FOUR], "four-no-letters")
says(fours, [text.upper() for text in FOUR], "four-no-letters")
says(fours, ["", *FOUR[1:]], "four-no-letters")
says(fours, ["aecf", *FOUR[1:]], "four-no-twin")
says(fours, ["aeafa", *FOUR[1:]], "four-two-twins")
says(fours, ["ecfaa", *FOUR[1:]], "four-twin-is-next")
says(fours, ["aeccfa", *FOUR[1:]], "four-lengths-differ")
says(fours, ["aecfa", "ceafa", "bfceb", "cfbeb"], "four-questions-differ")
says(fours, [FOUR[0], FOUR[0], *FOUR[2:]], "four-repeated")
says(fours, ["aecfa", "cfaea", "ceafa", "ceafa"], "four-repeated")
says(fours, ["aecfa", "aefca", "caefa", "fcaea"], "four-one-answer")
says(fours, ["aecfa", "aefca", "caefa", "cfaea"], "four-one-answer")
says(fours, ["aecfa", "afcea", "accea", "agcea"], "four-uneven")
says(fours, [*FOUR[:3], "cfaga"], "four-uneven")
says(fours, ["aecfa", "aefca", "afcea", "afeca"], "four-one-place")
says(fours, ["aecfa", "aedfa", "ceafa", "deafa"], "four-one-cell-tells")
says(fours, ["gaecfa", "hceafa", "iafcea", "hcfaea"], "four-letters-differ")
says(fours, ["aecfa", "caefa", "afcea", "cafea"], "four-one-cell-tells")
says(fours, ["aecfg", "ceafg", "afceg", "cfaeg"], "four-no-twin")


def pairs(tokens):
    """(t, latest earlier place) of every token that has occurred before."""
    last, found = {}, []
    for t, token in enumerate(tokens.tolist()):
        if token in last:
            found.append((t, last[token]))
        last[token] = t
    return found


def mean(values):
    return sum(values) / len(values) if values else 0.0


@scores.right
def a_loop(weights, tokens):
    return mean([weights[t, s + 1].item() for t, s in pairs(tokens)])


@scores.right
def a_tensor(weights, tokens):
    found = [weights[t, s + 1] for t, s in pairs(tokens)]
    return torch.stack(found).mean() if found else torch.tensor(0.0)


@scores.right
def without_a_loop(weights, tokens):
    n = len(tokens)
    places = torch.arange(n)
    same = (tokens[:, None] == tokens) & (places < places[:, None])
    latest = (same * (places + 1)).max(dim=1).values
    rows = same.any(dim=1)
    found = weights[places[rows], latest[rows]]
    return found.mean() if len(found) else found.sum()


@scores.right
def numpy(weights, tokens):
    w, t = weights.numpy(), tokens.numpy()
    found = []
    for q in range(len(t)):
        earlier = np.flatnonzero(t[:q] == t[q])
        if len(earlier):
            found.append(w[q, earlier[-1] + 1])
    return float(np.mean(found)) if found else 0.0


@scores.wrong("score-on-the-twin")
def twin(weights, tokens):
    return mean([weights[t, s].item() for t, s in pairs(tokens)])


@scores.wrong("score-before-the-twin")
def off_by_one(weights, tokens):
    found = [weights[t, s - 1].item() if s else 0.0 for t, s in pairs(tokens)]
    return mean(found)


@scores.wrong("score-two-behind")
def off_by_one_the_other_way(weights, tokens):
    n = len(tokens)
    found = [weights[t, s + 2].item() if s + 2 < n else 0.0 for t, s in pairs(tokens)]
    return mean(found)


@scores.wrong("score-previous-token")
def diagonal(weights, tokens):
    return weights.diagonal(-1).mean()


@scores.wrong("score-previous-token")
def previous_of_the_repeated(weights, tokens):
    return mean([weights[t, t - 1].item() for t, s in pairs(tokens)])


@scores.wrong("score-itself")
def itself(weights, tokens):
    return mean([weights[t, t].item() for t, s in pairs(tokens)])


@scores.wrong("score-last-token")
def last_column(weights, tokens):
    return mean([weights[t, -1].item() for t, s in pairs(tokens)])


@scores.wrong("score-first-occurrence")
def first_occurrence(weights, tokens):
    first, found = {}, []
    for t, token in enumerate(tokens.tolist()):
        if token in first:
            found.append(weights[t, first[token] + 1].item())
        first.setdefault(token, t)
    return mean(found)


@scores.wrong("score-all-occurrences")
def all_occurrences(weights, tokens):
    found = []
    for t in range(len(tokens)):
        earlier = [s for s in range(t) if tokens[s] == tokens[t]]
        if earlier:
            found.append(sum(weights[t, s + 1].item() for s in earlier))
    return mean(found)


@scores.wrong("score-divided-by-n")
def every_token_counts(weights, tokens):
    return sum(weights[t, s + 1].item() for t, s in pairs(tokens)) / len(tokens)


@scores.wrong("score-divided-by-n")
def every_token_but_the_first_counts(weights, tokens):
    total = sum(weights[t, s + 1].item() for t, s in pairs(tokens))
    return total / (len(tokens) - 1)


@scores.wrong("score-last-row-only")
def last_row(weights, tokens):
    n = len(tokens)
    return mean([weights[t, s + 1].item() for t, s in pairs(tokens) if t == n - 1])


@scores.wrong("score-second-half")
def second_half(weights, tokens):
    n = len(tokens)
    return mean([weights[t, s + 1].item() for t, s in pairs(tokens) if t >= n // 2])


@scores.wrong("score-transposed")
def transposed(weights, tokens):
    return mean([weights[s + 1, t].item() for t, s in pairs(tokens)])


@scores.wrong("score-summed")
def summed(weights, tokens):
    return sum(weights[t, s + 1].item() for t, s in pairs(tokens)) + 0.0


@scores.wrong("score-argmax-share")
def share(weights, tokens):
    hits = [float(weights[t].argmax() == s + 1) for t, s in pairs(tokens)]
    return mean(hits)


@scores.wrong("score-largest")
def largest(weights, tokens):
    return max([weights[t, s + 1].item() for t, s in pairs(tokens)], default=0.0)


@scores.wrong("score-on-the-twin", "score-divided-by-n")
def two_mistakes(weights, tokens):
    return sum(weights[t, s].item() for t, s in pairs(tokens)) / len(tokens)


@scores.wrong("score-nan-without-repeats")
def mean_of_nothing(weights, tokens):
    found = [weights[t, s + 1] for t, s in pairs(tokens)]
    return torch.tensor(found).mean()


@scores.wrong("score-first-repeat-only")
def second_time_only(weights, tokens):
    ids = tokens.tolist()
    rows = [t for t in range(len(ids)) if ids[:t].count(ids[t]) == 1]
    return mean([weights[t, ids.index(ids[t]) + 1].item() for t in rows] or [0.0])


@scores.wrong("score-itself-as-earlier")
def found_at_once(weights, tokens):
    n = len(tokens)
    found = [weights[t, t + 1] if t + 1 < n else torch.zeros(()) for t in range(n)]
    return torch.stack(found).mean()


@scores.wrong("score-before-the-twin")
def behind_from_the_end(weights, tokens):
    found = [weights[t, s - 1] for t, s in pairs(tokens)]
    return torch.stack(found).mean() if found else 0.0


@scores.wrong("score-median")
def between_the_middle_two(weights, tokens):
    found = [weights[t, s + 1].item() for t, s in pairs(tokens)]
    return np.median(found) if found else 0.0


@scores.wrong("score-other")
def mean_of_the_roots(weights, tokens):
    found = [weights[t, s + 1].item() ** 0.5 for t, s in pairs(tokens)]
    return mean(found) if found else 0.0


@scores.wrong("index-out-of-range")
def past_the_end(weights, tokens):
    ids, n = tokens.tolist(), len(tokens)
    latest = [max(s for s in range(n) if ids[s] == ids[t]) for t in range(n)]
    return mean([weights[t, s + 1].item() for t, s in enumerate(latest)])


@scores.wrong("no-return")
def nothing(weights, tokens):
    score = mean([weights[t, s + 1].item() for t, s in pairs(tokens)])
    weights.sum() + score


LONG = "bcdefghijklmnop" * 2

says(sequences, ("abca", "A"))
says(sequences, ["ABCA".lower(), " a) "])
says(sequences, (list("abca"), "A"))
says(sequences, ("dabcaea", "B"))
says(sequences, ("abcdaea", "A"))
says(sequences, ("abcdaea", "B"))
says(sequences, (LONG + "abcda", "C"))
says(sequences, ("dabca", "A"), "failing-is-right")
says(sequences, ("bcdaa", "D"), "failing-is-right")
says(sequences, ("dabcaba", "B"), "failing-is-right")
says(sequences, ("dabc" + LONG + "a", "C"), "failing-is-right")
says(sequences, ("abca", "B"), "failing-other-reason")
says(sequences, ("abca", "C"), "failing-other-reason")
says(sequences, ("dabcaea", "A"), "failing-other-reason")
says(sequences, (LONG + "abcda", "D"), "failing-other-reason")
says(sequences, ("abc" + LONG + "a", "C"), "failing-other-reason")
says(sequences, ("abca", "E"), "no-such-choice")
says(sequences, ("abca", 0), "no-such-choice")
says(sequences, ("abcd", "A"), "failing-nothing-to-continue")
says(sequences, ("a", "A"), "failing-nothing-to-continue")
says(sequences, ("xyzx", "A"), "failing-no-letters")
says(sequences, ("", "A"), "failing-no-letters")
says(sequences, ([0, 1, 2, 0], "A"), "failing-no-letters")
says(sequences, ("a" * 300, "C"), "failing-too-long")
says(sequences, "abca", "failing-no-pair")
says(sequences, ("abca", ["A"]))
says(sequences, ("abca", '"A"'))
says(sequences, (np.array(list("abca")), "A"))
says(sequences, ("a b c a", "A"), "failing-no-letters")
says(sequences, ("abca", ["A", "B"]), "no-such-choice")


@scores.right
def a_tensor_of_one(weights, tokens):
    return torch.tensor([mean([weights[t, s + 1].item() for t, s in pairs(tokens)])])


@scores.wrong("score-in-percent")
def percent(weights, tokens):
    return 100 * mean([weights[t, s + 1].item() for t, s in pairs(tokens)])


@scores.wrong("all-zeros")
def whole_numbers(weights, tokens):
    return int(mean([weights[t, s + 1].item() for t, s in pairs(tokens)]))


@scores.wrong("score-half-a-sequence-back")
def a_stripe(weights, tokens):
    n = len(tokens)
    return weights.diagonal(1 - n // 2).mean()


@scores.wrong("score-median")
def middle_one(weights, tokens):
    found = sorted(weights[t, s + 1].item() for t, s in pairs(tokens))
    return found[len(found) // 2] if found else 0.0


@scores.wrong("score-product")
def product(weights, tokens):
    return math.prod(weights[t, s + 1].item() for t, s in pairs(tokens))


@scores.wrong("score-product")
def product_or_nothing(weights, tokens):
    found = [weights[t, s + 1] for t, s in pairs(tokens)]
    return torch.stack(found).prod() if found else 0.0
