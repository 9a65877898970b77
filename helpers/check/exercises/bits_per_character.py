"""bits_per_character(counts, text): of a bigram model with add-one."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Exercise, one_number

LINES: Lines = {
    "V": ("counts.shape[0]", {}),
    "a": ("text[:-1]", {}),
    "b": ("text[1:]", {"text[:-1]": "bits-same-character"}),
    "table": ("counts.double()", {"counts.double().T": "bits-transposed"}),
    "more": ("1", {"0": "bits-nothing-added"}),
    "size": (
        "table[a].sum(-1) + more * V",
        {
            "table[a].sum(-1)": "bits-total-without-ones",
            "table[a].sum(-1) + more": "bits-one-in-the-total",
            "table[:, b].sum(0) + more * V": "bits-over-columns",
            "table.sum() + more * V * V": "bits-joint",
        },
    ),
    "p": (
        "(table[a, b] + more) / size",
        {"(table.sum(0)[b] + more) / (table.sum() + more * V)": "bits-unigram"},
    ),
    "each": (
        "-p.log2()",
        {
            "-p.log()": "bits-in-nats",
            "-p.log10()": "bits-base-10",
            "p.log2()": "bits-negative",
            "-p * p.log2()": "bits-weighted",
        },
    ),
    "rows": ("(table + more) / (table.sum(-1, True) + more * V)", {}),
    "returned": (
        "each.mean()",
        {
            "each.sum()": "bits-summed",
            "each.sum() / len(text)": "bits-by-n",
            "2 ** each.mean()": "bits-perplexity",
            "-p.mean().log2()": "bits-log-of-mean",
            "p.mean()": "bits-mean-chance",
            "-(rows * rows.log2()).sum(-1)[a].mean()": "bits-own-entropy",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Counts with a few gaps, and texts that fall into some of them."""
    g = torch.Generator().manual_seed(10_061 + seed)

    def case(name: str, about: str, v: int, n: int, top: int, *tags: str) -> Case:
        counts = torch.randint(top, (v, v), generator=g)
        counts[:, 0] += 3
        text = torch.randint(v, (n,), generator=g)
        if not tags:
            counts = counts + 1
        return Case(name, about, (counts, text), frozenset(tags), 1e-5)

    gaps = "pairs that never occurred"
    return [
        case("plain", "7 characters, a text of 41", 7, 41, 9),
        case("gaps", gaps, 11, 53, 3, gaps),
        case("two", "a text of two characters", 5, 2, 7),
        case("unseen", "a character that nothing followed", 6, 31, 1, gaps),
    ]


EXERCISES = [
    Exercise(
        name="bits_per_character",
        parts=("bits",),
        compute=Program("counts text", LINES),
        cases=cases,
        unpack=one_number,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
