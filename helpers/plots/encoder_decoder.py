"""A diagram: an encoder, a decoder, and who asks whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, Frame, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_encoder_decoder_diagram(ax: Axes | None = None) -> Axes:
    """Draw where the queries, keys and values of each attention layer come from.

    Args:
        ax: where to draw; by default in a new figure.
    """
    boxes = {
        "source": Box("English\nwords", (0, 0), width=0.9),
        "encoder": Box("self-attention,\nMLP", (1.25, 0), "attention", 1.2),
        "encoder_out": Box("encoder_out", (2.6, 0), width=1.1),
        "so far": Box("French\nwords so far", (0, 2), width=1.0),
        "self": Box("causal\nself-attention", (1.25, 2), "attention", 1.2),
        "cross": Box("cross-\nattention", (2.6, 2), "attention", 1.1),
        "mlp": Box("MLP", (3.55, 2), width=0.7),
        "next": Box("next French\nword", (4.5, 2), "output", 1.0),
    }
    arrows = [
        Arrow("source", "encoder"),
        Arrow("encoder", "encoder_out"),
        Arrow("encoder_out", "cross", "K, V: n_k rows"),
        Arrow("so far", "self"),
        Arrow("self", "cross", "Q: n_q rows"),
        Arrow("cross", "mlp"),
        Arrow("mlp", "next"),
        Arrow(
            "next", "so far", "when it writes: its own words", bend=0.14, dashed=True
        ),
    ]
    frames = [
        Frame("encoder", ("source", "encoder", "encoder_out")),
        Frame("decoder", ("so far", "self", "cross", "mlp", "next")),
    ]
    title = "In cross-attention the decoder asks, and the encoder is asked"
    return plot_diagram(
        boxes, arrows, title=title, frames=frames, pitch=(1.75, 0.8), ax=ax
    )
