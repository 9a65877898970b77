"""One layer that has to remember pairs: attention, or a state of fixed size."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.recurrent import linear_attention
from helpers.tasks.pairs import LENGTH, NUM_VALUES, PairsBatch, pairs_batch
from helpers.training import build, train

Rule = Literal["plain", "decay", "delta", "softmax"]
RULES: tuple[Rule, ...] = ("plain", "decay", "delta", "softmax")


class MemoryNet(nn.Module):
    """Embeddings, one layer of memory, a small MLP that reads the answer.

    All rules have the same parameters, the gates of decay and delta included. Queries
    and keys of the rules with a state have length 1; softmax divides by √d_k.

    Args:
        rule: "plain", "decay" or "delta", see `helpers.recurrent`; or "softmax".
        d_k: width of queries and keys. The state has d_k · d_v numbers.
        num_keys: how many keys there are.
        d_v: width of the values.
        d_key: width of the embedding of a key. A state with d_k beyond it has no higher
            rank.
        positions: True adds a learned vector per position to the key shown.

    Raises:
        ValueError: if there is no such rule.
    """

    def __init__(
        self,
        rule: Rule,
        d_k: int,
        num_keys: int = LENGTH,
        d_v: int = 16,
        d_key: int = 32,
        positions: bool = False,
    ) -> None:
        super().__init__()
        if rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
        self.rule, self.d_k = rule, d_k
        self.key_embedding = nn.Embedding(num_keys, d_key)
        self.value_embedding = nn.Embedding(NUM_VALUES, 16)
        self.position = nn.Embedding(LENGTH, d_key) if positions else None
        width = 2 * d_key + 16
        self.W_q = nn.Linear(width, d_k, bias=False)
        self.W_k = nn.Linear(width, d_k, bias=False)
        self.W_v = nn.Linear(width, d_v)
        self.gates = nn.Linear(width, 2)
        with torch.no_grad():
            self.gates.bias[0] = 4.0  # a decay that starts near 1
        self.norm = nn.LayerNorm(d_v)
        self.read = nn.Sequential(
            nn.Linear(d_v, 32), nn.GELU(), nn.Linear(32, NUM_VALUES)
        )

    def forward(self, batch: PairsBatch) -> Tensor:
        """(B, T, NUM_VALUES): logits of the asked value, for T up to LENGTH."""
        key = self.key_embedding(batch.keys)
        if self.position is not None:
            key = key + self.position.weight[: key.shape[1]]
        shown = self.value_embedding(batch.values)
        x = torch.cat([key, shown, self.key_embedding(batch.asked)], dim=-1)
        return self.read(self.norm(self._remember(x)))

    def _remember(self, x: Tensor) -> Tensor:
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        if self.rule == "softmax":
            scores = Q @ K.mT / math.sqrt(self.d_k)
            past = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
            return scores.masked_fill(~past, float("-inf")).softmax(dim=-1) @ V
        Q, K = F.normalize(Q, dim=-1), F.normalize(K, dim=-1)
        keep, write = self.gates(x).sigmoid().unbind(dim=-1)
        decay = keep if self.rule == "decay" else None
        beta = write if self.rule == "delta" else None
        return linear_attention(Q, K, V, decay, beta)


def memory_loss(model: nn.Module, batch: PairsBatch) -> Tensor:
    """Cross-entropy of the asked value, over all tokens."""
    return F.cross_entropy(model(batch).flatten(0, 1), batch.answer.flatten())


def train_memory(
    rule: Rule,
    d_k: int,
    seed: int,
    steps: int = 400,
    lr: float = 0.01,
    num_keys: int | None = None,
    **net: int | bool,
) -> MemoryNet:
    """Train a MemoryNet from scratch; about 3 seconds.

    Args:
        rule, d_k: of the model.
        seed: of the initial parameters and of the sequences.
        steps: steps of 32 sequences each.
        lr: the highest learning rate.
        num_keys: as for `pairs_batch`: None shows each key once.
        net: what else MemoryNet takes.
    """
    model = build(lambda: MemoryNet(rule, d_k, num_keys or LENGTH, **net), seed)
    train(
        model,
        lambda generator: pairs_batch(generator, num_keys=num_keys),
        memory_loss,
        steps=steps,
        lr=lr,
        seed=seed,
        optimizer=torch.optim.AdamW,
        decay=True,
        clip=1.0,
        label=f"{rule}, d_k = {d_k}",
    )
    return model


@torch.no_grad()
def memory_right(model: nn.Module, batch: PairsBatch) -> Tensor:
    """(B, T): 1.0 where the answer is right, else 0.0."""
    return (model(batch).argmax(dim=-1) == batch.answer).float()
