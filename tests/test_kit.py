"""The kit for a class: no solution leaks, and nbgrader's verdicts are the checker's."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tools import kit, notebook
from tools.exercises import exercises, solve
from tools.nbgrader_cells import points
from tools.settings import ROOT

LESSONS = notebook.lessons()
WRONG = "def my_softmax(x, dim):\n    return torch.softmax(x, 0)"
THIRD = next(path for path in LESSONS if path.stem.startswith("03"))


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_the_student_edition_lacks_the_solutions_and_nothing_else(path: Path) -> None:
    before = notebook.read(path)
    after = kit.without_solutions(notebook.read(path))
    assert "<summary>Solution" not in "".join(cell.source for cell in after.cells)
    code = [c.source for c in before.cells if c.cell_type == "code"]
    assert [c.source for c in after.cells if c.cell_type == "code"] == code
    for old, new in zip(exercises(before), exercises(after)):
        left = {name: text for name, text in old.folds.items() if name != "Solution"}
        assert (new.name, new.folds) == (old.name, left)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    return kit.build(LESSONS, tmp_path_factory.mktemp("a class") / "kit")


def test_three_editions(built: Path) -> None:
    for edition in ("student", "solved"):
        names = {path.name for path in (built / edition).iterdir()}
        assert names == {path.name for path in LESSONS}
    solved = notebook.read(built / "solved" / THIRD.name)
    assert solved.cells == solve(notebook.read(THIRD)).cells
    for path in (built / "nbgrader" / "source").glob("*/*.ipynb"):
        cells = notebook.read(path).cells
        marks = [c.metadata.nbgrader for c in cells if "nbgrader" in c.metadata]
        worth = [mark.points for mark in marks if mark.grade]
        lesson = notebook.read(ROOT / "notebooks" / path.name)
        assert worth == [points(lesson, e) for e in exercises(lesson)], path.name
        assert len({mark.grade_id for mark in marks}) == 2 * len(worth)


def handed_in(nb: NotebookNode, how: str) -> NotebookNode:
    for exercise in exercises(notebook.read(THIRD)):
        cell = next(c for c in nb.cells if _is_answer(c, str(exercise.check)))
        if how == "correct":
            cell.source = str(exercise.solution)
        elif how == "wrong" and exercise.check == "softmax":
            cell.source = WRONG
    return nb


def _is_answer(cell: NotebookNode, check: str) -> bool:
    return cell.metadata.get("nbgrader", {}).get("grade_id") == f"answer-{check}"


def test_real_nbgrader_says_what_the_checker_says(built: Path, tmp_path: Path) -> None:
    nbgrader = shutil.which("nbgrader")
    if nbgrader is None:
        pytest.skip("no nbgrader on the PATH (pip install nbgrader, in an environment)")
    course, lesson = tmp_path / "course", THIRD.stem
    shutil.copytree(built / "nbgrader", course)
    kernel = tmp_path / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Python 3", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    surroundings = os.environ | {
        "JUPYTER_PATH": str(kernel.parents[1]),
        "PYTHONPATH": str(ROOT),
    }

    def run(command: str) -> None:
        done = subprocess.run(
            [nbgrader, command, lesson, "--force"],
            cwd=course,
            env=surroundings,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]

    run("generate_assignment")
    released = course / "release" / lesson / THIRD.name
    text = released.read_text(encoding="utf-8")
    assert "HIDDEN" not in text and "BEGIN SOLUTION" not in text
    for how in ("correct", "wrong", "untouched"):
        file = course / "submitted" / how / lesson / THIRD.name
        file.parent.mkdir(parents=True)
        notebook.write(handed_in(notebook.read(released), how), file)
    run("autograde")
    run("generate_feedback")
    with sqlite3.connect(course / "gradebook.db") as book:
        query = (
            "select student.id, sum(grade.auto_score) from grade "
            "join submitted_notebook n on grade.notebook_id = n.id "
            "join submitted_assignment a on n.assignment_id = a.id "
            "join student on a.student_id = student.id group by student.id"
        )
        scores = dict(book.execute(query))
    lesson_nb = notebook.read(THIRD)
    full = sum(points(lesson_nb, e) for e in exercises(lesson_nb))
    assert scores == {"correct": full, "wrong": 0, "untouched": 0}
    page = course / "feedback" / "wrong" / lesson / THIRD.with_suffix(".html").name
    feedback = page.read_text(encoding="utf-8")
    assert "dim-ignored" in feedback and "not attempted" in feedback
