"""read_maps: a prediction. Three maps of one sentence: what does each show?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..behaviours import Trial
from ..judged import judged, plain
from ..space import Finding

CHOICES = {
    "A": "each word looks at the word before it",
    "B": "each word looks at the word after it",
    "C": "all words look at the first word",
    "D": "the first word looks at all words",
    "E": "each word looks at the same word elsewhere",
    "F": "each word looks at itself",
}
RIGHT = "ACE"
TURNED = "BDE"
"""What the maps would show if the columns asked and the rows answered."""


def three_letters(trial: Trial) -> Finding | None:
    """Three letters, each what its map shows."""
    letters = _letters(trial.result)
    if letters is None:
        got = repr(trial.result)[:40]
        return Finding("maps-no-letters", {"got": got, "letters": ", ".join(CHOICES)})
    if letters == RIGHT:
        return None
    wrong = [i for i in range(3) if letters[i] != RIGHT[i]]
    number = wrong[0]
    facts = {"number": number + 1, "choice": CHOICES[letters[number]]}
    shown = {"your letters": " ".join(letters), "right": f"{3 - len(wrong)} of 3"}
    return Finding(_mistake(letters, number), facts, shown)


def _mistake(letters: str, number: int) -> str:
    if all(letters[i] in (RIGHT[i], TURNED[i]) for i in range(3)):
        return "maps-read-by-columns"
    if number == 2 and letters[2] == "F":
        return "maps-diagonal-for-same-word"
    if sorted(letters) == sorted(RIGHT):
        return "maps-in-another-order"
    return "maps-another-job"


def _letters(value: Any) -> str | None:
    """Three letters from a string, a list or a tuple of them."""
    if isinstance(value, Mapping):
        value = list(value.values())
    value = plain(value)
    if isinstance(value, list | tuple):
        value = "".join(str(item) for item in value)
    if not isinstance(value, str):
        return None
    letters = "".join(c for c in value.upper() if c.isalpha())
    return letters if len(letters) == 3 and set(letters) <= set(CHOICES) else None


EXERCISES = [
    judged(
        "read_maps",
        "what the three maps show",
        three_letters,
        praise=(
            "In the first map each row is dark one cell left of the diagonal, at the "
            "word before. In the second every row is dark in column 0. In the third, "
            "cells are dark where a word meets its double; a word without one spreads."
        ),
    )
]
