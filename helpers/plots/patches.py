"""What a vector of another run does, by layer and position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helpers.plots.colours import WEIGHTS_MAP
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import Tensor

FAINT = 0.1
"""Effects below this are drawn, but not written into their cells."""


def plot_patches(
    effects: Tensor, positions: Sequence[str], *, title: str, ax: Axes | None = None
) -> Axes:
    """Draw one cell per layer and position, darker the further the result turns.

    Args:
        effects: (layers + 1, positions), of `patch_grid`: 0 = stays, 1 = turned. The
            last row is for the vectors that the last layer made.
        positions: their names.
        title: the message of the picture.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if there is not one name per column.
    """
    rows, columns = effects.shape
    if len(positions) != columns:
        raise ValueError(f"{columns} columns need as many names; got {len(positions)}")
    if ax is None:
        ax = new_axes(0.5 * columns + 1.5, 0.4 * rows + 1.2)
    ax.pcolormesh(effects, cmap=WEIGHTS_MAP, vmin=0, vmax=1, edgecolors="white")
    for row, column in (effects >= FAINT).nonzero().tolist():
        value = effects[row, column].item()
        dark = {"color": "white" if value > 0.5 else "black", "fontsize": 8}
        ax.text(
            column + 0.5, row + 0.5, f"{value:.2f}", ha="center", va="center", **dark
        )
    layers = [f"into layer {i}" for i in range(rows - 1)] + [f"after layer {rows - 2}"]
    ax.set(xlim=(0, columns), ylim=(rows, 0))
    ax.set_xticks([i + 0.5 for i in range(columns)], positions, rotation=45, fontsize=8)
    ax.set_yticks([i + 0.5 for i in range(rows)], layers, fontsize=8)
    ax.tick_params(length=0)
    return finish(ax, title, x="the vector that is replaced")
