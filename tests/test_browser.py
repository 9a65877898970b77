"""Notebooks in a real JupyterLab: Run All, as a learner does it.

Four of them, which have between them everything that a page must draw: the self-check
and progress bars (00), formulas and folds (02), the explorer (07, 09), the real model
(09). `LESSONS=all pytest tests/test_browser.py` runs every one, which takes minutes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools import notebook
from tools.extras import needs_browser, skip_or_fail
from tools.lab import run_in_browser

USUAL = ("00", "02", "07", "09")
NOTEBOOKS = [
    path
    for path in notebook.lessons()
    if path.stem[:2] in USUAL or os.environ.get("LESSONS") == "all"
]


@pytest.mark.browser
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_run_all_is_clean(path: Path) -> None:
    needs_browser()
    skip_or_fail(path)
    report = run_in_browser(path)
    assert report.clean, f"{path.name}: {report}"
