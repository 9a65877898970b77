"""Learners' notebooks graded: whatever is in them, nothing of the others is lost."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers import check
from helpers.check.__main__ import main
from helpers.check.grading import cells, needs, notebooks, worker
from helpers.check.grading.report import table, write_csv
from helpers.check.grading.verdict import OWN, Verdict
from tools import notebook
from tools.exercises import exercises, solve

LESSONS = notebook.lessons()
IMPORTS = "import torch\nfrom helpers import check"
RIGHT = "def my_softmax(x, dim):\n    return torch.softmax(x, dim)"
WRONG = "def my_softmax(x, dim):\n    return torch.softmax(x, 0)"
STUB = "def my_softmax(x: torch.Tensor, dim: int) -> torch.Tensor:\n    return ..."
CHECK = "check.softmax(my_softmax)"


@pytest.fixture(autouse=True)
def same_main(monkeypatch) -> None:
    """The learner's statements run as `__main__`; pytest gets its own back."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


def judged(*code: str, exercise: str = "softmax") -> dict:
    return worker.judged(cells.statements(list(enumerate(code))), exercise)


def save(path: Path, *code: str, title: str = "A lesson of nobody's") -> Path:
    nb = new_notebook(cells=[new_markdown_cell(f"# {title}")])
    nb.cells += [new_code_cell(source) for source in code]
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)
    return path


@pytest.mark.parametrize(
    ("status", "mistake", "code"),
    [
        ("correct", None, [IMPORTS, RIGHT, CHECK]),
        ("correct", None, [IMPORTS, STUB, CHECK, RIGHT]),
        ("correct", None, [IMPORTS, RIGHT, STUB, CHECK]),
        ("correct", None, [IMPORTS, WRONG, CHECK, RIGHT, CHECK]),
        ("wrong", "dim-ignored", [IMPORTS, RIGHT, WRONG, CHECK]),
        ("not attempted", None, [IMPORTS, STUB, CHECK]),
        ("not attempted", None, [IMPORTS, "my_softmax = ...", CHECK]),
        ("missing", "no-such-name", [IMPORTS, CHECK]),
        ("missing", "no-such-name", [IMPORTS, "softmax_of_mine = 3"]),
        # a renamed stub, with the check called on the new name
        (
            "correct",
            None,
            [IMPORTS, RIGHT.replace("my_", "anna_"), CHECK.replace("my_", "anna_")],
        ),
        # the import and a function of their own stand in other cells, one behind
        (
            "correct",
            None,
            [
                "import math",
                "def my_softmax(x, dim):\n    e = power(x - x.amax(dim, True))\n"
                "    return e / e.sum(dim, keepdim=True)",
                "def power(x):\n    return torch.as_tensor(math.e) ** x",
                "import torch",
            ],
        ),
        (
            "correct",
            None,
            ["import torch", "my_softmax = mine", "mine = torch.softmax"],
        ),
        (
            "correct",
            None,
            [
                "import torch",
                "my_softmax = None",
                "if True:\n    my_softmax = torch.softmax",
            ],
        ),
        # what else stands in the cell is not run
        (
            "correct",
            None,
            [f"{IMPORTS}\nimport sys\nsys.exit()", f"{RIGHT}\nsys.exit(1)\n1 / 0"],
        ),
        ("correct", None, [IMPORTS, "%time my_softmax = torch.softmax"]),
        ("correct", None, [IMPORTS, f"%%time\n{RIGHT}", "%%bash\nrm -rf nothing"]),
        (
            "correct",
            None,
            [IMPORTS, f"%matplotlib inline\n!pip install x\nx = !ls\nx?\n{RIGHT}"],
        ),
        (
            "wrong",
            "syntax-error",
            [IMPORTS, RIGHT.replace("(x, dim)", "(x dim)", 1), CHECK],
        ),
        ("wrong", "cell-raises", [IMPORTS, "my_softmax = torch.nn.softmaxx"]),
        ("wrong", "cell-raises", [IMPORTS, "my_softmax = exit()"]),
        ("wrong", "name-unknown", [RIGHT]),
    ],
)
def test_a_learners_cells(status: str, mistake: str | None, code: list[str]) -> None:
    verdict = judged(*code)
    assert verdict["status"] == status, verdict
    if mistake:
        assert verdict["mistakes"] == [mistake], verdict


def test_what_is_changed_behind_the_definition_counts() -> None:
    lines = [f'my_path_lengths["{k}"] = {v}' for k, v in (("self", 1), ("rnn", 2))]
    code = ["my_path_lengths = {}", "other = {}\nother[1] = 1 / 0", *lines]
    found = cells.statements(list(enumerate(code)))
    assert needs.needed(found, 0, "my_path_lengths") == [0, 3, 4]


def test_only_the_value_that_holds_at_a_place_is_computed() -> None:
    code = ["n = train(1)", "n = 3", "def my_f(x):\n    w = 1\n    return n * w"]
    found = cells.statements(list(enumerate([*code, "n = train(2)", "w = train(3)"])))
    assert needs.needed(found, 2, "my_f") == [1, 2]


def test_an_error_on_the_way_is_told() -> None:
    verdict = judged(
        "import not_here as t", "def my_softmax(x, dim):\n    return t.x(x)"
    )
    assert verdict["status"] == "wrong"
    assert "cell 0 raised ModuleNotFoundError" in verdict["message"]


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_of_a_lesson_every_exercise_is_found_and_nothing_is_trained(path: Path) -> None:
    title, code = cells.read(path)
    found = cells.statements(code)
    names = needs.exercises(found, check.catalogue())
    assert title and names == [e.check for e in exercises(notebook.read(path))]
    for exercise in names:
        ((name, target),) = needs.answers(found, exercise)
        used = {n for i in needs.needed(found, target, name) for n in found[i].uses}
        assert not used & {"train", "build", "claim", "plt", "check"}, exercise


def test_the_solutions_of_a_lesson_are_correct() -> None:
    nb = solve(notebook.read(next(p for p in LESSONS if "03_" in p.name)))
    code = [(i, c.source) for i, c in enumerate(nb.cells) if c.cell_type == "code"]
    found = cells.statements(code)
    for exercise in needs.exercises(found, check.catalogue()):
        assert worker.judged(found, exercise)["status"] == "correct", exercise


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> tuple[str, list[dict[str, str]], Path]:
    """A class of four: what was printed, the rows of the CSV, the folder."""
    folder = tmp_path_factory.mktemp("a class") / "déjà vu"
    lesson = next(p for p in LESSONS if "03_" in p.name)
    title, _ = cells.read(lesson)
    nb = solve(notebook.read(lesson))
    (folder / "anna").mkdir(parents=True)
    notebook.write(nb, folder / "anna/03.ipynb")
    save(folder / ".ipynb_checkpoints/hidden.ipynb", IMPORTS)
    (folder / "ben.ipynb").write_text('{"cells": [\n<<<<<<< HEAD\n', encoding="utf-8")
    save(
        folder / "dan.ipynb",
        "import os, time, torch",
        "def my_split_heads(x, num_heads):\n    while True:\n        time.sleep(1)",
        "open('note.txt', 'w').write('x')\nmy_parameter_count = os._exit(0)",
        "while True:\n    time.sleep(1)",
        WRONG,
        title=title,
    )
    save(folder / "eva.ipynb", "print(1)")
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    out, where = io.StringIO(), sys.stdout
    try:
        sys.stdout = out
        arguments = ["--csv", str(folder.parent / "grades.csv"), "--jobs", "2"]
        assert main([str(folder), "--seconds", "12", *arguments]) == 0
    finally:
        sys.stdout = where
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    with (folder.parent / "grades.csv").open(encoding="utf-8", newline="") as file:
        return out.getvalue(), list(csv.DictReader(file)), folder


def rows(graded, name: str) -> dict[str, tuple[str, str]]:
    return {
        r["exercise"]: (r["status"], r["mistakes"])
        for r in graded[1]
        if r["file"] == name
    }


def test_a_class_is_graded_and_one_broken_notebook_loses_nothing(graded) -> None:
    right = ("correct", "")
    assert set(rows(graded, "anna/03.ipynb").values()) == {right}
    assert rows(graded, "ben.ipynb") == {"": ("not judged", "unreadable")}
    assert rows(graded, "dan.ipynb") == {
        "softmax": ("wrong", "dim-ignored"),
        "score_variance": ("missing", "no-such-name"),
        "scaled_dot_product_attention": ("missing", "no-such-name"),
        "split_heads": ("not judged", "out-of-time"),
        "parameter_count": ("not judged", "process-ended"),
    }
    assert rows(graded, "eva.ipynb") == {"": ("not judged", "no-exercise")}
    assert {r["file"] for r in graded[1]} == {
        "anna/03.ipynb",
        *(f"{name}.ipynb" for name in ("ben", "dan", "eva")),
    }


def test_the_table_says_the_same_in_words(graded) -> None:
    printed = graded[0]
    for words in (
        "anna/03.ipynb: 3 of 3 correct",
        "ran out of time (out-of-time)",
        "ben.ipynb: not judged, not a readable notebook: no JSON from line 2 on",
        "All 4 notebooks",
        "1 correct, 1 wrong",
        "1 × dim ignored (dim-ignored)",
    ):
        assert words in printed, printed
    assert max(map(len, printed.splitlines())) <= 100


def test_every_mistake_has_words_and_lines_wrap() -> None:
    v = Verdict("f.ipynb", "softmax", "wrong", ("a", "b"), ("x " * 60, "y"), 'm, "q"')
    assert all(len(line) <= 100 for line in table([v]).splitlines())
    out = io.StringIO()
    write_csv([v], out)
    (row,) = csv.DictReader(io.StringIO(out.getvalue()))
    assert (row["mistakes"], row["message"]) == ("a; b", 'm, "q"')
    assert not OWN.keys() & check.words.WORDS.keys()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', "\x00", "[" * 99999])
def test_no_notebook_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="JSON"):
        cells.read(tmp_path / "x.ipynb")


def test_a_notebook_in_another_encoding_is_read(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["x = 'é'\n", "y = 1"]}
    for encoding in ("utf-8-sig", "utf-16", "utf-8"):
        path = tmp_path / "x.ipynb"
        path.write_bytes(json.dumps({"cells": [cell]}).encode(encoding))
        assert cells.read(path) == ("", [(0, "x = 'é'\ny = 1")])


def test_paths_are_files_folders_or_patterns(tmp_path: Path, capsys) -> None:
    a, b = save(tmp_path / "s/a.ipynb", "1"), save(tmp_path / "b [1].ipynb", "1")
    assert notebooks([str(tmp_path), str(a)]) == [b, a]
    assert notebooks([str(tmp_path / "s/*.ipynb"), str(b)]) == [a, b]
    for bad in (tmp_path / "nowhere", tmp_path / "*.txt"):
        with pytest.raises(SystemExit) as usage:
            main([str(bad)])
        assert usage.value.code == 2
        assert "is no file and no folder" in capsys.readouterr().err
