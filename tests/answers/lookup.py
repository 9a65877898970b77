"""Answers to soft_lookup, find_the_noun and doubled_key."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Answer, Bank

bank = Bank("soft_lookup")
wrong, right = bank.wrong, bank.right


@wrong("lookup-argmax")
def hard(query, keys, values):
    best = (keys @ query).argmax()
    weights = torch.zeros(len(keys))
    weights[best] = 1.0
    return values[best], weights


@wrong("lookup-no-softmax")
def no_softmax(query, keys, values):
    weights = keys @ query
    return weights @ values, weights


@wrong("lookup-mean")
def mean(query, keys, values):
    return values.mean(0), torch.ones(len(keys)) / len(keys)


@wrong("lookup-softmax-of-one")
def column_of_scores(query, keys, values):
    weights = (keys @ query[:, None]).softmax(-1)
    return (weights * values).sum(0), weights[:, 0]


@wrong("lookup-softmax-over-features")
def over_features(query, keys, values):
    weights = (keys * query).softmax(dim=-1)
    return weights.T @ values, weights


@wrong("lookup-softmax-of-keys")
def softmax_first(query, keys, values):
    weights = keys.softmax(-1) @ query
    weights = weights.softmax(-1)
    return weights @ values, weights


@wrong("lookup-keys-as-values")
def hands_over_keys(query, keys, values):
    weights = (keys @ query).softmax(0)
    return weights @ keys, weights


@wrong("lookup-values-as-keys")
def asks_values(query, keys, values):
    weights = (values @ query).softmax(0)
    return weights @ values, weights


@wrong("lookup-scaled")
def scaled(query, keys, values):
    weights = (keys @ query / math.sqrt(len(query))).softmax(0)
    return weights @ values, weights


@wrong("lookup-divided-by-d")
def mean_of_products(query, keys, values):
    weights = (keys * query).mean(-1).softmax(0)
    return weights @ values, weights


@wrong("lookup-divided-by-n")
def mean_of_blend(query, keys, values):
    weights = (keys @ query).softmax(0)
    return (weights[:, None] * values).mean(0), weights


@wrong("lookup-not-blended")
def not_added(query, keys, values):
    weights = (keys @ query).softmax(0)
    return weights[:, None] * values, weights


@wrong("lookup-distance")
def distances(query, keys, values):
    weights = (-((keys - query) ** 2).sum(1)).softmax(0)
    return weights @ values, weights


@wrong("lookup-cosine")
def cosine(query, keys, values):
    scores = torch.nn.functional.cosine_similarity(keys, query[None])
    weights = scores.softmax(0)
    return weights @ values, weights


@wrong("lookup-plain-shares")
def shares(query, keys, values):
    scores = keys @ query
    weights = scores / scores.sum()
    return weights @ values, weights


@wrong("lookup-overflows")
def by_hand(query, keys, values):
    e = (keys @ query).exp()
    weights = e / e.sum()
    return weights @ values, weights


@wrong("exp-not-normalised")
def only_exp(query, keys, values):
    weights = (keys @ query).exp()
    return weights @ values, weights


@wrong("lookup-other-function")
def sigmoid(query, keys, values):
    weights = torch.sigmoid(keys @ query)
    return weights @ values, weights


@wrong("lookup-negated")
def negated(query, keys, values):
    weights = (-(keys @ query)).softmax(0)
    return weights @ values, weights


@wrong("best-value-only")
def soft_weights_hard_output(query, keys, values):
    weights = (keys @ query).softmax(0)
    return values[weights.argmax()], weights


@wrong("returns-swapped")
def swapped(query, keys, values):
    weights = (keys @ query).softmax(0)
    return weights, weights @ values


@wrong("returns-output-only")
def output_only(query, keys, values):
    return (keys @ query).softmax(0) @ values


@wrong("returns-scores")
def scores_too(query, keys, values):
    scores = keys @ query
    return scores.softmax(0) @ values, scores


@wrong("lookup-scaled", "lookup-keys-as-values")
def two_mistakes(query, keys, values):
    weights = (keys @ query / len(query) ** 0.5).softmax(0)
    return weights @ keys, weights


@wrong("shapes-do-not-fit")
def not_transposed(query, keys, values):
    weights = (query @ keys).softmax(0)
    return weights @ values, weights


@right
def plain(query, keys, values):
    weights = (keys @ query).softmax(dim=0)
    return weights @ values, weights


@right
def query_first(query, keys, values):
    weights = torch.softmax(query @ keys.T, -1)
    return weights @ values, weights


@right
def einsum(query, keys, values):
    weights = torch.softmax(torch.einsum("d,nd->n", query, keys), 0)
    return torch.einsum("n,nv->v", weights, values), weights


@right
def loop(query, keys, values):
    scores = torch.stack([key.dot(query) for key in keys])
    e = (scores - scores.max()).exp()
    weights = e / e.sum()
    output = torch.zeros(values.shape[1])
    for weight, value in zip(weights, values, strict=True):
        output = output + weight * value
    return output, weights


@right
def in_numpy(query, keys, values):
    scores = keys.numpy() @ query.numpy()
    e = np.exp(scores - scores.max())
    return (e / e.sum()) @ values.numpy(), e / e.sum()


@wrong("lookup-key-left-out")
def all_but_the_last(query, keys, values):
    n = max(len(keys) - 1, 1)
    weights = torch.softmax(keys[:n] @ query, 0)
    return weights @ values[:n], torch.cat([weights, keys.new_zeros(len(keys) - n)])


@wrong("lookup-score-stays-zero")
def from_one_on(query, keys, values):
    scores = keys.new_zeros(len(keys))
    for i in range(1, len(keys)):
        scores[i] = keys[i] @ query
    weights = scores.softmax(0)
    return weights @ values, weights


@wrong("no-max-subtraction", "lookup-overflows")
def in_doubles(query, keys, values):
    e = (keys @ query).double().exp()
    weights = (e / e.sum()).to(values.dtype)
    return weights @ values, weights


@wrong("dtypes-do-not-fit")
def filled_in_float32(query, keys, values):
    weights = torch.empty(len(keys))
    weights[:] = torch.softmax(keys @ query, 0)
    return weights @ values, weights


@wrong("axis-of-one-lost")
def squeezed(query, keys, values):
    weights = torch.softmax(query[None] @ keys.T, -1)
    return (weights @ values).squeeze(), weights.squeeze()


@wrong("lookup-axis-too-many")
def a_row_each(query, keys, values):
    weights = torch.softmax(query[None] @ keys.T, -1)
    return weights @ values, weights


@wrong("all-zeros")
def never_written(query, keys, values):
    weights = torch.zeros_like(keys[:, 0])
    return weights @ values, weights


@right
def pytorch_undone(query, keys, values):
    q = query[None] * math.sqrt(len(query))
    f = torch.nn.functional.scaled_dot_product_attention
    n = len(keys)
    return f(q, keys, values)[0], f(q, keys, torch.eye(n, dtype=keys.dtype))[0]


noun = Bank("find_the_noun")
Z = [0.0, 0.0]


def pair(name: str, W_q, W_k, *mistakes: str) -> None:
    """A pair of matrices as an answer, with a name for the test."""

    def answer(*args):
        return W_q, W_k

    answer.__name__ = name
    noun.answers.append(Answer("find_the_noun", answer, mistakes))


def to(*rows, times=1.0):
    return torch.tensor(rows) * times


Q = to(Z, Z, [1.0, 0.0], [0.0, 1.0])
K = to([1.0, 0.0], [0.0, 1.0], Z, Z)
DIAGONAL = to(
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
)
turn = torch.tensor([[0.6, -0.8], [0.8, 0.6]])

pair("as_in_the_fold", 6 * Q, K)
pair("half_in_each", 3 * Q, 2 * K)
pair("turned", 6 * Q @ turn, K @ turn)
pair("both_negative", -6 * Q, -K)
pair("one_wide", to([0.0], [0.0], [6.0], [-6.0]), to([1.0], [-1.0], [0.0], [0.0]))
pair("a_product_and_the_unit_matrix", 6 * Q @ K.T, DIAGONAL)
pair("lists", (6 * Q).tolist(), K.tolist())
pair("numpy", (6 * Q).numpy(), K.numpy())
pair("with_gradient", (6 * Q).requires_grad_(), K)
pair("doubles", (6 * Q).double(), K.double())
pair("integers", (6 * Q).long(), K.long())

pair("too_small", Q, K, "too-weak")
pair("roles", K, 6 * Q, "roles-swapped")
pair("turned_round", -6 * Q, K, "sign-flipped")
pair("nothing", 0 * Q, K, "row-is-flat")
pair("only_it", 6 * to(Z, Z, Z, [0.0, 1.0]), K, "row-is-flat")
pair("unit", 6 * DIAGONAL, DIAGONAL, "finds-itself")
pair("crossed", 6 * to(Z, Z, [0.0, 1.0], [1.0, 0.0]), K, "jobs-exchanged")
pair(
    "all_find_the_dog",
    to([0.0], [0.0], [6.0], [6.0]),
    to([1.0], [0.0], [0.0], [0.0]),
    "another-word-wins",
)
pair(
    "any_noun",
    6 * to([0.0], [0.0], [1.0], [1.0]),
    to([1.0], [1.0], [0.0], [0.0]),
    "tie",
)
pair("lying", (6 * Q).T, K.T, "matrices-transposed")
pair("queries_themselves", torch.zeros(8, 2), torch.zeros(8, 2), "matrix-of-words")
pair("three_features", torch.zeros(3, 2), torch.zeros(3, 2), "matrix-misshapen")
pair("two_widths", torch.zeros(4, 2), torch.zeros(4, 3), "widths-differ")
pair("not_a_number", Q * float("nan"), K, "matrix-not-finite")
pair("one_infinite", Q, K + to(Z, Z, Z, [0.0, float("inf")]), "matrix-not-finite")
pair("beyond_floats", 1e20 * Q, 1e20 * K, "scores-too-large")
pair("text", "W_q", "W_k", "not-two-matrices")
noun.answers.append(Answer("find_the_noun", lambda *args: Q, ("not-two-matrices",)))


doubled = Bank("doubled_key")


def says(value, *mistakes: str) -> None:
    """A prediction as an answer."""

    def answer(*args):
        return value

    answer.__name__ = f"says {value!r}"
    doubled.answers.append(Answer("doubled_key", answer, mistakes))


says("A", "weight-doubles")
says("C", "weight-always-rises")
says(" d ", "weight-unchanged")
says("E", "no-such-choice")
says("", "no-such-choice")
says(2, "no-such-choice")
says("B")
says("b)")
says('"B"')
says(["B"])
says(["A", "B"], "no-such-choice")
says({"B": True}, "no-such-choice")
noun.answers.append(Answer("find_the_noun", lambda: (6 * Q, K)))
noun.answers.append(Answer("find_the_noun", lambda *args: torch.stack([6 * Q, K])))
