"""One attention layer that learns to recall; its scores are divided by √d_k or not."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.tasks.recall import NUM_KEYS, NUM_VALUES, RecallBatch


class RecallNet(nn.Module):
    """The last position asks all positions; one head, d_k as wide as wanted.

    softmax(q Kᵀ / √d_k) V, or softmax(q Kᵀ) V if the division is left out.

    Args:
        d_k: width of query and key.
        divide: True divides the scores by √d_k.
        start_std: standard deviation that the scores have before training. W_q and W_k
            are scaled for it.
        d_model: width of the embeddings and of the values.
    """

    def __init__(
        self, d_k: int, divide: bool, start_std: float = 1.0, d_model: int = 64
    ) -> None:
        super().__init__()
        self.divisor = math.sqrt(d_k) if divide else 1.0
        self.key_embedding = nn.Embedding(NUM_KEYS + 1, d_model)
        self.value_embedding = nn.Embedding(NUM_VALUES + 1, d_model)
        self.W_q = nn.Linear(d_model, d_k, bias=False)
        self.W_k = nn.Linear(d_model, d_k, bias=False)
        self.W_v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, NUM_VALUES)
        # A token is a sum of two embeddings, so its features have variance 2. With
        # this std the features of q and k have variance 1, and q·k the std √d_k.
        factor = math.sqrt(start_std * self.divisor / math.sqrt(d_k))
        for layer in (self.W_q, self.W_k):
            nn.init.normal_(layer.weight, std=factor / math.sqrt(2 * d_model))

    def scores(self, batch: RecallBatch) -> Tensor:
        """(B, 1, n): how the last position scores every position."""
        x = self._tokens(batch)
        return self.W_q(x[:, -1:]) @ self.W_k(x).transpose(1, 2) / self.divisor

    def forward(self, batch: RecallBatch) -> Tensor:
        """(B, NUM_VALUES): logits of the asked value."""
        attn_weights = self.scores(batch).softmax(dim=-1)
        return self.out(attn_weights @ self.W_v(self._tokens(batch))).squeeze(1)

    def groups(self, lr_scores: float) -> list[dict[str, object]]:
        """Parameters for an optimizer, W_q and W_k with a rate of their own."""
        scores = [self.W_q.weight, self.W_k.weight]
        rest = [p for p in self.parameters() if all(p is not s for s in scores)]
        return [{"params": scores, "lr": lr_scores}, {"params": rest}]

    def _tokens(self, batch: RecallBatch) -> Tensor:
        return self.key_embedding(batch.keys) + self.value_embedding(batch.values)


def recall_loss(model: nn.Module, batch: RecallBatch) -> Tensor:
    """Cross-entropy of the asked value."""
    return F.cross_entropy(model(batch), batch.answer)


@torch.no_grad()
def recall_accuracy(model: nn.Module, batch: RecallBatch) -> float:
    """Share of sequences whose value is recalled."""
    return (model(batch).argmax(dim=-1) == batch.answer).float().mean().item()
