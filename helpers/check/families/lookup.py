"""soft_lookup(query, keys, values) -> (output, weights), not divided by √d."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..space import Case, Choices, Exercise, Values
from ._normalised import normalised

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "scores": (
        "dot",
        {
            "over root d": "lookup-scaled",
            "over d": "lookup-divided-by-d",
            "values": "lookup-values-as-keys",
            "distance": "lookup-distance",
            "minus distance": "lookup-distance",
            "minus square": "lookup-distance",
            "minus half square": "lookup-distance",
            "cosine": "lookup-cosine",
            "softmax of keys": "lookup-softmax-of-keys",
            "softmax of query": "lookup-softmax-of-keys",
            "softmax of both": "lookup-softmax-of-keys",
        },
    ),
    "weights": (
        "keys",
        {
            "argmax": "lookup-argmax",
            "none": "lookup-no-softmax",
            "mean": "lookup-mean",
            "one": "lookup-softmax-of-one",
            "features": "lookup-softmax-over-features",
            "raw": "lookup-plain-shares",
            "abs": "lookup-plain-shares",
            "relu": "lookup-plain-shares",
            "no max": "lookup-overflows",
            "exp": "exp-not-normalised",
            "sigmoid": "lookup-other-function",
            "base 2": "lookup-other-function",
            "double": "double-softmax",
            "log": "log-softmax",
            "negated": "lookup-negated",
        },
    ),
    "blend": (
        "values",
        {
            "keys": "lookup-keys-as-values",
            "over n": "lookup-divided-by-n",
            "products": "lookup-not-blended",
            "best": "best-value-only",
            "mean": "weights-unused",
        },
    ),
    "returns": (
        "both",
        {
            "swapped": "returns-swapped",
            "scores": "returns-scores",
            "output": "returns-output-only",
            "weights": "returns-weights-only",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Scores, weights, blend; each step as the choices say."""
    query, keys, values = case.args
    s = _scores(query, keys, values, c["scores"])
    w = _weights(query, keys, s, c["weights"])
    output = {
        "keys": lambda: w @ keys,
        "over n": lambda: w @ values / len(keys),
        "products": lambda: w[:, None] * values,
        "best": lambda: values[w.argmax()],
        "mean": lambda: values.mean(0),
    }.get(c["blend"], lambda: w.T @ values if w.dim() > 1 else w @ values)()
    return {
        "both": (output, w),
        "swapped": (w, output),
        "scores": (output, s),
        "output": (output,),
        "weights": (w,),
    }[c["returns"]]


def _scores(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, how: str
) -> torch.Tensor:
    away = k - q
    return {
        "dot": lambda: k @ q,
        "over root d": lambda: k @ q / math.sqrt(len(q)),
        "over d": lambda: k @ q / len(q),
        "values": lambda: v @ q,
        "distance": lambda: away.norm(dim=1),
        "minus distance": lambda: -away.norm(dim=1),
        "minus square": lambda: -(away**2).sum(1),
        "minus half square": lambda: -(away**2).sum(1) / 2,
        "cosine": lambda: torch.nn.functional.cosine_similarity(k, q[None], dim=1),
        "softmax of keys": lambda: k.softmax(1) @ q,
        "softmax of query": lambda: k @ q.softmax(0),
        "softmax of both": lambda: k.softmax(1) @ q.softmax(0),
    }[how]()


def _weights(
    q: torch.Tensor, k: torch.Tensor, s: torch.Tensor, how: str
) -> torch.Tensor:
    if how == "mean":
        return torch.full_like(s, 1 / len(s))
    if how == "one":
        return torch.ones_like(s)
    if how == "features":
        return (k * q).softmax(1)
    return normalised(s, how)


def cases(seed: int) -> Sequence[Case]:
    """A prime for every size, then sizes that coincide, then what is out of the way."""
    g = torch.Generator().manual_seed(3299 + seed)

    def drawn(d: int, n: int, d_v: int) -> tuple[torch.Tensor, ...]:
        sizes = (d,), (n, d), (n, d_v)
        return tuple(torch.randn(*size, generator=g) for size in sizes)

    def case(name: str, about: str, args: Any, *tags: str, tol: float = 2e-4) -> Case:
        return Case(name, about, args, frozenset(tags), tol)

    query, keys, values = drawn(3, 5, 2)
    equal = "sizes that are all equal"
    return [
        case("plain", "5 keys with 3 features, values with 2", (query, keys, values)),
        case("wide", "7 keys with 11 features, values with 13", drawn(11, 7, 13)),
        case("square", "4 keys with 4 features, values with 4", drawn(4, 4, 4), equal),
        case("one-key", "a single key", drawn(3, 1, 2), "a single key"),
        case(
            "large",
            "scores in the hundreds",
            (query * 300, keys, values),
            "very large scores",
            tol=5e-3,
        ),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention, read off the learner's results."""
    query, keys, _ = case.args
    out: dict[str, Any] = {
        "d": len(query),
        "n": len(keys),
        "root_d": f"{math.sqrt(len(query)):.3g}",
        "got": tuple(values[0].shape),
    }
    w = values[-1]
    if w.numel():
        out |= {
            "weight_sum": numbers(w.sum()),
            "row_sum": numbers(w.sum()),
            "least": numbers(w.min()),
            "most": numbers(w.max()),
        }
    return out


EXERCISES = [
    Exercise(
        name="soft_lookup",
        parts=("output", "weights"),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("query", "keys", "values"),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            behave.gradients("plain", names=("query", "keys", "values")),
        ),
        symptoms=(behave.overflows("plain", "large"), behave.not_finite),
    )
]
