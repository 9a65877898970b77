"""The strict comparison must fail where an output changed, and only there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from helpers.claims import shown
from tools import claims, compare, notebook, record, run
from tools.settings import ROOT

PRINT = "print(f'{1 / 3:.2f}')"
FIGURE = """import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(3, 2))
ax.text(0.5, 0.5, '{digit}', fontsize=8)
plt.show()"""
WIDGET = """import base64, io, uuid
from IPython.display import display
from matplotlib.figure import Figure

file, figure = io.BytesIO(), Figure(figsize=(3, 2))
figure.text(0.5, 0.5, '0.28', fontsize=8)
figure.savefig(file)
view = dict(version_major=2, version_minor=0, model_id=uuid.uuid4().hex)
picture = base64.b64encode(file.getvalue()).decode()
display(
    dict([('text/plain', '2 heads'), ('image/png', picture), ('{view}', view)]),
    raw=True,
)"""
CLAIM = """from helpers import claim

claim('99.1', 'A third is about a third', 1 / 3, between=(0.3, 0.4), chance=0.25)"""


def make(*sources: str) -> NotebookNode:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def executed() -> NotebookNode:
    widget = WIDGET.format(view=compare.VIEW)
    nb = make(PRINT, FIGURE.format(digit="0.28"), widget, CLAIM)
    notebook.execute(nb, ROOT)
    return notebook.normalise(nb)


def changed(nb: NotebookNode, what: str) -> NotebookNode:
    nb = nbformat.from_dict(nb)
    if what == "a changed number":
        nb.cells[0].outputs[0].text = "0.34\n"
    elif what == "a changed digit in a figure":
        other = make(FIGURE.format(digit="0.29"))
        notebook.execute(other, ROOT)
        nb.cells[1].outputs = other.cells[0].outputs
    elif what == "a figure too many":
        nb.cells[1].outputs *= 2
    elif what == "a changed text beside a widget":
        nb.cells[2].outputs[0].data["text/plain"] = "3 heads"
    elif what == "another picture of a widget":
        picture = nb.cells[1].outputs[0].data["image/png"]
        nb.cells[2].outputs[0].data["image/png"] = picture
    elif what == "a widget without its picture":
        del nb.cells[2].outputs[0].data["image/png"]
    elif what == "a stored widget view":
        nb.cells[2].outputs[0].data[compare.VIEW] = {"model_id": "gone"}
    elif what in CLAIM_TEXTS:
        text = nb.cells[3].outputs[0].data["text/plain"]
        old, new = CLAIM_TEXTS[what]
        assert old in text
        nb.cells[3].outputs[0].data["text/plain"] = text.replace(old, new)
    elif what == "never run":
        nb.cells[0].update(execution_count=None, outputs=[])
    elif what == "new on stderr":
        nb.cells[0].source += "\nimport sys\nprint('oh', file=sys.stderr)"
    return nb


CLAIM_TEXTS = {
    "a claim's value altered by 30 %": ("0.33 ", "0.43 "),
    "a claim's bound altered": ("to 0.4", "to 0.5"),
    "a claim's sentence altered": ("A third", "A fifth"),
    "a claim's chance altered": ("0.25", "0.20"),
    "a claim's last digit": ("0.33 ", "0.34 "),
}
SAME = ["a claim's last digit"]
BROKEN = [
    "a claim's value altered by 30 %",
    "a claim's bound altered",
    "a claim's sentence altered",
    "a claim's chance altered",
    "a changed number",
    "a changed digit in a figure",
    "a figure too many",
    "a changed text beside a widget",
    "another picture of a widget",
    "a widget without its picture",
    "a stored widget view",
    "never run",
    "new on stderr",
]


def test_a_plain_nbval_run_is_strict(executed: NotebookNode, tmp_path: Path) -> None:
    for name in ("conftest.py", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    folder = tmp_path / "notebooks"
    folder.mkdir()
    notebook.write(executed, folder / "clean.ipynb")
    for what in BROKEN + SAME:
        notebook.write(changed(executed, what), folder / f"{what}.ipynb")
    shutil.copytree(ROOT / "helpers", tmp_path / "helpers")
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-rf", "notebooks"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    failed = set(re.findall(r"^FAILED notebooks/(.*)\.ipynb::", done.stdout, re.M))
    assert failed == set(BROKEN), done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.parametrize("what", BROKEN[:-2])
def test_compare_sees(executed: NotebookNode, what: str) -> None:
    other = changed(executed, what)
    found = [
        line
        for old, new in zip(executed.cells, other.cells)
        for line in compare.differences(new.outputs, old.outputs)
    ]
    assert found


def test_compare_is_content_with_the_same(executed: NotebookNode) -> None:
    again = make(*(cell.source for cell in executed.cells))
    notebook.execute(again, ROOT)
    for old, new in zip(executed.cells, again.cells):
        assert compare.differences(old.outputs, new.outputs) == []


def test_compare_lets_the_last_digit_of_a_claim_be(executed: NotebookNode) -> None:
    other = changed(executed, SAME[0])
    assert compare.differences(other.cells[3].outputs, executed.cells[3].outputs) == []


@pytest.mark.parametrize("path", notebook.lessons(), ids=lambda path: path.stem)
def test_in_each_lesson_an_altered_value_is_seen(path: Path) -> None:
    altered = 0
    for cell in notebook.read(path).cells:
        for index, output in enumerate(cell.get("outputs", [])):
            claim = output.get("metadata", {}).get("claim")
            if not claim or not isinstance(claim["value"], float) or not claim["value"]:
                continue
            runs = record.values().get(claim["number"], [])
            runs = [run for run in runs if isinstance(run, float)]
            allowed = claims.tolerance(claim["value"], runs) / abs(claim["value"])
            if allowed > 0.25 or claim.get("machine") or abs(claim["value"]) < 1e-4:
                continue
            old = shown(claim["value"], claim["bound"])
            for factor, seen in ((1.3, True), (0.7, True), (1 + allowed / 3, False)):
                other = nbformat.from_dict(cell)
                text = other.outputs[index].data["text/plain"]
                new = f"{factor * claim['value']:.6f}"
                text = text.replace(f"Measured {old} (", f"Measured {new} (")
                other.outputs[index].data["text/plain"] = text
                found = compare.differences(other.outputs, cell.outputs)
                assert bool(found) is seen, (claim["number"], old, new)
            altered += 1
    assert altered


def test_normalise_twice_is_once(executed: NotebookNode) -> None:
    once = nbformat.writes(executed)
    assert nbformat.writes(notebook.normalise(nbformat.reads(once, 4))) == once
    noisy = nbformat.reads(once, 4)
    noisy.metadata["widgets"] = {"state": {}}
    noisy.cells[0].metadata["execution"] = {"started": "now"}
    noisy.cells[2].outputs[0].data[compare.VIEW] = {"model_id": "of one kernel"}
    noisy.cells[0].execution_count = 17
    assert nbformat.writes(notebook.normalise(noisy)) == once


def test_an_ignored_cell_keeps_its_output_while_its_source_stays(
    executed: NotebookNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    nb = nbformat.from_dict(executed)
    nb.cells[0].metadata["tags"] = [compare.IGNORED]
    monkeypatch.setattr(run, "_committed_cells", lambda path: list(executed.cells))
    assert run.kept_outputs(nb, ROOT / "any.ipynb") == {0: nb.cells[0].outputs}
    nb.cells[0].source += "  # edited"
    assert run.kept_outputs(nb, ROOT / "any.ipynb") == {}


def test_a_ratio_of_a_machine_keeps_its_stored_claim_while_it_agrees() -> None:
    source = (
        "from helpers import claim\n"
        "claim('99.2', 'It is', {}, at_least={}, machine=True)"
    )
    before, after, other = (
        make(source.format(value, least))
        for value, least in ((3.1, 2), (9.7, 2), (9.7, 4))
    )
    for nb in (before, after, other):
        notebook.execute(nb, ROOT)
    run.keep_ratios(before, after)
    assert after.cells[0].outputs == before.cells[0].outputs
    run.keep_ratios(before, other)
    assert other.cells[0].outputs[0].metadata.claim.value == 9.7
