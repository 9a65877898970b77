"""Points in a plane, in a few groups: one colour and mark for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helpers.plots.colours import COLOURS
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import Tensor

MARKS = ("o", "s", "^")


def plot_points(
    groups: Mapping[str, tuple[Tensor, Tensor]],
    *,
    title: str,
    x: str,
    y: str,
    colours: Sequence[str] = ("attention", "rival", "chance"),
    names: Mapping[str, tuple[float, float]] | None = None,
    band: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one point per case.

    Args:
        groups: what they are → the coordinates, (n,) each; at most three groups. With
            more than one there is a legend.
        title: the message of the picture.
        x, y: what the axes measure.
        colours: names in COLOURS, one for each group.
        names: what is written beside a point → its coordinates.
        band: half the width of the grey bands along both axes.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if there are more groups than marks or colours.
    """
    if len(groups) > min(len(MARKS), len(colours)):
        raise ValueError(f"at most {min(len(MARKS), len(colours))} groups can be told")
    if ax is None:
        ax = new_axes(6, 4)
    if band is not None:
        ax.axvspan(-band, band, color="0.93", zorder=0)
        ax.axhspan(-band, band, color="0.93", zorder=0)
    else:
        ax.axhline(0, color="0.3", linewidth=0.8)
    for mark, colour, (label, (across, up)) in zip(MARKS, colours, groups.items()):
        ax.scatter(across, up, marker=mark, s=24, color=COLOURS[colour], label=label)
    for text, (across, up) in (names or {}).items():
        beside = {"xytext": (5, -3), "textcoords": "offset points", "fontsize": 9}
        ax.annotate(text, (float(across), float(up)), parse_math=False, **beside)
    if len(groups) > 1:
        for text in ax.legend(fontsize=8).get_texts():
            text.set_parse_math(False)
    return finish(ax, title, x=x, y=y, open_frame=True)
