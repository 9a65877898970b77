"""The examples in docstrings are run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from helpers.models import pretrained

ROOT = Path(__file__).parents[1]
NEED_THE_MODEL = {"helpers.models.pretrained"}
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "helpers").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def failures(module: object, **names: object) -> str:
    """What the examples of a module print in place of what they say."""
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(module, extraglobs=names):
        runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).attempted, "no example was found"
    return "".join(report)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_print_what_they_say(name: str) -> None:
    if name in NEED_THE_MODEL and (why := pretrained.missing()):
        pytest.skip(why)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert failures(importlib.import_module(name)) == ""
    plt.close("all")


def test_a_false_example_is_found() -> None:
    def double(x: int) -> int:
        """Twice x.

        >>> double(2)
        5
        """
        return 2 * x

    assert "Expected:\n    5\nGot:\n    4" in failures(double, double=double)
