"""find_the_leak(model, x) -> bool: a test that tells models that look ahead.

Nothing is compared with one right test: the learner's is tried on boxes of which it is
known whether they leak. What it missed and whom it falsely accused is named; how it
works is said only as far as it was seen, in the inputs that it gave to a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torch import Tensor

from helpers.models.boxes import WIDTH, Box, all_boxes, example_input

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..judged import judged
from ..space import Case, Finding

LARGE = {"A", "large", "renormalised, large"}
ROUNDED = ("C", "cancelling", "causal", "two layers")
EXACT = {"itself", "recurrent"}
ONE_STEP = {"off by one", "small, off by one", "late", "early", "hole"}


class Group(NamedTuple):
    """Boxes whose leaks are alike.

    boxes: any of them missed is a sign, unless one of `but` is missed too.
    """

    mistake: str
    boxes: set[str]
    but: set[str] = set()
    all_of_them: bool = False


MISSES = (
    Group("leak-neighbour-missed", ONE_STEP, all_of_them=True),
    Group("leak-future-reordered", {"B", "no mask"}, {"off by one", "mean"}, True),
    Group("leak-last-token-missed", {"last token"}, {"no mask"}),
    Group("leak-some-places-missed", {"late", "early", "hole"}, {"off by one"}),
    Group("leak-one-sample-missed", {"one sample"}, {"no mask"}),
    Group("leak-one-feature-missed", {"one feature"}, {"no mask"}),
    Group("leak-hard-choice-missed", {"choice"}, {"no mask"}),
    Group("leak-small-outputs-missed", {"small, off by one"}, {"off by one"}),
    Group("leak-faint-missed", {"faint", "faint, large"}, {"off by one"}),
    Group("leak-denominator-missed", {"B"}, {"no mask"}),
    Group("leak-statistic-missed", {"mean", "statistic"}, {"no mask"}),
)


class Verdicts(NamedTuple):
    """Names of the boxes: what the test missed, and whom it accused though sound."""

    missed: list[str]
    accused: list[str]
    leaky: list[str]
    sound: list[str]


def ask(answer: Callable[..., Any], box: Box, x: Tensor) -> Any:
    """The verdict on a box that can be called and no more."""

    def model(x: Tensor) -> Tensor:
        return box(x)

    return answer(model, x)


def inputs_of(answer: Callable[..., Any], x: Tensor) -> list[Any]:
    """What the test gives to a sound box, call by call."""
    given: list[Any] = []
    box = next(b for b in all_boxes() if b.name == "causal")

    def model(x: Any) -> Tensor:
        given.append(x.detach().clone() if isinstance(x, Tensor) else x)
        return box(x)

    guard.run(lambda x: answer(model, x), (x,), by=answer)
    return given


def calls_in_batches(answer: Callable[..., Any]) -> Finding | None:
    """What is given to the model is a batch."""
    for given in inputs_of(answer, example_input()):
        shape = tuple(getattr(given, "shape", ()))
        if len(shape) != 3 or shape[-1] != WIDTH:
            return Finding("leak-input-no-batch", {"got": shape, "width": WIDTH})
    return None


def futures_of(answer: Callable[..., Any], x: Tensor) -> set[int]:
    """The tokens from which on an input differs from the first, or ends before it."""
    given = [y for y in inputs_of(answer, x) if isinstance(y, Tensor) and y.dim() == 3]
    found = set()
    for y in given[1:]:
        n = min(y.shape[1], given[0].shape[1])
        if len(y) != len(given[0]):
            continue
        off = (y[:, :n] != given[0][:, :n]).any(-1).any(0).nonzero()
        if len(off) or y.shape[1] < given[0].shape[1]:
            found.add(int(off[0]) if len(off) else n)
    return found


def gives_a_verdict(trial: Trial) -> Finding | None:
    """Every answer is True or False."""
    for case, outcome in zip(trial.cases, trial.outcomes):
        value = outcome.value
        if outcome.trouble is None and _verdict(value) is None:
            kind = type(value).__name__
            if isinstance(value, Tensor) and value.numel() != 1:
                kind = f"tensor of shape {tuple(value.shape)}"
            return Finding("leak-no-verdict", {"got": kind}, {"box": case.name})
    return None


def accusations(trial: Trial) -> Finding | None:
    """No sound box is said to leak."""
    found = _verdicts(trial)
    if found is None:
        return None
    evidence, wrong = _evidence(found), len(found.missed) + len(found.accused)
    if not found.missed and len(found.accused) == len(found.sound):
        futures = futures_of(trial.answer, trial.cases[0].args[1])
        kept = not futures or max(futures) > 0
        mistake = "leak-all-accused" if kept else "leak-past-not-kept"
        return Finding(mistake, {}, evidence)
    if not found.accused and len(found.missed) == len(found.leaky):
        return Finding("leak-none-accused", {}, evidence)
    if wrong == len(found.leaky) + len(found.sound):
        return Finding("leak-verdict-inverted", {}, evidence)
    if not found.accused:
        return None
    rounded = [name for name in ROUNDED if name in found.accused]
    by_rounding = rounded and not EXACT & set(found.accused)
    name = rounded[0] if by_rounding else found.accused[0]
    facts = {"box": f"'{name}'", "about": _about(trial, name)}
    if by_rounding:
        return Finding("leak-rounding-accused", facts, evidence)
    large = set(found.accused) <= LARGE
    mistake = "leak-large-outputs-accused" if large else "leak-sound-accused"
    return Finding(mistake, facts, evidence)


def missed(nth: int) -> behave.Behaviour:
    """The nth kind of leak that is missed."""

    def check(trial: Trial) -> Finding | None:
        found = _verdicts(trial)
        if found is None or len(found.missed) == len(found.leaky):
            return None
        kinds = _kinds(set(found.missed))
        if nth >= len(kinds):
            return None
        mistake, boxes = kinds[nth]
        name = next(n for n in found.missed if n in boxes)
        facts = {"box": f"'{name}'", "about": _about(trial, name)}
        if mistake == "leak-some-places-missed":
            futures = futures_of(trial.answer, trial.cases[0].args[1])
            if len(futures) == 1:
                mistake, facts = "leak-one-place-only", facts | {"t": max(futures)}
        return Finding(mistake, facts, _evidence(found))

    return check


def _kinds(names: set[str]) -> list[tuple[str, set[str]]]:
    """Mistake ids, each with the boxes that it is about; one for what is left over."""
    found, left = [], set(names)
    for group in MISSES:
        hit = group.boxes & left
        if not hit or group.but & names or (group.all_of_them and hit != group.boxes):
            continue
        found.append((group.mistake, hit))
        left -= hit
    return found or ([("leak-missed", left)] if left else [])


def _verdict(value: Any) -> bool | None:
    if isinstance(value, Tensor):
        value = value.item() if value.numel() == 1 else None
    elif hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    return bool(value) if isinstance(value, bool | int) and value in (0, 1) else None


def _verdicts(trial: Trial) -> Verdicts | None:
    """What the test said of every box; None if it failed on one."""
    found = Verdicts([], [], [], [])
    for case, outcome in zip(trial.cases, trial.outcomes):
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
        names = "; ".join(wrong[:5]) + "; …" * (len(wrong) > 5)
        evidence[text] = f"{len(wrong)} of {len(of)}" + f" ({names})" * bool(wrong)
    return evidence


def _about(trial: Trial, name: str) -> str:
    return trial.cases[trial.case(name)].args[0].about


def cases(seed: int) -> Sequence[Case]:
    """Every box, with an input to try it on."""
    x = example_input(seed)
    return [Case(b.name, f"box '{b.name}'", (b, x)) for b in all_boxes(seed)]


def _praise() -> str:
    boxes = all_boxes()
    leaky = sum(box.leaks for box in boxes)
    return (
        f"It flags all {leaky} leaky boxes and none of the {len(boxes) - leaky} sound "
        f"ones, those with rounding and those with large outputs included. Of A, B and "
        f"C it is B that leaks."
    )


EXERCISES = [
    judged(
        "find_the_leak",
        "does a box leak?",
        gives_a_verdict,
        behave.arguments_untouched,
        accusations,
        missed(0),
        missed(1),
        missed(2),
        cases=cases,
        parts=("verdict",),
        argument_names=("model", "x"),
        call=ask,
        looks=(calls_in_batches,),
        praise=_praise(),
    )
]
