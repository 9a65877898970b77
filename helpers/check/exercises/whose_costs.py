"""whose_costs: a prediction. Four layers were counted; which is which?

The costs are those of helpers.models.unlabelled, which the lesson prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helpers.models.unlabelled import LAYERS

from ..behaviours import Trial
from ..judged import judged, plain
from ..space import Finding

RIGHT = {letter: name for letter, (name, _) in LAYERS.items()}
NAMES = tuple(sorted(RIGHT.values()))
ALSO = {
    "attention": "self-attention",
    "self attention": "self-attention",
    "selfattention": "self-attention",
    "conv": "convolution",
    "cnn": "convolution",
    "restricted": "window",
    "window attention": "window",
    "recurrent": "rnn",
}
PAIRS = {
    frozenset(("window", "convolution")): "costs-window-and-convolution",
    frozenset(("RNN", "convolution")): "costs-rnn-and-convolution",
    frozenset(("RNN", "window")): "costs-rnn-and-window",
    frozenset(("self-attention", "window")): "costs-attention-and-window",
    frozenset(("self-attention", "RNN")): "costs-attention-and-another",
    frozenset(("self-attention", "convolution")): "costs-attention-and-another",
}


def four_names(trial: Trial) -> Finding | None:
    """Each letter has its layer's name."""
    given = _labels(trial.result)
    if given is None:
        got = repr(trial.result)[:60]
        return Finding("costs-no-labels", {"got": got, "letters": ", ".join(RIGHT)})
    for letter in RIGHT:
        if letter not in given:
            return Finding("costs-letter-missing", {"letter": letter})
        if given[letter] is None:
            facts = {"letter": letter, "names": ", ".join(NAMES)}
            return Finding("costs-no-such-layer", facts)
    for name in NAMES:
        letters = [letter for letter in RIGHT if given[letter] == name]
        if len(letters) > 1:
            facts = {"name": name, "letters": " and ".join(letters)}
            return Finding("costs-name-twice", facts)
    wrong = [letter for letter in RIGHT if given[letter] != RIGHT[letter]]
    if not wrong:
        return None
    shown = {"right": f"{len(RIGHT) - len(wrong)} of {len(RIGHT)}"}
    if len(wrong) == 2:
        mistake = PAIRS[frozenset(RIGHT[letter] for letter in wrong)]
        return Finding(mistake, {"letters": " and ".join(wrong)}, shown)
    return Finding(_most_telling(given), {"count": len(wrong)}, shown)


def _most_telling(given: Mapping[str, str | None]) -> str:
    grows = next(letter for letter in RIGHT if RIGHT[letter] == "self-attention")
    right = given[grows] == "self-attention"
    return "costs-three-turned" if right else "costs-growing-state-missed"


def _labels(value: Any) -> dict[str, str | None] | None:
    """letter -> name (None if it is none); from a dict, either way round, or a list."""
    value = plain(value)
    if isinstance(value, list | tuple) and len(value) == len(RIGHT):
        value = dict(zip(RIGHT, value, strict=True))
    if not isinstance(value, Mapping) or not value:
        return None
    pairs = {str(k).strip(): str(v).strip() for k, v in value.items()}
    if all(_name(k) for k in pairs):
        pairs = {v: k for k, v in pairs.items()}
    return {k.upper(): _name(v) for k, v in pairs.items()}


def _name(text: str) -> str | None:
    lower = text.lower()
    lower = ALSO.get(lower, lower)
    return next((name for name in NAMES if name.lower() == lower), None)


EXERCISES = [
    judged(
        "whose_costs",
        "whose costs A, B, C and D are",
        four_names,
        praise=(
            "Only self-attention's state grows with n. The RNN's has d numbers. The "
            "other two have states of the same size, but the convolution's work "
            "is 4 times as large when d doubles, and the window's less, since part of "
            "it is linear in d."
        ),
    )
]
