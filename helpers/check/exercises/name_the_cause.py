"""name_the_cause: a prediction. Four models fail beyond their length: why does each?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..behaviours import Trial
from ..judged import judged, plain
from ..space import Finding

RIGHT = {"A": "distances", "B": "keys", "C": "rows", "D": "keys"}
"""Letter -> cause, of the models that the lesson measures above the exercise."""
CAUSES = ("rows", "distances", "keys")
MISTAKES = {
    ("distances", "keys"): "cause-distances-missed",
    ("distances", "rows"): "cause-rows-though-moved",
    ("rows", "keys"): "cause-rows-missed",
    ("rows", "distances"): "cause-rows-called-distances",
    ("keys", "distances"): "cause-distances-though-stretched",
    ("keys", "rows"): "cause-rows-though-moved",
}
"""(right cause, given cause) -> what was overlooked."""


def four_causes(trial: Trial) -> Finding | None:
    """Each letter has its cause; all wrong letters that overlook the same are named."""
    given = _labels(trial.result)
    if given is None:
        facts = {"got": repr(trial.result)[:60], "letters": ", ".join(RIGHT)}
        return Finding("cause-no-labels", facts)
    for letter in RIGHT:
        if letter not in given:
            return Finding("cause-letter-missing", {"letter": letter})
        if given[letter] not in CAUSES:
            facts = {"letter": letter, "causes": ", ".join(CAUSES)}
            return Finding("cause-no-such-cause", facts)
    wrong = [letter for letter in RIGHT if given[letter] != RIGHT[letter]]
    if not wrong:
        return None
    shown = {"right": f"{len(RIGHT) - len(wrong)} of {len(RIGHT)}"}
    if set(given.values()) == {"keys"}:
        return Finding("cause-always-keys", {}, shown)
    mistake = MISTAKES[RIGHT[wrong[0]], given[wrong[0]]]
    same = [w for w in wrong if MISTAKES[RIGHT[w], given[w]] == mistake]
    return Finding(mistake, {"letters": " and ".join(same)}, shown)


def _labels(value: Any) -> dict[str, str] | None:
    value = plain(value)
    if isinstance(value, list | tuple) and len(value) == len(RIGHT):
        value = dict(zip(RIGHT, value, strict=True))
    if not isinstance(value, Mapping) or not value:
        return None
    return {str(k).strip().upper(): str(v).strip().lower() for k, v in value.items()}


EXERCISES = [
    judged(
        "name_the_cause",
        "which cause breaks A, B, C and D",
        four_causes,
        praise=(
            "Only a row that was never trained notices that all places are moved, and "
            "only distances that were never seen notice a stretch. What falls with "
            "more keys alone is diluted."
        ),
    )
]
