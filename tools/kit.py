"""Write the kit for a class: lessons without solutions, with them, and for nbgrader.

usage: python -m tools.kit [--output build/class] [PART_OF_A_NAME ...]

    student/   the lessons without the folds "Solution"; the hints stay
    solved/    the lessons with every solution in its stub, for the teacher
    nbgrader/  a course folder: its source/ is what `nbgrader generate_assignment` reads

`python -m helpers.check` grades what comes back from student/; nbgrader grades what
comes back from its own release, with the same verdicts (tools/nbgrader_cells.py).
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from nbformat import NotebookNode

from tools import notebook
from tools.exercises import FOLD, exercises, solve
from tools.nbgrader_cells import CONFIG, for_nbgrader
from tools.run import chosen
from tools.settings import ROOT

GAP = re.compile(r"\n{3,}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_NAME")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "class")
    options = parser.parse_args()
    try:
        print(build(chosen(options.names), options.output))
    except ValueError as error:
        sys.exit(str(error))
    return 0


def build(paths: list[Path], folder: Path) -> Path:
    """Write the three editions of some lessons; returns the folder."""
    for path in paths:
        student = without_solutions(notebook.read(path))
        solved = solve(notebook.read(path))
        found = exercises(notebook.read(path))
        solutions = {e.name: str(e.solution) for e in found}
        graded = for_nbgrader(without_solutions(notebook.read(path)), solutions)
        _write(student, folder / "student" / path.name)
        _write(solved, folder / "solved" / path.name)
        if found:
            _write(graded, folder / "nbgrader" / "source" / path.stem / path.name)
    (folder / "nbgrader" / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    return folder


def without_solutions(nb: NotebookNode) -> NotebookNode:
    """Take the folds "Solution" out, in place; a cell that held nothing else goes."""
    for cell in nb.cells:
        if cell.cell_type == "markdown" and "<summary>Solution<" in cell.source:
            text = FOLD.sub(_unless_solution, cell.source)
            cell.source = GAP.sub("\n\n", text).strip()
    nb.cells = [c for c in nb.cells if c.source or c.cell_type == "code"]
    return nb


def _unless_solution(fold: re.Match[str]) -> str:
    return "" if fold["title"] == "Solution" else fold[0]


def _write(nb: NotebookNode, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook.write(nb, path)


if __name__ == "__main__":
    sys.exit(main())
