"""One row of a map as bars: what one query gives to each key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helpers.plots.attention import as_array, fit_tokens, select_map, whole
from helpers.plots.bars import plot_bars
from helpers.plots.labels import visible, width_beyond, width_in_ems
from helpers.plots.style import TITLE_SIZE, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_row(
    attn_weights: Any,
    query: int,
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    head: int = 0,
    batch: int | None = None,
    ax: Axes | None = None,
    *,
    title: str | None = None,
) -> Axes:
    """Draw one row of weights as bars, always from 0 to 1.

    Args:
        attn_weights: as for `plot_attention`.
        query: number of the row.
        tokens: n_q tokens.
        key_tokens: n_k tokens; by default the same.
        head: which head.
        batch: which sample.
        ax: where to draw; by default in a new figure.
        title: by default the query's token, and the head.

    Returns:
        The axes.

    Raises:
        ValueError: if shapes, tokens or indices do not fit together.
    """
    weights, name = select_map(as_array(attn_weights), head, batch)
    n_q, n_k = weights.shape
    tokens, key_tokens = fit_tokens(tokens, key_tokens, n_q, n_k)
    query = whole("query", query)
    if not -n_q <= query < n_q:
        raise ValueError(
            f"query = {query} is out of range: the map has rows 0 to {n_q - 1}"
        )
    if title is None:
        title = f"Row of {visible(tokens[query])!r}: {name}"
    if ax is None:
        width = max(3.5, 0.4 * n_k + 1, width_in_ems(title) * TITLE_SIZE / 72 + 0.8)
        height = 2.6 + width_beyond(1.2, key_tokens)
        ax = new_axes(width, height)
    ax = plot_bars(weights[query], key_tokens, title=title, label="weight", ax=ax)
    ax.set_ylim(0, 1)
    ax.set_xlabel("key token")
    return ax
