"""A lesson as the source of an nbgrader assignment: stubs to fill, checks that grade.

An exercise's stub becomes a solution cell, with the solution between nbgrader's own
marks. The check behind it becomes a locked cell that grades, worth a point for each ●
on the exercise's card: what learners see there is the check alone, and hidden behind it
stands an assertion on `check.diagnose`, whose text names the mistake in the feedback.
"""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode

from tools.exercises import Exercise, exercises

CARD = 4
"""An exercise's card stands in one of so many cells before its stub."""
ANSWER = """\
{stub}
### BEGIN SOLUTION
{solution}
### END SOLUTION"""
GRADED = """\
{check}
### BEGIN HIDDEN TESTS
from helpers.check import diagnose as _diagnose

_said = _diagnose("{exercise}", {name})
assert _said.status == "correct", (
    f"{{_said.status}} ({{', '.join(_said.mistakes)}}): {{_said.message}}"
)
### END HIDDEN TESTS"""
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "attention"
# what takes the place of a solution: the lesson's own stub is there already
c.ClearSolutions.code_stub = {"python": "# your answer goes above"}
c.Execute.timeout = 180
"""


def for_nbgrader(nb: NotebookNode, solutions: dict[str, str]) -> NotebookNode:
    """Mark every exercise for nbgrader, in place.

    Args:
        nb: the lesson, without its folds "Solution".
        solutions: exercise → its code.
    """
    for exercise in exercises(nb):
        if exercise.check is None:
            raise ValueError(f"cell {exercise.stub}: {exercise.name} has no check")
        stub, check = nb.cells[exercise.stub], nb.cells[exercise.check_cell]
        solution = solutions[exercise.name]
        stub.source = ANSWER.format(stub=stub.source, solution=solution)
        stub.metadata["nbgrader"] = _mark(f"answer-{exercise.check}", solution=True)
        check.source = GRADED.format(
            check=check.source, exercise=exercise.check, name=exercise.name
        )
        check.metadata["nbgrader"] = _mark(
            f"check-{exercise.check}",
            grade=True,
            locked=True,
            points=points(nb, exercise),
        )
    return nb


def points(nb: NotebookNode, exercise: Exercise) -> int:
    """How many ● the exercise's card has."""
    before = nb.cells[max(0, exercise.stub - CARD) : exercise.stub]
    for cell in reversed(before):
        if found := re.search("●+", cell.source):
            return len(found[0])
    raise ValueError(f"cell {exercise.stub}: {exercise.name} has no card with its ●")


def _mark(name: str, **more: Any) -> dict[str, Any]:
    kind = {"schema_version": 3, "cell_type": "code", "grade_id": name, "task": False}
    return kind | {"grade": False, "solution": False, "locked": False} | more
