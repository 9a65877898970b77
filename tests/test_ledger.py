"""CLAIMS.md says what the notebooks and `make seeds` say."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from helpers.claims import bound_text, describe
from tools import claims, ledger, notebook, record
from tools.seeds import first_seed

LESSONS = notebook.lessons()
BY_NAME = {"argvalues": LESSONS, "ids": [path.stem for path in LESSONS]}


def test_it_is_what_the_notebooks_hold() -> None:
    committed = ledger.LEDGER.read_text(encoding="utf-8")
    assert committed == ledger.text(), "out of date: run `python -m tools.ledger`"


@pytest.mark.parametrize("path", **BY_NAME)
def test_every_claim_is_in_it_once_and_in_order(path: Path) -> None:
    nb = notebook.read(path)
    code = [cell.source for cell in nb.cells if cell.cell_type == "code"]
    written = [call.number for source in code for call in claims.calls(source)]
    printed = [claim["number"] for claim in claims.in_notebook(nb)]
    lesson = int(path.stem[:2])
    assert printed == [f"{lesson}.{i + 1}" for i in range(len(printed))]
    assert set(written) <= set(printed)


@pytest.mark.parametrize("path", **BY_NAME)
def test_what_a_claim_prints_is_its_data(path: Path) -> None:
    for cell in notebook.read(path).cells:
        for output in cell.get("outputs", []):
            if claim := output.get("metadata", {}).get("claim"):
                assert output["data"]["text/plain"] == describe(claim)
                assert claim["holds"]


@pytest.mark.parametrize("path", **BY_NAME)
def test_trained_claims_held_with_every_other_seed(path: Path) -> None:
    if first_seed(path) is None:
        return
    name = f"`make seeds NB={path.stem[:2]}`"
    runs = record.read().get(path.stem)
    assert runs, f"{path.name} has no record: run {name}"
    nb = notebook.read(path)
    assert runs["code"] == ledger.code_of(nb), f"{path.name} was edited: run {name}"
    assert len(runs["seeds"]) >= 5 and first_seed(path) not in runs["seeds"]
    for claim in claims.in_notebook(nb):
        values = runs["values"][claim["number"]]
        assert len(values) == len(runs["seeds"])
        assert ledger.held(claim, values) == len(values), claim["number"]


def loose(claim: dict[str, Any], values: list[Any]) -> str | None:
    """Why the bound of a claim is too wide for what was measured; None if it is not.

    An end may be at most three times as far from the middle of the runs as their
    extreme on its side, and no nearer than one step of the second digit is asked for.
    """
    bound, own = claim["bound"], claim["value"]
    if "equals" in bound or claim.get("machine"):
        return None
    runs = sorted(v for v in [own, *values] if isinstance(v, float))
    middle = runs[len(runs) // 2]
    step = claims.tolerance(middle, [])
    ends = bound.get("between") or bound.get("at_least") or bound["at_most"]
    for end in ends:
        extreme = runs[-1] if end > middle else runs[0]
        allowed = 3 * max(abs(extreme - middle), step)
        if abs(end - middle) > allowed:
            return f"{bound_text(bound)} for {runs[0]:.3g} to {runs[-1]:.3g}"
    return None


@pytest.mark.parametrize("path", **BY_NAME)
def test_no_bound_is_wider_than_the_record_justifies(path: Path) -> None:
    nb = notebook.read(path)
    values = record.read().get(path.stem, {"values": {}})["values"]
    reasons = {
        call.number: call.reason
        for cell in nb.cells
        if cell.cell_type == "code"
        for call in claims.calls(cell.source)
    }
    wide = {
        claim["number"]: why
        for claim in claims.in_notebook(nb)
        if (why := loose(claim, values.get(claim["number"], [])))
        and not reasons.get(claim["number"])
    }
    assert not wide, "tighten these, or say why in a comment inside the call"


@pytest.mark.parametrize(
    ("bound", "value", "values", "is_loose"),
    [
        ({"at_least": [0.5]}, 0.9, [0.8, 0.85, 0.9, 0.95, 0.92], True),
        ({"at_least": [0.7]}, 0.9, [0.8, 0.85, 0.9, 0.95, 0.92], False),
        ({"at_most": [0.4]}, 0.13, [0.12, 0.13, 0.14], True),
        ({"at_most": [0.16]}, 0.13, [0.12, 0.13, 0.14], False),
        ({"between": [0.1, 0.9]}, 0.15, [0.12, 0.15, 0.18], True),
        ({"between": [0.1, 0.2]}, 0.15, [0.12, 0.15, 0.18], False),
        ({"equals": "3"}, "3", [], False),
    ],
)
def test_a_loose_bound_is_seen(
    bound: dict, value: Any, values: list[float], is_loose: bool
) -> None:
    assert bool(loose({"bound": bound, "value": value}, values)) is is_loose


CLAIM = "claim('1.1', 'It is', x, at_least=0.5, verdict='holds')"


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("claim('1.1', 'It is so', x, at_least=0.4)", True),
        ("claim(\n    '1.1', 'It is', x, between=(0, 1)  # an exact zero\n)", True),
        ("claim('1.1', 'It is', y, at_least=0.5)", False),
        ("claim('1.2', 'It is', x, at_least=0.5)", False),
    ],
)
def test_what_is_said_of_a_value_is_no_part_of_the_code(
    source: str, same: bool
) -> None:
    trees = [ast.dump(claims.without_words(text)) for text in (CLAIM, source)]
    assert (trees[0] == trees[1]) is same


def test_exercises_and_their_checks_leave_the_hash_alone() -> None:
    nb = notebook.nbformat.v4.new_notebook()
    nb.cells = [notebook.nbformat.v4.new_code_cell("x = 1")]
    before = ledger.code_of(nb)
    for tag, source in (("exercise", "def my_x(): ..."), ("check", "check.x(my_x)")):
        cell = notebook.nbformat.v4.new_code_cell(source, metadata={"tags": [tag]})
        nb.cells.append(cell)
    assert ledger.code_of(nb) == before


def test_a_call_knows_its_length_and_its_reason() -> None:
    source = (
        "x = 1\n# rounding only\nclaim('1.1', 'It is', x, at_most=1)\n"
        "claim(\n    '1.2',\n    'It is',\n    x,  # an exact zero\n    at_most=0,\n)"
    )
    first, second = claims.calls(source)
    assert (first.number, first.lines, first.reason) == ("1.1", 1, "rounding only")
    assert (second.number, second.lines, second.reason) == ("1.2", 6, "an exact zero")
