"""top_p(logits, p) -> probabilities, those outside the nucleus 0."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise

LINES: Lines = {
    "chance": ("logits.softmax(-1)", {}),
    "order": (
        "chance.argsort(descending=True)",
        {"chance.argsort()": "top-p-ascending"},
    ),
    "ranked": ("chance[order]", {}),
    "before": (
        "ranked.cumsum(0) - ranked",
        {
            "ranked.cumsum(0)": "top-p-crossing-dropped",
            "F.pad((ranked.cumsum(0) - ranked)[:-1], (1, 0))": "top-p-one-too-many",
        },
    ),
    "keep": (
        "before < p",
        {
            "before >= p": "top-p-rest-kept",
            "torch.arange(len(before)) < round(p * len(before))": "top-p-as-share",
            "ranked >= p": "top-p-as-threshold",
            "ranked >= 1 - p": "top-p-as-threshold",
            "ranked >= p * ranked.max()": "top-p-min-p",
        },
    ),
    "kept": ("torch.where(keep, ranked, torch.zeros(()))", {}),
    "back": (
        "torch.zeros_like(kept).scatter(0, order, kept)",
        {
            "kept": "top-p-left-sorted",
            "kept[order]": "top-p-sorted-twice",
            "torch.where(chance.cumsum(0) - chance < p, chance, torch.zeros(()))": (
                "top-p-not-sorted"
            ),
        },
    ),
    "returned": (
        "back / back.sum()",
        {
            "back": "top-p-not-renormalised",
            "back.softmax(0)": "top-p-softmax-again",
            "torch.where(back > 0, logits, torch.zeros(())).softmax(0)": (
                "top-p-zero-logits"
            ),
            "torch.where(back > 0, logits, torch.tensor(-INF))": "top-p-logits",
            "(back > 0) / (back > 0).sum()": "top-p-all-alike",
            "(back > 0).float()": "top-p-which",
            "chance": "top-p-nothing-removed",
            "(logits / p).softmax(-1)": "top-p-temperature",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """No sum that just reaches p: rounding would decide there."""
    g = torch.Generator().manual_seed(10_093 + seed)

    def case(name: str, about: str, v: int, p: float, *tags: str) -> Case:
        while True:
            logits = 1.4 * torch.randn(v, generator=g)
            sums = logits.softmax(0).sort(descending=True).values.cumsum(0)
            if (sums - p).abs().min() > 0.01 or p == 1:
                return Case(name, about, (logits, p), frozenset(tags))

    narrow = "a p that the likeliest character exceeds"
    return [
        case("plain", "7 characters, p = 0.75", 7, 0.75),
        case("half", "13 characters, p = 0.5", 13, 0.5),
        Case(
            "narrow",
            narrow,
            (torch.tensor([0.3, 2.0, 0.1, -1.0]), 0.3),
            frozenset([narrow]),
        ),
        case("high", "11 characters, p = 0.95", 11, 0.95),
        case("all", "p = 1", 5, 1.0, "p = 1"),
    ]


EXERCISES = [
    Exercise(
        name="top_p",
        parts=("probabilities",),
        compute=Program("logits p", LINES),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
