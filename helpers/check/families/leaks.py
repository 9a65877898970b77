"""find_the_leak(model, x) -> bool: a test that tells models that look ahead.

Nothing is compared with one right test: the learner's is tried on boxes of which it is
known whether they leak. What it missed and whom it falsely accused say what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from helpers.models.boxes import Box, all_boxes, example_input

from .. import behaviours as behave
from ..behaviours import Trial
from ..space import Case, Choices, Exercise, Finding, Values

LARGE = {"A", "large", "renormalised, large"}
ROUNDED = ("C", "cancelling", "causal", "two layers")
ONE_STEP = {"off by one", "small, off by one", "late", "early", "hole"}
FAINT = {"faint", "faint, large"}


class Group(NamedTuple):
    """Boxes that are missed for one reason.

    boxes: any of them missed is a sign, unless one of `but` is missed too.
    """

    mistake: str
    boxes: set[str]
    but: set[str] = set()
    all_of_them: bool = False


MISSES = (
    Group("leak-neighbour-missed", ONE_STEP, all_of_them=True),
    Group("leak-future-reordered", {"B", "no mask"}, {"off by one", "mean"}, True),
    Group("leak-one-place-only", {"late", "early", "hole"}, {"off by one"}),
    Group("leak-one-sample-only", {"one sample"}, {"no mask"}),
    Group("leak-one-feature-only", {"one feature"}, {"no mask"}),
    Group("leak-hard-choice-missed", {"choice"}, {"no mask"}),
    Group("leak-small-outputs-missed", {"small, off by one"}, {"off by one"}),
    Group("leak-faint-missed", FAINT, {"off by one"}),
    Group("leak-denominator-missed", {"B"}, {"no mask"}),
    Group("leak-statistic-missed", {"mean", "statistic"}, {"no mask"}),
)


class Verdicts(NamedTuple):
    """Names of the boxes: what the test missed, and whom it accused though sound."""

    missed: list[str]
    accused: list[str]
    leaky: list[str]
    sound: list[str]


def asked(answer: Callable[..., Any], box: Box, x: torch.Tensor) -> Any:
    """The verdict on a box that can be called and no more."""

    def model(x: torch.Tensor) -> torch.Tensor:
        return box(x)

    return answer(model, x)


def is_a_verdict(trial: Trial) -> Finding | None:
    """Every answer is True or False."""
    for case, outcome in zip(trial.cases, trial.outcomes, strict=True):
        if outcome.trouble is None and _verdict(outcome.value) is None:
            value = outcome.value
            kind = type(value).__name__
            if isinstance(value, torch.Tensor) and value.numel() != 1:
                kind = f"tensor of shape {tuple(value.shape)}"
            return Finding("leak-no-verdict", {"got": kind}, {"box": case.name})
    return None


def accusations(trial: Trial) -> Finding | None:
    """No sound box is said to leak."""
    found = _verdicts(trial)
    if found is None:
        return None
    evidence = _evidence(found)
    if not found.missed and len(found.accused) == len(found.sound):
        return Finding("leak-all-accused", {}, evidence)
    if not found.accused and len(found.missed) == len(found.leaky):
        return Finding("leak-none-accused", {}, evidence)
    if len(found.missed + found.accused) == len(found.leaky + found.sound):
        return Finding("leak-verdict-inverted", {}, evidence)
    if not found.accused:
        return None
    rounded = [name for name in ROUNDED if name in found.accused]
    name = (rounded or found.accused)[0]
    facts = {"box": f"'{name}'", "about": _about(trial, name)}
    if rounded:
        return Finding("leak-rounding-accused", facts, evidence)
    if set(found.accused) <= LARGE:
        return Finding("leak-large-outputs-accused", facts, evidence)
    return Finding("leak-sound-accused", facts, evidence)


def missed(nth: int) -> Callable[[Trial], Finding | None]:
    """The nth reason for which leaks are missed."""

    def check(trial: Trial) -> Finding | None:
        found = _verdicts(trial)
        if found is None or len(found.missed) == len(found.leaky):
            return None
        reasons = _reasons(set(found.missed))
        if nth >= len(reasons):
            return None
        mistake, boxes = reasons[nth]
        name = next(n for n in found.missed if n in boxes)
        facts = {"box": f"'{name}'", "about": _about(trial, name)}
        return Finding(mistake, facts, _evidence(found))

    return check


def _reasons(names: set[str]) -> list[tuple[str, set[str]]]:
    """Mistake ids, each with the boxes that it explains; one for what is left over."""
    found, left = [], set(names)
    for group in MISSES:
        hit = group.boxes & left
        if not hit or group.but & names or (group.all_of_them and hit != group.boxes):
            continue
        found.append((group.mistake, hit))
        left -= hit
    if left and not found:
        found.append(("leak-missed", left))
    return found


def _verdict(value: Any) -> bool | None:
    if isinstance(value, torch.Tensor):
        value = value.item() if value.numel() == 1 else None
    elif hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    return bool(value) if isinstance(value, bool | int) and value in (0, 1) else None


def _verdicts(trial: Trial) -> Verdicts | None:
    """What the test said of every box; None if it failed on one."""
    found = Verdicts([], [], [], [])
    for case, outcome in zip(trial.cases, trial.outcomes, strict=True):
        said = None if outcome.trouble else _verdict(outcome.value)
        if said is None:
            return None
        leaks = case.args[0].leaks
        (found.leaky if leaks else found.sound).append(case.name)
        if said != leaks:
            (found.missed if leaks else found.accused).append(case.name)
    return found


def _evidence(found: Verdicts) -> dict[str, str]:
    evidence = {}
    for text, wrong, of in (
        ("leaky boxes missed", found.missed, found.leaky),
        ("sound boxes accused", found.accused, found.sound),
    ):
        names = f" ({'; '.join(wrong)})" if wrong else ""
        evidence[text] = f"{len(wrong)} of {len(of)}{names}"
    return evidence


def _about(trial: Trial, name: str) -> str:
    return trial.cases[trial.case(name)].args[0].about


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: the behaviours judge."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """Every box, with an input to try it on."""

    def case(box: Box) -> Case:
        return Case(box.name, f"box '{box.name}'", (box, example_input(seed)))

    return [case(box) for box in all_boxes(seed)]


def _praise() -> str:
    boxes = all_boxes()
    leaky = sum(box.leaks for box in boxes)
    return (
        f"It flags all {leaky} leaky boxes and none of the {len(boxes) - leaky} sound "
        f"ones, those with rounding and those with large outputs included. Of A, B and "
        f"C it is B that leaks."
    )


EXERCISES = [
    Exercise(
        name="find_the_leak",
        parts=("verdict",),
        space={},
        compute=compute,
        cases=cases,
        argument_names=("model", "x"),
        call=asked,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(
            is_a_verdict,
            behave.arguments_untouched,
            accusations,
            missed(0),
            missed(1),
            missed(2),
        ),
        praise=_praise(),
    )
]
