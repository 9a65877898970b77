"""PyTorch's Transformer and the course's, with the same parameters, to compare them."""

from __future__ import annotations

from typing import TypeVar

import torch
from torch import nn

from helpers.models.transformer import Transformer
from helpers.training import build

Module = TypeVar("Module", bound=nn.Module)


def pytorch_pair(
    norm: str, seed: int, by: float = 0.3
) -> tuple[nn.Transformer, Transformer]:
    """Both models in float64: 28 features, 7 heads, 3 + 3 layers, an MLP of 44.

    Args:
        norm: "pre" or "post".
        seed: of the parameters.
        by: how far norms and biases are shaken; 0 leaves them as PyTorch starts.

    Returns:
        PyTorch's and ours. PyTorch's has no dropout and takes the batch first.
    """
    sizes = {"dropout": 0.0, "batch_first": True, "norm_first": norm == "pre"}

    def make() -> nn.Transformer:
        layer = nn.TransformerEncoderLayer(28, 7, 44, **sizes)
        # nested tensors are for speed; where they cannot be used PyTorch warns
        encoder = nn.TransformerEncoder(
            layer, 3, nn.LayerNorm(28), enable_nested_tensor=False
        )
        return nn.Transformer(28, 7, 3, 3, 44, custom_encoder=encoder, **sizes).double()

    theirs = shake(build(make, seed), seed, by)
    ours = Transformer(28, 7, 44, 3, norm).double()
    return theirs, ours.copy_weights_from(theirs)


def shake(module: Module, seed: int, by: float = 0.3) -> Module:
    """Add by × normal to every bias and norm parameter, in place; returns the module.

    At PyTorch's start norms are 1 and 0 and do next to nothing, so that a comparison
    does not see whether they are there.
    """
    g = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in module.parameters():
            if p.ndim == 1:
                p.add_(by * torch.randn(p.shape, generator=g).to(p.dtype))
    return module
