"""One layer of self-attention that is asked for the order of two tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.positions import sinusoidal_positions
from helpers.tasks.order import LENGTH, NUM_TOKENS, OrderBatch


class OrderNet(nn.Module):
    """Embed, attend, MLP, mean over the tokens, two logits (no, yes).

    Args:
        positions: True adds sinusoidal positions to the embeddings.
        d_model: width of a token.
    """

    def __init__(self, positions: bool, d_model: int = 32) -> None:
        super().__init__()
        self.embedding = nn.Embedding(NUM_TOKENS, d_model)
        self.positions = sinusoidal_positions(LENGTH, d_model) if positions else None
        self.self_attention = MultiHeadAttention(d_model, num_heads=2)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 2 * d_model), nn.ReLU(), nn.Linear(2 * d_model, d_model)
        )
        self.norm_attention = nn.LayerNorm(d_model)
        self.norm_mlp = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, 2)

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch, 2) logits, from tokens (batch, LENGTH)."""
        x = self.embedding(tokens)
        if self.positions is not None:
            x = x + self.positions
        x = self.norm_attention(x + self.self_attention(x, x, x)[0])
        x = self.norm_mlp(x + self.mlp(x))
        return self.out(x.mean(dim=1))


def order_loss(model: OrderNet, batch: OrderBatch) -> Tensor:
    """Cross-entropy of the answer."""
    return F.cross_entropy(model(batch.tokens), batch.a_first.long())


@torch.no_grad()
def order_accuracy(model: OrderNet, batch: OrderBatch) -> float:
    """Share of sequences answered rightly."""
    answers = model(batch.tokens).argmax(dim=-1).bool()
    return (answers == batch.a_first).float().mean().item()
