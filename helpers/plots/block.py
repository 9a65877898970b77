"""A diagram: the block of a Transformer, pre-norm and post-norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, Frame, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ORDERS = {
    "pre-norm": ("x", "norm", "attention", "+", "norm", "MLP", "+", "output"),
    "post-norm": ("x", "attention", "+", "norm", "MLP", "+", "norm", "output"),
}
PAST = {"pre-norm": ((0, 3), (3, 6)), "post-norm": ((0, 2), (3, 5))}
"""From which box to which sum a row goes past a part."""
BENDS = {"pre-norm": 0.22, "post-norm": 0.3}
KINDS = {"attention": "attention", "MLP": "value", "norm": "rival", "output": "output"}


def plot_block_diagram(ax: Axes | None = None) -> Axes:
    """Draw both orders of attention, MLP, norms and residuals, from left to right.

    Args:
        ax: where to draw; by default in a new figure.

    >>> [text.get_text() for text in plot_block_diagram().texts].count("norm")
    4
    """
    boxes, arrows, frames = {}, [], []
    for row, (name, order) in enumerate(ORDERS.items()):
        names = [f"{name} {place}" for place in range(len(order))]
        for place, text in enumerate(order):
            width = {"attention": 0.86, "+": 0.34}.get(text, 0.66)
            at = (place, 1.4 * row)
            boxes[names[place]] = Box(text, at, KINDS.get(text, ""), width)
        arrows += [Arrow(*pair) for pair in zip(names, names[1:])]
        arrows += [Arrow(names[a], names[b], bend=BENDS[name]) for a, b in PAST[name]]
        frames.append(Frame(name, tuple(names)))
    title = "A pre-norm block has a way past both norms; a post-norm block has none"
    return plot_diagram(
        boxes, arrows, title=title, frames=frames, pitch=(1.05, 0.95), ax=ax
    )
