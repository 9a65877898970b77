"""Find the exercises of a notebook: card, stub, check, folded hints and solution."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from helpers.check.grading.cells import statements
from helpers.check.grading.needs import called_on
from tools.notebook import tags

TAG = "exercise"
FOLD = re.compile(
    r"<details><summary>(?P<title>[^<]+)</summary>\n\n(?P<body>.*?)\n\n</details>",
    re.DOTALL,
)
FENCED = re.compile(r"```python\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Exercise:
    """Where an exercise stands in its notebook, and what is folded under it.

    Attributes:
        stub: index of the cell that the learner fills in.
        check_cell: index of the first code cell behind it, or None.
        name: what the stub defines.
        check: what its check cell calls, `check.<this>(name)`, or None if the next
            code cell is no such call.
        folds: title → Markdown of each fold between this exercise and the next one.
    """

    stub: int
    check_cell: int | None
    name: str
    check: str | None
    folds: dict[str, str]

    @property
    def solution(self) -> str | None:
        """The code in the fold called Solution."""
        found = FENCED.search(self.folds.get("Solution", ""))
        return found[1].rstrip("\n") if found else None


def exercises(nb: NotebookNode) -> list[Exercise]:
    """The exercises of a notebook, in their order."""
    stubs = [i for i, cell in enumerate(nb.cells) if TAG in tags(cell)]
    found = []
    for stub, end in zip(stubs, [*stubs[1:], len(nb.cells)]):
        bound = [s.binds for s in statements([(stub, nb.cells[stub].source)])]
        behind = nb.cells[stub + 1 : end]
        code = (i for i in range(stub + 1, end) if nb.cells[i].cell_type == "code")
        check_cell = next(code, None)
        last = next((min(names) for names in reversed(bound) if names), "")
        folds = {
            fold["title"]: fold["body"]
            for cell in behind
            if cell.cell_type == "markdown"
            for fold in FOLD.finditer(cell.source)
        }
        check = _checked(nb.cells[check_cell].source, last) if check_cell else None
        found.append(Exercise(stub, check_cell, last, check, folds))
    return found


def _checked(source: str, name: str) -> str | None:
    """The exercise, if a cell is its check of this name and nothing else."""
    found = statements([(0, source)])
    called = [call for statement in found for call in called_on(statement)]
    whole = len(found) == 1 and [n for _, n in called] == [name]
    return called[0][0] if whole else None


def solve(nb: NotebookNode) -> NotebookNode:
    """Put every folded solution into its stub, in place."""
    for exercise in exercises(nb):
        if exercise.solution is None:
            raise ValueError(f"cell {exercise.stub}: {exercise.name} has no solution")
        nb.cells[exercise.stub].source = exercise.solution
    return nb
