"""Dots in rows: the same numbers for several models, beside what they must beat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helpers.plots.colours import COLOURS
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = (("o", "attention"), ("s", "rival"), ("^", "other"))


def plot_dots(
    values: Mapping[str, Mapping[str, float]],
    lines: Mapping[str, float],
    *,
    title: str,
    label: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one row per name and one mark per series, on a scale from 0 to 1.

    Args:
        values: series → name → number; the same names in every series.
        lines: what a dashed line says → where it is.
        title: the message of the picture.
        label: what the numbers are.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if the names differ, or there are more series than marks.
    """
    names = list(next(iter(values.values()), {}))
    if len(values) > len(MARKS) or any(list(v) != names for v in values.values()):
        raise ValueError(
            f"at most {len(MARKS)} series are drawn, all with the same names; got "
            f"{[list(series) for series in values.values()]}"
        )
    if ax is None:
        ax = new_axes(7.5, 0.33 * len(names) + 1.3)
    for text, place in lines.items():
        ax.axvline(place, color=COLOURS["chance"], linestyle="--", linewidth=1)
        ax.text(place, -0.75, text, ha="center", fontsize=8, parse_math=False)
    for (mark, colour), (series, numbers) in zip(MARKS, values.items()):
        places = list(numbers.values())
        style = dict(color=COLOURS[colour], alpha=0.8, clip_on=False)
        ax.plot(places, range(len(names)), mark, label=series, **style)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set(xlim=(0, 1.02), ylim=(len(names) - 0.5, -1.1))
    ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.02, 0.5))
    return finish(ax, title, x=label, open_frame=True)
