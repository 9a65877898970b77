"""score_head(hits, sentence) -> (head, share): chosen here, scored there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Rational
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Values, two_numbers

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "split": (
        "by sentence",
        {
            "by case": "split-by-case",
            "in the middle": "split-in-the-middle",
            "cases in the middle": "split-in-the-middle",
            "sorted": "sentences-sorted-hits-not",
            "numbered anew": "sentences-numbered-anew",
        },
    ),
    "chosen on": (
        "even",
        {
            "everything": "chosen-on-everything",
            "odd": "chosen-where-scored",
        },
    ),
    "scored on": (
        "odd",
        {
            "everything": "scored-on-everything",
            "even": "scored-where-chosen",
        },
    ),
    "head": (
        "best",
        {
            "worst": "worst-head",
            "by cases": "best-case-not-best-head",
        },
    ),
    "share": (
        "mean",
        {
            "best again": "best-again-on-the-scored-half",
            "count": "count-not-share",
            "of every head": "no-head-chosen",
            "of all": "divided-by-all-cases",
            "by sentence": "mean-over-sentences",
            "missed": "share-of-misses",
            "percent": "share-in-percent",
            "any hit": "one-hit-is-enough",
        },
    ),
    "returns": (
        "both",
        {
            "swapped": "head-and-share-swapped",
            "share": "share-only",
            "head from 1": "heads-counted-from-one",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Choose on even sentences, score on odd ones; each step as the choices say."""
    hits, sentence = case.args
    odd = {
        "by case": torch.arange(len(hits)) % 2 == 1,
        "cases in the middle": torch.arange(len(hits)) >= len(hits) // 2,
        "sorted": sentence.sort().values % 2 == 1,
        "numbered anew": sentence.unique(return_inverse=True)[1] % 2 == 1,
        "in the middle": sentence >= (sentence.min() + sentence.max() + 1) // 2,
    }.get(c["split"], sentence % 2 == 1)
    halves = {"even": ~odd, "odd": odd, "everything": torch.ones_like(odd)}
    chosen, scored = halves[c["chosen on"]], halves[c["scored on"]]
    numbers = hits.double()
    shares = numbers[chosen].mean(dim=0)
    head = {
        "worst": lambda: shares.argmin(),
        "by cases": lambda: numbers[chosen].mean(dim=1).argmax(),
    }.get(c["head"], lambda: shares.argmax())()
    right = numbers[scored, head]
    share = {
        "best again": lambda: numbers[scored].mean(dim=0).max(),
        "count": lambda: right.sum(),
        "of every head": lambda: numbers[scored].mean(),
        "of all": lambda: right.sum() / len(hits),
        "missed": lambda: 1 - right.mean(),
        "percent": lambda: 100 * right.mean(),
        "any hit": lambda: torch.stack(
            [right[sentence[scored] == s].max() for s in sentence[scored].unique()]
        ).mean(),
        "by sentence": lambda: torch.stack(
            [right[sentence[scored] == s].mean() for s in sentence[scored].unique()]
        ).mean(),
    }.get(c["share"], lambda: right.mean())()
    found = (head, share.float())
    if c["returns"] == "swapped":
        return found[::-1]
    if c["returns"] == "head from 1":
        return head + 1, share.float()
    return found[1:] if c["returns"] == "share" else found


def cases(seed: int) -> Sequence[Case]:
    """Several cases a sentence, so that half of the cases is not half of them.

    In each the best head of the even sentences is the only best one.
    """
    g = torch.Generator().manual_seed(9107 + seed)

    def drawn(heads: int, counts: Sequence[int], start: int = 0) -> tuple[Any, Any]:
        numbers = [start + s for s, count in enumerate(counts) for _ in range(count)]
        sentence = torch.tensor(numbers)
        while True:
            odds = torch.rand(heads, generator=g)
            hits = torch.rand(len(numbers), heads, generator=g) < odds
            halves = (sentence % 2 == 0, sentence % 2 == 1)
            tops = [hits[half].double().mean(dim=0) for half in halves]
            alone = all(int((t == t.max()).sum()) == 1 for t in tops)
            if alone and tops[0].argmax() != tops[1].argmax():
                return hits, sentence

    mixed, numbers = drawn(11, (3, 1, 2, 3, 1, 4, 2, 3))
    order = torch.randperm(len(numbers), generator=g)
    return [
        Case(
            "seven", "17 cases in 7 sentences, 5 heads", drawn(5, (3, 2, 1, 4, 2, 3, 2))
        ),
        Case(
            "many", "31 cases in 13 sentences, 72 heads", drawn(72, (2, 3) * 6 + (1,))
        ),
        Case(
            "later", "sentences numbered from 5", drawn(3, (4, 1, 3, 2, 2, 3), start=5)
        ),
        Case("mixed", "cases in no order", (mixed[order], numbers[order])),
        Case(
            "single", "one case a sentence", drawn(7, (1,) * 13), frozenset(["single"])
        ),
    ]


def unpack(result: Any) -> Values:
    """The two numbers; from a dict, or from one tensor of two, as well."""
    if isinstance(result, Mapping) and {*result} == {"head", "share"}:
        result = result["head"], result["share"]
    if isinstance(result, list | tuple):
        result = tuple(float(r) if isinstance(r, Rational) else r for r in result)
    return two_numbers(result)


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    hits, sentence = case.args
    odd = sentence % 2 == 1
    return {
        "n": len(hits),
        "scored": int(odd.sum()),
        "chosen": int((~odd).sum()),
        "heads": hits.shape[1],
        "got": number(values[-1]),
    }


EXERCISES = [
    Exercise(
        name="score_head",
        parts=("head", "share"),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("hits", "sentence"),
        unpack=unpack,
        behaviours=(behave.arguments_untouched, behave.calls_agree("seven")),
        symptoms=(behave.not_finite,),
        praise=(
            "The head is chosen on the even sentences alone and scored on the odd ones "
            "alone, and no sentence is on both sides."
        ),
    )
]
