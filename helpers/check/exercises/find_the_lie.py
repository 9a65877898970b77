"""find_the_lie(weights, effects) -> number of the sentence on which the map lies most.

weights and effects are (B, T). The map of a sentence points at its largest weight. It
lies by as much as the largest effect of that sentence exceeds the effect there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Finding, Values, one_number

Score = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _at(of: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    return of.gather(1, where.argmax(-1, keepdim=True))[:, 0]


# each gives one number a sentence; the answer is the sentence with the largest
SCORES: Mapping[str, Score] = {
    "gap": lambda w, e: e.amax(-1) - _at(e, w),
    "effect there": lambda w, e: -_at(e, w),
    "weight there": lambda w, e: w.amax(-1) - _at(w, e),
    "little weight": lambda w, e: -_at(w, e),
    "any difference": lambda w, e: (w.argmax(-1) != e.argmax(-1)).float(),
    "distance": lambda w, e: (w.argmax(-1) - e.argmax(-1)).abs().float(),
    "sum of differences": lambda w, e: (w - e).abs().sum(-1),
    "squares": lambda w, e: ((w - e) ** 2).sum(-1),
    "one difference": lambda w, e: (w - e).abs().amax(-1),
    "overlap": lambda w, e: -(w * e).sum(-1),
    "largest effect": lambda w, e: e.amax(-1),
    "largest weight": lambda w, e: w.amax(-1),
    "smallest weight": lambda w, e: e.amax(-1) - _at(e, -w),
    "ratio": lambda w, e: -_at(e, w) / e.amax(-1),
    "largest difference": lambda w, e: (e - w).amax(-1),
    "mean effect": lambda w, e: e.mean(-1) - _at(e, w),
    "sum of effects": lambda w, e: e.sum(-1) - _at(e, w),
    "cosine": lambda w, e: -torch.cosine_similarity(w, e, dim=-1),
}
SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "score": (
        "gap",
        {
            "effect there": "lie-largest-effect-ignored",
            "ratio": "lie-as-a-ratio",
            "weight there": "lie-measured-in-weight",
            "little weight": "lie-measured-in-weight",
            "any difference": "lie-any-mismatch",
            "distance": "lie-distance-of-places",
            "sum of differences": "lie-weights-minus-effects",
            "squares": "lie-weights-minus-effects",
            "one difference": "lie-weights-minus-effects",
            "overlap": "lie-weights-minus-effects",
            "largest difference": "lie-weights-minus-effects",
            "cosine": "lie-weights-minus-effects",
            "mean effect": "lie-mean-effect",
            "sum of effects": "lie-mean-effect",
            "largest effect": "lie-one-table-only",
            "largest weight": "lie-one-table-only",
            "smallest weight": "lie-smallest-weight",
        },
    ),
    "tables": ("as given", {"exchanged": "lie-tables-exchanged"}),
    "pick": ("largest", {"smallest": "lie-smallest-picked"}),
    "returns": (
        "sentence",
        {
            "word": "lie-word-returned",
            "size": "lie-size-returned",
            "all": "lie-all-sentences",
            "from 1": "lie-counted-from-one",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The sentence that the choices pick."""
    weights, effects = case.args
    if c["tables"] == "exchanged":
        weights, effects = effects, weights
    scores = SCORES[c["score"]](weights, effects)
    best = int(scores.argmin() if c["pick"] == "smallest" else scores.argmax())
    return {
        "sentence": lambda: (torch.tensor(best),),
        "word": lambda: (weights[best].argmax(),),
        "size": lambda: (scores[best],),
        "all": lambda: (scores,),
        "from 1": lambda: (torch.tensor(best + 1),),
    }[c["returns"]]()


def another_sentence(trial: Trial) -> Finding | None:
    """How much the map lies there, and how much where it lies most."""
    for i in trial.failing:
        case, got = trial.cases[i], trial.seen[i]
        if got is None or len(got) != 1 or got[0].numel() != 1:
            continue
        gaps = SCORES["gap"](*case.args)
        number_of = int(got[0])
        if number_of == float(got[0]):
            facts = {"got": number_of, "gap": number(gaps[number_of])}
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
    """Sentences in which a near miss of the rule points elsewhere."""
    g = torch.Generator().manual_seed(811 + seed)
    by_hand = (
        torch.tensor(
            [
                [0.90, 0.05, 0.05],  # points at a word of no effect: so has every word
                [0.80, 0.15, 0.05],  # points at the word that matters
                [0.45, 0.40, 0.15],  # the lie
                [0.10, 0.85, 0.05],  # another word matters a little more
            ]
        ),
        torch.tensor(
            [[0.00, 0.02, 0.01], [0.95, 0.0, 0.0], [0.1, 0.9, 0.0], [0.7, 0.55, 0.1]]
        ),
    )
    tiny = (
        torch.tensor([[0.7, 0.2, 0.1], [0.6, 0.1, 0.3], [0.2, 0.5, 0.3]]),
        torch.tensor([[2e-3, 0.02, 0.0], [0.1, 0.9, 0.0], [0.0, 1e-3, 1e-3]]),
    )
    drawn = []
    for B, T in ((7, 5), (13, 11), (5, 5), (29, 3)):
        weights = (3 * torch.rand(B, T, generator=g)).softmax(-1)
        drawn.append((weights, torch.rand(B, T, generator=g) ** 2))
    found = [
        Case("by-hand", "4 sentences of 3 words", by_hand),
        Case("tiny", "3 sentences, in two of which no word matters", tiny),
    ]
    for weights, effects in drawn:
        B, T = weights.shape
        about = f"{B} sentences of {T} words"
        found.append(Case(f"{B}x{T}", about, (weights, effects)))
    return found


EXERCISES = [
    Exercise(
        name="find_the_lie",
        parts=("sentence",),
        space=SPACE,
        compute=compute,
        cases=cases,
        argument_names=("weights", "effects"),
        unpack=one_number,
        behaviours=(behave.arguments_untouched,),
        symptoms=(no_sentence, another_sentence),
        praise=(
            "It finds the sentence in all six sets. Where the map points at a word "
            "without effect, but no word has any, it is not fooled: there is little to "
            "lie about."
        ),
    )
]
