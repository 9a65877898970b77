"""From an answer to a Diagnosis: run it, compare, search, look at its behaviour."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from . import errors, families, guard, limit
from .behaviours import Trial
from .diagnosis import Diagnosis, numbers, stopped
from .search import Explanation, Search, shared_tag
from .space import Exercise, Finding
from .words import WORDS, Words

Parts = tuple[list[str], str, dict[str, str]]  # mistakes, message, evidence


@functools.cache
def exercises() -> dict[str, Exercise]:
    """All exercises, by name."""
    return families.load()


def diagnose(
    exercise: str, answer: Any, *, seed: int = 0, seconds: float = limit.LIMIT
) -> Diagnosis:
    """What is right or wrong with `answer`, and which misunderstanding made it so.

    Changes nothing: not the answer, not the arguments, no global state. An answer that
    runs for more than `seconds` is stopped. Raises KeyError for an unknown exercise and
    passes an interrupt on; nothing else.
    """
    spec = exercises()[exercise]
    with guard.untouched_world(), limit.budget(seconds):
        try:
            return _diagnose(spec, answer, seed)
        except limit.TimeUp as up:
            return stopped(exercise, seconds, up.trouble)
        except Exception as error:  # a bug of ours must not reach the notebook
            return _wrong(
                spec,
                [
                    Finding(
                        "checker-stumbled",
                        {"kind": type(error).__name__, "text": str(error)[:80]},
                    )
                ],
            )


def _diagnose(spec: Exercise, answer: Any, seed: int) -> Diagnosis:
    if answer is ... or answer is None:
        return _not_attempted(spec)
    if spec.value and not callable(answer):
        answer = functools.partial(_given, answer)
    if not callable(answer):
        return _wrong(spec, [Finding("not-callable", {"type": type(answer).__name__})])
    if guard.is_stub(answer):
        return _not_attempted(spec)
    if isinstance(answer, torch.nn.Module):
        answer = guard.copied(answer)
    if finding := _first(f for look in spec.looks if (f := look(answer))):
        return _wrong(spec, [finding])
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
        return _not_attempted(spec) if trouble.kind == "NotImplementedError" else None
    items = value if isinstance(value, list | tuple) else (value,)
    if any(item is ... for item in items):
        return _not_attempted(spec)
    if value is None:
        printed = first.printed.strip()
        evidence = {"printed": printed.splitlines()[0][:60]} if printed else {}
        mistake = "prints-instead-of-returning" if printed else "no-return"
        return _wrong(spec, [Finding(mistake, {}, evidence)])
    return None


def _judge(spec: Exercise, trial: Trial) -> Diagnosis:
    search = Search(spec, trial.cases, trial.seen)
    trial.failing = search.failing
    bad_type = next(
        (
            _odd_type(o.value)
            for o, s in zip(trial.outcomes, trial.seen, strict=True)
            if s is None and not o.trouble
        ),
        None,
    )
    if bad_type:
        return _wrong(
            spec,
            [
                Finding(
                    "wrong-type", {"type": bad_type, "due": " and ".join(spec.parts)}
                )
            ],
        )
    parts: list[Parts] = []
    steady = _first(
        b for b in spec.behaviours if b.__qualname__.startswith("calls_agree")
    )
    unsteady = steady(trial) if steady else None
    if search.failing and unsteady is None:
        parts.append(_why(spec, trial, search))
    named = {m for mistakes, _, _ in parts for m in mistakes}
    for behaviour in spec.behaviours:
        finding = unsteady if behaviour is steady else behaviour(trial)
        if finding and finding.mistake not in named:
            named.add(finding.mistake)
            parts.append(_of_finding(finding))
    if not parts:
        return _praise(spec, trial)
    return _joined(spec, parts)


def _why(spec: Exercise, trial: Trial, search: Search) -> Parts:
    """The likeliest account of the wrong numbers."""
    trouble = _first(i for i in search.failing if trial.outcomes[i].trouble)
    finding = None
    if trouble is not None:
        finding = errors.explained(
            trial.outcomes[trouble].trouble,
            trial.cases[trouble].about,
            masked="a mask" in trial.cases[trouble].tags,
        )
        if finding.mistake in errors.SPECIFIC:
            return _of_finding(finding, _when(search))
    found = search.explain()
    if found:
        right = search.bases[0] | {d.choice: d.value for d in found.departures}
        trial.choices = right if found.scope == "everything" else {}
        return _of_explanation(spec, trial, search, found)
    if finding and trial.seen[min(search.failing)] is None:
        return _of_finding(finding, _when(search))
    shape = _shape_finding(spec, trial, search)
    symptoms = (s(trial) for s in spec.symptoms)
    best = shape or _first(s for s in symptoms if s) or finding
    best = best or _localised(spec, trial, search)
    shown = _evidence(spec, trial, search, search.failing[0])
    mistakes, message, evidence = _of_finding(best, _when(search))
    return mistakes, message, evidence | shown


def _of_explanation(
    spec: Exercise, trial: Trial, search: Search, found: Explanation
) -> Parts:
    shown = next(i for i in search.failing if trial.seen[i] is not None)
    told = trial.seen[shown]
    if found.scope == "part":  # the wrong part's own numbers, not the right part's
        choices = search.bases[0] | {d.choice: d.value for d in found.departures}
        told = search.expected(shown, choices) or told
    facts = dict(spec.facts(trial.cases[shown], told))
    for departure in found.departures:
        facts |= departure.facts
    said = [WORDS[m] for m in found.mistakes]
    text = " And: ".join(_fill(w.says, facts) for w in said)
    if found.scope == "failing":
        text = f"{_when(search)}{text}"
    elif found.scope == "part":
        text = (
            f"The mistake shows only in the returned {spec.parts[found.part]}. {text}"
        )
    elif found.scope == "plain":
        text += " On the other cases more is wrong: mend this first, then run again."
    if found.others:
        also = " or ".join(WORDS[m].short for m in found.others[:2])
        text += f" (The same numbers come from: {also}.)"
    text += " " + _fill(said[0].asks, facts)
    if len(said) > 1:
        text += " Mend that and run again."
    evidence = _evidence(spec, trial, search, shown)
    trouble = _first(o.trouble for o in trial.outcomes if o.trouble)
    if trouble and trouble.line:
        shapes = ", ".join(f"{n} {s}" for n, s in trouble.shapes.items())
        evidence["it also raises"] = (
            f"line {trouble.line}: {trouble.source}  [{shapes}]"
        )
    return list(found.mistakes), text, evidence


def _evidence(spec: Exercise, trial: Trial, search: Search, i: int) -> dict[str, str]:
    """The first row of yours and of the right one, on the first case that fails."""
    case, got, want = trial.cases[i], trial.seen[i], search.expected(i)
    shapes = ", ".join(
        f"{n} {tuple(a.shape)}" if hasattr(a, "shape") else f"{n} {a}"
        for n, a in zip(spec.argument_names, case.args, strict=False)
        if a is not None
    )
    lines = {"case": f"{case.about} ({case.name!r}: {shapes})"}
    if got is None or want is None:
        return lines
    for part, (name, b) in enumerate(zip(spec.parts, want, strict=False)):
        if part >= len(got):
            break
        a = got[part]
        if a.shape != b.shape:
            lines[f"your {name}"] = f"shape {tuple(a.shape)}, due {tuple(b.shape)}"
            continue
        rows_a, rows_b = (
            t.reshape(-1, t.shape[-1]) if t.dim() else t.reshape(1, 1) for t in (a, b)
        )
        off = ((rows_a - rows_b).abs().nan_to_num(1e9) > case.tol).any(-1).nonzero()
        if len(off):
            row = int(off[0])
            where = f", row {row}" if len(rows_a) > 1 else ""
            lines[f"your {name}{where}"] = numbers(rows_a[row])
            lines[f"the right {name}{where}"] = numbers(rows_b[row])
    return lines


def _when(search: Search) -> str:
    """'With …: ' if some cases pass."""
    failing, cases = search.failing, search.cases
    if len(failing) == len(cases):
        return ""
    tag = shared_tag(cases, failing)
    if tag:
        return f"Right otherwise, but with {tag}: "
    names = ", ".join(cases[i].about for i in sorted(failing)[:3])
    return (
        f"Right on {len(cases) - len(failing)} of {len(cases)} cases; not on: {names}. "
    )


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


def _shape_finding(spec: Exercise, trial: Trial, search: Search) -> Finding | None:
    for i in search.failing:
        got, want = trial.seen[i], search.expected(i)
        if got is None:
            continue
        if len(got) != len(want):
            return Finding(
                "wrong-count", {"count": len(got), "due": " and ".join(spec.parts)}
            )
        for name, a, b in zip(spec.parts, got, want, strict=True):
            if a.shape != b.shape:
                return Finding(
                    "wrong-shape",
                    {"part": name, "got": tuple(a.shape), "want": tuple(b.shape)},
                )
    return None


def _localised(spec: Exercise, trial: Trial, search: Search) -> Finding:
    """Nothing fits: say which part is right, and any constant ratio."""
    i = next(i for i in search.failing if trial.seen[i] is not None)
    got, want = trial.seen[i], search.expected(i)
    right, wrong, ratio = [], [], ""
    for p, (name, a, b) in enumerate(zip(spec.parts, got, want, strict=True)):
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


def _of_finding(finding: Finding, when: str = "") -> Parts:
    words = WORDS[finding.mistake]
    text = (
        f"{when}{_fill(words.says, finding.facts)} {_fill(words.asks, finding.facts)}"
    )
    return [finding.mistake], text, dict(finding.evidence)


def _wrong(spec: Exercise, findings: Iterable[Finding]) -> Diagnosis:
    return _joined(spec, [_of_finding(f) for f in findings])


def _joined(spec: Exercise, parts: Sequence[Parts]) -> Diagnosis:
    mistakes = [m for part in parts for m in part[0]]
    text = parts[0][1] + "".join(f" Also: {WORDS[p[0][0]].short}." for p in parts[1:])
    evidence: dict[str, str] = {}
    for _, _, shown in reversed(parts):
        evidence |= shown
    return Diagnosis(spec.name, "wrong", text, tuple(dict.fromkeys(mistakes)), evidence)


def _not_attempted(spec: Exercise) -> Diagnosis:
    return Diagnosis(
        spec.name,
        "not attempted",
        "not attempted yet. Write your version above, then run this again.",
    )


def _praise(spec: Exercise, trial: Trial) -> Diagnosis:
    """Correct; a remark may say what would be better still."""
    first, last = trial.cases[0].about, trial.cases[-1].about
    text = f"It agrees on all {len(trial.cases)} cases, from {first} to {last}."
    text = spec.praise or text
    evidence: dict[str, str] = {}
    for remark in spec.remarks:
        if finding := remark(trial):
            _, more, shown = _of_finding(finding)
            text, evidence = f"{text} One remark: {more}", evidence | shown
    return Diagnosis(spec.name, "correct", text, (), evidence)


def _fill(text: str, facts: Mapping[str, Any]) -> str:
    """The text with its numbers; what would say an unknown one is left out."""
    for name in set(re.findall(r"\{(\w+)\}", text)) - set(facts):
        unknown = re.escape("{" + name + "}")
        text = re.sub(rf" \([^()]*{unknown}[^()]*\)", "", text)
        text = re.sub(rf",[^,.;:]*{unknown}(?=[,.;:])", "", text)
        text = re.sub(unknown, "some number", text)
    return text.format_map(facts)


def _first(items: Iterable[Any]) -> Any:
    return next(iter(items), None)


__all__ = ["Words", "diagnose", "exercises"]
