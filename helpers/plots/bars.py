"""Bars over tokens: one row of scores or weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from helpers.plots.attention import as_array
from helpers.plots.colours import COLOURS
from helpers.plots.labels import set_token_labels, warn_if_missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bars(
    values: Any,
    tokens: Sequence[str],
    *,
    title: str,
    label: str,
    colour: str = "attention",
    ax: Axes | None = None,
) -> Axes:
    """Draw one number a token as bars.

    Args:
        values: n numbers; tensor, array or list.
        tokens: n tokens.
        title: the message of the picture.
        label: what the numbers are.
        colour: a key of COLOURS.
        ax: where to draw; by default in a new figure.

    Returns:
        The axes.

    Raises:
        ValueError: if there are not as many tokens as values.
    """
    import matplotlib.pyplot as plt

    values = as_array(values)
    if values.shape != (len(tokens),):
        raise ValueError(
            f"values of shape {values.shape} and {len(tokens)} tokens do not fit: one "
            f"number a token is needed"
        )
    warn_if_missing(tokens)
    if ax is None:
        width = max(3.5, 0.4 * len(tokens) + 1)
        ax = plt.figure(figsize=(width, 2.4), layout="constrained").add_subplot()
    ax.bar(np.arange(len(tokens)), values, color=COLOURS[colour])
    ax.axhline(0, color="0.3", linewidth=0.8)
    set_token_labels(ax.xaxis, tokens)
    ax.tick_params(axis="x", rotation=90, length=2)
    ax.set_ylabel(label)
    ax.set_title(title, fontsize=10)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
