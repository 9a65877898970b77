"""soft_lookup(query, keys, values) -> (output, weights), not divided by √d."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..program import Program
from ..space import Case, Exercise, Values

INF = math.inf


def put(scores: torch.Tensor, place: int, value: float) -> torch.Tensor:
    """The scores with one of them replaced; a single score stays."""
    if len(scores) > 1:
        scores = scores.clone()
        scores[place] = value
    return scores


LINES = {
    "d": ("len(query)", {}),
    "n": ("len(keys)", {}),
    "s": (
        "keys @ query",
        {
            "keys @ query / math.sqrt(d)": "lookup-scaled",
            "keys @ query / d": "lookup-divided-by-d",
            "values @ query": "lookup-values-as-keys",
            "(keys - query).norm(dim=1)": "lookup-distance",
            "-(keys - query).norm(dim=1)": "lookup-distance",
            "-((keys - query) ** 2).sum(1)": "lookup-distance",
            "-((keys - query) ** 2).sum(1) / 2": "lookup-distance",
            "-(keys - query).abs().sum(1)": "lookup-distance",
            "F.cosine_similarity(keys, query[None], dim=1)": "lookup-cosine",
            "F.normalize(keys, dim=1) @ query": "lookup-cosine",
            "keys @ F.normalize(query, dim=0)": "lookup-cosine",
            "keys.softmax(1) @ query": "lookup-softmax-of-keys",
            "keys @ query.softmax(0)": "lookup-softmax-of-keys",
            "keys.softmax(1) @ query.softmax(0)": "lookup-softmax-of-keys",
            "put(keys @ query, 0, -INF)": "lookup-key-left-out",
            "put(keys @ query, -1, -INF)": "lookup-key-left-out",
            "put(keys @ query, 0, 0.0)": "lookup-score-stays-zero",
            "put(keys @ query, -1, 0.0)": "lookup-score-stays-zero",
        },
    ),
    "w": (
        "s.softmax(0)",
        {
            "torch.zeros_like(s).scatter(0, s.argmax(0, True), 1.0)": "lookup-argmax",
            "s": "lookup-no-softmax",
            "torch.full_like(s, 1 / n)": "lookup-mean",
            "torch.ones_like(s)": "lookup-softmax-of-one",
            "(keys * query).softmax(1)": "lookup-softmax-over-features",
            "s / s.sum()": "lookup-plain-shares",
            "s.abs() / s.abs().sum()": "lookup-plain-shares",
            "s.relu() / s.relu().sum()": "lookup-plain-shares",
            "s ** 2 / (s ** 2).sum()": "lookup-plain-shares",
            "s.exp() / s.exp().sum()": "lookup-overflows",
            "(s.double().exp() / s.double().exp().sum()).float()": "lookup-overflows",
            "(s.exp() / s.exp().sum()).nan_to_num(0.0)": "lookup-overflows",
            "s.exp()": "exp-not-normalised",
            "s.sigmoid()": "lookup-other-function",
            "2 ** (s - s.max()) / (2 ** (s - s.max())).sum()": "lookup-other-function",
            "s.softmax(0).round(decimals=1)": "weights-rounded",
            "s.softmax(0).round(decimals=2)": "weights-rounded",
            "s.softmax(0).softmax(0)": "double-softmax",
            "s.log_softmax(0)": "log-softmax",
            "(-s).softmax(0)": "lookup-negated",
        },
    ),
    "output": (
        "w.T @ values if w.dim() > 1 else w @ values",
        {
            "w @ keys": "lookup-keys-as-values",
            "w @ values / n": "lookup-divided-by-n",
            "w[:, None] * values": "lookup-not-blended",
            "values[w.argmax()]": "best-value-only",
            "values.mean(0)": "weights-unused",
        },
    ),
    "returned": (
        "(output, w)",
        {
            "(w, output)": "returns-swapped",
            "(output, s)": "returns-scores",
            "output": "returns-output-only",
            "w": "returns-weights-only",
            "(output[None], w)": "lookup-axis-too-many",
            "(output[None], w[None])": "lookup-axis-too-many",
            "(output, w[None])": "lookup-axis-too-many",
            "(output[:, None], w[:, None])": "lookup-axis-too-many",
            "(output, w[:, None])": "lookup-axis-too-many",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """A prime for every size, then sizes that coincide, then what is out of the way."""
    g = torch.Generator().manual_seed(3299 + seed)

    def drawn(d: int, n: int, d_v: int) -> tuple[torch.Tensor, ...]:
        sizes = (d,), (n, d), (n, d_v)
        return tuple(torch.randn(*size, generator=g) for size in sizes)

    def case(name: str, about: str, args: Any, *tags: str, tol: float = 2e-4) -> Case:
        return Case(name, about, args, frozenset(tags), tol)

    query, keys, values = drawn(3, 5, 2)
    top = keys[(keys @ query).abs().argmax()] @ query
    equal, narrow = "sizes that are all equal", "values with a single feature"
    return [
        case("plain", "5 keys with 3 features, values with 2", (query, keys, values)),
        case("wide", "7 keys with 11 features, values with 13", drawn(11, 7, 13)),
        case("square", "4 keys with 4 features, values with 4", drawn(4, 4, 4), equal),
        case("one-key", "a single key", drawn(3, 1, 2), "a single key"),
        case("narrow", "values with 1 feature", drawn(3, 5, 1), narrow),
        case(
            "large",
            "a largest score of 1000",
            (query * 1000 / top, keys, values),
            "very large scores",
            tol=5e-3,
        ),
        case(
            "double",
            "the first case in float64",
            (query.double(), keys.double(), values.double()),
            "numbers in float64",
        ),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The sizes, and the sum of the weights."""
    query, keys, _ = case.args
    found = {"d": len(query), "n": len(keys), "root_d": f"{math.sqrt(len(query)):.3g}"}
    return found | ({"weight_sum": numbers(values[-1].sum())} if values else {})


EXERCISES = [
    Exercise(
        name="soft_lookup",
        parts=("output", "weights"),
        compute=Program("query keys values", LINES, put=put),
        cases=cases,
        facts=facts,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.overflows("plain", "large"), behave.not_finite),
        remarks=(behave.gradients("plain", names=("query", "keys", "values")),),
    )
]
