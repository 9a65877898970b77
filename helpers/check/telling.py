"""How a verdict is said: the sentence, where it holds, and the evidence beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from .behaviours import Trial
from .diagnosis import Diagnosis, numbers
from .facts import usual_facts
from .search import Explanation, Search
from .space import Departure, Exercise, Finding, shared_tag
from .words import WORDS

Parts = tuple[list[str], str, dict[str, str]]
"""Mistakes, message, evidence."""
MOST_LINES = 15
MOST_PARTS = 3
"""Returned parts of which the numbers are shown."""
SHOWN = 6
"""Numbers of a row."""


def of_finding(finding: Finding, when: str = "") -> Parts:
    """One finding in its words."""
    words = WORDS[finding.mistake]
    says, asks = (w.format_map(finding.facts) for w in (words.says, words.asks))
    return [finding.mistake], f"{when}{says} {asks}", dict(finding.evidence)


def of_explanation(trial: Trial, search: Search, found: Explanation) -> Parts:
    """The departures in their words, on a case that shows the first of them."""
    spec, shown = trial.exercise, shown_case(trial, search, found.departures[0])
    said: dict[str, str] = {}
    asked = ""
    for departure in found.departures:
        facts = _facts_of_departure(trial, search, found, departure)
        words = WORDS[departure.mistake]
        said.setdefault(departure.mistake, words.says.format_map(facts))
        asked = asked or words.asks.format_map(facts)
    text = " And: ".join(said.values())
    if found.scope == "failing":
        text = f"{when(search)}{text}"
    elif found.scope == "part":
        text = (
            f"The mistake shows only in the returned {spec.parts[found.part]}. {text}"
        )
    elif found.scope == "plain":
        text += " On the other cases more is wrong: mend this first, then run again."
    if found.others:
        also = " or ".join(WORDS[m].short for m in found.others[:2])
        text += f" (The same numbers come from: {also}.)"
    text += f" {asked}"
    if len(said) > 1:
        text += " Mend that and run again."
    shown_numbers = evidence(trial, search, shown)
    trouble = next((o.trouble for o in trial.outcomes if o.trouble), None)
    if trouble and trouble.line:
        shapes = ", ".join(f"{n} {s}" for n, s in trouble.shapes.items())
        where = f"line {trouble.line}: {trouble.source}"
        shown_numbers["it also raises"] = f"{where}  [{shapes}]" if shapes else where
    return list(found.mistakes), text, shown_numbers


def shown_case(trial: Trial, search: Search, departure: Departure) -> int:
    """The first wrong case that the departure makes wrong by itself."""
    alone = search.with_departures(departure)
    wrong = [i for i in search.failing if trial.seen[i] is not None]
    shows = (i for i in wrong if not search.fits_right(alone, i))
    return next(shows, wrong[0])


def _facts_of_departure(
    trial: Trial, search: Search, found: Explanation, departure: Departure
) -> dict[str, Any]:
    """All that its sentence may mention, on a case that shows it."""
    i, spec = shown_case(trial, search, departure), trial.exercise
    told, case = trial.seen[i] or (), trial.cases[i]
    if found.scope == "part":  # the wrong part's own numbers, not the right part's
        choices = search.with_departures(*found.departures)
        told = search.expected(i, choices) or told
    usual = usual_facts(spec, case, told, search.expected(i) or ())
    return usual | dict(spec.facts(case, told)) | dict(departure.facts)


def when(search: Search) -> str:
    """'With …: ' if some cases pass."""
    failing, cases = search.failing, search.cases
    if len(failing) == len(cases):
        return ""
    if tag := shared_tag(cases, failing):
        return f"Right otherwise, but with {tag}: "
    names = "; ".join(cases[i].about for i in sorted(failing)[:3])
    more = "; …" if len(failing) > 3 else ""
    right = len(cases) - len(failing)
    return f"Right on {right} of {len(cases)} cases; not on: {names}{more}. "


def evidence(trial: Trial, search: Search, i: int) -> dict[str, str]:
    """The first row that differs, yours and the right one, on case i."""
    spec, case = trial.exercise, trial.cases[i]
    got, want = trial.seen[i], search.expected(i)
    arguments = ", ".join(
        f"{n} {glimpse(a)}"
        for n, a in zip(spec.argument_names, case.args, strict=False)
        if a is not None
    )
    lines = {"case": f"{case.about} ({case.name!r}: {arguments})"}
    differ = [
        shown
        for name, a, b in zip(spec.parts, got or (), want or ())
        if (shown := _of_part(name, a.detach(), b.detach(), case.tol))
    ]
    for shown in differ[:MOST_PARTS]:
        lines |= shown
    if (more := len(differ) - MOST_PARTS) > 0:
        lines["not shown"] = _more(more)
    return lines


def _more(parts: int) -> str:
    return "one more part differs" if parts == 1 else f"{parts} more parts differ"


def glimpse(argument: Any) -> str:
    """An argument in a few words: its shape, its kind or its value."""
    if hasattr(argument, "shape"):
        return str(tuple(argument.shape))
    if isinstance(argument, torch.nn.Module):
        return f"a {type(argument).__name__}"
    if isinstance(argument, Mapping):
        return f"of {len(argument)} entries"
    text = " ".join(repr(argument).split())
    return text if len(text) <= 40 else f"{text[:39]}…"


def _of_part(name: str, a: torch.Tensor, b: torch.Tensor, tol: float) -> dict[str, str]:
    if a.shape != b.shape:
        return {f"your {name}": f"shape {tuple(a.shape)}, due {tuple(b.shape)}"}
    rows_a, rows_b = (
        t.reshape(-1, t.shape[-1]) if t.dim() else t.reshape(1, 1) for t in (a, b)
    )
    gap = (rows_a.double() - rows_b.double()).abs().nan_to_num(1e9)
    gap = gap.masked_fill(rows_a == rows_b, 0.0)
    if not bool((gap > tol).any()):
        return {}
    row = int((gap > tol).any(-1).int().argmax())
    column = int((gap[row] > tol).int().argmax())
    start = 0 if column < SHOWN else column
    where = f", row {row}" if len(rows_a) > 1 else ""
    where += f" from column {start}" if start else ""
    mine, due = rows_a[row, start:], rows_b[row, start:]
    for digits in (4, 7):
        texts = numbers(mine, SHOWN, digits), numbers(due, SHOWN, digits)
        if texts[0] != texts[1]:
            break
    return {f"your {name}{where}": texts[0], f"the right {name}{where}": texts[1]}


def wrong(spec: Exercise, findings: Iterable[Finding]) -> Diagnosis:
    """Refused, for these reasons."""
    return joined(spec, [of_finding(f) for f in findings])


def joined(spec: Exercise, parts: Sequence[Parts]) -> Diagnosis:
    """One diagnosis: the first in full, the others by their short names."""
    mistakes = [m for part in parts for m in part[0]]
    text = parts[0][1] + "".join(f" Also: {WORDS[p[0][0]].short}." for p in parts[1:])
    shown: dict[str, str] = {}
    for _, _, more in parts:
        shown |= {name: value for name, value in more.items() if name not in shown}
    first = dict(list(shown.items())[:MOST_LINES])
    return Diagnosis(spec.name, "wrong", text, tuple(dict.fromkeys(mistakes)), first)


def praise(trial: Trial) -> Diagnosis:
    """Correct; a remark may say what would be better still."""
    spec = trial.exercise
    first, last = trial.cases[0].about, trial.cases[-1].about
    text = f"It agrees on all {len(trial.cases)} cases, from {first} to {last}."
    text = spec.praise or text
    shown: dict[str, str] = {}
    for remark in spec.remarks:
        if finding := remark(trial):
            _, more, evidence = of_finding(finding)
            text, shown = f"{text} One remark: {more}", shown | evidence
    return Diagnosis(spec.name, "correct", text, (), shown)


def not_attempted(spec: Exercise) -> Diagnosis:
    """Nothing is written yet."""
    text = "not attempted yet. Write your version above, then run this again."
    return Diagnosis(spec.name, "not attempted", text)
