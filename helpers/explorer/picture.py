"""What remains of the explorer without a kernel: one head large, all heads as tiles."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.plots.attention import plot_attention
from helpers.plots.colours import COLOURS, WEIGHTS_MAP
from helpers.plots.style import finish


def picture(
    weights: np.ndarray,
    tokens: Sequence[str],
    key_tokens: Sequence[str],
    layer: int,
    head: int,
    caption: str,
) -> bytes:
    """The open head, and beside it all heads, as a PNG.

    Args:
        weights: (layers, heads, n_q, n_k).
        tokens: n_q tokens.
        key_tokens: n_k tokens.
        layer, head: the open head.
        caption: stands below.
    """
    layers, heads, n_q, n_k = weights.shape
    several = layers * heads > 1
    size = (9 if several else 5.5, 1.7 + min(2.9, 4.2 * n_q / n_k))
    figure = Figure(figsize=size, dpi=90, layout="compressed")
    axes = figure.subplots(
        1, 1 + several, squeeze=False, width_ratios=[2, 3][1 - several :]
    )[0]
    title = f"Layer {layer}, head {head}"
    with warnings.catch_warnings():  # a font that lacks a letter: said in the plots
        warnings.simplefilter("ignore")
        plot_attention(
            weights[layer], tokens, key_tokens, head=head, ax=axes[-1], title=title
        )
        if several:
            _draw_all(axes[0], weights, layer * heads + head)
        figure.supxlabel(caption, fontsize=9, color="0.35")
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _draw_all(axes: Axes, weights: np.ndarray, open_one: int) -> None:
    """All heads as tiles, one layer per row; the open one has a frame."""
    layers, heads, n_q, n_k = weights.shape
    columns = heads if layers > 1 else int(np.ceil(np.sqrt(heads)))
    tiles = weights.reshape(-1, n_q, n_k)
    rows = -(-len(tiles) // columns)
    gap_q, gap_k = max(1, n_q // 8), max(1, n_k // 8)
    sheet = np.full((rows * (n_q + gap_q), columns * (n_k + gap_k)), np.nan)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        top, left = row * (n_q + gap_q), column * (n_k + gap_k)
        sheet[top : top + n_q, left : left + n_k] = tile
        if number == open_one:
            corner, style = (left - 0.5, top - 0.5), {"lw": 1.5, "fill": False}
            frame = Rectangle(corner, n_k, n_q, ec=COLOURS["query"], **style)
            axes.add_patch(frame)
    axes.imshow(sheet, cmap=WEIGHTS_MAP, vmin=0, vmax=1, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    order = "one layer per row" if layers > 1 else "left to right, row by row"
    finish(axes, f"All {layers * heads} heads, {order}")
