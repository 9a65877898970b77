"""Bars over tokens: one row of scores or weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from helpers.plots.attention import as_array, as_tokens
from helpers.plots.colours import COLOURS
from helpers.plots.labels import set_token_labels, warn_if_missing, width_beyond
from helpers.plots.style import finish, new_axes

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
    """Draw one number per token as bars; where it is not finite, the title says so.

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
    values, tokens = as_array(values), as_tokens("tokens", tokens)
    if values.shape != (len(tokens),):
        raise ValueError(
            f"values of shape {values.shape} and {len(tokens)} tokens do not fit: one "
            f"number per token is needed"
        )
    warn_if_missing(tokens)
    if ax is None:
        width = max(3.5, 0.4 * len(tokens) + 1)
        height = 2.4 + width_beyond(1.2, tokens)
        ax = new_axes(width, height)
    finite = np.isfinite(values)
    if not finite.all():
        title += f"\nno bar: {', '.join(f'{v:g}' for v in np.unique(values[~finite]))}"
        values = np.where(finite, values, np.nan)
    ax.bar(np.arange(len(tokens)), values, color=COLOURS[colour])
    ax.axhline(0, color="0.3", linewidth=0.8)
    set_token_labels(ax.xaxis, tokens)
    ax.tick_params(axis="x", rotation=90, length=2)
    return finish(ax, title, y=label, open_frame=True)
