"""Answers to the exercises of lesson 14."""

from __future__ import annotations

import math

import numpy as np
import torch

from helpers.models.induction_by_hand import hour_back

from . import Answer, Bank

layers = Bank("layers_needed")
matrices = Bank("previous_token_matrix")
scores = Bank("induction_score")
sequences = Bank("failing_sequence")


def says(bank: Bank, value, *mistakes: str) -> None:
    """A value as an answer, with a name for the test."""

    def answer(*args):
        return value

    answer.__name__ = f"says {str(value)[:40]!r}"
    bank.answers.append(Answer(bank.exercise, answer, mistakes))


says(layers, "A", "induction-in-one-look")
says(layers, "b", "induction-by-size")
says(layers, "D.", "induction-not-learnable")
says(layers, 2, "no-such-choice")
says(layers, "two", "no-such-choice")
says(layers, "C")
says(layers, " c) ")


def turn(hours: float, size: float = 200.0) -> torch.Tensor:
    """Turns a row by so many hours ahead."""
    angle = 2 * math.pi * hours / 24
    c, s = math.cos(angle), math.sin(angle)
    return size * torch.tensor([[c, s], [-s, c]])


says(matrices, hour_back())
says(matrices, turn(-1, 90))
says(matrices, turn(-1, 1e5))
says(matrices, turn(-1).tolist())
says(matrices, turn(-1).numpy())
says(matrices, turn(-1).double().requires_grad_())
says(matrices, turn(-1) @ torch.diag(torch.tensor([1.05, 1.0])))
says(matrices, turn(-1.1, 400))
says(matrices, turn(-1).round().long())

says(matrices, turn(-1, 1), "previous-spread")
says(matrices, turn(-1, 50), "previous-spread")
says(matrices, turn(1), "previous-is-next")
says(matrices, turn(-1).T, "previous-is-next")
says(matrices, turn(1, 1), "previous-is-next")
says(matrices, 200 * torch.eye(2), "previous-is-itself")
says(matrices, torch.eye(2), "previous-is-itself")
says(matrices, turn(-1 / (2 * math.pi)), "previous-is-itself")
says(matrices, turn(-2), "previous-two-back")
says(matrices, turn(-2, 3), "previous-two-back")
says(matrices, -turn(-1), "previous-negated")
says(matrices, -turn(1), "previous-opposite")
says(matrices, -200 * torch.eye(2), "previous-opposite")
says(matrices, turn(-5), "previous-wrong-hour")
says(matrices, turn(3, 20), "previous-wrong-hour")
says(matrices, turn(-math.degrees(1)), "previous-degrees")
says(matrices, turn(-15 * 24 / (2 * math.pi)), "previous-degrees")
says(matrices, turn(15 * 24 / (2 * math.pi), 1), "previous-degrees")
says(matrices, turn(-0.5), "previous-half-an-hour")
says(matrices, turn(-1.5), "previous-half-an-hour")
says(matrices, torch.zeros(2, 2), "previous-flat")
says(matrices, 200 * torch.diag(torch.tensor([1.0, -1.0])), "previous-mirrored")
says(matrices, turn(-1) * torch.tensor([[1.0, 1.0], [-1.0, -1.0]]), "previous-mirrored")
says(
    matrices,
    200 * torch.tensor([[1.0, 0.0], [0.0, 0.0]]),
    "previous-on-a-line",
)
says(matrices, torch.full((2, 2), -90.0), "previous-on-a-line")
says(matrices, turn(-1, 1) @ torch.diag(torch.tensor([90.0, 2.0])), "previous-uneven")
says(
    matrices,
    torch.roll(torch.eye(20), 1, 0) * 20,
    "previous-is-a-map",
)
says(matrices, torch.ones(2), "previous-misshapen")
says(matrices, torch.ones(2, 20), "previous-misshapen")
says(matrices, 15.0, "previous-misshapen")
says(matrices, "turn", "previous-no-matrix")
says(matrices, turn(-1) * math.nan, "matrix-not-finite")
says(matrices, turn(-1) / 0, "matrix-not-finite")


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
says(layers, ["C"])
says(layers, "**C**")
says(matrices, tuple(turn(-1)))
matrices.answers.append(Answer("previous_token_matrix", lambda: turn(-1)))


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
