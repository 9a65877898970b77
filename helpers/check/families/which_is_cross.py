"""which_is_cross: a prediction. Three calls on two sentences; which one is it?

A: query = english, key = value = french.
B: query = key = french, value = english.
C: query = french, key = value = english.
French is what the decoder has so far; both sentences are of one length, so that no
shape gives the answer away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

RIGHT = "C"
CHOICES = {"A": "cross-the-other-way", "B": "cross-values-by-place", "C": ""}


def chosen(trial: Trial) -> Finding | None:
    """The letter is the right one."""
    value = trial.outcomes[0].value
    letter = value.strip().strip(".():").upper() if isinstance(value, str) else value
    if not isinstance(letter, str) or letter not in CHOICES:
        got = repr(value) if isinstance(value, str | int | float) else "another thing"
        return Finding("no-such-choice", {"got": got, "letters": ", ".join(CHOICES)})
    if letter == RIGHT:
        return None
    return Finding(CHOICES[letter], {}, {"your choice": letter})


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `chosen` judges."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one question."""
    return [Case("question", "which call is the decoder's cross-attention", ())]


EXERCISES = [
    Exercise(
        name="which_is_cross",
        parts=("choice",),
        space={},
        compute=compute,
        cases=cases,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(chosen,),
        value=True,
        praise=(
            "Each French word asks, every English word is asked and hands over its "
            "value. A is cross-attention the other way round: English words ask the "
            "French. B is the decoder's self-attention, but what it hands over are the "
            "English words that happen to stand in the same places."
        ),
    )
]
