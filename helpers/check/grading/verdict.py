"""What is known about one exercise in one learner's notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["correct", "wrong", "not attempted", "missing", "not judged"]
STATUSES: tuple[Status, ...] = (
    "correct",
    "wrong",
    "not attempted",
    "missing",
    "not judged",
)


@dataclass(frozen=True)
class Verdict:
    """One row of the report.

    Attributes:
        file: the notebook, as the report names it.
        exercise: its name, as in `check.<exercise>`; "" if the notebook can't be read.
        status: "missing" if no cell defines the answer; "not judged" if it could not be
            run to an end, which says nothing about whether it is right.
        mistakes: ids of the checker, or of `OWN`.
        words: the same in a few words each.
        message: the checker's sentences.
        cause: what kept the answer from being judged, where a cell says it.
        code: the answer's definition, without comments.
    """

    file: str
    exercise: str
    status: Status
    mistakes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    message: str = ""
    cause: str = ""
    code: str = ""


OWN = {
    "syntax-error": "the cell is no valid Python",
    "cell-raises": "the cell raises an error",
    "cannot-run": "a cell that it needs cannot be run here",
    "no-such-name": "no cell defines the answer",
    "out-of-time": "ran out of time",
    "process-ended": "the code ended the process",
    "unreadable": "not a readable notebook",
    "is-a-link": "a link, not a file that was handed in",
    "no-exercise": "no exercise in this notebook",
}
"""Ids that the checker itself has no use for, and their words."""


def own(
    file: str, exercise: str, status: Status, mistake: str, message: str = ""
) -> Verdict:
    """A verdict with one of the ids in `OWN`."""
    return Verdict(file, exercise, status, (mistake,), (OWN[mistake],), message)
