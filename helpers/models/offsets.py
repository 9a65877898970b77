"""Attention that gives several answers per position, each from another place."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.tasks.offsets import LENGTH, NUM_VALUES, offsets_answers


class OffsetsNet(nn.Module):
    """One attention layer over the whole sequence, then one linear read-out per job.

    x ← x + MultiHead(x, x, x); every answer is linear in the new x.

    Args:
        num_heads: heads of the layer; the number of parameters does not depend on it.
        jobs: answers per position.
        d_model: width of the tokens.
    """

    def __init__(self, num_heads: int, jobs: int, d_model: int = 32) -> None:
        super().__init__()
        self.value_embedding = nn.Embedding(NUM_VALUES, d_model)
        self.position_embedding = nn.Embedding(LENGTH, d_model)
        self.mha = MultiHeadAttention(d_model, num_heads)
        reads = (nn.Linear(d_model, NUM_VALUES) for _ in range(jobs))
        self.reads = nn.ModuleList(reads)

    def forward(self, values: Tensor, off: Sequence[int] = ()) -> Tensor:
        """Logits (jobs, B, n, NUM_VALUES).

        Args:
            values: (B, n).
            off: heads whose results are set to 0, before W_o.
        """
        x = self.value_embedding(values) + self.position_embedding.weight
        heads, _ = self._heads(x)
        keep = torch.ones(self.mha.num_heads, 1, 1)
        keep[list(off)] = 0.0
        x = x + self.mha.W_o(self.mha.merge_heads(heads * keep))
        return torch.stack([read(x) for read in self.reads])

    @torch.no_grad()
    def attn_weights(self, values: Tensor) -> Tensor:
        """(B, num_heads, n, n)."""
        x = self.value_embedding(values) + self.position_embedding.weight
        return self._heads(x)[1]

    def _heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        layers = (self.mha.W_q, self.mha.W_k, self.mha.W_v)
        Q, K, V = (self.mha.split_heads(W(x)) for W in layers)
        return scaled_dot_product_attention(Q, K, V)


def offsets_loss(model: nn.Module, values: Tensor) -> Tensor:
    """Sum over the jobs of the cross-entropies of their answers."""
    logits = model(values)
    answers = offsets_answers(values, len(logits))
    pairs = zip(logits.flatten(1, 2), answers.flatten(1))
    return sum(F.cross_entropy(*pair) for pair in pairs)


@torch.no_grad()
def offsets_accuracy(
    model: OffsetsNet, values: Tensor, off: Sequence[int] = ()
) -> Tensor:
    """(jobs,): the share of right answers of each job.

    Args:
        model: trained.
        values: (B, n).
        off: heads that are switched off.
    """
    logits = model(values, off)
    right = logits.argmax(dim=-1) == offsets_answers(values, len(logits))
    return right.float().mean(dim=(1, 2))


@torch.no_grad()
def offsets_looks(model: OffsetsNet, values: Tensor) -> Tensor:
    """(num_heads, jobs): how often a head's largest weight is where a job's answer is.

    Args:
        model: trained.
        values: (B, n).
    """
    looks = model.attn_weights(values).argmax(dim=-1)
    place = torch.arange(LENGTH)
    hits = [looks == (place - j - 1) % LENGTH for j in range(len(model.reads))]
    return torch.stack([h.float().mean(dim=(0, 2)) for h in hits], dim=-1)
