"""How much a head takes from each token."""

from __future__ import annotations

import torch
from torch import Tensor

from helpers.interpret.explanations import carried
from helpers.models.minilm import MiniLM
from helpers.models.reading import Reading


@torch.no_grad()
def handed_over(model: MiniLM, reading: Reading) -> Tensor:
    """The length of the vector that each head takes from each token at full weight.

    |V_t W_O^(h)|: the token's value through the head's block of W_o.

    Returns:
        (layers, H, T).
    """
    found = []
    for layer, x in zip(model.layers, reading.hidden):
        found.append(carried(layer.attention, x[None])[0].norm(dim=-1))
    return torch.stack(found)
