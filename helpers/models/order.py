"""A small network of self-attention that is asked for the order of two tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.masks import create_causal_mask
from helpers.positions import sinusoidal_positions
from helpers.tasks.order import LENGTH, NUM_TOKENS, OrderBatch


class _Layer(nn.Module):
    """Self-attention and an MLP, both added and normalised."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads=2)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 2 * d_model), nn.ReLU(), nn.Linear(2 * d_model, d_model)
        )
        self.norm_attention = nn.LayerNorm(d_model)
        self.norm_mlp = nn.LayerNorm(d_model)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        x = self.norm_attention(x + self.self_attention(x, x, x, mask)[0])
        return self.norm_mlp(x + self.mlp(x))


class OrderNet(nn.Module):
    """Embed, apply layers of attention and MLP, and read out two logits (no, yes).

    Args:
        positions: True adds sinusoidal positions to the embeddings.
        d_model: width of a token.
        causal: True lets every token look only at itself and back.
        layers: number of layers.
        read_last: True reads the answer at the last token, False from the mean of all.

    Raises:
        ValueError: if there is no layer.
    """

    def __init__(
        self,
        positions: bool,
        d_model: int = 32,
        causal: bool = False,
        layers: int = 1,
        read_last: bool = False,
    ) -> None:
        super().__init__()
        if layers < 1:
            raise ValueError(f"layers must be 1 or more; got {layers}")
        self.embedding = nn.Embedding(NUM_TOKENS, d_model)
        self.positions = sinusoidal_positions(LENGTH, d_model) if positions else None
        self.layers = nn.ModuleList(_Layer(d_model) for _ in range(layers))
        self.out = nn.Linear(d_model, 2)
        self.mask = create_causal_mask(LENGTH) if causal else None
        self.read_last = read_last

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch, 2) logits, from tokens (batch, LENGTH)."""
        x = self.embedding(tokens)
        if self.positions is not None:
            x = x + self.positions
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.out(x[:, -1] if self.read_last else x.mean(dim=1))


def order_loss(model: OrderNet, batch: OrderBatch) -> Tensor:
    """Cross-entropy of the answer."""
    return F.cross_entropy(model(batch.tokens), batch.a_first.long())


@torch.no_grad()
def order_accuracy(model: OrderNet, batch: OrderBatch) -> float:
    """Share of sequences answered correctly."""
    answers = model(batch.tokens).argmax(dim=-1).bool()
    return (answers == batch.a_first).float().mean().item()
