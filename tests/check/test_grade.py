"""Learners' notebooks graded: whatever is in them, nothing of the others is lost."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers import check
from helpers.check.__main__ import main
from helpers.check.grading import cells, grade, judge, needs, notebooks, processes
from helpers.check.grading.report import csv_file, table
from helpers.check.grading.verdict import OWN, Verdict
from helpers.check.words import WORDS
from tools import notebook
from tools.exercises import exercises, solve

LESSONS = notebook.lessons()
IMPORTS = "import torch\nfrom helpers import check"
RIGHT = "def my_softmax(x, dim):\n    return torch.softmax(x, dim)"
WRONG = "def my_softmax(x, dim):\n    return torch.softmax(x, 0)"
STUB = "def my_softmax(x: torch.Tensor, dim: int) -> torch.Tensor:\n    return ..."
CHECK = "check.softmax(my_softmax)"
LAMBDA = "lambda x, dim: torch.softmax(x, dim)"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, tmp_path: Path) -> Iterator[None]:
    """Statements run as `__main__` in a scratch folder; pytest gets its own back."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield
    for name in {"attn", "second"} & (set(sys.modules) - before):
        del sys.modules[name]


def judged(*code: str, exercise: str = "softmax") -> dict:
    return judge.judged(cells.statements(list(enumerate(code))), exercise)


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
        # another name is another function: a lesson checks some of its own
        (
            "missing",
            "no-such-name",
            [IMPORTS, RIGHT.replace("my_", "anna_"), CHECK.replace("my_", "anna_")],
        ),
        ("missing", "no-such-name", [IMPORTS, RIGHT.replace("my_", "x_"), CHECK]),
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
        ("correct", None, [IMPORTS, f'%matplotlib inline\n"x=%.2f" % 3\n{RIGHT}']),
        ("correct", None, [IMPORTS, f"x = (7\n% (2))\n%who\n{RIGHT}"]),
        ("correct", None, [IMPORTS, f"!pip install \\\n  --upgrade x\n{RIGHT}"]),
        ("correct", None, [IMPORTS, f'"""\n%magic\n!x\n"""\n%pwd\n{RIGHT}']),
        ("correct", None, [IMPORTS, "from os import *", "%run other.py", RIGHT]),
        # files that the notebook itself writes
        (
            "correct",
            None,
            [f"%%writefile attn.py\n{IMPORTS}", f"%%writefile -a attn.py\n{RIGHT}"]
            + ["from attn import my_softmax"],
        ),
        (
            "correct",
            None,
            [
                f"%%file second.py\n{IMPORTS}\n{RIGHT}",
                "def my_softmax(x, dim):\n    import second\n"
                "    return second.my_softmax(x, dim)",
            ],
        ),
        # an answer inside the check's call, in place of the name
        ("correct", None, [IMPORTS, STUB, f"check.softmax({LAMBDA})"]),
        ("correct", None, [IMPORTS, "check.softmax(torch.softmax)"]),
        ("wrong", "dim-ignored", [IMPORTS, f"check.softmax({LAMBDA[:-4]}0))"]),
        ("not attempted", None, [IMPORTS, STUB, CHECK, f"check.softmax({LAMBDA})"]),
        ("wrong", "dim-ignored", [IMPORTS, WRONG, f"check.softmax({LAMBDA})"]),
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


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        ("ModuleNotFoundError: No module named 'not_here'", "import not_here as t"),
        ("EOFError: input() has nobody to ask", "t = input('How many?')"),
        ("FileNotFoundError: [Errno 2]", "t = open('/not/here.txt').read()"),
        ("OSError: %run utils.py is not run", "%run utils.py"),
        ("ModuleNotFoundError: No module named 'colab'", "from colab import *"),
        ("NameError: name 'colab' is not defined", "t = colab.t"),
        ("is no valid Python: invalid syntax", "t = = 3"),
    ],
)
@pytest.mark.parametrize("answer", [f"{WRONG}[t]", "my_softmax = t"])
def test_a_cell_that_cannot_be_run_is_the_reason(cause, code, answer) -> None:
    verdict = judged(IMPORTS, code, answer)
    assert verdict["status"] == "not judged", verdict
    assert verdict["mistakes"] == ["cannot-run"] and cause in verdict["cause"], verdict
    assert verdict["message"].startswith("Cell 1 ")


def test_an_answer_that_does_not_need_what_failed_is_judged() -> None:
    assert judged(IMPORTS, "import not_here", WRONG)["status"] == "wrong"
    assert judged(IMPORTS, "from not_here import *", WRONG)["status"] == "wrong"
    assert judged("import not_here\nimport torch", RIGHT)["status"] == "correct"


def test_a_file_that_the_answer_itself_reads_is_no_mistake() -> None:
    verdict = judged("my_softmax = open('/not/here.txt').read()")
    assert verdict["status"] == "not judged" and "/not/here.txt" in verdict["message"]


def test_an_endless_answer_is_not_judged_and_its_line_is_told(monkeypatch) -> None:
    quick = functools.partial(check.diagnose, seconds=0.3)
    monkeypatch.setattr(judge, "diagnose", quick)
    verdict = judged("def my_softmax(x, dim):\n    while True:\n        pass")
    assert (verdict["status"], verdict["mistakes"]) == ("not judged", ["out-of-time"])
    assert "line 2" in verdict["message"] or "line 3" in verdict["message"]


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_of_a_lesson_every_exercise_is_found_and_nothing_is_trained(path: Path) -> None:
    title, code = cells.read(path)
    found = cells.statements(code)
    names = needs.exercises(found, judge.known_exercises())
    assert title and names == [e.check for e in exercises(notebook.read(path))]
    for exercise in names:
        (target,) = needs.answers(found, exercise)
        name = needs.answer_name(exercise)
        used = {n for i in needs.needed(found, target, name) for n in found[i].uses}
        assert not used & {"train", "build", "claim", "plt", "check"}, exercise


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_what_a_lesson_shows_is_no_learners_answer(path: Path) -> None:
    title, code = cells.read(path)
    found = cells.statements(code)
    lesson = judge.lesson("renamed.ipynb", title)
    assert lesson.exercises == tuple(needs.exercises(found, judge.known_exercises()))
    for exercise in lesson.exercises:
        answer = needs.answer_name(exercise)
        without = [s for s in found if answer not in s.binds]
        for left in (without, [s for s in without if answer not in s.uses]):
            verdict = judge.judged(left, exercise, lesson.demonstrations)
            assert verdict["status"] == "missing", exercise
        assert judge.judged(found, exercise, lesson.demonstrations)["status"] == (
            "not attempted"
        )


def test_the_solutions_of_a_lesson_are_correct() -> None:
    nb = solve(notebook.read(next(p for p in LESSONS if "03_" in p.name)))
    code = [(i, c.source) for i, c in enumerate(nb.cells) if c.cell_type == "code"]
    found = cells.statements(code)
    for exercise in needs.exercises(found, judge.known_exercises()):
        assert judge.judged(found, exercise)["status"] == "correct", exercise


PYTHONS = sorted(Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python"))
SHADOWED = """
import sys, types
package = types.ModuleType("grading")
package.__path__ = [sys.argv[1]]
sys.modules["grading"] = package
from grading import cells, needs
cases = {
    "noise = [0 for n in range(3)]": [0, 2],
    "losses = [train(n) for n in range(1)]": [0, 2],
    "d = {n: m for n in range(3) for m in range(n)}": [0, 2],
    "s = {n for n in range(3)}": [0, 2],
    "g = sum(n for n in range(3))": [0, 2],
    "x = [[n for n in range(k)] for k in range(3)]": [0, 2],
    "k = [m := n for n in range(3)]": [0, 2],
    "k = [n := m for m in range(3)]": [1, 2],
    "for n in range(3): pass": [0, 1, 2],
    "n = [m for m in range(3)]": [1, 2],
    "f = lambda: [n for n in range(3)]": [0, 2],
    "with open(n) as m: [n for n in m]": [0, 2],
    "class C:\\n    n = [n for n in (1,)]": [0, 2],
}
for line, due in cases.items():
    code = ["n = 5", line, "def my_f(x):\\n    return n * x"]
    found = cells.statements(list(enumerate(code)))
    assert needs.needed(found, 2, "my_f") == due, (line, needs.needed(found, 2, "my_f"))
code = "def my_f(x):\\n    return [[k * n for k in x], {k: 1 for k in x}]"
(found,) = cells.statements([(0, code)])
assert found.uses == {"n"}, found.uses
(found,) = cells.statements([(0, "x = [k * n for k in y]")])
assert (found.uses, found.binds) == ({"n", "y"}, {"x"}), found
print("same")
"""


@pytest.mark.parametrize("python", [Path(sys.executable), *PYTHONS], ids=str)
def test_every_python_needs_the_same_statements(python: Path) -> None:
    folder = Path(cells.__file__).parent
    command = [str(python), "-W", "error", "-c", SHADOWED, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "same\n", done.stderr


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
    return out.getvalue(), rows_of(folder.parent / "grades.csv"), folder


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
        "ran out of time: It ran for more than",
        "ben.ipynb: not judged, not a readable notebook: no JSON from line 2 on",
        "All 4 notebooks",
        "1 correct, 1 wrong",
        "1 × dim ignored (dim-ignored)",
    ):
        assert words in printed, printed
    assert max(map(len, printed.splitlines())) <= 100


def test_every_mistake_has_words_and_lines_wrap(tmp_path: Path) -> None:
    v = Verdict("f.ipynb", "softmax", "wrong", ("a", "b"), ("x " * 60, "y"), 'm, "q"')
    assert all(len(line) <= 100 for line in table([v]).splitlines())
    with csv_file(tmp_path / "x.csv") as add:
        add([v])
    (row,) = rows_of(tmp_path / "x.csv")
    assert (row["mistakes"], row["message"]) == ("a; b", 'm, "q"')
    assert not OWN.keys() & WORDS.keys()


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\u202egpj.exe", r"\u202egpj.exe"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\ud800", r"\ud800"),
        ("M\udcfcller", r"M\udcfcller"),
        ("Müller", "Müller"),
    ],
)
def test_no_name_or_message_is_obeyed(text: str, shown: str, tmp_path: Path) -> None:
    v = Verdict(text, "softmax", "not judged", ("cannot-run",), ("w",), text, text)
    with csv_file(tmp_path / "x.csv") as add:
        add([v])
    (row,) = rows_of(tmp_path / "x.csv")
    assert (row["file"], row["message"]) == (shown, shown)
    printed = table([v, Verdict("b", "softmax", "correct")])
    assert shown.strip("'") in printed
    assert printed.replace("\n", "").isprintable()


def test_the_table_stays_until_a_new_one_is_whole(tmp_path: Path) -> None:
    path, v = tmp_path / "grades.csv", Verdict("f", "softmax", "correct")
    path.write_text("last week's", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), csv_file(path) as add:
        add([v])
        raise KeyboardInterrupt
    assert path.read_text(encoding="utf-8") == "last week's"
    assert rows_of(tmp_path / "grades.csv.part")[0]["status"] == "correct"
    with csv_file(path) as add:
        add([v, v])
    assert len(rows_of(path)) == 2 and not (tmp_path / "grades.csv.part").exists()
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")


FORGE = """
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, LINE)
    except OSError:
        pass
my_softmax = 3
"""
FORGED = '{"verdict": {"exercise": "softmax", "status": %s, "mistakes": %s}}'
DETACHED = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    while True:
        open(PLACE, "w").write(str(time.time()))
        time.sleep(0.02)
"""
HOSTILE = {
    "kills its parent": "import os\nos.kill(os.getppid(), 9)\nmy_softmax = 3",
    "kills in the answer": "import os\ndef my_softmax(x, dim):\n    while True:\n"
    "        os.kill(os.getppid(), 9)",
    "a list as status": FORGE.replace(
        "LINE", "b'%s\\n'" % (FORGED % ('["correct"]', "[]"))
    ),
    "a number as mistake": FORGE.replace(
        "LINE", "b'%s\\n'" % (FORGED % ('"wrong"', 3))
    ),
    "another exercise": FORGE.replace(
        "LINE", "b'%s\\n'" % (FORGED.replace("softmax", "x") % ('"wrong"', "[]"))
    ),
    "deep JSON": FORGE.replace("LINE", "b'[' * 100000 + b'\\n'"),
    "no UTF-8": FORGE.replace("LINE", "b'\\xff\\xfe\\n'"),
    "a huge line": FORGE.replace("LINE", "b'x' * 300_000_000"),
    "many lines": FORGE.replace("LINE", "b'{}\\n' * 30_000_000"),
    "much memory": "my_softmax = bytearray(3_000_000_000)",
    "shared memory": "import mmap\nmy_softmax = mmap.mmap(-1, 3_000_000_000)",
    "a lone surrogate": "raise_ = ValueError('\\ud800')\ndef fail(): raise raise_\n"
    "my_softmax = fail()",
    "closes all": "import os\nos.closerange(0, 256)\nmy_softmax = 3",
    "reads a secret": "import os\nassert 'A_SECRET' not in os.environ\n"
    "import torch\nmy_softmax = torch.softmax",
    "a classmate's file": "from utils import my_softmax",
    "a detached process": DETACHED + "import torch\nmy_softmax = torch.softmax",
}


@pytest.mark.skipif(sys.platform != "linux", reason="processes and links of Linux")
def test_one_hand_in_loses_nothing_of_the_others(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("A_SECRET", "token")
    folder = tmp_path / "handed in"
    (folder / "honest").mkdir(parents=True)
    (folder / "utils.py").write_text(f"{IMPORTS}\n{RIGHT}", encoding="utf-8")
    mark = tmp_path / "mark"
    for name, code in HOSTILE.items():
        code = code.replace("PLACE", repr(str(mark)))
        # one statement a cell: only what the answer needs would be run
        code = f"if True:\n    {code.strip().replace(chr(10), chr(10) + '    ')}"
        save(folder / f"{name}.ipynb", code)
    honest = save(folder / "honest/n.ipynb", IMPORTS, RIGHT)
    odd = os.fsencode(folder) + b"/M\xfcller"
    os.mkdir(odd)
    save(Path(os.fsdecode(odd)) / "n.ipynb", IMPORTS, RIGHT)
    save(folder / "=HYPERLINK(1)/n.ipynb", IMPORTS, RIGHT)
    save(folder / "\x1b[31m/n.ipynb", IMPORTS, RIGHT)
    (folder / "linked.ipynb").symlink_to("honest/n.ipynb")
    (folder / "linked folder").symlink_to("honest")
    (folder / "nowhere.ipynb").symlink_to("gone")
    outside = save(tmp_path / "outside.ipynb", IMPORTS, RIGHT)
    (folder / "out.ipynb").symlink_to(outside)
    with (folder / "sparse.ipynb").open("wb") as file:
        file.truncate(600_000_000)
    os.mkfifo(folder / "pipe.ipynb")
    grades = tmp_path / "grades.csv"
    assert main([str(folder), "--csv", str(grades), "--memory", "1.5"]) == 0
    assert capsys.readouterr().out.replace("\n", "").isprintable()

    found = {row["file"].removesuffix(".ipynb"): row for row in rows_of(grades)}
    said = {name: (row["status"], row["mistakes"]) for name, row in found.items()}
    ended, right = ("not judged", "process-ended"), ("correct", "")
    for name in ("honest/n", r"M\udcfcller/n", "'=HYPERLINK(1)/n", r"\x1b[31m/n"):
        assert said.pop(name) == right, name
    for name in ("linked", "linked folder", "nowhere", "out"):
        assert said.pop(name) == ("not judged", "is-a-link"), name
        assert "it leads to" in found[name]["message"]
    assert said.pop("sparse") == said.pop("pipe") == ("not judged", "unreadable")
    assert said.pop("reads a secret") == said.pop("a detached process") == right
    assert said.pop("a lone surrogate") == ("wrong", "cell-raises")
    assert r"ValueError: \ud800" in found["a lone surrogate"]["message"]
    assert said.pop("a classmate's file") == ("not judged", "cannot-run")
    for name in ("much memory", "shared memory"):
        status, _ = said.pop(name)
        assert status in ("wrong", "not judged"), name
    assert said == dict.fromkeys(said, ended), said
    assert len(said) == 10 and honest.exists()
    last = mark.read_text()
    time.sleep(0.3)
    assert mark.read_text() == last  # what was started has been ended


@pytest.mark.skipif(os.name != "posix", reason="a signal as Ctrl-C sends it")
def test_ctrl_c_keeps_the_old_table_and_what_was_graded(tmp_path: Path) -> None:
    save(tmp_path / "class/a.ipynb", IMPORTS, RIGHT)
    save(tmp_path / "class/b.ipynb", "while True:\n    my_softmax = 3")
    grades, part = tmp_path / "grades.csv", tmp_path / "grades.csv.part"
    grades.write_text("last week's", encoding="utf-8")
    command = [sys.executable, "-m", "helpers.check", str(tmp_path / "class")]
    process = subprocess.Popen(
        [*command, "--csv", str(grades), "--jobs", "1"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(judge.__file__).parents[3],
    )
    while not (part.exists() and "correct" in part.read_text(encoding="utf-8-sig")):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert "what was graded is in" in process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert grades.read_text(encoding="utf-8") == "last week's"
    assert [row["status"] for row in rows_of(part)] == ["correct"]


def test_without_copies_each_notebook_gets_a_new_process(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(processes, "FORKS", False)
    files = [
        save(tmp_path / "a.ipynb", IMPORTS, RIGHT),
        save(tmp_path / "b.ipynb", "import os\nmy_softmax = os._exit(0)"),
    ]
    (a,), (b,) = grade(files)
    assert (a.status, b.mistakes) == ("correct", ("process-ended",))


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
