"""induction_score(weights, tokens): the mean weight behind the earlier occurrence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Finding, Values, one_number

Twins = list[tuple[int, list[int]]]


def repeats(tokens: torch.Tensor) -> Twins:
    """(t, earlier positions of the same token), for every t that has any."""
    ids = tokens.tolist()
    found = [(t, [s for s in range(t) if ids[s] == ids[t]]) for t in range(len(ids))]
    return [(t, earlier) for t, earlier in found if earlier]


def weight(weights: torch.Tensor, t: int, j: int) -> torch.Tensor:
    """A weight of the map; 0 outside it."""
    inside = 0 <= j < weights.shape[1]
    return weights[t, j] if inside else torch.zeros(())


def hit(weights: torch.Tensor, t: int, j: int) -> torch.Tensor:
    """1 if the weight is the largest of its row."""
    return (weights[t].argmax() == j).float()


def read(
    rows: Twins,
    column: Callable[[int, int], int],
    cell: Callable[[int, int], torch.Tensor],
) -> torch.Tensor:
    """One number for each row: the cells behind its earlier positions, added up."""
    found = [sum(cell(t, column(t, s)) for s in earlier) for t, earlier in rows]
    return torch.stack([f.float() for f in found]) if found else torch.zeros(0)


def middle(found: torch.Tensor, share: float) -> torch.Tensor:
    """The median; of two in the middle: the lower (0), the upper (1) or between."""
    if not len(found):
        return torch.zeros(())
    ordered, last = found.sort().values, len(found) - 1
    return torch.lerp(ordered[last // 2], ordered[(last + 1) // 2], share)


LINES = {
    "n": ("len(tokens)", {}),
    "map": ("weights", {"weights.mT": "score-transposed"}),
    "rows": (
        "[(t, earlier[-1:]) for t, earlier in repeats(tokens)]",
        {
            "[(t, earlier[:1]) for t, earlier in repeats(tokens)]": (
                "score-first-occurrence"
            ),
            "repeats(tokens)": "score-all-occurrences",
            "[(t, s) for t, s in repeats(tokens) if len(s) == 1]": (
                "score-first-repeat-only"
            ),
            "[(t, s[-1:]) for t, s in repeats(tokens) if t == n - 1]": (
                "score-last-row-only"
            ),
            "[(t, s[-1:]) for t, s in repeats(tokens) if t >= n // 2]": (
                "score-second-half"
            ),
            "[(t, [t]) for t in range(n)]": "score-itself-as-earlier",
        },
    ),
    "column": (
        "lambda t, s: s + 1",
        {
            "lambda t, s: s": "score-on-the-twin",
            "lambda t, s: s - 1": "score-before-the-twin",
            "lambda t, s: (s - 1) % n": "score-before-the-twin",
            "lambda t, s: s + 2": "score-two-behind",
            "lambda t, s: t - 1": "score-previous-token",
            "lambda t, s: t": "score-itself",
            "lambda t, s: n - 1": "score-last-token",
        },
    ),
    "cell": (
        "lambda t, j: weight(map, t, j)",
        {"lambda t, j: hit(map, t, j)": "score-argmax-share"},
    ),
    "found": (
        "read(rows, column, cell)",
        {
            "map.diagonal(-1)": "score-previous-token",
            "map.diagonal(1 - n // 2)": "score-half-a-sequence-back",
        },
    ),
    "score": (
        "found.sum() / max(len(found), 1)",
        {
            "found.sum() / n": "score-divided-by-n",
            "found.sum() / (n - 1)": "score-divided-by-n",
            "found.sum()": "score-summed",
            "found.prod()": "score-product",
            "found.prod() * bool(len(found))": "score-product",
            "torch.cat([found, torch.zeros(1)]).max()": "score-largest",
            "middle(found, 0.5)": "score-median",
            "middle(found, 0.0)": "score-median",
            "middle(found, 1.0)": "score-median",
            "100 * found.sum() / max(len(found), 1)": "score-in-percent",
            "found.mean()": "score-nan-without-repeats",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Few kinds of tokens, so that many repeat; then two blocks; then no repeat."""
    g = torch.Generator().manual_seed(6151 + seed)

    def case(name: str, about: str, tokens: torch.Tensor, *tags: str) -> Case:
        n = len(tokens)
        scores = 2 * torch.randn(n, n, generator=g)
        if name != "open":
            ahead = torch.ones(n, n, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(ahead, -torch.inf)
        scores[-1] /= 4  # no weight of the last row is so small that it looks like 0
        weights = scores.softmax(-1)
        return Case(name, about, (weights, tokens), frozenset(tags), tol=1e-4)

    block = torch.randperm(11, generator=g)[:5]
    plain = torch.cat([block[:3], torch.randint(5, (8,), generator=g)])
    plain[-3:] = plain[torch.tensor([1, 4, 0])]
    return [
        case("plain", "11 tokens, some of them repeated", plain),
        case("long", "17 tokens of 7 kinds", torch.randint(7, (17,), generator=g)),
        case("block", "5 tokens, and the same 5 again", torch.cat([block, block])),
        case(
            "open",
            "13 tokens of 5 kinds, and a map that is not causal",
            torch.randint(5, (13,), generator=g),
        ),
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
            shown = {"got": number(got[0]), "due": number(trial.right(case)[0])}
            return Finding("score-other", facts(case, got) | shown)
    return None


def facts(case: Case, values: Values) -> dict[str, Any]:
    """How many tokens there are, and how many of them are repeats."""
    _, tokens = case.args
    return {"n": len(tokens), "repeats": len(tokens) - len(tokens.unique())}


EXERCISES = [
    Exercise(
        name="induction_score",
        parts=("score",),
        compute=Program(
            "weights tokens",
            LINES,
            repeats=repeats,
            read=read,
            weight=weight,
            hit=hit,
            middle=middle,
        ),
        cases=cases,
        facts=facts,
        unpack=one_number,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite, other_score),
    )
]
