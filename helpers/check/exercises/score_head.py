"""score_head(hits, sentence) -> (head, share): chosen here, scored there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Rational
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import number
from ..program import Program
from ..space import Case, Departure, Exercise, Values, two_numbers


def of_sentences(right: torch.Tensor, sentence: torch.Tensor) -> list[torch.Tensor]:
    """The hits of each sentence, for one head or all of them."""
    return [right[sentence == s] for s in sentence.unique()]


LINES = {
    "odd": (
        "sentence % 2 == 1",
        {
            "torch.arange(len(hits)) % 2 == 1": "split-by-case",
            "sentence >= (sentence.min() + sentence.max() + 1) // 2": (
                "split-in-the-middle"
            ),
            "torch.arange(len(hits)) >= len(hits) // 2": "split-in-the-middle",
            "sentence.sort().values % 2 == 1": "sentences-sorted-hits-not",
            "sentence.unique(return_inverse=True)[1] % 2 == 1": (
                "sentences-numbered-anew"
            ),
        },
    ),
    "every": ("torch.ones_like(odd)", {}),
    "chosen": ("~odd", {"every": "chosen-on-everything", "odd": "chosen-where-scored"}),
    "scored": (
        "odd",
        {"every": "scored-on-everything", "~odd": "scored-where-chosen"},
    ),
    "groups": ("of_sentences(hits[chosen].double(), sentence[chosen])", {}),
    "shares": (
        "hits[chosen].double().mean(0)",
        {
            "torch.stack([g.mean(0) for g in groups]).mean(0)": "chosen-by-sentences",
            "torch.stack([g.amax(0) for g in groups]).mean(0)": "chosen-by-sentences",
        },
    ),
    "head": (
        "shares.argmax()",
        {
            "shares.argmin()": "worst-head",
            "hits[chosen].double().mean(1).argmax()": "best-case-not-best-head",
            "hits[chosen].double().mean(1).argmax() % hits.shape[1]": (
                "best-case-not-best-head"
            ),
            "0 * shares.argmax()": "head-0-always",
        },
    ),
    "right": ("hits[scored, head].double()", {}),
    "parts": ("of_sentences(right, sentence[scored])", {}),
    "share": (
        "right.mean()",
        {
            "hits[scored].double().mean(0).max()": "best-again-on-the-scored-half",
            "shares.max()": "scored-where-chosen",
            "right.sum()": "count-not-share",
            "hits[scored].double().mean()": "no-head-chosen",
            "right.sum() / len(hits)": "divided-by-all-cases",
            "torch.stack([p.mean() for p in parts]).mean()": "mean-over-sentences",
            "right.median()": "median-not-share",
            "right.quantile(0.5)": "median-not-share",
            "1 - right.mean()": "share-of-misses",
            "100 * right.mean()": "share-in-percent",
            "torch.stack([p.max() for p in parts]).mean()": "one-hit-is-enough",
        },
    ),
    "returned": (
        "(head, share.float())",
        {
            "(share.float(), head)": "head-and-share-swapped",
            "share.float()": "share-only",
            "head": "head-only",
            "(head + 1, share.float())": "heads-counted-from-one",
        },
    ),
}


def fixed(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """The same two numbers on every case."""
    found = {tuple(map(float, v)) if v and len(v) == 2 else None for v in seen}
    if len(found) > 1 or not (pair := found.pop()):
        return []
    head, share = pair
    same = f"(torch.tensor({head}), torch.tensor({share}))"
    return [Departure("same-for-any-argument", "returned", same, {"part": "answer"})]


def cases(seed: int) -> Sequence[Case]:
    """Several cases per sentence, so that half of the cases is not half of them.

    In each the best head of the even sentences is the only best one.
    """
    g = torch.Generator().manual_seed(9107 + seed)

    def drawn(
        heads: int, counts: Sequence[int], start: int = 0, apart: bool = False
    ) -> tuple[Any, Any]:
        numbers = [start + s for s, count in enumerate(counts) for _ in range(count)]
        sentence = torch.tensor(numbers)
        while True:
            odds = torch.rand(heads, generator=g)
            hits = torch.rand(len(numbers), heads, generator=g) < odds
            halves = (sentence % 2 == 0, sentence % 2 == 1)
            tops = [hits[half].double().mean(dim=0) for half in halves]
            alone = all(int((t == t.max()).sum()) == 1 for t in tops)
            if not alone or tops[0].argmax() == tops[1].argmax():
                continue
            groups = of_sentences(hits[halves[0]].double(), sentence[halves[0]])
            by_sentences = torch.stack([g.mean(0) for g in groups]).mean(0)
            if not apart or by_sentences.argmax() != tops[0].argmax():
                return hits, sentence

    mixed, numbers = drawn(11, (3, 1, 2, 3, 1, 4, 2, 3))
    order = torch.randperm(len(numbers), generator=g)
    many, single = (2, 3) * 6 + (1,), frozenset(["one case per sentence"])
    return [
        Case(
            "seven",
            "17 cases in 7 sentences",
            drawn(5, (5, 2, 1, 4, 1, 3, 1), apart=True),
        ),
        Case("many", "31 cases in 13 sentences, 72 heads", drawn(72, many)),
        Case("later", "sentences numbered from 5", drawn(3, (4, 1, 3, 2, 2, 3), 5)),
        Case("mixed", "cases in no order", (mixed[order], numbers[order])),
        Case("single", "one case per sentence", drawn(7, (1,) * 13), single),
    ]


def unpack(result: Any) -> Values:
    """The two numbers; from a dict, or from one tensor of two, as well."""
    if isinstance(result, Mapping) and {*result} == {"head", "share"}:
        result = result["head"], result["share"]
    if isinstance(result, list | tuple):
        result = tuple(float(r) if isinstance(r, Rational) else r for r in result)
    return two_numbers(result)


def facts(case: Case, values: Values) -> dict[str, Any]:
    """How many cases and heads there are, and the share returned."""
    hits, sentence = case.args
    odd = sentence % 2 == 1
    return {
        "n": len(hits),
        "scored": int(odd.sum()),
        "chosen": int((~odd).sum()),
        "heads": hits.shape[1],
        "share": number(values[-1]) if values[-1].numel() == 1 else "no number",
    }


EXERCISES = [
    Exercise(
        name="score_head",
        parts=("head", "share"),
        compute=Program("hits sentence", LINES, of_sentences=of_sentences),
        cases=cases,
        facts=facts,
        fit=fixed,
        unpack=unpack,
        behaviours=(behave.arguments_untouched, behave.calls_agree("seven")),
        symptoms=(behave.not_finite,),
        praise=(
            "The head is chosen on the even sentences alone and scored on the odd ones "
            "alone, and no sentence is on both sides."
        ),
    )
]
