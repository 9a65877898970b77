"""Shares with their intervals, beside what they must be compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from helpers.plots.colours import COLOURS
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = ("x", "^", "s")
"""One for each kind of comparison; grey, so that the measured share stands out."""


def plot_shares(
    names: Sequence[str],
    shares: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    others: Mapping[str, Sequence[float]],
    *,
    title: str,
    label: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one row per name: the share, its interval as a line, the others as marks.

    Args:
        names: n rows, the first on top.
        shares: n numbers from 0 to 1.
        intervals: n pairs (lower end, upper end).
        others: what it is → n shares; at most three kinds.
        title: the message of the picture.
        label: what the shares are of.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if the lists differ in length, or there are too many kinds.
    """
    lengths = {len(names), len(shares), len(intervals), *map(len, others.values())}
    if len(lengths) > 1 or len(others) > len(MARKS):
        raise ValueError(
            f"one number per row is needed for {len(names)} rows, and at most "
            f"{len(MARKS)} kinds of comparison; got lengths {sorted(lengths)} and "
            f"{len(others)} kinds"
        )
    if ax is None:
        ax = new_axes(7, 0.5 * len(names) + 1.3)
    rows = range(len(names))
    for name, share, (lower, upper) in zip(names, shares, intervals):
        if not lower <= share <= upper:
            raise ValueError(
                f"the share of {name} is {share:g}, outside its interval from "
                f"{lower:g} to {upper:g}"
            )
    low = [share - interval[0] for share, interval in zip(shares, intervals)]
    high = [interval[1] - share for share, interval in zip(shares, intervals)]
    style = dict(fmt="o", color=COLOURS["attention"], capsize=3, label="the head")
    ax.errorbar(shares, rows, xerr=[low, high], **style)
    for mark, (kind, values) in zip(MARKS, others.items()):
        ax.scatter(values, rows, marker=mark, color=COLOURS["other"], label=kind)
    ax.set_yticks(rows, names, parse_math=False)
    ax.set(xlim=(-0.03, 1.03), ylim=(len(names) - 0.5, -0.5))
    legend = ax.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    for text in legend.get_texts():
        text.set_parse_math(False)
    return finish(ax, title, x=label, open_frame=True)
