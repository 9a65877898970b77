"""From an answer to a Diagnosis: run it, compare, search, look at its behaviour."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import torch

from . import errors, families, guard
from . import exercises as rooms
from .behaviours import Trial
from .degenerate import axis_lost, deaf, zeros
from .diagnosis import Diagnosis, numbers
from .search import Search
from .space import Exercise, Finding
from .telling import (
    Parts,
    evidence,
    joined,
    not_attempted,
    of_explanation,
    of_finding,
    praise,
    when,
    wrong,
)


@functools.cache
def catalogue() -> dict[str, Exercise]:
    """All exercises, by name."""
    return families.load() | rooms.load()


def diagnose(exercise: str, answer: Any, *, seed: int = 0) -> Diagnosis:
    """What is right or wrong with `answer`, and which misunderstanding made it so.

    Changes nothing: not the answer, not the arguments, no global state. Raises
    KeyError for an unknown exercise and passes an interrupt on; nothing else.
    """
    spec = catalogue()[exercise]
    with guard.untouched_world():
        try:
            return _diagnose(spec, answer, seed)
        except Exception as error:  # a bug of ours must not reach the notebook
            facts = {"kind": type(error).__name__, "text": str(error)[:80]}
            return wrong(spec, [Finding("checker-stumbled", facts)])


def _diagnose(spec: Exercise, answer: Any, seed: int) -> Diagnosis:
    if answer is ... or answer is None:
        return not_attempted(spec)
    if spec.value and not callable(answer):
        answer = functools.partial(_given, answer)
    if not callable(answer):
        return wrong(spec, [Finding("not-callable", {"type": type(answer).__name__})])
    if guard.is_stub(answer):
        return not_attempted(spec)
    if isinstance(answer, torch.nn.Module):
        answer = guard.copied(answer)
    if finding := first(f for look in spec.looks if (f := look(answer))):
        return wrong(spec, [finding])
    cases = list(spec.cases(seed))
    outcomes: list[guard.Outcome] = []
    for case in cases:
        outcome = guard.run(
            lambda *args: spec.call(answer, *args), case.args, by=answer
        )
        if not outcomes and (early := _nothing_yet(spec, outcome)):
            return early
        outcomes.append(outcome)
    trial = Trial(spec, answer, cases, outcomes, [])
    trial.seen = [trial.values(o) for o in outcomes]
    return _judge(spec, trial)


def _given(value: Any, *args: Any) -> Any:
    """A prediction as a function: the value, whatever is asked."""
    return value


def _nothing_yet(spec: Exercise, first: guard.Outcome) -> Diagnosis | None:
    """A stub, or a function that returns nothing."""
    value, trouble = first.value, first.trouble
    if trouble is not None:
        return not_attempted(spec) if trouble.kind == "NotImplementedError" else None
    items = value if isinstance(value, list | tuple) else (value,)
    if any(item is ... for item in items):
        return not_attempted(spec)
    if value is None:
        printed = first.printed.strip()
        shown = {"printed": printed.splitlines()[0][:60]} if printed else {}
        mistake = "prints-instead-of-returning" if printed else "no-return"
        return wrong(spec, [Finding(mistake, {}, shown)])
    return None


def _judge(spec: Exercise, trial: Trial) -> Diagnosis:
    search = Search(spec, trial.cases, trial.seen)
    trial.failing = search.failing
    odd = (
        _odd_type(o.value)
        for o, s in zip(trial.outcomes, trial.seen, strict=True)
        if s is None and not o.trouble
    )
    if kind := next(odd, None):
        facts = {"type": kind, "due": " and ".join(spec.parts)}
        return wrong(spec, [Finding("wrong-type", facts)])
    settled = [(b, b(trial)) for b in spec.behaviours if _settles(b)]
    parts: list[Parts] = []
    if search.failing and not any(finding for _, finding in settled):
        parts.append(_why(trial, search))
    named = {m for mistakes, _, _ in parts for m in mistakes}
    known = dict(settled)
    for behaviour in spec.behaviours:
        finding = known[behaviour] if behaviour in known else behaviour(trial)
        if finding and finding.mistake not in named:
            named.add(finding.mistake)
            leads = getattr(behaviour, "leads", False)
            parts.insert(0 if leads else len(parts), of_finding(finding))
    return joined(spec, parts) if parts else praise(trial)


def _settles(behaviour: Any) -> bool:
    """Does it explain wrong numbers by itself, so that none are searched for?"""
    return getattr(behaviour, "settles", False)


def _why(trial: Trial, search: Search) -> Parts:
    """The likeliest account of the wrong numbers."""
    raised = _raised(trial, search)
    if raised and raised.mistake in errors.SPECIFIC:
        return of_finding(raised, when(search))
    empty = zeros(trial, search)
    if not empty and len(search.failing) < len(search.cases):
        empty = axis_lost(trial, search)
    found = None if empty else search.explain_with_one()
    if not found and (plain := empty or _degenerate(trial, search)):
        return _with_evidence(plain, trial, search)
    if found := found or search.explain():
        if raised and len(found.departures) > 1 and _mostly_raises(trial, search):
            return of_finding(raised, when(search))
        everywhere = found.scope == "everything"
        trial.choices = search.with_departures(*found.departures) if everywhere else {}
        return of_explanation(trial, search, found)
    if raised and trial.seen[min(search.failing)] is None:
        return of_finding(raised, when(search))
    best = _shape_finding(trial, search) or first(
        finding for s in trial.exercise.symptoms if (finding := s(trial))
    )
    best = best or raised or _localised(trial, search)
    return _with_evidence(best, trial, search)


def _degenerate(trial: Trial, search: Search) -> Finding | None:
    """What is true as it stands, so that no pair of mistakes is looked for."""
    early = (s for s in trial.exercise.symptoms if getattr(s, "early", False))
    several = early if len(search.failing) > 2 else ()
    rules = (lambda t: axis_lost(t, search), deaf, *several)
    return first(finding for rule in rules if (finding := rule(trial)))


def _mostly_raises(trial: Trial, search: Search) -> bool:
    """Too little came back for a pair of mistakes to be read off it."""
    came_back = sum(trial.seen[i] is not None for i in search.failing)
    return came_back < min(2, len(search.failing))


def _raised(trial: Trial, search: Search) -> Finding | None:
    """What the first exception means."""
    i = first(i for i in search.failing if trial.outcomes[i].trouble)
    if i is None:
        return None
    case, masked = trial.cases[i], "a mask" in trial.cases[i].tags
    works = any(o.trouble is None for o in trial.outcomes)
    trouble = trial.outcomes[i].trouble
    return errors.explained(trouble, case.about, masked=masked, works_elsewhere=works)


def _with_evidence(finding: Finding, trial: Trial, search: Search) -> Parts:
    mistakes, message, shown = of_finding(finding, when(search))
    return mistakes, message, shown | evidence(trial, search, search.failing[0])


def _odd_type(value: Any) -> str:
    """The type that is no tensor, inside a tuple too."""
    items = value if isinstance(value, list | tuple) and value else (value,)
    for item in items:
        if isinstance(item, torch.Tensor) and (item.is_meta or item.is_complex()):
            kind = "complex tensor" if item.is_complex() else "tensor without numbers"
            return f"{kind} ({item.dtype} on {item.device})"
    odd = (i for i in items if not _has_shape(i))
    return type(next(odd, value)).__name__


def _has_shape(item: Any) -> bool:
    try:
        return hasattr(item, "shape")
    except Exception:  # a property of the learner's that fails
        return False


def _shape_finding(trial: Trial, search: Search) -> Finding | None:
    for i in search.failing:
        got, want = trial.seen[i], search.expected(i)
        if got is None:
            continue
        if len(got) != len(want):
            return Finding(
                "wrong-count",
                {"count": len(got), "due": " and ".join(trial.exercise.parts)},
            )
        for name, a, b in zip(trial.exercise.parts, got, want, strict=True):
            if a.shape != b.shape:
                return Finding(
                    "wrong-shape",
                    {"part": name, "got": tuple(a.shape), "want": tuple(b.shape)},
                )
    return None


def _localised(trial: Trial, search: Search) -> Finding:
    """Nothing fits: say which part is right, and any constant ratio."""
    i = next(i for i in search.failing if trial.seen[i] is not None)
    got, want = trial.seen[i], search.expected(i)
    right, wrong, ratio = [], [], ""
    for p, (name, a, b) in enumerate(zip(trial.exercise.parts, got, want, strict=True)):
        if all(search.fits(search.bases[0], j, p) for j in search.failing):
            right.append(name)
            continue
        wrong.append(name)
        r = (a / b)[b != 0]
        if r.numel() and float((r - r.mean()).abs().max()) < 1e-3 * abs(
            float(r.mean())
        ):
            ratio = f": it is {numbers(r.mean())} times the right one everywhere"
    return Finding(
        "unexplained",
        {
            "wrong": " and ".join(wrong),
            "ratio": ratio,
            "right": f"Right so far: the {' and '.join(right)}. " if right else "",
        },
    )


def first(items: Iterable[Any]) -> Any:
    """The first of them, or None."""
    return next(iter(items), None)


__all__ = ["catalogue", "diagnose"]
