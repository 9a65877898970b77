"""The picture of a mask: who may look at whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from helpers.masks import as_bool
from helpers.plots.attention import as_tokens, fit_tokens
from helpers.plots.labels import set_token_labels, warn_if_missing, width_beyond
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_mask(
    mask: Tensor,
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a mask: dark = this query may attend to this key, light = it may not.

    Args:
        mask: True (or 1) = may attend; (n_q, n_k), or 4-D with one sample and one head.
            A single row, as padding masks have it, is drawn for every query.
        tokens: n_q tokens, the queries (and the keys, if there are no key_tokens).
        key_tokens: n_k tokens.
        title: by default how many of the pairs are allowed.
        ax: where to draw; by default in a new figure of a size that fits.

    Returns:
        The axes.

    Raises:
        ValueError: if the mask is of another kind, or the tokens do not fit.

    >>> from helpers.masks import create_causal_mask
    >>> plot_mask(create_causal_mask(3), ["a", "b", "c"]).get_title()
    'May attend: 6 of 9 pairs'
    """
    tokens = as_tokens("tokens", tokens)
    pairs = _pairs(mask, len(tokens))
    n_q, n_k = pairs.shape
    tokens, key_tokens = fit_tokens(tokens, key_tokens, n_q, n_k)
    warn_if_missing([*tokens, *key_tokens])
    if ax is None:
        cell = min(0.34, 7.0 / max(n_q, n_k))
        width = max(2.4, cell * n_k + 1.6) + width_beyond(1.0, tokens)
        height = max(2.2, cell * n_q + 1.6) + width_beyond(1.0, key_tokens)
        ax = new_axes(width, height)
    lines = {"edgecolors": "white", "linewidth": 1.0} if max(n_q, n_k) <= 40 else {}
    shades = 0.15 + 0.6 * pairs.float().numpy()
    ax.pcolormesh(shades, vmin=0, vmax=1, cmap="Greys", rasterized=True, **lines)
    ax.set(aspect="equal", xlim=(0, n_k), ylim=(n_q, 0))
    ax.apply_aspect()
    set_token_labels(ax.xaxis, key_tokens, 0.5, "key token")
    set_token_labels(ax.yaxis, tokens, 0.5, "query token")
    ax.tick_params(axis="x", rotation=90, length=2)
    ax.tick_params(axis="y", length=2)
    if title is None:
        title = f"May attend: {int(pairs.sum())} of {pairs.numel()} pairs"
    return finish(ax, title)


def _pairs(mask: Any, n_q: int) -> Tensor:
    """The mask as (n_q, n_k) bool on the CPU."""
    try:
        mask = torch.as_tensor(mask)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(
            f"mask must be a tensor of bool or 0/1; got {type(mask).__name__}"
        ) from None
    if mask.is_meta:
        raise ValueError("mask is on the meta device and has nothing to draw")
    mask = as_bool(mask.detach().cpu())
    shape = tuple(mask.shape)
    if mask.ndim == 4 and shape[:2] != (1, 1):
        raise ValueError(
            f"mask of shape {shape} holds several masks; draw one of them, mask[b, h]"
        )
    if mask.ndim not in (2, 4) or 0 in shape:
        raise ValueError(
            f"mask must be (n_q, n_k) or (1, 1, n_q, n_k); got shape {shape}"
        )
    pairs = mask[0, 0] if mask.ndim == 4 else mask
    return pairs.expand(n_q, -1) if len(pairs) == 1 else pairs
