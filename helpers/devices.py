"""Does a device calculate as the CPU does? MPS is tested before it is believed.

On Apple's MPS, causal attention in half precision has silently let tokens see the
future (PyTorch's issue 195910). So half precision is refused there, and float32 is
compared with the CPU once per kernel.
"""

from __future__ import annotations

import warnings
from functools import cache

import torch
from torch.nn import functional as F

TOLERANCE = 1e-4
"""How far float32 may be off between two devices; weights and values are near 1."""


def check_device(device: str, dtype: torch.dtype) -> None:
    """Refuse half precision on MPS; warn, once, if its float32 is not the CPU's.

    Args:
        device: kind of device, "cpu", "cuda", "mps" …
        dtype: of Q, K and V.

    Raises:
        ValueError: on MPS, for every dtype except float32.
    """
    if device != "mps":
        return
    if dtype != torch.float32:
        raise ValueError(
            f"{dtype} on MPS is refused: attention there has been silently wrong; "
            f"use .float(), or move to the CPU with .cpu()"
        )
    _warn_once(device)


@cache
def _warn_once(device: str) -> None:
    off = difference(device)
    if not off <= TOLERANCE:
        warnings.warn(
            f"attention on {device} differs from the CPU by {off:.1e}, where at most "
            f"{TOLERANCE:.0e} is rounding: do not trust its numbers, and use .cpu()",
            stacklevel=4,
        )


@torch.no_grad()
def difference(device: str) -> float:
    """The largest difference between causal attention on a device and on the CPU.

    Args:
        device: where to calculate it a second time.
    """
    generator = torch.Generator().manual_seed(0)
    size = (2, 2, 33, 16)  # more tokens than a power of 2
    Q, K, V = (torch.randn(size, generator=generator, device="cpu") for _ in range(3))
    there = [x.to(device) for x in (Q, K, V)]
    here = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    mask = torch.ones(33, 33, dtype=torch.bool, device=device).tril()
    fused = F.scaled_dot_product_attention(*there, attn_mask=mask)
    scores = there[0] @ there[1].transpose(-2, -1) / 4
    plain = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1) @ there[2]
    return max(float((x.cpu() - here).abs().max()) for x in (fused, plain))
