"""The report as one HTML page: for reading before the next lesson, offline.

Names, code and messages come from learners. The page has no script, asks nobody for
anything, and jinja2 escapes all that is written into it.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.plots.labels import printable

from ..words import WORDS
from .verdict import OWN, STATUSES, Verdict

TEMPLATE = Path(__file__).with_name("page.html.j2")
SIGNS = dict(zip(STATUSES, "✓✗·–?"))
BEST = ("correct", "wrong", "not judged", "not attempted", "missing")
"""Of two notebooks with the same exercise the better answer counts."""
MOST_TOPICS = 3
NO_TOPICS = ("raises", "unexplained", "checker-stumbled")
"""What learners have in common there is no misconception."""


@dataclass(frozen=True)
class Misconception:
    """One mistake, over all learners and exercises.

    Attributes:
        id: the checker's id.
        word: its short name.
        learners: how many have it.
        exercises: (exercise, how many learners have it there), the most first.
        example: the verdict that is shown; from the exercise where it is most frequent.
    """

    id: str
    word: str
    learners: int
    exercises: tuple[tuple[str, int], ...]
    example: Verdict


def page(verdicts: Sequence[Verdict], *, anonymous: bool = False) -> str:
    """The page.

    Args:
        verdicts: all of them, as `grade` yields them.
        anonymous: numbers in place of names, in no order of names, and no code.
    """
    import jinja2

    grid = _grid(verdicts)
    names = dict.fromkeys(v.exercise for v in verdicts if v.exercise)
    shown = _numbered(grid) if anonymous else {name: printable(name) for name in grid}
    found = misconceptions(grid)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.trim_blocks = environment.lstrip_blocks = True
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        anonymous=anonymous,
        counts={name: _count(grid, name) for name in names},
        exercises=list(names),
        found=found,
        grid=sorted(grid.items(), key=lambda row: _place(shown[row[0]])),
        lost=[v for v in verdicts if not v.exercise],
        shown=shown,
        signs=SIGNS,
        text=printable,
        topics=_topics(grid, found),
        learner=learner,
        said=lambda m: _said(m, anonymous),
    )


def write(path: Path, verdicts: Sequence[Verdict], *, anonymous: bool = False) -> None:
    """Write the page; an earlier one is there until the new one is whole."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(
        page(verdicts, anonymous=anonymous),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
    )
    os.replace(part, path)


def learner(file: str) -> str:
    """Whose notebook it is: its folder's name, or its own where it lies in none."""
    first, slash, _ = file.replace("\\", "/").partition("/")
    return first if slash else first.removesuffix(".ipynb")


def misconceptions(grid: dict[str, dict[str, Verdict]]) -> list[Misconception]:
    """The named mistakes in wrong answers, the most frequent first."""
    seen: dict[str, list[Verdict]] = {}
    for row in grid.values():
        for v in row.values():
            for mistake in v.mistakes if v.status == "wrong" else ():
                if mistake not in OWN:
                    seen.setdefault(mistake, []).append(v)
    found = []
    for mistake, with_it in seen.items():
        where = tuple(Counter(v.exercise for v in with_it).most_common())
        there = [v for v in with_it if v.exercise == where[0][0]]
        example = min(there, key=lambda v: (len(v.mistakes), len(v.code), v.file))
        word = dict(zip(example.mistakes, example.words))[mistake]
        number = len({learner(v.file) for v in with_it})
        found.append(Misconception(mistake, word, number, where, example))
    return sorted(found, key=lambda m: (-m.learners, m.id))


def _grid(verdicts: Sequence[Verdict]) -> dict[str, dict[str, Verdict]]:
    grid: dict[str, dict[str, Verdict]] = {}
    for v in verdicts:
        row = grid.setdefault(learner(v.file), {})
        old = row.get(v.exercise)
        if v.exercise and (not old or BEST.index(v.status) < BEST.index(old.status)):
            row[v.exercise] = v
    return grid


def _numbered(grid: dict[str, dict[str, Verdict]]) -> dict[str, str]:
    names = list(grid)
    random.SystemRandom().shuffle(names)
    return {name: f"learner {number}" for number, name in enumerate(names, start=1)}


def _said(m: Misconception, anonymous: bool) -> str:
    """The checker's sentences; what may quote the learner's code is left out.

    The words of a mistake have fields for numbers and names that were seen. Without
    them they name nobody.
    """
    if not anonymous:
        return printable(m.example.message)
    says = WORDS[m.id].says
    return says if "{" not in says else f"{m.word[:1].upper()}{m.word[1:]}."


def _place(name: str) -> tuple[str, int]:
    """Learner 10 comes behind learner 9; the others by name."""
    word, _, number = name.rpartition(" ")
    return (word, int(number)) if number.isdecimal() else (name.casefold(), 0)


def _count(grid: dict[str, dict[str, Verdict]], exercise: str) -> Counter[str]:
    return Counter(row[exercise].status for row in grid.values() if exercise in row)


def _topics(
    grid: dict[str, dict[str, Verdict]], found: Sequence[Misconception]
) -> list[tuple[str, Misconception, int, int]]:
    """(exercise, mistake, learners who have it there, who tried), the most first.

    An exercise is named once, with the mistake that most share.
    """
    shared = sorted(
        ((e, m, n) for m in found if m.id not in NO_TOPICS for e, n in m.exercises),
        key=lambda t: -t[2],
    )
    best: dict[str, tuple[str, Misconception, int, int]] = {}
    for exercise, mistake, number in shared:
        count = _count(grid, exercise)
        tried = count["correct"] + count["wrong"]
        best.setdefault(exercise, (exercise, mistake, number, tried))
    return list(best.values())[:MOST_TOPICS]
