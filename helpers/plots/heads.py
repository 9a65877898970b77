"""The maps of many heads side by side, on one colour scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from helpers.plots.attention import as_array, fit_tokens, index_of, no_weights, whole
from helpers.plots.colours import WEIGHTS_MAP
from helpers.plots.labels import (
    FONT_SIZE,
    set_token_labels,
    visible,
    warn_if_missing,
    width_in_ems,
)
from helpers.plots.style import TITLE_SIZE, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL = 2.2
"""Inches that the longer side of one map takes; more only if all labels then fit."""
PAD = 0.1
"""Inches around each map: which labels are named, and so how long they are, is settled
only when the figure is drawn."""


def plot_heads(
    attn_weights: Any,
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    batch: int | None = None,
    *,
    heads: Sequence[int] | None = None,
    titles: Sequence[str] | None = None,
    columns: int = 4,
    title: str | None = None,
) -> list[Axes]:
    """Draw the maps of several heads: one scale from 0 to 1, one colour bar.

    Args:
        attn_weights: (batch, heads, n_q, n_k) or (heads, n_q, n_k); tensor of any
            dtype and device, with or without gradient, array or list.
        tokens: n_q tokens, the queries (and the keys, if there are no key_tokens).
        key_tokens: n_k tokens.
        batch: which sample; by default the first, and with several samples the title
            of the figure says so.
        heads: which heads, in this order; by default all.
        titles: one per map, instead of the heads' numbers.
        columns: maps per row.
        title: of the figure, its message.

    Returns:
        The axes, one per head.

    Raises:
        ValueError: if shapes, tokens, titles or indices do not fit together.
    """
    import matplotlib.pyplot as plt

    maps, sample = _sample(as_array(attn_weights), batch)
    numbers = _numbers(heads, len(maps))
    n_q, n_k = maps.shape[1:]
    tokens, key_tokens = fit_tokens(tokens, key_tokens, n_q, n_k)
    warn_if_missing([*tokens, *key_tokens])
    titles = [f"Head {n}" for n in numbers] if titles is None else list(titles)
    if len(titles) != len(numbers):
        raise ValueError(
            f"{len(numbers)} heads are drawn, but got {len(titles)} titles"
        )
    if columns < 1:
        raise ValueError(f"columns must be 1 or more, got {columns}")

    columns = min(columns, len(numbers))
    rows = -(-len(numbers) // columns)
    size = _figure_size(tokens, key_tokens, rows, columns)
    figure = plt.figure(figsize=size, layout="compressed")
    figure.get_layout_engine().set(w_pad=PAD, h_pad=PAD)
    places = figure.subplots(rows, columns, squeeze=False)
    drawn = list(places.flat[: len(numbers)])
    for ax, number, name in zip(drawn, numbers, titles, strict=True):
        mesh = ax.pcolormesh(
            maps[number], vmin=0.0, vmax=1.0, cmap=WEIGHTS_MAP, rasterized=True
        )
        ax.set(aspect="equal", xlim=(0, n_k), ylim=(n_q, 0), facecolor="0.85")
        finish(ax, name)
        ax.tick_params(length=2, labelbottom=False, labelleft=False)
    for ax in places.flat[len(numbers) :]:
        ax.set_axis_off()
    for i, ax in enumerate(drawn):
        lowest = i + columns >= len(drawn)
        ax.apply_aspect()
        if lowest:
            set_token_labels(ax.xaxis, key_tokens, 0.5, "key token")
            ax.tick_params(axis="x", rotation=90, labelbottom=True)
        if i % columns == 0:
            set_token_labels(ax.yaxis, tokens, 0.5, "query token")
            ax.tick_params(axis="y", labelleft=True)
    figure.colorbar(mesh, ax=drawn, label="attention weight", shrink=0.8)
    lines = [line for line in (title, sample, *no_weights(maps[numbers])) if line]
    if lines:
        figure.suptitle("\n".join(lines), fontsize=TITLE_SIZE, parse_math=False)
    return drawn


def _sample(weights: np.ndarray, batch: int | None) -> tuple[np.ndarray, str]:
    """(heads, n_q, n_k), and what the title has to say about the sample."""
    shape = weights.shape
    if weights.ndim not in (3, 4) or 0 in shape:
        raise ValueError(
            f"attn_weights must be (batch, heads, n_q, n_k) or (heads, n_q, n_k), none "
            f"of them 0; got shape {shape}"
        )
    if weights.ndim == 3:
        if batch not in (None, 0):
            raise ValueError(
                f"batch = {batch} asks for a sample, but attn_weights of shape {shape} "
                f"has no batch axis"
            )
        return weights, ""
    chosen = 0 if batch is None else batch
    chosen = index_of("batch", chosen, shape[0], shape)
    said = shape[0] > 1 and batch is None
    return weights[chosen], f"sample 0 of {shape[0]}" if said else ""


def _numbers(heads: Sequence[int] | None, count: int) -> list[int]:
    numbers = list(range(count))
    if heads is not None:
        given = heads if hasattr(heads, "__iter__") else [heads]
        numbers = [whole("each of heads", h) for h in given]
    if not numbers or any(not -count <= n < count for n in numbers):
        raise ValueError(
            f"heads = {numbers} are not all in range: there are heads 0 to {count - 1}"
        )
    return [n % count for n in numbers]


def _figure_size(
    tokens: list[str], key_tokens: list[str], rows: int, columns: int
) -> tuple[float, float]:
    """Inches: small maps of one size, and room for the labels at the edges."""
    longer = max(len(tokens), len(key_tokens))
    cell = max(PANEL / longer, min(0.18, 12 / longer / max(rows, columns)))
    longest_query, longest_key = (
        FONT_SIZE / 72 * max(width_in_ems(visible(t)) for t in side)
        for side in (tokens, key_tokens)
    )
    width = columns * (max(1.0, cell * len(key_tokens)) + 0.2) + longest_query + 1.3
    height = rows * (max(0.5, cell * len(tokens)) + 0.35) + longest_key + 0.9
    return width, max(height, 2.2)
