"""What each part does before any training: many layers on top of each other."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from helpers.models.transformer import EncoderLayer
from helpers.training import build


def pytorch_layers(depth: int, seed: int, **parts: str | bool | int) -> nn.ModuleList:
    """Layers at PyTorch's own start, 64 wide with 4 heads.

    Args:
        depth: how many.
        seed: of the parameters.
        parts: of EncoderLayer; an MLP of 256 unless hidden says otherwise.
    """
    options = {"d_model": 64, "num_heads": 4, "hidden": 256, **parts}
    return build(
        lambda: nn.ModuleList(EncoderLayer(**options) for _ in range(depth)), seed
    )


def unit_layers(depth: int, seed: int, **parts: str | bool | int) -> nn.ModuleList:
    """The same in float64, with matrices of variance 1 / width and no biases.

    They keep the size of a random vector about as it is; PyTorch's start does not.
    """
    layers = pytorch_layers(depth, seed, **parts).double()
    g = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for linear in (m for m in layers.modules() if isinstance(m, nn.Linear)):
            std = linear.in_features**-0.5
            linear.weight.copy_(
                std * torch.randn(linear.weight.shape, generator=g, dtype=torch.double)
            )
            linear.bias.zero_()
    return layers


@torch.no_grad()
def stream(layers: Sequence[EncoderLayer], x: Tensor, mask: Tensor) -> list[Tensor]:
    """The rows before the first layer and after each, (B, T, d_model) every time."""
    found = [x]
    for layer in layers:
        found.append(layer(found[-1], mask))
    return found


def size(x: Tensor) -> float:
    """The root of the mean square of all numbers."""
    return x.square().mean().sqrt().item()


def apart(x: Tensor) -> float:
    """How different the tokens are: |X - their mean| / |X|; 0 if they are all equal.

    Args:
        x: (..., T, d_model).

    >>> apart(torch.tensor([[1.0, 0.0], [1.0, 0.0]])), apart(torch.eye(2))
    (0.0, 0.7071067690849304)
    """
    return ((x - x.mean(dim=-2, keepdim=True)).norm() / x.norm()).item()
