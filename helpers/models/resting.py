"""One attention layer and an MLP that answer requests."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.masks import create_causal_mask
from helpers.tasks.requests import (
    BOS,
    NUM_PAYLOADS,
    WINDOW,
    RequestBatch,
    request_batch,
)
from helpers.training import build, train


class Looked(NamedTuple):
    """attn_weights (B, n, n), values (B, n, d), and what was read (B, n, d)."""

    attn_weights: Tensor
    values: Tensor
    read: Tensor


class RestingNet(nn.Module):
    """One head without positions, an MLP, and a read-out; each with a residual.

    Args:
        null: None; "zero" adds a key with score 0 and value 0, which adds 1 to the sum
            in the softmax; "learned" adds one whose score is learned.
        d_model: width of a token.
    """

    def __init__(self, null: str | None = None, d_model: int = 48) -> None:
        super().__init__()
        self.null = null
        self.embedding = nn.Embedding(BOS + 1, d_model)
        nn.init.normal_(self.embedding.weight, std=0.5)
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )
        self.mlp = nn.Sequential(
            nn.LayerNorm(d_model),
            nn.Linear(d_model, 2 * d_model),
            nn.GELU(),
            nn.Linear(2 * d_model, d_model),
        )
        self.out = nn.Linear(d_model, NUM_PAYLOADS)
        self.null_score = nn.Parameter(torch.zeros(()), requires_grad=null == "learned")

    def look(
        self, symbols: Tensor, mask: Tensor | None = None, drop_value: int | None = None
    ) -> Looked:
        """Attention alone; `drop_value` sets the value of one token to 0."""
        x = self._embed(symbols)
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        if mask is None:
            mask = create_causal_mask(x.shape[1])
        if drop_value is not None:
            V = V.clone()
            V[:, drop_value] = 0
        scores = (Q @ K.mT / math.sqrt(Q.shape[-1])).masked_fill(~mask, -torch.inf)
        if self.null:
            none = self.null_score.expand(*scores.shape[:-1], 1)
            weights = torch.cat([scores, none], dim=-1).softmax(dim=-1)[..., :-1]
        else:
            weights = scores.softmax(dim=-1)
        return Looked(weights, V, weights @ V)

    def forward(
        self, symbols: Tensor, mask: Tensor | None = None, drop_value: int | None = None
    ) -> Tensor:
        """(B, n, NUM_PAYLOADS): logits, from symbols (B, n, 3) and a mask (n, n)."""
        read = self.look(symbols, mask, drop_value).read
        x = self._embed(symbols) + self.W_o(read)
        return self.out(x + self.mlp(x))

    def _embed(self, symbols: Tensor) -> Tensor:
        return self.embedding(symbols).sum(dim=2)


def train_resting(
    seed: int,
    bos: bool = True,
    null: str | None = None,
    steps: int = 600,
    lr: float = 1e-2,
) -> RestingNet:
    """A model trained from scratch on texts of WINDOW tokens: nothing is evicted.

    Args:
        seed: of the initial parameters and of the streams.
        bos: True starts each text with BOS.
        null: see RestingNet.
        steps: steps of 64 texts each.
        lr: the highest learning rate.
    """

    def loss(model: nn.Module, batch: RequestBatch) -> Tensor:
        logits = model(batch.symbols)[:, 1:]
        return F.cross_entropy(logits.flatten(0, 1), batch.answer[:, 1:].flatten())

    model = build(lambda: RestingNet(null), seed)
    options = dict(steps=steps, lr=lr, seed=seed, decay=True, clip=1.0)
    train(model, lambda g: request_batch(g, bos=bos), loss, label="requests", **options)
    return model


@torch.no_grad()
def right_in_stream(
    model: RestingNet, batch: RequestBatch, mask: Tensor, drop_value: int | None = None
) -> tuple[float, float]:
    """Shares of quiet and of asking tokens answered right, after the first WINDOW.

    Args:
        model: a trained model.
        batch: streams longer than WINDOW.
        mask: (n, n), which tokens are in the cache when each is read.
        drop_value: see RestingNet.look.
    """
    logits = model(batch.symbols, mask, drop_value)
    right = (logits.argmax(dim=-1) == batch.answer).float()[:, WINDOW:]
    asks = batch.asks[:, WINDOW:]
    return right[~asks].mean().item(), right[asks].mean().item()
