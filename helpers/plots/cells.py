"""A table of labelled cells: which number lands where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helpers.plots.labels import FONT_SIZE
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIGHTEST, DARKEST = 0.95, 0.6
"""Grey levels of the first and the last group; black text stays readable on both."""


def plot_cells(
    labels: Sequence[Sequence[str]],
    *,
    title: str,
    rows: str = "",
    columns: str = "",
    groups: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table; cells whose label starts with the same letter share a shade.

    Args:
        labels: rows of strings, all of the same length.
        title: what the table is.
        rows: what goes downwards.
        columns: what goes across.
        groups: the first letters, lightest first; by default those that occur. Give
            them where several tables should have the same shades.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if there are no cells, or the rows differ in length.
    """
    labels = [list(row) for row in labels]
    if not labels or not labels[0] or len({len(row) for row in labels}) > 1:
        raise ValueError(
            f"a table needs rows of one length; got {[len(row) for row in labels]}"
        )
    height, width = len(labels), len(labels[0])
    if ax is None:
        ax = new_axes(0.5 * width + 1.2, 0.5 * height + 1)
    if groups is None:
        groups = sorted({label[:1] for row in labels for label in row})
    step = (LIGHTEST - DARKEST) / max(1, len(groups) - 1)
    grey = {group: LIGHTEST - i * step for i, group in enumerate(groups)}
    shades = [[grey[label[:1]] for label in row] for row in labels]
    ax.pcolormesh(shades, cmap="gray", vmin=0, vmax=1, edgecolors="white", linewidth=2)
    style = {"ha": "center", "va": "center", "fontsize": FONT_SIZE, "parse_math": False}
    for i, row in enumerate(labels):
        for j, label in enumerate(row):
            ax.text(j + 0.5, i + 0.5, label, **style)
    ax.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    for axis, count in ((ax.xaxis, width), (ax.yaxis, height)):
        axis.set_ticks([i + 0.5 for i in range(count)], range(count))
        axis.set_tick_params(length=0)
    ax.spines[:].set_visible(False)
    return finish(ax, title, x=columns, y=rows)
