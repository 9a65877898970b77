"""What the page says above the maps: rows that hold NaN, are empty, or miss a sum of 1."""

from __future__ import annotations

import numpy as np

from helpers.plots.attention import SUM_TOLERANCE
from helpers.plots.labels import visible


def notes_on(weights: np.ndarray, tokens: list[str]) -> list[str]:
    """What a reader of the maps must know first; one sentence each.

    Args:
        weights: (layers, heads, n_q, n_k).
        tokens: n_q tokens.
    """

    def where(rows: np.ndarray) -> str:
        layer, head, query = np.argwhere(rows)[0]
        first = (
            f"query {query}, {visible(tokens[query])}, in layer {layer}, head {head}"
        )
        return first if rows.sum() == 1 else f"first: {first}"

    notes = []
    broken = np.isnan(weights).any(axis=-1)
    if broken.any():
        notes.append(
            f"{count(broken.sum(), 'row')} of {broken.size} hold NaN, drawn in grey "
            f"({where(broken)})."
        )
    low, high = np.nanmin(weights, initial=0.0), np.nanmax(weights, initial=1.0)
    if low < 0 or high > 1 + SUM_TOLERANCE:
        notes.append(
            f"These are no attention weights: numbers go from {low:.3g} to {high:.3g}, "
            f"but the colours from 0 to 1. Are they scores, before the softmax?"
        )
        return notes
    sums = weights.sum(axis=-1)
    empty = sums == 0
    if empty.any():
        notes.append(
            f"{count(empty.sum(), 'row')} of {empty.size} sum to 0, so that query "
            f"attends to no key ({where(empty)})."
        )
    off = ~empty & (np.abs(sums - 1) > SUM_TOLERANCE)
    if off.any():
        notes.append(
            f"{count(off.sum(), 'row')} of {off.size} do not sum to 1, but to "
            f"{sums[off].min():.2f} … {sums[off].max():.2f} ({where(off)})."
        )
    return notes


def count(number: int, name: str) -> str:
    """The number and its noun: 1 head, 2 heads."""
    return f"{number} {name}{'' if number == 1 else 's'}"
