"""Two RNNs that translate: with one fixed vector between them, and with attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bottleneck_diagram(
    words: Sequence[str] = ("the", "cat", "sleeps"),
    answer: Sequence[str] = ("die", "Katze", "schläft"),
    writes: int = 1,
    axes: Sequence[Axes] | None = None,
) -> Sequence[Axes]:
    """Draw a translator of two RNNs twice: with a fixed vector, and with attention.

    Args:
        words: what the encoder reads.
        answer: what the decoder writes.
        writes: the word of the answer whose look-up is drawn, 1 or later: the state
            before it asks, and its own state gets the answer.
        axes: two axes, one below the other; by default in a new figure.

    Returns:
        The two axes.
    """
    import matplotlib.pyplot as plt

    if axes is None:
        rows = {"height_ratios": (1, 1.7), "layout": "constrained"}
        axes = plt.subplots(2, 1, figsize=(8.4, 4.3), **rows)[1]
    columns = (0.0, len(words) + 1.0)
    boxes, arrows = {}, []
    for side, texts, column in zip(
        ("encoder", "decoder"), (words, answer), columns, strict=True
    ):
        for i, word in enumerate(texts):
            boxes[f"{side} {i}"] = Box(f"state\n{i + 1}", (column + i, 0), width=0.7)
            boxes[f"{side} word {i}"] = Box(word, (column + i, 1), "", 0.9, 0.3)
            if i:
                arrows.append(Arrow(f"{side} {i - 1}", f"{side} {i}"))
            ends = (f"{side} word {i}", f"{side} {i}")
            arrows.append(Arrow(*(ends if side == "encoder" else ends[::-1])))
    last = f"encoder {len(words) - 1}"
    fixed = boxes | {"vector": Box("one vector", (len(words), 0), "rival", 0.9)}
    through = [Arrow(last, "vector"), Arrow("vector", "decoder 0")]
    looked = boxes | {
        "look": Box("weights · states", (len(words), -1.5), "attention", 1.25)
    }
    looks = [Arrow(f"encoder {i}", "look") for i in range(len(words))]
    looks += [
        Arrow(last, "decoder 0", dashed=True),
        Arrow(f"decoder {writes - 1}", "look", "asks", at=0.35),
        Arrow("look", f"decoder {writes}", "gets", at=0.55),
    ]
    pitch = (1.25, 0.75)
    plot_diagram(
        fixed,
        arrows + through,
        title="Fixed vector: whatever the length, all must pass through one state",
        pitch=pitch,
        ax=axes[0],
    )
    plot_diagram(
        looked,
        arrows + looks,
        title="Attention: every word that is written looks back at all states",
        pitch=pitch,
        ax=axes[1],
    )
    return axes
