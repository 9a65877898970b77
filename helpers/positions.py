"""Positions: attention sees a set of tokens, so their order has to be written in."""

from __future__ import annotations

import torch
from torch import Tensor


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """One fixed vector per position: waves from fast to slow, added to the tokens.

    PE[t, 2i]     = sin(t / 10000^(2i / d_model))
    PE[t, 2i + 1] = cos(t / 10000^(2i / d_model))

    Every vector has the same length, √(d_model / 2), and the dot product of two of them
    depends only on the distance between their positions.

    Args:
        length: number of positions T, counted from 0.
        d_model: width of a token, an even number of features.

    Returns:
        (T, d_model) float tensor.

    Raises:
        ValueError: if length is negative, or d_model is not an even number above 0.

    Source: Vaswani et al. (2017), section 3.5.

    >>> sinusoidal_positions(length=50, d_model=32).shape
    torch.Size([50, 32])
    """
    if length < 0:
        raise ValueError(f"length must be 0 or more; got {length}")
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"d_model must be an even number, a sine and a cosine for each wave; got "
            f"{d_model}"
        )
    times = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    rates = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = times * rates
    # float64 until here: an angle of some thousands would lose its digits in float32
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).float()
