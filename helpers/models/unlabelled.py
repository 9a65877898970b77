"""Costs of four layers whose labels are lost: whose are they?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torch import nn

from helpers.models.layers import RNN, Convolution, Costs, SelfAttention, costs_of

SIZES = ((128, 32), (256, 32), (128, 64))
"""(n, d): a first size, then twice the tokens, then twice the width."""
LAYERS: Mapping[str, tuple[str, Callable[[int], nn.Module]]] = {
    "A": ("window", lambda d: SelfAttention(d, window=8)),
    "B": ("RNN", RNN),
    "C": ("convolution", lambda d: Convolution(d, kernel=17)),
    "D": ("self-attention", SelfAttention),
}
"""letter -> the layer's name, and how it is made. With these two sizes the state of the
window is as large as that of the convolution: the state alone does not tell."""


def unlabelled_costs() -> dict[str, list[Costs]]:
    """What each layer costs at the three sizes, counted from a run.

    Returns:
        letter -> Costs for each of `SIZES`.

    >>> [costs.state for costs in unlabelled_costs()["B"]]
    [32, 32, 64]
    """
    return {
        letter: [costs_of(make(d), n, d) for n, d in SIZES]
        for letter, (_, make) in LAYERS.items()
    }
