"""A map with a frame around each position where a query should look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from helpers.plots.attention import as_array, plot_attention, select_map, whole
from helpers.plots.colours import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_alignment(
    attn_weights: Any,
    targets: Sequence[int],
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    head: int = 0,
    batch: int | None = None,
    ax: Axes | None = None,
    *,
    title: str | None = None,
) -> Axes:
    """Draw the map of one head, with a frame where each query should look.

    Args:
        attn_weights: as for `plot_attention`.
        targets: n_q positions among the keys; -1 = this query has none.
        tokens: n_q tokens.
        key_tokens: n_k tokens; by default the same.
        head: which head.
        batch: which sample.
        ax: where to draw; by default in a new figure of a size that fits.
        title: by default in how many rows the largest weight is in its frame.

    Returns:
        The axes.

    Raises:
        ValueError: as for `plot_attention`, or if the targets do not fit the map.
    """
    from matplotlib.patches import Rectangle

    weights, name = select_map(as_array(attn_weights), head, batch)
    n_q, n_k = weights.shape
    places = [whole("each of targets", place) for place in targets]
    if len(places) != n_q or any(not -1 <= place < n_k for place in places):
        raise ValueError(
            f"targets must be {n_q} positions from 0 to {n_k - 1}, or -1 for none, one "
            f"per query; got {len(places)}: {places[:8]}"
        )
    framed = [(row, place) for row, place in enumerate(places) if place >= 0]
    if title is None:
        found = sum(
            weights[row, place] > 0 and np.argmax(weights[row]) == place
            for row, place in framed
        )
        title = f"{name}: {found} of {len(framed)} look most at their frame"
    ax = plot_attention(attn_weights, tokens, key_tokens, head, batch, ax, title=title)
    style = {"fill": False, "edgecolor": COLOURS["rival"], "linewidth": 2}
    for row, place in framed:
        ax.add_patch(Rectangle((place, row), 1, 1, clip_on=False, **style))
    return ax
