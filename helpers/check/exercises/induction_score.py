"""induction_score(weights, tokens): the mean weight behind the earlier occurrence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Finding, Values, one_number

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "place": (
        "successor",
        {
            "twin": "score-on-the-twin",
            "before twin": "score-before-the-twin",
            "two behind": "score-two-behind",
            "previous": "score-previous-token",
            "diagonal": "score-previous-token",
            "half back": "score-half-a-sequence-back",
            "itself": "score-itself",
            "last": "score-last-token",
        },
    ),
    "which": (
        "latest",
        {"first": "score-first-occurrence", "all": "score-all-occurrences"},
    ),
    "rows": (
        "repeats",
        {
            "all": "score-divided-by-n",
            "behind the first": "score-divided-by-n",
            "last": "score-last-row-only",
            "half": "score-second-half",
        },
    ),
    "map": ("rows ask", {"transposed": "score-transposed"}),
    "how": (
        "mean",
        {
            "sum": "score-summed",
            "share": "score-argmax-share",
            "largest": "score-largest",
            "percent": "score-in-percent",
            "zero": "score-zero",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The rows that count, the column that counts in each, and their mean."""
    weights, tokens = case.args
    if c["map"] == "transposed":
        weights = weights.T
    n = len(tokens)
    earlier = memo.setdefault(
        "earlier",
        [[s for s in range(t) if tokens[s] == tokens[t]] for t in range(n)],
    )
    if c["place"] == "diagonal":
        found = [_at(weights, t, t - 1, c["how"]) for t in range(1, n)]
    elif c["place"] == "half back":
        found = list(weights.diagonal(1 - n // 2))
    else:
        rows = [t for t in range(n) if earlier[t]]
        if c["rows"] == "half":
            rows = [t for t in rows if t >= n // 2]
        if c["rows"] == "last":
            rows = [t for t in rows if t == n - 1]
        found = []
        for t in rows:
            twins = {"latest": earlier[t][-1:], "first": earlier[t][:1]}.get(
                c["which"], earlier[t]
            )
            columns = [_column(t, s, n, c["place"]) for s in twins]
            found.append(sum(_at(weights, t, j, c["how"]) for j in columns))
    if not found or c["how"] == "zero":
        return (torch.tensor(0.0),)
    values = torch.stack([torch.as_tensor(f, dtype=torch.float32) for f in found])
    if c["how"] == "sum":
        return (values.sum(),)
    if c["how"] == "largest":
        return (values.max(),)
    count = {"all": n, "behind the first": n - 1}.get(c["rows"], len(values))
    return (values.sum() / count * (100 if c["how"] == "percent" else 1),)


def _column(t: int, s: int, n: int, place: str) -> int:
    return {
        "twin": s,
        "before twin": s - 1,
        "two behind": s + 2,
        "previous": t - 1,
        "itself": t,
        "last": n - 1,
    }.get(place, s + 1)


def _at(weights: torch.Tensor, t: int, j: int, how: str) -> torch.Tensor | float:
    """A weight, or whether it is the largest of its row; 0 outside the map."""
    if not 0 <= j < weights.shape[1]:
        return 0.0
    return float(weights[t].argmax() == j) if how == "share" else weights[t, j]


def cases(seed: int) -> Sequence[Case]:
    """Few kinds of tokens, so that many repeat; then two blocks; then no repeat."""
    g = torch.Generator().manual_seed(6151 + seed)

    def case(name: str, about: str, tokens: torch.Tensor, *tags: str) -> Case:
        n = len(tokens)
        scores = 2 * torch.randn(n, n, generator=g)
        causal = torch.ones(n, n, dtype=torch.bool).tril()
        weights = scores.masked_fill(~causal, -torch.inf).softmax(-1)
        return Case(name, about, (weights, tokens), frozenset(tags), tol=1e-4)

    block = torch.randperm(11, generator=g)[:5]
    plain = torch.cat([block[:3], torch.randint(5, (8,), generator=g)])
    plain[-3:] = plain[torch.tensor([1, 4, 0])]
    return [
        case("plain", "11 tokens, some of them repeated", plain),
        case("long", "17 tokens of 7 kinds", torch.randint(7, (17,), generator=g)),
        case("block", "5 tokens, and the same 5 again", torch.cat([block, block])),
        case(
            "distinct",
            "7 tokens, no two alike",
            torch.randperm(13, generator=g)[:7],
            "no token that repeats",
        ),
    ]


def other_score(trial: Trial) -> Finding | None:
    """The two numbers, of the first case that differs."""
    for i in trial.failing:
        got, case = trial.seen[i], trial.cases[i]
        if got is not None and len(got) == 1 and not got[0].dim():
            due = {"due": number(trial.right(case)[0])}
            return Finding("score-other", facts(case, got) | due)
    return None


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    _, tokens = case.args
    repeats = len(tokens) - len(tokens.unique())
    return {"n": len(tokens), "repeats": repeats, "got": number(values[0].flatten()[0])}


EXERCISES = [
    Exercise(
        name="induction_score",
        parts=("score",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("weights", "tokens"),
        unpack=one_number,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite, other_score),
    )
]
