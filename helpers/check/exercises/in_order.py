"""in_order(explanation, effects, named, gap) -> share of pairs in the right order.

All about one sentence of T words. A pair counts if both words can be named and their
effects differ by more than the gap; a tie in the explanation counts half.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise, one_number

LINES = {
    "larger": (  # (T, T): is the row's effect larger than the column's?
        "effects[:, None] - effects > gap",
        {
            "effects[:, None] > effects": "order-no-gap",
            "(effects[:, None] - effects).abs() > gap": "order-both-directions",
            "effects[:, None] - effects > 0.2": "order-fixed-gap",
            "effects[:, None] - effects < gap": "order-gap-turned-round",
        },
    ),
    "both": (
        "named[:, None] & named",
        {
            "torch.ones_like(larger)": "order-all-words",
            "named[:, None] | named": "order-one-of-two-named",
            "named[:, None].expand_as(larger)": "order-one-of-two-named",
            "named.expand_as(larger)": "order-one-of-two-named",
            "~named[:, None] & ~named": "order-unnamed-words",
        },
    ),
    "pairs": ("larger & both", {}),
    "lead": (
        "explanation[:, None] - explanation",
        {
            "explanation - explanation[:, None]": "order-turned-round",
            "explanation[:, None].abs() - explanation.abs()": "order-sign-dropped",
            "effects[:, None] - effects": "order-effects-twice",
        },
    ),
    "right": (
        "(lead > 0).double() + 0.5 * (lead == 0).double()",
        {
            "(lead > 0).double()": "order-ties-wrong",
            "(lead >= 0).double()": "order-ties-right",
            "(lead > gap).double()": "order-gap-in-explanation",
            "(lead > gap).double() + 0.5 * (lead.abs() <= gap).double()": (
                "order-gap-in-explanation"
            ),
            "lead.double()": "order-leads-added",
        },
    ),
    "share": (
        "(right * pairs).sum() / pairs.sum()",
        {
            "(right * pairs).sum()": "order-counted",
            "(right * pairs).mean()": "order-over-all-cells",
            "(right * pairs).sum() / (len(named) * (len(named) - 1) / 2)": (
                "order-over-all-cells"
            ),
            "((right * pairs).sum(1) / pairs.sum(1)).nanmean()": "order-mean-of-means",
            "2 * (right * pairs).sum() / pairs.sum() - 1": "order-as-tau",
            "1 - (right * pairs).sum() / pairs.sum()": "order-turned-round",
            "100 * (right * pairs).sum() / pairs.sum()": "order-in-percent",
            "(explanation.argmax() == effects.argmax()).double()": "order-top-only",
            "torch.corrcoef(torch.stack((explanation, effects)))[0, 1]": (
                "order-correlation"
            ),
            "torch.corrcoef(torch.stack((explanation[named], effects[named])))[0, 1]": (
                "order-correlation"
            ),
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Sentences with ties, with words that can't be named, with effects alike."""
    g = torch.Generator().manual_seed(907 + seed)
    by_hand = (
        torch.tensor([0.1, 0.6, 0.1, 0.2, 0.0]),
        torch.tensor([0.9, 0.8, 0.0, 0.1, 0.5]),
        torch.tensor([True, True, True, True, False]),
        0.2,
    )
    found = [Case("by-hand", "one sentence of 5 words, one without a name", by_hand)]
    for T, gap, tag in (
        (7, 0.2, "with every word named"),
        (11, 0.2, "with ties"),
        (13, 0.3, "with a gap of 0.3"),
        (12, 0.1, "with a gap of 0.1"),
        (17, 0.2, "with signed numbers"),
    ):
        explanation = torch.rand(T, generator=g)
        if tag == "with ties":
            explanation = (explanation * 4).round() / 4
        if tag == "with signed numbers":
            explanation = 2 * explanation - 1
        named = torch.rand(T, generator=g) < 0.6
        named[:4] = True
        if tag == "with every word named":
            named[:] = True
        effects = torch.rand(T, generator=g)
        effects[:2] = torch.tensor([0.95, 0.05])
        about = f"one sentence of {T} words, {tag}"
        args = (explanation, effects, named, gap)
        found.append(Case(f"{T}-words", about, args, frozenset({tag})))
    return found


EXERCISES = [
    Exercise(
        name="in_order",
        parts=("share in the right order",),
        compute=Program("explanation effects named gap", LINES),
        cases=cases,
        unpack=one_number,
        behaviours=(behave.arguments_untouched,),
        praise=(
            "It gives the right share in all six sentences. An explanation that says "
            "the same of every word scores exactly 0.5."
        ),
    )
]
