"""looks_beyond(model, x, window) -> bool: a test that tells who looks too far back.

Like find_the_leak: the learner's test is tried on boxes of which it is known whether
they look beyond their window. What it missed and whom it accused is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from helpers.models.boxes import Box, example_input
from helpers.models.window_boxes import WINDOW, all_window_boxes

from .. import behaviours as behave
from ..behaviours import Trial
from ..judged import judged
from ..space import Case, Finding
from .find_the_leak import Group, _about, _evidence, _verdicts, gives_a_verdict

FULL = {"window", "three relays", "D", "large", "small"}
"""Sound boxes that use the oldest token of their window."""
ROUNDED = {"D"}
LARGE = {"D", "large"}
MISSES = (
    Group(
        "beyond-next-missed",
        {"one too many", "late", "hole", "faint"},
        all_of_them=True,
    ),
    Group("beyond-first-token-missed", {"sink"}, {"no window"}),
    Group("beyond-far-missed", {"far"}, {"no window"}),
    Group("beyond-some-places-missed", {"late", "hole"}, {"one too many"}),
    Group("beyond-one-sample-missed", {"one sample"}, {"no window"}),
    Group("beyond-one-feature-missed", {"one feature"}, {"no window"}),
    Group("beyond-hard-choice-missed", {"choice"}, {"no window"}),
    Group("beyond-small-outputs-missed", {"small, one too many"}, {"one too many"}),
    Group("beyond-faint-missed", {"faint"}, {"one too many"}),
)


def ask(answer: Callable[..., Any], box: Box, x: Tensor, window: int) -> Any:
    """The verdict on a box that can be called and no more."""

    def model(x: Tensor) -> Tensor:
        return box(x)

    return answer(model, x, window)


def accusations(trial: Trial) -> Finding | None:
    """No sound box is said to look too far."""
    found = _verdicts(trial)
    if found is None:
        return None
    evidence, accused = _evidence(found), set(found.accused)
    if len(found.missed) == len(found.leaky):
        if len(accused) == len(found.sound):
            return Finding("beyond-verdict-inverted", {}, evidence)
        return Finding("beyond-none-accused", {}, evidence) if not accused else None
    if not accused:
        return None
    if len(accused) == len(found.sound):
        mistake = "beyond-all-accused"
    elif accused == FULL:
        mistake = "beyond-window-one-short"
    elif accused <= ROUNDED | LARGE and accused & ROUNDED:
        mistake = "beyond-rounding-accused"
    else:
        mistake = "beyond-sound-accused"
    name = found.accused[0]
    facts = {"box": f"'{name}'", "about": _about(trial, name)}
    return Finding(mistake, facts, evidence)


def missed(trial: Trial) -> Finding | None:
    """The first kind of look that is missed."""
    found = _verdicts(trial)
    if found is None or not found.missed or len(found.missed) == len(found.leaky):
        return None
    names = set(found.missed)
    mistake, boxes = "beyond-missed", names
    for group in MISSES:
        hit = group.boxes & names
        whole = hit == group.boxes or not group.all_of_them
        if hit and whole and not group.but & names:
            mistake, boxes = group.mistake, hit
            break
    name = next(n for n in found.missed if n in boxes)
    facts = {"box": f"'{name}'", "about": _about(trial, name)}
    return Finding(mistake, facts, _evidence(found))


def cases(seed: int) -> Sequence[Case]:
    """Every box, with an input to try it on."""
    x = example_input(seed)
    boxes = all_window_boxes(seed)
    return [Case(b.name, f"box '{b.name}'", (b, x, WINDOW)) for b in boxes]


def _praise() -> str:
    boxes = all_window_boxes()
    beyond = sum(box.leaks for box in boxes)
    return (
        f"It flags all {beyond} boxes that look beyond their window and none of the "
        f"{len(boxes) - beyond} others. Of D, E and F it is E that looks too far: "
        f"older tokens come in through the sum that divides."
    )


EXERCISES = [
    judged(
        "looks_beyond",
        "does a box look beyond its window?",
        gives_a_verdict,
        behave.arguments_untouched,
        accusations,
        missed,
        cases=cases,
        parts=("verdict",),
        argument_names=("model", "x", "window"),
        call=ask,
        praise=_praise(),
    )
]
