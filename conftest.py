"""Strict comparison for any `pytest --nbval notebooks` that starts from here.

nbval alone compares text. Here a cell that was never run fails, figures are compared
by their pixels, the value of a claim within the tolerance that its record justifies,
whatever is new on stderr fails, a stored widget view fails (a widget counts by the
picture and the text that it leaves), and the arithmetic is fixed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import extras, notebook, settings
from tools.compare import as_today, figure_differences, stored_views

settings.apply()

try:
    from nbval.plugin import IPyNbCell
except ImportError:
    IPyNbCell = None


def pytest_configure(config: pytest.Config) -> None:
    """Build matplotlib's font cache now: later it would be a message on stderr."""
    if config.getoption("nbval", default=False):
        import matplotlib.font_manager  # noqa: F401


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what `make reset` has put aside."""
    return notebook.is_kept(collection_path) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    if IPyNbCell and isinstance(item, IPyNbCell):
        item.output_timeout = 60  # nbval has 5 s, too short on a busy machine


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before a kernel is started: can the notebook run here at all?"""
    if IPyNbCell and isinstance(item, IPyNbCell):
        extras.skip_or_fail(Path(item.parent.path))


if IPyNbCell:
    _compare, _runtest = IPyNbCell.compare_outputs, IPyNbCell.runtest

    def compare_outputs(self, test, ref, skip_compare=None) -> bool:
        same = _compare(self, test, as_today(ref, test), skip_compare)
        bad = figure_differences(ref, test) + stored_views(ref)
        if bad:
            self.comparison_traceback.extend(bad)
        return same and not bad

    def runtest(self) -> None:
        never_run = self.cell.execution_count is None and self.cell.source.strip()
        if never_run and not self.options["skip"]:
            pytest.fail(
                f"{Path(self.parent.path).name}, code cell {self.cell_num}: it has no "
                f"execution count, so there is nothing to compare; run `make run`",
                pytrace=False,
            )
        _runtest(self)

    IPyNbCell.compare_outputs, IPyNbCell.runtest = compare_outputs, runtest
