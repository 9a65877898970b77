"""What the page says above the maps: which rows hold NaN, are empty, or miss sum 1."""

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

    def of_rows(rows: np.ndarray) -> str:
        return f"{rows.sum()} of {rows.size} rows"

    notes = []
    broken = np.isnan(weights).any(axis=-1)
    if broken.any():
        notes.append(
            f"{of_rows(broken)} {'holds' if broken.sum() == 1 else 'hold'} NaN, drawn "
            f"in grey ({where(broken)})."
        )
    low, high = np.nanmin(weights, initial=0.0), np.nanmax(weights, initial=1.0)
    if low < 0 or high > 1 + SUM_TOLERANCE:
        notes.append(
            f"These are not attention weights: the numbers go from {low:.3g} to "
            f"{high:.3g}, the colours only from 0 to 1. Are they scores, before the "
            f"softmax?"
        )
        return notes
    sums = weights.sum(axis=-1)
    empty = sums == 0
    if empty.any():
        notes.append(
            f"{of_rows(empty)} {'sums' if empty.sum() == 1 else 'sum'} to 0: the query "
            f"attends to no key ({where(empty)})."
        )
    off = ~empty & (np.abs(sums - 1) > SUM_TOLERANCE)
    if off.any():
        notes.append(
            f"{of_rows(off)} {'does' if off.sum() == 1 else 'do'} not sum to 1, but to "
            f"{sums[off].min():.2f} … {sums[off].max():.2f} ({where(off)})."
        )
    return notes


def how_read(shape: tuple[int, ...]) -> list[str]:
    """How three axes are read, which might be heads or samples.

    Args:
        shape: of what was given.
    """
    if len(shape) != 3 or shape[0] == 1:
        return []
    return [
        f"The {shape[0]} maps are read as heads. If they are samples, as in what "
        f"nn.MultiheadAttention returns by default, give one: weights[0]."
    ]
