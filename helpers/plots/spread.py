"""How far the heads look, and how widely: one point per head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from helpers.interpret import patterns
from helpers.plots.attention import as_array
from helpers.plots.colours import COLOURS
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_spread(
    attn_weights: Any,
    *,
    queries: Tensor | None = None,
    title: str = "How far and how widely each head looks",
    ax: Axes | None = None,
) -> Axes:
    """Draw each head at its mean distance (across) and its mean entropy (upwards).

    The dashed line is log n_k, the entropy of the same weight on every key.

    Args:
        attn_weights: (batch, heads, n, n) or (heads, n, n), of self-attention.
        queries: bool, (n,) or (batch, n): the rows that count; by default all.
        title: the message of the picture.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if the shapes do not fit.
    """
    weights = torch.as_tensor(as_array(attn_weights))
    if not bool(torch.isfinite(weights).all()):
        raise ValueError(
            "attn_weights hold NaN or infinite numbers, which have no mean distance; "
            "plot_heads shows where they are"
        )
    far = patterns.mean_distance(weights, queries).tolist()
    wide = patterns.entropy(weights, queries).tolist()
    if ax is None:
        ax = new_axes(5, 3)
    ax.scatter(far, wide, s=200, color=COLOURS["attention"], zorder=2)
    for head, place in enumerate(zip(far, wide, strict=True)):
        ax.annotate(str(head), place, ha="center", va="center", fontsize=9, zorder=3)
    most = torch.tensor(float(weights.shape[-1])).log().item()
    top = most or 1.0  # of one key the entropy is 0
    ax.axhline(most, color=COLOURS["chance"], linestyle="--")
    ax.set(xlim=(-0.3, 1.15 * max(*far, 1.0)), ylim=(-0.15 * top, 1.1 * top))
    ax.text(0, most, "the same weight everywhere", va="bottom", fontsize=8)
    names = {"x": "mean distance (tokens)", "y": "entropy (nats)"}
    return finish(ax, title, **names, open_frame=True)
