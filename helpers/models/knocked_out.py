"""Take a part out of a trained language model, without training it again."""

from __future__ import annotations

import copy

from torch import nn

from helpers.models.language import LanguageModel
from helpers.models.transformer import Sublayer

PARTS = (
    "attention 1",
    "attention 2",
    "MLP 1",
    "MLP 2",
    "both MLPs",
    "positions",
    "norms in the blocks",
    "last norm",
    "residuals",
)
"""What can be taken out of a model with two blocks."""


def without(model: LanguageModel, part: str) -> LanguageModel:
    """A copy of the model in which one part does nothing.

    An attention or an MLP adds nothing, a norm passes on what it gets, a residual adds
    nothing, a position adds nothing.

    Args:
        model: with two blocks; it stays as it is.
        part: one of PARTS.

    Raises:
        ValueError: if there is no such part.
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {PARTS}; got {part!r}")
    model = copy.deepcopy(model)
    around = [m for m in model.modules() if isinstance(m, Sublayer)]
    if part == "positions":
        model.position = None
    elif part == "last norm":
        model.norm = nn.Identity()
    elif part == "norms in the blocks":
        for sublayer in around:
            sublayer.norm = nn.Identity()
    elif part == "residuals":
        for sublayer in around:
            sublayer.residual = False
    elif part == "both MLPs":
        for block in model.blocks:
            block.mlp = None
    else:
        kind, layer = part.lower().split()
        setattr(model.blocks[int(layer) - 1], kind, None)
    return model
