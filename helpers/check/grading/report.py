"""The report: a table to read, and the same as CSV.

File names and messages come from learners: what a terminal or a spreadsheet would obey
is written so that it does nothing.
"""

from __future__ import annotations

import contextlib
import csv
import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from helpers.plots.labels import printable

from .verdict import STATUSES, Verdict

WIDTH = 100
MOST_MISTAKES = 3
"""How many mistakes of an exercise the summary names."""

EXPLAINED = (
    "unreadable",
    "is-a-link",
    "syntax-error",
    "cell-raises",
    "cannot-run",
    "out-of-time",
    "process-ended",
)
"""Of these the table gives the reason too."""


def table(verdicts: Sequence[Verdict]) -> str:
    """The notebooks one by one, and a summary of the exercises if there are several."""
    verdicts = [_printable(v) for v in verdicts]
    width = max((len(v.exercise) for v in verdicts), default=0)
    parts = [
        "\n".join([_head(file, found), *(_line(v, width) for v in found if v.exercise)])
        for file, found in _by(verdicts, "file")
    ]
    if len(parts) > 1:
        parts.append("\n".join(_summary(verdicts, width)))
    return "\n\n".join(parts)


@contextlib.contextmanager
def csv_file(path: Path) -> Iterator[Callable[[Sequence[Verdict]], None]]:
    """A function that writes one row an exercise; several mistakes are parted by "; ".

    The rows go to `path`.part, which takes the place of `path` only at the end: so
    an earlier report is there until the new one is whole.
    """
    part = part_of(path)
    # with a byte order mark, which tells Excel that it is UTF-8
    encoding = {"encoding": "utf-8-sig", "errors": "backslashreplace"}
    with part.open("w", newline="", **encoding) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["file", "exercise", "status", "mistakes", "words", "message"])

        def add(verdicts: Sequence[Verdict]) -> None:
            for v in map(_printable, verdicts):
                mistakes, words = "; ".join(v.mistakes), "; ".join(v.words)
                row = [v.file, v.exercise, v.status, mistakes, words, v.message]
                rows.writerow([_no_formula(text) for text in row])
            file.flush()

        yield add
    os.replace(part, path)


def part_of(path: Path) -> Path:
    """Where the rows are until all are there."""
    return path.with_name(f"{path.name}.part")


def _printable(v: Verdict) -> Verdict:
    return replace(
        v,
        file=printable(v.file),
        message=printable(v.message),
        cause=printable(v.cause),
    )


def _no_formula(text: str) -> str:
    """The text, with an apostrophe before what a spreadsheet would compute."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


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
        causes = Counter(
            f"a cell {v.cause}" if v.cause else v.words[0]
            for v in found
            if v.status == "not judged" and v.words
        )
        for told, times in [*wrong.most_common(MOST_MISTAKES), *causes.most_common()]:
            yield _wrapped(f"  {'':{width}}    {times} × ", told)
    lost = sum(not v.exercise for v in verdicts)
    if lost:
        yield f"  not judged at all: {lost}"
