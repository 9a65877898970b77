"""The dependency graph of stacked layers, drawn so that height is waiting time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.measure.graph import Cell, Reads, longest_path, steps_of
from helpers.plots.colours import COLOURS
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_steps(reads: Reads, n: int, *, title: str, ax: Axes | None = None) -> Axes:
    """Draw as many layers as connect n positions, and the path from first to last.

    A dot is a cell. It stands over its position, as high as the step at which it can
    be computed. Thin lines say what it reads; the thick one goes from the last output
    back to the first input, always to the earliest position that a cell reads.

    Args:
        reads: what a cell is computed from, as in `helpers.measure.graph`.
        n: number of positions.
        title: the message; the number of cells on the thick line is put below it.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.
    """
    if ax is None:
        ax = new_axes(3, 3.4)
    _, layers = longest_path(reads, n)
    step = steps_of(reads, n, layers)
    for cell in step:
        for read in reads(*cell) if cell[0] else ():
            _line(ax, step, read, cell, color="0.85", linewidth=0.8, zorder=1)
    cell, length = (layers, n - 1), 0
    while cell[0]:
        read = min(reads(*cell), key=lambda read: read[1])
        _line(ax, step, read, cell, color=COLOURS["attention"], linewidth=3, zorder=2)
        cell, length = read, length + 1
    positions = [position for _, position in step]
    ax.scatter(positions, list(step.values()), s=14, color="0.3", zorder=3)
    count = f"{length} {'cell' if length == 1 else 'cells'}"
    ax.xaxis.get_major_locator().set_params(integer=True)
    return finish(ax, f"{title}\n{count}", x="position", y="step", open_frame=True)


def _line(
    ax: Axes, step: dict[Cell, int], read: Cell, cell: Cell, **style: object
) -> None:
    ax.plot([read[1], cell[1]], [step[read], step[cell]], **style)
