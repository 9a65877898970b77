"""Attention with two answers per position, whose heads can be switched off."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.tasks.two_relations import LENGTH, NUM_VALUES, TwoRelationsBatch


class TwoRelationsNet(nn.Module):
    """One or more attention blocks over the whole sequence, then two linear read-outs.

    x ← x + MultiHead(x, x, x), in each block; the answers are linear in the last x.

    The number of parameters does not depend on num_heads.

    Args:
        num_heads: heads in each block.
        blocks: attention layers, one after the other.
        mlp: True puts an MLP, d_model → 4 d_model → d_model, after the last block.
        d_model: width of the tokens.
    """

    def __init__(
        self, num_heads: int, blocks: int = 1, mlp: bool = False, d_model: int = 32
    ) -> None:
        super().__init__()
        self.key_embedding = nn.Embedding(LENGTH, d_model)
        self.value_embedding = nn.Embedding(NUM_VALUES, d_model)
        self.ask_embedding = nn.Embedding(LENGTH, d_model)
        self.position_embedding = nn.Embedding(LENGTH, d_model)
        layers = (MultiHeadAttention(d_model, num_heads) for _ in range(blocks))
        self.blocks = nn.ModuleList(layers)
        self.mlp = None
        if mlp:
            wide, narrow = (
                nn.Linear(d_model, 4 * d_model),
                nn.Linear(4 * d_model, d_model),
            )
            self.mlp = nn.Sequential(wide, nn.GELU(), narrow)
        self.read_previous = nn.Linear(d_model, NUM_VALUES)
        self.read_asked = nn.Linear(d_model, NUM_VALUES)

    def forward(
        self, batch: TwoRelationsBatch, off: Sequence[int] = (), mean: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Logits of the two answers, both (B, n, NUM_VALUES).

        Args:
            batch: the sequences.
            off: heads that are switched off in every block, before W_o.
            mean: put a head's mean over the batch and the positions in its place, not
                0.
        """
        x = self.tokens(batch)
        for mha in self.blocks:
            x = x + self._attend(mha, x, off, mean)
        if self.mlp is not None:
            x = x + self.mlp(x)
        return self.read_previous(x), self.read_asked(x)

    @torch.no_grad()
    def attn_weights(self, batch: TwoRelationsBatch) -> list[Tensor]:
        """Weights of every block, each (B, num_heads, n, n)."""
        x, found = self.tokens(batch), []
        for mha in self.blocks:
            output, attn_weights = mha(x, x, x)
            found.append(attn_weights)
            x = x + output
        return found

    def tokens(self, batch: TwoRelationsBatch) -> Tensor:
        """(B, n, d_model): what goes into the first block, a sum of four embeddings."""
        return (
            self.key_embedding(batch.keys)
            + self.value_embedding(batch.values)
            + self.ask_embedding(batch.asks)
            + self.position_embedding.weight
        )

    @staticmethod
    def _attend(
        mha: MultiHeadAttention, x: Tensor, off: Sequence[int], mean: bool = False
    ) -> Tensor:
        if not off:
            return mha(x, x, x)[0]
        Q, K, V = (mha.split_heads(W(x)) for W in (mha.W_q, mha.W_k, mha.W_v))
        heads, _ = scaled_dot_product_attention(Q, K, V)
        keep = torch.ones(mha.num_heads, 1, 1)
        keep[list(off)] = 0.0
        instead = heads.mean(dim=(0, 2), keepdim=True) if mean else 0.0
        return mha.W_o(mha.merge_heads(heads * keep + (1 - keep) * instead))


def two_relations_loss(model: nn.Module, batch: TwoRelationsBatch) -> Tensor:
    """Sum of the cross-entropies of the two answers, without position 0."""
    previous, asked = (logits[:, 1:].flatten(0, 1) for logits in model(batch))
    first = F.cross_entropy(previous, batch.previous[:, 1:].flatten())
    return first + F.cross_entropy(asked, batch.asked[:, 1:].flatten())


@torch.no_grad()
def two_relations_accuracy(
    model: nn.Module,
    batch: TwoRelationsBatch,
    off: Sequence[int] = (),
    mean: bool = False,
) -> dict[str, float]:
    """Shares of positions that are right, without position 0.

    Args:
        model: a TwoRelationsNet.
        batch: the sequences.
        off: heads that are switched off.
        mean: with their mean in their place, not 0.

    Returns:
        "previous", "asked" and "both" (in the same position) → share.
    """
    previous, asked = model(batch, off, mean)
    first = (previous.argmax(dim=-1) == batch.previous)[:, 1:]
    second = (asked.argmax(dim=-1) == batch.asked)[:, 1:]
    right = {"previous": first, "asked": second, "both": first & second}
    return {name: hits.float().mean().item() for name, hits in right.items()}


@torch.no_grad()
def two_relations_looks(model: TwoRelationsNet, batch: TwoRelationsBatch) -> Tensor:
    """(blocks · num_heads, 2): how often a head's largest weight is where an answer is.

    Column 0 counts the previous position, column 1 that of the asked key; query 0 is
    left out.
    """
    looks = torch.cat(model.attn_weights(batch), dim=1).argmax(dim=-1)[..., 1:]
    before = torch.arange(LENGTH - 1)
    asked = batch.where[:, None, 1:]
    hits = [(looks == before), (looks == asked)]
    return torch.stack([h.float().mean(dim=(0, 2)) for h in hits], dim=-1)
