"""chance_level: a prediction. How often does guessing find the value in the needle?"""

from __future__ import annotations

from typing import Any

from helpers.tasks.needle import NUM_VALUES

from ..behaviours import Trial
from ..diagnosis import number
from ..judged import judged
from ..space import Finding

RIGHT = 1 / NUM_VALUES
# number → the thought that leads to it; the first that fits is taken
WRONG = (
    (0.0, "chance-zero"),
    (1.0, "chance-one"),
    (0.5, "chance-half"),
    (100 / NUM_VALUES, "chance-in-percent"),
    (float(NUM_VALUES), "chance-upside-down"),
    (1 / (NUM_VALUES - 1), "chance-last-number-counted"),
    (1 / (NUM_VALUES + 1), "chance-counts-no-value"),
    (1 / NUM_VALUES**2, "chance-of-key-and-value"),
    (2 / NUM_VALUES, "chance-twice"),
    (1 / (2 * NUM_VALUES), "chance-of-all-ids"),
    (1 - RIGHT, "chance-of-missing"),
    *((1 / n, "chance-of-the-place") for N in (4, 8, 32) for n in (N + 1, N + 2)),
)


def is_right(trial: Trial) -> Finding | None:
    """The number is the right one."""
    value = _number(trial.result)
    if value is None:
        return Finding("chance-no-number")
    facts = {"got": number(value), "values": NUM_VALUES, "last": NUM_VALUES - 1}
    if abs(value - RIGHT) < 1e-3:
        return None
    if abs(value - RIGHT) < 8e-3:
        return Finding("chance-only-nearly", facts)
    named = (mistake for wrong, mistake in WRONG if abs(value - wrong) < 2e-3)
    seen = {"yours": number(value), "answers to choose from": str(NUM_VALUES)}
    return Finding(next(named, "chance-other"), facts, seen)


def _number(value: Any) -> float | None:
    if hasattr(value, "__array__") and getattr(value, "size", 0) == 1:
        value = value.item()
    try:
        return None if isinstance(value, str) else float(value)
    except (TypeError, ValueError, RuntimeError):
        return None


EXERCISES = [
    judged(
        "chance_level",
        "the share of right guesses",
        is_right,
        praise=(
            f"There are {NUM_VALUES} values, all equally likely, and nothing but the "
            f"first token tells which: a guess is right once in {NUM_VALUES} times. A "
            f"curve at {RIGHT} has learned nothing about the value."
        ),
    )
]
