"""CLAIMS.md says what the notebooks and `make seeds` say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import ledger, notebook
from tools.seeds import CLAIM, first_seed

LESSONS = notebook.lessons()
BY_NAME = {"argvalues": LESSONS, "ids": [path.stem for path in LESSONS]}


def test_it_is_what_the_notebooks_print() -> None:
    committed = ledger.LEDGER.read_text(encoding="utf-8")
    assert committed == ledger.text(), "out of date: run `python -m tools.ledger`"


@pytest.mark.parametrize("path", **BY_NAME)
def test_every_claim_is_in_it_once_and_in_order(path: Path) -> None:
    nb = notebook.read(path)
    written = [n for cell in nb.cells for n in CLAIM.findall(cell.source)]
    printed = [claim.number for claim in ledger.claims(nb)]
    lesson = int(path.stem[:2])
    assert printed == [f"{lesson}.{i + 1}" for i in range(len(printed))]
    assert set(written) <= set(printed)


@pytest.mark.parametrize("path", **BY_NAME)
def test_trained_claims_held_with_every_other_seed(path: Path) -> None:
    if first_seed(path) is None:
        return
    name = f"`make seeds NB={path.stem[:2]}`"
    held = ledger.record().get(path.stem)
    assert held, f"{path.name} has no record: run {name}"
    nb = notebook.read(path)
    assert held["code"] == ledger.code_of(nb), f"{path.name} was edited: run {name}"
    assert len(held["seeds"]) >= 3 and first_seed(path) not in held["seeds"]
    numbers = [claim.number for claim in ledger.claims(nb)]
    assert held["held"] == dict.fromkeys(numbers, len(held["seeds"]))


def test_a_verdict_is_read_off() -> None:
    nb = notebook.nbformat.v4.new_notebook()
    printed = (
        "Claim 8.1  The path is one step: at most 1.\n"
        "           The article, section 8: O(n). It is. Verdict: corrected.\n"
        "           Holds: measured equal to [1.5, 'a.'].\n"
    )
    output = notebook.nbformat.v4.new_output("stream", name="stdout", text=printed)
    cell = notebook.nbformat.v4.new_code_cell("", outputs=[output])
    nb.cells = [cell]
    (found,) = ledger.claims(nb)
    assert (found.number, found.statement) == ("8.1", "The path is one step: at most 1")
    assert (found.where, found.says) == ("section 8", "O(n). It is")
    assert (found.verdict, found.bound) == ("corrected", "equal to [1.5, 'a.']")
