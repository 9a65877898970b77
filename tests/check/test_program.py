"""The right computation as lines, and what it remembers."""

from __future__ import annotations

import pytest
import torch

from helpers.check.program import Program, compiled
from helpers.check.space import Case

LINES = {
    "total": ("x.sum()", {"x.max()": "largest", "x.prod()": "product"}),
    "shares": ("count(x) / total", {"x * total": "multiplied"}),
    "returned": ("(shares, total)", {"shares": "one-only"}),
}


def program(calls: list[int]) -> Program:
    def count(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x

    return Program("x", LINES, count=count)


def right(lines: dict) -> dict[str, str]:
    return {name: expression for name, (expression, _) in lines.items()}


def test_the_right_lines_are_computed_in_order():
    case = Case("", "", (torch.tensor([1.0, 3.0]),))
    shares, total = program([])(case, right(LINES), {})
    assert total == 4
    assert shares.tolist() == [0.25, 0.75]


def test_a_choice_changes_what_reads_it():
    case = Case("", "", (torch.tensor([1.0, 4.0]),))
    choices = right(LINES) | {"total": "x.max()"}
    assert program([])(case, choices, {})[0].tolist() == [0.25, 1.0]


def test_one_result_is_a_tuple_of_one():
    case = Case("", "", (torch.tensor([1.0, 3.0]),))
    values = program([])(case, right(LINES) | {"returned": "shares"}, {})
    assert isinstance(values, tuple)
    assert len(values) == 1


def test_a_line_is_computed_once_for_all_that_agree_on_what_it_reads():
    calls, memo = [], {}
    case, compute = Case("", "", (torch.tensor([1.0, 3.0]),)), program([])
    compute = program(calls)
    for returned in ("(shares, total)", "shares"):
        compute(case, right(LINES) | {"returned": returned}, memo)
    assert len(calls) == 1
    compute(case, right(LINES) | {"total": "x.max()"}, memo)
    assert len(calls) == 2


def test_what_is_none_has_lines_of_its_own():
    lines = {
        "m": ("mask", {}),
        "s": ("x * m", {"x + m": "added"}),
        "returned": ("s", {}),
    }
    compute = Program("x mask", lines, without={"m": {"s": "x"}})
    case = Case("", "", (torch.ones(2), None))
    for choice in ("x * m", "x + m"):
        (value,) = compute(case, right(lines) | {"s": choice}, {})
        assert value.tolist() == [1, 1]


def test_an_error_is_passed_on():
    compute = Program("x", {"returned": ("x.view(3)", {})})
    with pytest.raises(RuntimeError):
        compute(Case("", "", (torch.ones(2),)), {"returned": "x.view(3)"}, {})


def test_the_names_that_an_expression_reads():
    assert compiled("lambda s: s / total")[1] == ("s", "total")
