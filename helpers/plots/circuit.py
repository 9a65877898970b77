"""The circuit of induction: which token hands what to which other, in two layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_induction_diagram(ax: Axes | None = None) -> Axes:
    """Draw [… a b … a] → b through two layers, from top to bottom.

    Args:
        ax: where to draw; by default in a new figure.

    >>> ax = plot_induction_diagram()
    >>> ax.texts[0].get_text()
    'a, the twin'
    """
    boxes = {
        "twin": Box("a, the twin", (0, 0), width=1.15),
        "successor": Box("b, its successor", (1.25, 0), "value", 1.25),
        "last": Box("a, the last", (2.5, 0), "query", 1.15),
        "noted": Box(
            "b, and a note:\na comes before me", (1.25, 1.25), "key", 1.4, 0.5
        ),
        "asks": Box("a", (2.5, 1.25), "query", 1.15),
        "says": Box("a, and b", (2.5, 2.5), "output", 1.15),
    }
    arrows = [
        Arrow("successor", "twin", "layer 1, QK:\none position back", dashed=True),
        Arrow("twin", "noted", "layer 1, OV:\nthe letter before"),
        Arrow("successor", "noted", "stays"),
        Arrow("last", "asks", "stays"),
        Arrow("asks", "noted", "layer 2, QK: a looks\nfor the note a", dashed=True),
        Arrow("noted", "says", "layer 2, OV:\nthe letter b"),
        Arrow("asks", "says", "stays"),
    ]
    title = "Layer 1 writes the note that layer 2 looks for"
    return plot_diagram(boxes, arrows, title=title, pitch=(2.2, 0.85), ax=ax)
