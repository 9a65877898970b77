"""The attention map of one head."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from helpers.plots.colours import WEIGHTS_MAP
from helpers.plots.labels import (
    FONT_SIZE,
    set_token_labels,
    visible,
    warn_if_missing,
    width_in_ems,
)
from helpers.plots.style import TITLE_SIZE, finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUM_TOLERANCE = 0.02
"""A row of weights may miss 1 by this much (bfloat16 rounds) and still count as 1."""


def plot_attention(
    attn_weights: Any,
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    head: int = 0,
    batch: int | None = None,
    ax: Axes | None = None,
    *,
    annotate: bool = False,
    title: str | None = None,
) -> Axes:
    """Draw the attention map of one head: queries down, keys across, row 0 on top.

    Colours always go from 0 to 1, so that two maps can be compared. Rows that do not
    sum to 1 are drawn as they are, and a note above the map says so. If there is no
    room for every token, every k-th gets its label, and the axis title says so.

    Args:
        attn_weights: (batch, heads, n_q, n_k), (heads, n_q, n_k) or (n_q, n_k);
            tensor of any dtype and device, with or without gradient, array or list.
            Three axes are read as heads; what `nn.MultiheadAttention` returns by
            default, (batch, n_q, n_k), is a mean over heads per sample.
        tokens: n_q tokens, the queries (and the keys, if there are no key_tokens).
        key_tokens: n_k tokens.
        head: which head.
        batch: which sample; by default the first, and with several samples the title
            says so.
        ax: where to draw; by default in a new figure of a size that fits.
        annotate: write each weight into its cell, to 2 decimals.
        title: instead of the head's number.

    Returns:
        The axes.

    Raises:
        ValueError: if shapes, tokens or indices do not fit together.

    Source: the article, section 7.
    """
    import seaborn as sns

    weights, name = select_map(as_array(attn_weights), head, batch)
    n_q, n_k = weights.shape
    tokens, key_tokens = fit_tokens(tokens, key_tokens, n_q, n_k)
    warn_if_missing([*tokens, *key_tokens])
    if title is None:
        title = name
    elif batch is None and "sample" in name:
        title += f" ({name})"
    lines = [title, *_notes(weights)]
    if ax is None:
        ax = new_axes(*_figure_size(tokens, key_tokens, lines), layout="compressed")

    sns.heatmap(
        weights,
        ax=ax,
        vmin=0.0,
        vmax=1.0,
        cmap=WEIGHTS_MAP,
        square=True,
        annot=annotate,
        fmt=".2f",
        annot_kws={"fontsize": FONT_SIZE - 1},
        xticklabels=False,
        yticklabels=False,
        rasterized=True,
        cbar_kws={"label": "attention weight", "shrink": 0.8},
    )
    ax.set_facecolor("0.85")
    ax.apply_aspect()
    set_token_labels(ax.xaxis, key_tokens, 0.5, "key token")
    set_token_labels(ax.yaxis, tokens, 0.5, "query token")
    ax.tick_params(axis="x", rotation=90, length=2)
    ax.tick_params(axis="y", rotation=0, length=2)
    return finish(ax, "\n".join(lines))


def as_array(attn_weights: Any) -> np.ndarray:
    """The numbers as float64, from a tensor of any kind, an array or a list."""
    if isinstance(attn_weights, torch.Tensor):
        if attn_weights.is_meta:
            raise ValueError(
                "attn_weights is on the meta device and has no numbers to draw; "
                "compute it on a real device"
            )
        attn_weights = attn_weights.detach().cpu().to_dense()
        if not attn_weights.is_complex():
            attn_weights = attn_weights.double()  # on the CPU: MPS has no float64
        attn_weights = attn_weights.numpy()
    if isinstance(attn_weights, (list, tuple)):
        if any(part is None for part in attn_weights):
            raise ValueError(
                "attn_weights holds None, which is what a model returns that keeps no "
                "weights; with transformers, load it with "
                "attn_implementation='eager' and call it with output_attentions=True"
            )
        attn_weights = [
            as_array(row) if isinstance(row, (torch.Tensor, list, tuple)) else row
            for row in attn_weights
        ]
    try:
        array = np.asarray(attn_weights)
        if array.dtype.kind == "c":
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise ValueError(
            f"attn_weights must be numbers of shape (batch, heads, n_q, n_k), (heads, "
            f"n_q, n_k) or (n_q, n_k); got {_kind(attn_weights)}"
        ) from None


def _kind(value: Any) -> str:
    """The type; of a list that is no array, the shapes in it."""
    parts = value if isinstance(value, list) else []
    shapes = list(dict.fromkeys(np.shape(p) for p in parts if hasattr(p, "shape")))
    if len(shapes) < 2:
        return type(value).__name__
    told = ", ".join(map(str, shapes[:3])) + (", …" if len(shapes) > 3 else "")
    return f"a list of shapes {told}: give one of them, or some of the same shape"


def select_map(
    weights: np.ndarray, head: int, batch: int | None
) -> tuple[np.ndarray, str]:
    """One matrix (n_q, n_k), and what it is called in the title.

    Args:
        weights: (batch, heads, n_q, n_k), (heads, n_q, n_k) or (n_q, n_k).
        head: which head.
        batch: which sample; None takes the first, and its name says so.
    """
    shape = weights.shape
    if weights.ndim not in (2, 3, 4) or 0 in shape:
        raise ValueError(
            f"attn_weights must be (batch, heads, n_q, n_k), (heads, n_q, n_k) or "
            f"(n_q, n_k), none of them 0; got shape {shape}"
        )
    if weights.ndim < 4 and batch not in (None, 0):
        raise ValueError(
            f"batch = {batch} asks for a sample, but attn_weights of shape {shape} has "
            f"no batch axis"
        )
    name = "Attention weights"
    if weights.ndim == 4:
        sample = index_of("batch", 0 if batch is None else batch, shape[0], shape)
        weights = weights[sample]
    if weights.ndim == 3:
        number = index_of("head", head, len(weights), shape)
        weights, name = weights[number], f"Head {number}"
        if len(shape) == 3:  # heads, or samples with their heads averaged
            name = f"Map {number} of {shape[0]}"
        elif shape[0] > 1:
            name += f", sample {sample} of {shape[0]}"
    elif head != 0:
        raise ValueError(
            f"head = {head} was asked for, but attn_weights of shape {shape} has no "
            f"head axis"
        )
    return weights, name


def index_of(name: str, index: int, size: int, shape: tuple[int, ...]) -> int:
    """The index counted from 0, if an axis of so many has it."""
    index = whole(name, index)
    if not -size <= index < size:
        raise ValueError(
            f"{name} = {index} is out of range: attn_weights of shape {shape} has "
            f"{name} 0 to {size - 1}"
        )
    return index % size


def whole(name: str, index: Any) -> int:
    """The index as a Python number; anything but a whole number is refused."""
    try:
        return operator.index(index)
    except TypeError:
        raise ValueError(
            f"{name} must be one whole number, counted from 0; got {index!r}"
        ) from None


def fit_tokens(
    tokens: Sequence[str], key_tokens: Sequence[str] | None, n_q: int, n_k: int
) -> tuple[list[str], list[str]]:
    """The tokens of the queries and of the keys, if they fit the map.

    Args:
        tokens: n_q tokens, for the queries (and for the keys without key_tokens).
        key_tokens: n_k tokens, or None.
        n_q: queries of the map.
        n_k: its keys.
    """
    queries = as_tokens("tokens", tokens)
    keys = queries if key_tokens is None else as_tokens("key_tokens", key_tokens)
    if (len(queries), len(keys)) != (n_q, n_k):
        given = f"{len(queries)} tokens and {len(keys)} key_tokens"
        if key_tokens is None:
            given = (
                f"{len(queries)} tokens and no key_tokens, so the tokens name the keys "
                f"too"
            )
        raise ValueError(
            f"the map has n_q = {n_q} queries and n_k = {n_k} keys, but there are "
            f"{given}; tokens name the rows, key_tokens the columns"
        )
    return queries, keys


def as_tokens(name: str, tokens: Any) -> list[Any]:
    """The tokens as a list; what has no order, or is no list, is refused."""
    if isinstance(tokens, (str, bytes)):
        raise ValueError(
            f"{name} must be a list of tokens, got one string; .split() makes a "
            f"list of its words"
        )
    if isinstance(tokens, (set, frozenset)) or not hasattr(tokens, "__iter__"):
        raise ValueError(
            f"{name} must be a list of tokens, one per position; got "
            f"{type(tokens).__name__}"
        )
    return list(tokens.tolist() if isinstance(tokens, torch.Tensor) else tokens)


def _figure_size(
    tokens: list[str], key_tokens: list[str], title: list[str]
) -> tuple[float, float]:
    """Inches: cells of a third of an inch while they fit, and room for all texts."""
    cell = min(0.34, 7.0 / max(len(tokens), len(key_tokens)))
    longest_query, longest_key = (
        FONT_SIZE / 72 * max(width_in_ems(visible(t)) for t in side)
        for side in (tokens, key_tokens)
    )
    longest_line = TITLE_SIZE / 72 * max(map(width_in_ems, title))
    width = max(2.6, cell * len(key_tokens), longest_line) + longest_query + 1.5
    height = max(2.0, cell * len(tokens)) + longest_key + 0.8 + 0.2 * len(title)
    return width, height


def no_weights(weights: np.ndarray) -> list[str]:
    """What a title must say about numbers that no softmax gives."""
    notes = []
    if np.isnan(weights).any():
        notes.append(f"{int(np.isnan(weights).sum())} weights are NaN (grey)")
    low, high = np.nanmin(weights, initial=0.0), np.nanmax(weights, initial=1.0)
    if low < 0 or high > 1 + SUM_TOLERANCE:
        notes.append(f"not weights: numbers from {low:.2g} to {high:.2g}")
    return notes


def _notes(weights: np.ndarray) -> list[str]:
    notes = no_weights(weights)
    with np.errstate(invalid="ignore"):  # inf - inf
        sums = weights.sum(axis=1)
    off = sums[np.isfinite(sums) & (np.abs(sums - 1) > SUM_TOLERANCE)]
    if len(off):
        ends = f"{off.min():.2f}"
        if off.max() - off.min() > 0.005:
            ends += f" to {off.max():.2f}"
        rows = "1 row sums" if len(off) == 1 else f"{len(off)} of {len(sums)} rows sum"
        notes.append(f"note: {rows} to {ends}, not to 1")
    return notes
