"""The house numbers: what a notebook of this course looks like, counted."""

from __future__ import annotations

import ast
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from tools.claims import calls
from tools.compare import IGNORED
from tools.exercises import TAG, exercises
from tools.notebook import CHECK, FOLDED, METADATA, lessons, read, tags

NOTEBOOKS = lessons()
KNOWN_TAGS = {TAG, CHECK, IGNORED, "raises-exception"}
SHORT = "00_start_here"  # the door: shorter than a lesson
DIAGRAMS = ("01", "02", "03", "04", "05", "06", "10", "11", "12", "13")
RUN_TIME = 1
"""Minutes that a lesson's cells take on a laptop, all together."""
FENCE = re.compile(r"```.*?```", re.DOTALL)
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
PLUMBING = re.compile(r"sys\.path|%pip|!pip|os\.chdir|warnings\.filterwarnings")


@pytest.fixture(params=NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def nb(request: pytest.FixtureRequest) -> Any:
    notebook = read(request.param)
    notebook.path = request.param
    return notebook


def code_cells(nb: Any) -> list[tuple[int, Any]]:
    return [
        (index, cell)
        for index, cell in enumerate(nb.cells)
        if cell.cell_type == "code" and cell.source.strip()
    ]


def prose(nb: Any) -> list[tuple[int, str]]:
    return [
        (index, FENCE.sub("", cell.source))
        for index, cell in enumerate(nb.cells)
        if cell.cell_type == "markdown"
    ]


def code_lines(cell: Any) -> list[str]:
    return [line for line in cell.source.splitlines() if line.strip()]


def length(cell: Any) -> int:
    """Lines of code; a claim is one, however long its sentence."""
    return len(code_lines(cell)) - sum(c.lines - 1 for c in calls(cell.source))


def has_figure(cell: Any) -> bool:
    return any("image/png" in o.get("data", {}) for o in cell.get("outputs", []))


def percentile(values: list[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def rule(nb: Any, holds: bool, what: str, cell: int | None = None) -> None:
    where = nb.path.name if cell is None else f"{nb.path.name}, cell {cell}"
    assert holds, f"{where}: {what}"


def test_size(nb: Any) -> None:
    kilobytes = nb.path.stat().st_size / 1e3
    rule(nb, kilobytes <= 1000, f"{kilobytes:.0f} kB, at most 1000 are allowed")
    cells, words = len(nb.cells), word_count(nb.cells)
    if nb.path.stem == SHORT:
        rule(nb, cells <= 35, f"{cells} cells; the door has at most 35")
        return
    core = [cell for cell in nb.cells if cell not in optional_cells(nb)]
    rule(nb, 45 <= cells <= 80, f"{cells} cells; a lesson has 45 to 80")
    rule(nb, len(core) <= 60, f"{len(core)} cells on the core path, at most 60")
    rule(nb, 1000 <= words <= 2900, f"{words} words; a lesson has 1000 to 2900")
    words = word_count(core)
    rule(nb, words <= 2200, f"{words} words on the core path, at most 2200")


def word_count(cells: list[Any]) -> int:
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    return len(re.findall(r"[A-Za-z']+", FENCE.sub("", text)))


def optional_cells(nb: Any) -> list[Any]:
    """The cells of the sections whose heading ends in "· optional".

    A cell in which a section ends and another begins belongs to the new one.
    """
    found, level = [], 0
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for line in DETAILS.sub("", FENCE.sub("", cell.source)).splitlines():
                heading = re.match(r"(#+) (.*)", line)
                if heading and (not level or len(heading[1]) <= level):
                    optional = heading[2].rstrip().endswith("· optional")
                    level = len(heading[1]) if optional else 0
        if level:
            found.append(cell)
    return found


def minutes(nb: Any, cells: list[Any]) -> int:
    """Words / 200, 20 s a figure, the exercises' own minutes and the run, to 5 up."""
    figures = sum(has_figure(cell) for cell in cells)
    exercises = sum(
        int(count)
        for cell in cells
        if cell.cell_type == "markdown"
        for count in re.findall(r"[●○]{5} · (\d+) minutes?", cell.source)
    )
    total = word_count(cells) / 200 + figures / 3 + exercises + RUN_TIME
    return 5 * math.ceil(total / 5)


def test_minutes_are_computed(nb: Any) -> None:
    optional = optional_cells(nb)
    core = minutes(nb, [cell for cell in nb.cells if cell not in optional])
    whole = minutes(nb, nb.cells)
    said = f"**About {core} minutes for the core path, {whole} for everything.**"
    if not optional:
        said = f"**About {whole} minutes.**"
    rule(nb, said in " ".join(nb.cells[0].source.split()), f"should say {said!r}", 0)


def test_a_lesson_has_its_diagram(nb: Any) -> None:
    if nb.path.stem[:2] in DIAGRAMS:
        drawn = any("diagram" in cell.source for _, cell in code_cells(nb))
        rule(nb, drawn, "no cell draws a diagram")


def test_code_cells_are_short(nb: Any) -> None:
    lengths = [length(cell) for _, cell in code_cells(nb)]
    median, most = percentile(lengths, 0.5), percentile(lengths, 0.9)
    rule(nb, median <= 5, f"median of the code cells {median} lines, at most 5")
    rule(nb, most <= 15, f"90 % of the code cells reach {most} lines, at most 15")
    for index, cell in code_cells(nb):
        count = length(cell)
        rule(nb, count <= 30, f"{count} lines of code, at most 30", index)


def test_prose_leads_in(nb: Any) -> None:
    cells = nb.cells
    led = [
        cells[index - 1].cell_type == "markdown"
        for index, _ in code_cells(nb)
        if index > 0
    ]
    share = sum(led) / len(led)
    rule(nb, share >= 0.85, f"{share:.0%} of the code cells are led in, at least 85 %")
    run = 0
    for index, cell in enumerate(cells):
        run = run + 1 if cell.cell_type == "code" else 0
        rule(nb, run <= 3, "more than 3 code cells in a row", index)


def test_figures(nb: Any) -> None:
    figures = [index for index, cell in enumerate(nb.cells) if has_figure(cell)]
    rule(nb, bool(figures) and figures[0] <= 10, "no figure by cell 10")
    for index in figures:
        behind = nb.cells[index + 1 : index + 2]
        read_out = bool(behind) and behind[0].cell_type == "markdown"
        rule(nb, read_out, "a figure without a sentence that reads it", index)


def test_headings(nb: Any) -> None:
    levels: list[int] = []
    for index, text in prose(nb):
        for line in DETAILS.sub("", text).splitlines():
            if heading := re.match(r"(#+) \S", line):
                level = len(heading[1])
                last = levels[-1] if levels else 0
                rule(nb, level <= last + 1, f"skips a level: {line!r}", index)
                levels.append(level)
    rule(nb, levels.count(1) == 1, f"{levels.count(1)} H1 titles, exactly 1 is right")
    rule(nb, nb.cells[0].source.startswith("# "), "does not open with its title", 0)


def test_code_style(nb: Any) -> None:
    lines = comments = 0
    for index, cell in code_cells(nb):
        rule(nb, not PLUMBING.search(cell.source), "plumbing in a lesson", index)
        for line in code_lines(cell):
            lines += 1
            comments += line.lstrip().startswith("#")
            rule(nb, len(line) <= 88, f"{len(line)} columns: {line!r}", index)
    share = comments / lines
    rule(nb, share <= 0.1, f"{share:.0%} of the code lines are comments, at most 10 %")


def test_first_code_cell_imports_only(nb: Any) -> None:
    index, first = code_cells(nb)[0]
    rule(nb, len(code_lines(first)) <= 6, "first code cell above 6 lines", index)
    body = ast.parse(first.source).body
    imports = all(isinstance(line, (ast.Import, ast.ImportFrom)) for line in body)
    rule(nb, imports, "the first code cell holds more than imports", index)


def test_file_is_normalised(nb: Any) -> None:
    raw = json.loads(nb.path.read_text(encoding="utf-8"))
    rule(nb, raw["metadata"] == METADATA, "metadata other than `make run` writes")
    counts = [cell.execution_count for _, cell in code_cells(nb)]
    rule(
        nb,
        counts == list(range(1, len(counts) + 1)),
        "execution counts are not 1, 2, 3, …; run `make run`",
    )
    for index, cell in enumerate(nb.cells):
        folded = {"jupyter"} if cell.metadata.get("jupyter") == FOLDED else set()
        idle = set(cell.metadata) - {"tags"} - folded
        rule(nb, not idle, f"idle metadata {sorted(idle)}; run `make run`", index)
        unknown = tags(cell) - KNOWN_TAGS
        rule(nb, not unknown, f"unknown tags {sorted(unknown)}", index)
        for output in cell.get("outputs", []):
            noisy = output.get("name") == "stderr"
            rule(nb, not noisy, "output on stderr", index)
            if output.output_type == "error":
                rule(nb, "raises-exception" in tags(cell), "an error output", index)


def test_most_cells_are_compared(nb: Any) -> None:
    cells = code_cells(nb)
    ignored = sum(IGNORED in tags(cell) for _, cell in cells)
    share = ignored / len(cells)
    rule(nb, share <= 0.2, f"{share:.0%} of the code cells are not compared")


def test_most_cells_of_the_course_are_compared() -> None:
    cells = [cell for path in NOTEBOOKS for _, cell in code_cells(read(path))]
    ignored = sum(IGNORED in tags(cell) for cell in cells)
    assert ignored <= 0.05 * len(cells), f"{ignored} of {len(cells)} are not compared"


def test_claims_are_numbered(nb: Any) -> None:
    lesson = int(nb.path.name[:2])
    found = [c.number for _, cell in code_cells(nb) for c in calls(cell.source)]
    wanted = [f"{lesson}.{count}" for count in range(1, len(found) + 1)]
    rule(nb, found == wanted, f"claims are numbered {found}, not {wanted}")
    if nb.path.stem == SHORT:
        rule(nb, len(found) >= 3, f"{len(found)} claims")
    else:
        rule(nb, 8 <= len(found) <= 14, f"{len(found)} claims; a lesson has 8 to 14")


def test_exercises_are_whole(nb: Any) -> None:
    found = exercises(nb)
    least = 1 if nb.path.stem == SHORT else 3
    rule(nb, len(found) >= least, f"{len(found)} exercises, at least {least}")
    rule(nb, len(found) <= 5, f"{len(found)} exercises, at most 5")
    for exercise in found:
        where = exercise.stub
        rule(nb, exercise.name.lower().startswith("my"), "a stub not named my_…", where)
        rule(nb, exercise.check is not None, "no check call behind the stub", where)
        alone = len(code_lines(nb.cells[where + 1])) == 1
        rule(nb, alone, "the check does not stand alone behind the stub", where)
        for fold in ("Hint 1", "Hint 2", "Solution"):
            rule(nb, fold in exercise.folds, f"no fold called {fold}", where)
        rule(nb, exercise.solution is not None, "no code in the solution", where)
        cards = "".join(c.source for c in nb.cells[max(0, where - 3) : where])
        card = re.search(r"[●○]{5} · \d+ minutes?", cards)
        rule(nb, card is not None, "no card (difficulty and minutes)", where)


def test_links_lead_somewhere(nb: Any) -> None:
    for index, text in prose(nb):
        for target in re.findall(r"\]\(([^)#\s]+)\)", text):
            if "://" not in target:
                there = (nb.path.parent / target).exists()
                rule(nb, there, f"links to {target}, which is not there", index)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS, f"no notebooks in {Path('notebooks')}"
