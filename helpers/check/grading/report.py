"""The report: a table to read, and the same as CSV."""

from __future__ import annotations

import csv
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TextIO

from .verdict import STATUSES, Verdict

WIDTH = 100
MOST_MISTAKES = 3
"""How many mistakes of an exercise the summary names."""

EXPLAINED = ("unreadable", "syntax-error", "cell-raises", "process-ended")
"""Of these the table gives the reason too."""


def table(verdicts: Sequence[Verdict]) -> str:
    """The notebooks one by one, and a summary of the exercises if there are several."""
    width = max((len(v.exercise) for v in verdicts), default=0)
    parts = [
        "\n".join([_head(file, found), *(_line(v, width) for v in found if v.exercise)])
        for file, found in _by(verdicts, "file")
    ]
    if len(parts) > 1:
        parts.append("\n".join(_summary(verdicts, width)))
    return "\n\n".join(parts)


def write_csv(verdicts: Sequence[Verdict], file: TextIO) -> None:
    """One row an exercise and notebook; several mistakes are parted by "; "."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["file", "exercise", "status", "mistakes", "words", "message"])
    for v in verdicts:
        mistakes, words = "; ".join(v.mistakes), "; ".join(v.words)
        rows.writerow([v.file, v.exercise, v.status, mistakes, words, v.message])


def _by(verdicts: Sequence[Verdict], what: str) -> Iterator[tuple[str, list[Verdict]]]:
    for value, found in groupby(verdicts, key=lambda v: getattr(v, what)):
        yield value, list(found)


def _head(file: str, found: Sequence[Verdict]) -> str:
    if not found[0].exercise:
        return _wrapped(f"{file}: {found[0].status}, ", _told(found[0]))
    correct = sum(v.status == "correct" for v in found)
    return f"{file}: {correct} of {len(found)} correct"


def _line(v: Verdict, width: int) -> str:
    return _wrapped(f"  {v.exercise:{width}}  {v.status:13}  ", _told(v))


def _told(v: Verdict) -> str:
    """The mistakes in words; of those that aren't the checker's, the reason too."""
    if v.message and v.mistakes and v.mistakes[0] in EXPLAINED:
        return f"{v.words[0]}: {v.message}"
    return "; ".join(f"{word} ({id})" for id, word in zip(v.mistakes, v.words))


def _wrapped(start: str, text: str) -> str:
    indent = " " * min(len(start), WIDTH // 2)
    filled = textwrap.fill(
        start + text,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.rstrip()


def _summary(verdicts: Sequence[Verdict], width: int) -> Iterator[str]:
    files = {v.file for v in verdicts}
    yield f"All {len(files)} notebooks"
    names = dict.fromkeys(v.exercise for v in verdicts if v.exercise)
    for name in names:
        found = [v for v in verdicts if v.exercise == name]
        count = Counter(v.status for v in found)
        told = ", ".join(f"{count[s]} {s}" for s in STATUSES if count[s])
        yield f"  {name:{width}}  {told}"
        wrong = Counter(
            f"{word} ({mistake})"
            for v in found
            if v.status == "wrong"
            for mistake, word in zip(v.mistakes, v.words)
        )
        for mistake, times in wrong.most_common(MOST_MISTAKES):
            yield f"  {'':{width}}    {times} × {mistake}"
    lost = sum(not v.exercise for v in verdicts)
    if lost:
        yield f"  not judged at all: {lost}"
