"""chance_level: a prediction. How often does guessing find the value in the needle?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from helpers.tasks.needle import NUM_VALUES

from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Finding, Values

RIGHT = 1 / NUM_VALUES
# number → the thought that leads to it; the first that fits is taken
WRONG = (
    (0.0, "chance-zero"),
    (1.0, "chance-one"),
    (0.5, "chance-half"),
    (100 / NUM_VALUES, "chance-in-percent"),
    (float(NUM_VALUES), "chance-upside-down"),
    (1 / (NUM_VALUES + 1), "chance-counts-no-value"),
    (1 / NUM_VALUES**2, "chance-of-key-and-value"),
    (2 / NUM_VALUES, "chance-twice"),
    (1 / (2 * NUM_VALUES), "chance-of-all-ids"),
    (1 - RIGHT, "chance-of-missing"),
    *((1 / n, "chance-of-the-place") for N in (4, 8, 32) for n in (N + 1, N + 2)),
)


def judged(trial: Trial) -> Finding | None:
    """The number is the right one."""
    value = _plain(trial.outcomes[0].value)
    if value is None:
        return Finding("chance-no-number", {}, {})
    facts = {"got": number(value), "values": NUM_VALUES}
    if abs(value - RIGHT) < 1e-3:
        return None
    if abs(value - RIGHT) < 8e-3:
        return Finding("chance-only-nearly", facts)
    named = (mistake for wrong, mistake in WRONG if abs(value - wrong) < 2e-3)
    seen = {"yours": number(value), "answers to choose from": str(NUM_VALUES)}
    return Finding(next(named, "chance-other"), facts, seen)


def _plain(value: Any) -> float | None:
    if hasattr(value, "__array__") and getattr(value, "size", 0) == 1:
        value = value.item()
    try:
        return None if isinstance(value, str) else float(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `judged` does it."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one question."""
    return [Case("question", "the share of right guesses", ())]


EXERCISES = [
    Exercise(
        name="chance_level",
        parts=("share",),
        space={},
        compute=compute,
        cases=cases,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(judged,),
        value=True,
        praise=(
            f"There are {NUM_VALUES} values, all equally likely, and nothing but the "
            f"first token tells which: a guess is right once in {NUM_VALUES} times. A "
            f"curve at {RIGHT} has learned nothing about the value."
        ),
    )
]
