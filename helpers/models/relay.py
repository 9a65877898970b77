"""Layers with windows that pass a message on, each to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.tasks.flag import (
    LENGTH,
    NUM_FLAGS,
    NUM_NOISE,
    FlagBatch,
    flag_batch,
    last_asked_batch,
)
from helpers.training import build, train
from helpers.windows import create_window_mask


class RelayNet(nn.Module):
    """Attention layers with residual connections, and no positions but the mask.

    Args:
        windows: how many tokens a query sees in each layer; None for all so far.
        d_model: width of a token.
    """

    def __init__(self, windows: Sequence[int | None], d_model: int = 32) -> None:
        super().__init__()
        self.windows = tuple(windows)
        self.embedding = nn.Embedding(NUM_FLAGS + NUM_NOISE, d_model)
        self.layers = nn.ModuleList(MultiHeadAttention(d_model, 2) for _ in windows)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in windows)
        self.out = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, NUM_FLAGS))

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, T, NUM_FLAGS): logits of the flag, from tokens (B, T)."""
        x = self.embedding(tokens)
        for window, layer, norm in zip(
            self.windows, self.layers, self.norms, strict=True
        ):
            y = norm(x)
            x = x + layer(y, y, y, create_window_mask(x.shape[1], window))[0]
        return self.out(x)


def flag_loss(model: nn.Module, batch: FlagBatch) -> Tensor:
    """Cross-entropy of the flag, at the tokens that are asked."""
    flags = batch.flag.expand_as(batch.tokens)[batch.asked]
    return F.cross_entropy(model(batch.tokens)[batch.asked], flags)


def train_relay(
    windows: Sequence[int | None],
    seed: int,
    steps: int = 300,
    lr: float = 5e-3,
    draw: Callable[[torch.Generator], FlagBatch] = flag_batch,
) -> RelayNet:
    """A stack trained from scratch.

    Args:
        windows: see RelayNet.
        seed: of the initial parameters and of the sequences.
        steps: steps of 64 sequences each.
        lr: the highest learning rate.
        draw: what it is trained on.
    """
    model = build(lambda: RelayNet(windows), seed)
    options = dict(steps=steps, lr=lr, seed=seed, decay=True, clip=1.0)
    train(model, draw, flag_loss, label=f"{len(windows)} layers", **options)
    return model


@torch.no_grad()
def right_by_distance(model: nn.Module, seed: int, batch: int = 3000) -> Tensor:
    """(LENGTH - 1,): the share of right flags 1, 2, … tokens after the flag."""
    test = flag_batch(torch.Generator().manual_seed(seed), batch)
    right = (model(test.tokens).argmax(dim=-1) == test.flag).float()
    return torch.stack([right[test.distance == k].mean() for k in range(1, LENGTH)])


@torch.no_grad()
def right_at(model: nn.Module, distance: int, seed: int, batch: int = 2000) -> float:
    """Share of flags that the last token names, `distance` tokens after the flag."""
    generator = torch.Generator().manual_seed(seed)
    test = last_asked_batch(generator, distance, distance, batch)
    guess = model(test.tokens)[:, -1:].argmax(dim=-1)
    return (guess == test.flag).float().mean().item()


@torch.no_grad()
def moved_by_flag(model: nn.Module, seed: int) -> Tensor:
    """(LENGTH,): how far the logits of each token move if token 0 is another flag."""
    tokens = flag_batch(torch.Generator().manual_seed(seed), 16).tokens
    one, other = tokens.clone(), tokens.clone()
    one[:, 0], other[:, 0] = 0, 1
    return (model(one) - model(other)).abs().amax(dim=(0, 2))
