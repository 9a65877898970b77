"""Masks for the cases: at random, and of padding."""

from __future__ import annotations

import torch


def coins(g: torch.Generator, *shape: int) -> torch.Tensor:
    """A random mask: every query sees some key, and none sees all of them."""
    keep = torch.rand(*shape, generator=g) > 0.4
    keep[..., 0] |= ~keep.any(-1)
    keep[..., -1] &= keep[..., :-1].sum(-1) == 0
    return keep


def padded(n_k: int, *lengths: int) -> torch.Tensor:
    """(B, 1, 1, n_k): the padding mask of B samples of these lengths."""
    return real(n_k, *lengths)[:, None, None]


def real(n: int, *lengths: int) -> torch.Tensor:
    """(B, n): which of n tokens of each sample are real."""
    return torch.arange(n) < torch.tensor(lengths)[:, None]
