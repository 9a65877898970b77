"""find_the_lie(weights, effects) -> number of the sentence on which the map lies most.

weights and effects are (B, T). The map of a sentence points at its largest weight. It
lies by as much as the largest effect of that sentence exceeds the effect there.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Finding, one_number


def at(of: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """In each row, the number that stands where `where` is largest."""
    return of.gather(1, where.argmax(-1, keepdim=True))[:, 0]


def top(of: torch.Tensor, place: int) -> torch.Tensor:
    """In each row, the largest number (place 0) or the second largest (1)."""
    return of.topk(2, dim=-1).values[:, place]


LINES = {
    "measure": (  # one number for each sentence
        "lambda w, e: e.amax(-1) - at(e, w)",
        {
            "lambda w, e: -at(e, w)": "lie-largest-effect-ignored",
            "lambda w, e: -at(e, w) / e.amax(-1)": "lie-as-a-ratio",
            "lambda w, e: w.amax(-1) - at(w, e)": "lie-measured-in-weight",
            "lambda w, e: -at(w, e)": "lie-measured-in-weight",
            "lambda w, e: (w.argmax(-1) != e.argmax(-1)).float()": "lie-any-mismatch",
            "lambda w, e: (w.argmax(-1) - e.argmax(-1)).abs().float()": (
                "lie-distance-of-places"
            ),
            "lambda w, e: (w - e).abs().sum(-1)": "lie-weights-minus-effects",
            "lambda w, e: ((w - e) ** 2).sum(-1)": "lie-weights-minus-effects",
            "lambda w, e: (w - e).abs().amax(-1)": "lie-weights-minus-effects",
            "lambda w, e: -(w * e).sum(-1)": "lie-weights-minus-effects",
            "lambda w, e: (e - w).amax(-1)": "lie-weights-minus-effects",
            "lambda w, e: (w - e).amax(-1)": "lie-weights-minus-effects",
            "lambda w, e: -torch.cosine_similarity(w, e, dim=-1)": (
                "lie-weights-minus-effects"
            ),
            "lambda w, e: e.amax(-1) - w.amax(-1)": "lie-effect-minus-weight",
            "lambda w, e: (e.amax(-1) - w.amax(-1)).abs()": "lie-effect-minus-weight",
            "lambda w, e: w.amax(-1) - e.amax(-1)": "lie-effect-minus-weight",
            "lambda w, e: w.amax(-1) - at(e, w)": "lie-effect-minus-weight",
            "lambda w, e: at(w, e) - e.amax(-1)": "lie-effect-minus-weight",
            "lambda w, e: e.mean(-1) - at(e, w)": "lie-mean-effect",
            "lambda w, e: e.sum(-1) - at(e, w)": "lie-mean-effect",
            "lambda w, e: e.amax(-1)": "lie-one-table-only",
            "lambda w, e: w.amax(-1)": "lie-one-table-only",
            "lambda w, e: e.amax(-1) - e.amin(-1)": "lie-map-not-used",
            "lambda w, e: top(e, 0) - top(e, 1)": "lie-map-not-used",
            "lambda w, e: e.std(-1)": "lie-map-not-used",
            "lambda w, e: e.amax(-1) - at(e, -w)": "lie-smallest-weight",
        },
    ),
    "lie": (
        "measure(weights, effects)",
        {"measure(effects, weights)": "lie-tables-exchanged"},
    ),
    "sentence": ("lie.argmax()", {"lie.argmin()": "lie-smallest-picked"}),
    "returned": (
        "sentence",
        {
            "weights[sentence].argmax()": "lie-word-returned",
            "effects[sentence].argmax()": "lie-word-returned",
            "lie[sentence]": "lie-size-returned",
            "lie": "lie-all-sentences",
            "sentence + 1": "lie-counted-from-one",
        },
    ),
}


def another_sentence(trial: Trial) -> Finding | None:
    """How much the map lies there, and how much where it lies most."""
    for i in trial.failing:
        (weights, effects), got = trial.cases[i].args, trial.seen[i]
        if got is None or len(got) != 1 or got[0].numel() != 1:
            continue
        sentence = int(got[0])
        if sentence == float(got[0]):
            gaps = effects.amax(-1) - at(effects, weights)
            facts = {"got": sentence, "gap": number(gaps[sentence])}
            facts["due"] = number(gaps.max())
            return Finding("lie-another-sentence", facts)
    return None


def no_sentence(trial: Trial) -> Finding | None:
    """The number of a sentence, if nothing else explains it."""
    for case, values in zip(trial.cases, trial.seen, strict=True):
        if values is None:
            continue
        count, (value, *_) = len(case.args[0]), values
        if value.numel() != 1 or not 0 <= float(value) < count:
            got = f"shape {tuple(value.shape)}" if value.numel() != 1 else float(value)
            return Finding("lie-no-sentence", {"last": count - 1, "got": got})
    return None


def cases(seed: int) -> Sequence[Case]:
    """Sentences in which a near miss of the rule points elsewhere.

    An honest sentence stands first in most, so that the first is no lucky guess.
    """
    g = torch.Generator().manual_seed(811 + seed)
    by_hand = (
        torch.tensor(
            [
                [0.80, 0.15, 0.05],  # points at the word that matters
                [0.90, 0.05, 0.05],  # points at a word of no effect: so has every word
                [0.45, 0.40, 0.15],  # the lie
                [0.10, 0.85, 0.05],  # another word matters a little more
            ]
        ),
        torch.tensor(
            [[0.95, 0.0, 0.0], [0.00, 0.02, 0.01], [0.1, 0.9, 0.0], [0.7, 0.55, 0.1]]
        ),
    )
    tiny = (
        torch.tensor([[0.2, 0.5, 0.3], [0.7, 0.2, 0.1], [0.6, 0.1, 0.3]]),
        torch.tensor([[0.0, 1e-3, 1e-3], [2e-3, 0.02, 0.0], [0.1, 0.9, 0.0]]),
    )
    found = [
        Case("by-hand", "4 sentences of 3 words", by_hand),
        Case("tiny", "3 sentences, in two of which no word matters", tiny),
    ]
    for B, T in ((7, 5), (13, 11), (5, 5), (29, 3), (23, 7), (31, 4), (37, 6)):
        weights = (3 * torch.rand(B, T, generator=g)).softmax(-1)
        effects = torch.rand(B, T, generator=g) ** 2
        if T != 3:
            effects[0, weights[0].argmax()] = effects[0].max() + 0.1
        about = f"{B} sentences of {T} words"
        found.append(Case(f"{B}x{T}", about, (weights, effects)))
    return found


EXERCISES = [
    Exercise(
        name="find_the_lie",
        parts=("number of the sentence",),
        compute=Program("weights effects", LINES, at=at, top=top),
        cases=cases,
        unpack=one_number,
        behaviours=(behave.arguments_untouched,),
        symptoms=(no_sentence, another_sentence),
        praise=(
            "It finds the sentence in all nine sets. Where the map points at a word "
            "without effect, but no word has any, it is not fooled: there is little to "
            "lie about."
        ),
    )
]
