"""doubled_key: a prediction. One key is made twice as long: what of its weight?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

RIGHT = "B"
CHOICES = {
    "A": "weight-doubles",
    "B": "",
    "C": "weight-always-rises",
    "D": "weight-unchanged",
}


def weight(score: float) -> float:
    """The weight of a key with this score beside two keys that score 0."""
    return float(torch.tensor([score, 0.0, 0.0]).softmax(0)[0])


def chosen(trial: Trial) -> Finding | None:
    """The letter is the right one."""
    value = trial.outcomes[0].value
    letter = value.strip().rstrip(".):").upper() if isinstance(value, str) else value
    facts = {
        "got": repr(value) if isinstance(value, str | int | float) else "another thing",
        "letters": ", ".join(CHOICES),
        "a1": f"{weight(1):.2f}",
        "a2": f"{weight(2):.2f}",
    }
    if not isinstance(letter, str) or letter not in CHOICES:
        return Finding("no-such-choice", facts)
    if letter == RIGHT:
        return None
    return Finding(CHOICES[letter], facts, evidence())


def evidence() -> dict[str, str]:
    """Both signs, in numbers that can be recomputed."""
    return {
        "score 1 → 2, beside 0 and 0": f"weight {weight(1):.2f} → {weight(2):.2f}",
        "score −1 → −2, beside 0 and 0": f"weight {weight(-1):.2f} → {weight(-2):.2f}",
    }


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `chosen` judges."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one question."""
    return [Case("question", "the weight of a key of twice the length", ())]


EXERCISES = [
    Exercise(
        name="doubled_key",
        parts=("choice",),
        space={},
        compute=compute,
        cases=cases,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(chosen,),
        value=True,
        praise=(
            "The score doubles: it moves away from 0, on its own side. So a positive "
            "score gains weight and a negative one loses it (beside two keys that "
            f"score 0: {weight(1):.2f} → {weight(2):.2f} and {weight(-1):.2f} → "
            f"{weight(-2):.2f}). A score of 0 stays where it is."
        ),
    )
]
