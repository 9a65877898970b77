"""failing_sequence: (letters, reason) on which the circuit made by hand fails, and why.

Judged by running the circuit, without a start mark: many sequences are right.
A: its twin stands at the very beginning. B: the last letter occurs twice before, and
different letters follow. C: the sequence is longer than the clock. D: the last letter
stands right before the end as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from helpers.models.induction_by_hand import (
    HOURS,
    first_layer,
    hour_back,
    induce,
    second_layer,
    spell,
    write,
)
from helpers.tasks.induction import LETTERS

from ..behaviours import Trial
from ..judged import letter_of, plain
from ..space import Case, Choices, Exercise, Finding, Values

ENOUGH = 0.9
LONGEST = 200
REASONS = {
    "A": "the twin of the last letter stands at the very beginning",
    "B": "the last letter occurs twice before, with different letters behind it",
    "C": f"the sequence is longer than the {HOURS} hours of the clock",
    "D": "the last two letters are the same",
}


@dataclass(frozen=True)
class Run:
    """What the circuit does with a sequence."""

    text: str
    tokens: torch.Tensor
    shares: torch.Tensor
    last_row: torch.Tensor

    @property
    def twins(self) -> list[int]:
        """Where the last letter occurs before."""
        same = (self.tokens[:-1] == self.tokens[-1]).nonzero().flatten()
        return [int(place) for place in same]

    @property
    def right(self) -> int:
        """The letter behind the latest of them."""
        return int(self.tokens[self.twins[-1] + 1])

    @property
    def share(self) -> float:
        """How much of it the last position is handed."""
        return float(self.shares[self.right])


def run(text: str) -> Run:
    """The circuit on letters, without a start mark."""
    tokens = spell(text)
    shares, _, second = induce(tokens, hour_back())
    return Run(text, tokens, shares, second[-1])


def reasons(found: Run) -> set[str]:
    """The letters of all reasons that apply."""
    followers = {int(found.tokens[twin + 1]) for twin in found.twins}
    applying = {"A"} if found.twins[0] == 0 else set()
    if len(followers) > 1:
        applying.add("B")
    if len(found.tokens) > HOURS and _with_a_longer_clock(found) > found.share + 0.05:
        applying.add("C")
    return applying


def _with_a_longer_clock(found: Run) -> float:
    """The right letter's share, if every token knew its predecessor for certain."""
    X = write(found.tokens)
    n = len(found.tokens)
    before = torch.eye(n, dtype=torch.float64).roll(1, dims=0)
    before[0] = torch.eye(n, dtype=torch.float64)[0]
    filled = X + before @ (X @ first_layer(hour_back()).W_v)
    return float(second_layer()(filled)[0][-1][found.right])


def does_the_job(trial: Trial) -> Finding | None:
    """Does the circuit fail on it, and for the reason that is given?"""
    value = trial.outcomes[0].value
    if not isinstance(value, list | tuple) or len(value) != 2:
        return Finding("failing-no-pair", {"got": f"a {type(value).__name__}"})
    text, reason = value
    text = plain(text)
    text = "".join(text) if _letters(text) else text
    if not isinstance(text, str) or not text.strip():
        got = (
            "nothing"
            if isinstance(text, str)
            else f"a value of type {type(text).__name__}"
        )
        return Finding("failing-no-letters", {"got": got})
    text = text.strip()
    odd = next((letter for letter in text if letter not in LETTERS), None)
    if odd is not None:
        return Finding("failing-no-letters", {"got": repr(odd)})
    if len(text) > LONGEST:
        return Finding("failing-too-long", {"length": len(text), "longest": LONGEST})
    if text[-1] not in text[:-1]:
        return Finding("failing-nothing-to-continue", {"last": f"'{text[-1]}'"})
    return _verdict(run(text), reason)


def _letters(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _verdict(found: Run, reason: Any) -> Finding | None:
    shown = found.text if len(found.text) <= 30 else found.text[:27] + "…"
    facts = {
        "sequence": f"'{shown}'",
        "right": f"'{LETTERS[found.right]}'",
        "share": f"{found.share:.2f}",
    }
    top = found.last_row.topk(min(3, len(found.tokens)))
    weights = "  ".join(
        f"position {int(j)} ({found.text[int(j)]}): {w:.2f}"
        for w, j in zip(top.values, top.indices, strict=True)
    )
    evidence = {"sequence": shown, "largest weights of the last row": weights}
    if found.share >= ENOUGH:
        return Finding("failing-is-right", facts, evidence)
    letter = letter_of(reason)
    if letter not in REASONS:
        got = repr(reason) if isinstance(reason, str | int | float) else "no letter"
        return Finding("no-such-choice", {"got": got, "letters": ", ".join(REASONS)})
    if letter in reasons(found):
        return None
    return Finding("failing-other-reason", facts | {"said": REASONS[letter]}, evidence)


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `does_the_job` judges."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one circuit."""
    return [Case("circuit", "the circuit made by hand", ())]


EXERCISES = [
    Exercise(
        name="failing_sequence",
        parts=("sequence and reason",),
        space={},
        compute=compute,
        cases=cases,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(does_the_job,),
        value=True,
        praise=(
            "The circuit hands the right letter less than 0.9 of its weight there, and "
            "for this reason. There are two more reasons; can you find them too?"
        ),
    )
]
