"""Positions: attention sees a set of tokens, so their order has to be written in.

Three codes without parameters. `sinusoidal_positions` is added to the tokens, `rotate`
turns queries and keys, and `alibi_bias` is added to the scores. (A learned table is one
line, `nn.Embedding(max_len, d_model)`.)
"""

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


def rotate(
    x: Tensor, places: Tensor, base: float = 10_000.0, halves: bool = False
) -> Tensor:
    """Turn queries or keys by angles that grow with their place (rotary positions).

    Features 2i and 2i + 1 of the token at place p are turned as a pair:

    x'[2i]     = x[2i] cos(p θᵢ) − x[2i + 1] sin(p θᵢ)
    x'[2i + 1] = x[2i] sin(p θᵢ) + x[2i + 1] cos(p θᵢ),   θᵢ = base^(−2i / d)

    Then the score of a query at place m and a key at place n depends on the places
    through m − n alone. Values are not turned.

    Args:
        x: (..., T, d) queries or keys of each head, with an even d.
        places: (T,) of each token. With a cache they start at its length.
        base: the slowest pair turns by about 1/base per place.
        halves: True makes pairs of features i and i + d/2, as LLaMA's code does. The
            two conventions are the same up to the order of the features of W_q, W_k.

    Returns:
        (..., T, d), in the type of x; each row as long as before.

    Raises:
        ValueError: if d is odd, or there is not one place per token.

    Source: Su et al. (2021), RoFormer, section 3.2.2.

    >>> rotate(torch.tensor([[1.0, 0.0]]), torch.tensor([2]))
    tensor([[-0.4161,  0.9093]])
    """
    d = x.shape[-1]
    if d < 2 or d % 2:
        raise ValueError(f"features are turned in pairs, so d must be even; got {d}")
    if places.dim() != 1 or x.dim() < 2 or len(places) != x.shape[-2]:
        raise ValueError(
            f"rotate needs one place per token: x {tuple(x.shape)} has tokens in its "
            f"axis before last, places has shape {tuple(places.shape)}"
        )
    rates = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = places.double()[:, None].cpu() * rates
    cos, sin = (wave.to(x) for wave in (angles.cos(), angles.sin()))
    if halves:
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def alibi_slopes(num_heads: int) -> Tensor:
    """How steeply each head's scores fall with the distance: 2^(−8h / H), h = 1 … H.

    Args:
        num_heads: number of heads H, a power of two in the source.

    Returns:
        (H,) float tensor, from steep to flat.

    Raises:
        ValueError: if num_heads is less than 1.

    Source: Press et al. (2022), ALiBi, section 3.

    >>> alibi_slopes(2).tolist()
    [0.0625, 0.00390625]
    """
    if num_heads < 1:
        raise ValueError(f"num_heads must be 1 or more; got {num_heads}")
    return 2.0 ** (-8.0 * torch.arange(1, num_heads + 1) / num_heads)


def alibi_bias(n: int, num_heads: int) -> Tensor:
    """What is added to the scores, before the mask: minus slope times distance.

    bias[h, i, j] = −slope_h · |i − j|

    Args:
        n: number of tokens.
        num_heads: number of heads H.

    Returns:
        (H, n, n) float tensor, 0 on the diagonals.

    Raises:
        ValueError: if n is negative, or num_heads less than 1.

    Source: Press et al. (2022), ALiBi, section 3.

    >>> alibi_bias(n=3, num_heads=2)[0].tolist()[2]
    [-0.125, -0.0625, -0.0]
    """
    if n < 0:
        raise ValueError(f"n must be 0 or more; got {n}")
    index = torch.arange(n)
    distance = (index[:, None] - index).abs()
    return -alibi_slopes(num_heads)[:, None, None] * distance
