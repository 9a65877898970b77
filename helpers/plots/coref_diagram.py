"""The coreference model as a diagram: what its two attention layers may look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_coref_diagram(ax: Axes | None = None) -> Axes:
    """Draw CorefNet; the arrow that only an ordinary model has is dashed.

    Args:
        ax: where to draw; by default in a new figure.
    """
    boxes = {
        "words": Box("the words", (0, 1)),
        "near": Box(
            "block 1: each word\nsees 3 words ahead", (1.15, 0), "attention", 1.5
        ),
        "mixed": Box("words, mixed", (2.45, 0), "query", 1.1),
        "read": Box("keys and values", (2.45, 1), "value", 1.2),
        "far": Box("block 2: it sees\nthe sentence", (3.7, 0.5), "attention", 1.3),
        "answer": Box("er, sie, es", (4.85, 0.5), "output"),
    }
    arrows = [
        Arrow("words", "near"),
        Arrow("near", "mixed"),
        Arrow("words", "read", "plain words"),
        Arrow("mixed", "read", "in an ordinary model", dashed=True),
        Arrow("mixed", "far", "query of it"),
        Arrow("read", "far"),
        Arrow("far", "answer"),
    ]
    title = "Block 2 asks with mixed words, and reads plain ones"
    return plot_diagram(boxes, arrows, title=title, pitch=(1.75, 1.0), ax=ax)
