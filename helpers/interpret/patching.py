"""Activation patching: put a vector of one run into another run, and see what turns.

Two sentences differ in one word. The runs' vectors differ more and more with each
layer. A vector that carries the difference turns the clean run into the other one.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from helpers.measure.timing import one_thread
from helpers.models.minilm import MiniLM


@one_thread()
@torch.no_grad()
def run_from(
    model: MiniLM, x: Tensor, layer: int, until: int | None = None
) -> tuple[Tensor, Tensor]:
    """Go on from the vectors that enter a layer.

    Args:
        model: the encoder.
        x: (T, d_model), or (B, T, d_model) without padding; what enters the layer.
        layer: from 0; the number of layers gives back x.
        until: how many layers of the model run; by default all.

    Returns:
        hidden: (layers run + 1, …): x, and what each layer makes of it.
        attn_weights: (layers run, …, H, T, T).
    """
    alone = x.dim() == 2
    hidden, maps = [x[None] if alone else x], []
    mask = torch.ones(1, 1, 1, x.shape[-2], dtype=torch.bool)
    for part in model.layers[layer:until]:
        made, attn_weights = part(hidden[-1], mask)
        hidden.append(made)
        maps.append(attn_weights)
    if not maps:
        maps = [x.new_zeros(len(hidden[0]), 0)]
    states, weights = torch.stack(hidden), torch.stack(maps)
    return (states[:, 0], weights[:, 0]) if alone else (states, weights)


def share_turned(patched: Tensor, clean: Tensor, other: Tensor) -> Tensor:
    """How far a vector went from the clean run's to the other run's.

    The share is (patched − clean) · (other − clean) / |other − clean|²: 0 if nothing
    happened, 1 if it is the other run's vector, in that direction.

    Args:
        patched: (…, d).
        clean, other: (d,).

    Returns:
        (…).
    """
    turn = other - clean
    return (patched - clean) @ turn / (turn @ turn)


def patch_grid(
    model: MiniLM,
    clean: Tensor,
    other: Tensor,
    positions: Sequence[int],
    readout: int | None,
    until: int | None = None,
) -> Tensor:
    """The effect of each vector, by layer and position: `share_turned`.

    Args:
        model: the encoder.
        clean, other: (layers + 1, T, d_model), the vectors of two runs.
        positions: where a vector is replaced, one at a time.
        readout: the position whose vector is read; None reads the mean of all, the
            sentence's embedding before it is scaled to length 1.
        until: how many layers run before the vector is read; by default all.

    Returns:
        (until + 1, positions): row l replaces what enters layer l, the last row what
        the last layer made.
    """
    until = len(model.layers) if until is None else until
    here = slice(None) if readout is None else slice(readout, readout + 1)
    ends = [run[until, here].mean(dim=0) for run in (clean, other)]
    rows = []
    for layer in range(until + 1):
        x = clean[layer].repeat(len(positions), 1, 1)
        for copy, position in enumerate(positions):
            x[copy, position] = other[layer, position]
        patched = run_from(model, x, layer, until)[0][-1]
        rows.append(share_turned(patched[:, here].mean(dim=1), *ends))
    return torch.stack(rows)
