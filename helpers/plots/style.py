"""How every picture of the course is dressed: sizes, literal text, an open frame.

These are functions and no style sheet of matplotlib, which sees only figures that are
made under it: a lesson often makes the axes itself, and hands them to several plots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE_SIZE = 10
"""Size of titles in points."""


def new_axes(width: float, height: float, layout: str = "constrained") -> Axes:
    """The axes of a new figure.

    Args:
        width, height: of the figure, in inches.
        layout: matplotlib's layout engine.
    """
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout=layout).add_subplot()


def finish(
    ax: Axes,
    title: str,
    *,
    x: str | None = None,
    y: str | None = None,
    open_frame: bool = False,
) -> Axes:
    """Write the title and the names of the axes, as they are: a $ starts no formula.

    Args:
        ax: the axes that were drawn on.
        title: the message of the picture.
        x, y: what the axes measure; None leaves a name as it is.
        open_frame: True leaves out the frame's top and right side.

    Returns:
        The axes.
    """
    ax.set_title(title, fontsize=TITLE_SIZE, parse_math=False)
    if x is not None:
        ax.set_xlabel(x, parse_math=False)
    if y is not None:
        ax.set_ylabel(y, parse_math=False)
    if open_frame:
        ax.spines[["top", "right"]].set_visible(False)
    return ax
