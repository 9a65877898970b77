"""One attention layer whose query heads may share keys, values, or a latent."""

from __future__ import annotations

import copy
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.grouped import grouped_query_attention
from helpers.tasks.relations import (
    ASKS,
    PLACES,
    VALUES,
    Kind,
    RelationsBatch,
    num_symbols,
    relations_batch,
)
from helpers.training import build, train

HEADS = 4
D_MODEL = 48


class SharingNet(nn.Module):
    """x ← x + attention(x), then a linear read-out of four answers per place.

    Args:
        kind: the task.
        d_k: width of a query, key and value head.
        key_heads, value_heads: how many there are; each divides the HEADS of queries.
        latent: width of one vector per token from which all keys and values are made;
            then there are HEADS of each.
        d_model: width of a token.

    Raises:
        ValueError: if a number of heads does not divide HEADS.
    """

    def __init__(
        self,
        kind: Kind,
        d_k: int,
        key_heads: int = HEADS,
        value_heads: int | None = None,
        latent: int | None = None,
        d_model: int = D_MODEL,
    ) -> None:
        super().__init__()
        value_heads = key_heads if value_heads is None else value_heads
        if HEADS % key_heads or HEADS % value_heads:
            raise ValueError(
                f"heads of keys and values must divide {HEADS}; got {key_heads} and "
                f"{value_heads}"
            )
        self.d_k, self.latent = d_k, latent
        self.key_heads, self.value_heads = key_heads, value_heads
        self.embedding = nn.Embedding(num_symbols(kind), d_model)
        nn.init.normal_(self.embedding.weight, std=0.5)
        source = latent or d_model
        self.W_c = nn.Linear(d_model, latent, bias=False) if latent else nn.Identity()
        self.W_q = nn.Linear(d_model, HEADS * d_k, bias=False)
        self.W_k = nn.Linear(source, key_heads * d_k, bias=False)
        self.W_v = nn.Linear(source, value_heads * d_k, bias=False)
        self.W_o = nn.Linear(HEADS * d_k, d_model, bias=False)
        self.read = nn.Linear(d_model, ASKS * VALUES)

    def cache(self) -> int:
        """Numbers that a cache keeps per token."""
        return self.latent or (self.key_heads + self.value_heads) * self.d_k

    def forward(self, symbols: Tensor) -> Tensor:
        """Logits (B, PLACES, ASKS, VALUES) from symbols (B, PLACES, m)."""
        x = self.embedding(symbols).sum(dim=2)
        c = self.W_c(x)
        made = (self.W_q(x), self.W_k(c), self.W_v(c))
        Q, K, V = (t.unflatten(-1, (-1, self.d_k)).transpose(1, 2) for t in made)
        if K.shape[1] < V.shape[1]:
            K = K.repeat_interleave(V.shape[1] // K.shape[1], dim=1)
        if V.shape[1] < K.shape[1]:
            V = V.repeat_interleave(K.shape[1] // V.shape[1], dim=1)
        heads, _ = grouped_query_attention(Q, K, V)
        x = x + self.W_o(heads.transpose(1, 2).flatten(2))
        return self.read(x).unflatten(-1, (ASKS, VALUES))


def sharing_loss(model: nn.Module, batch: RelationsBatch) -> Tensor:
    """Cross-entropy; the first places, which an offset may leave, do not count."""
    logits, answers = model(batch.symbols)[:, ASKS:], batch.answers[:, ASKS:]
    return F.cross_entropy(logits.flatten(0, 2), answers.flatten())


def train_sharing(
    kind: Kind,
    d_k: int,
    seed: int,
    key_heads: int = HEADS,
    value_heads: int | None = None,
    latent: int | None = None,
    steps: int = 800,
    lr: float = 1e-2,
) -> SharingNet:
    """Train a SharingNet from scratch; about three seconds.

    Args:
        kind, d_k, key_heads, value_heads, latent: of the model.
        seed: of the initial parameters and of the sequences.
        steps: steps of 64 sequences each.
        lr: the highest learning rate.
    """
    options = (kind, d_k, key_heads, value_heads, latent)
    model = build(lambda: SharingNet(*options), seed)
    train(
        model,
        lambda generator: relations_batch(generator, kind),
        sharing_loss,
        steps=steps,
        lr=lr,
        seed=seed,
        decay=True,
        clip=1.0,
        label=f"{kind}, {key_heads} key heads",
    )
    return model


@torch.no_grad()
def one_shared_head() -> SharingNet:
    """For "keys", by hand: four query heads share one key head of width 8.

    Each set of keys has two features, its points on a circle; query head i looks along
    those of set i alone. The cache has 16 numbers per token; MHA's with d_k = 4 has 32.
    """
    model = SharingNet("keys", 8, key_heads=1, d_model=56)
    for parameter in model.parameters():
        parameter.zero_()
    turns = 2 * math.pi * torch.arange(PLACES) / PLACES
    circle = torch.stack([turns.cos(), turns.sin()], dim=-1)
    rows = model.embedding.weight[PLACES:].split(PLACES)
    rows[0][:, :8] = torch.eye(8)  # the value, then a circle per key and per ask
    for i in range(ASKS):
        rows[1 + i][:, 8 + 2 * i : 10 + 2 * i] = circle
        rows[1 + ASKS + i][:, 16 + 2 * i : 18 + 2 * i] = circle
    eye = torch.eye(8)
    model.W_k.weight[:, 8:16], model.W_v.weight[:, :8] = eye, eye
    for h in range(HEADS):
        own = slice(8 * h, 8 * h + 8)
        model.W_q.weight[8 * h + 2 * h : 8 * h + 2 * h + 2, 16 + 2 * h : 18 + 2 * h] = (
            60 * torch.eye(2)
        )
        model.W_o.weight[24 + 8 * h : 32 + 8 * h, own] = eye
        model.read.weight[own, 24 + 8 * h : 32 + 8 * h] = eye
    return model


@torch.no_grad()
def averaged_heads(model: SharingNet) -> SharingNet:
    """The same model with the mean of its key heads, and of its value heads.

    Args:
        model: with HEADS of keys and values; it stays as it is.

    Source: Ainslie et al. (2023), GQA, section 2.1.
    """
    one = copy.deepcopy(model)
    for name in ("W_k", "W_v"):
        layer = getattr(one, name)
        mean = layer.weight.unflatten(0, (HEADS, -1)).mean(dim=0)
        layer.weight = nn.Parameter(mean)
    one.key_heads = one.value_heads = 1
    return one


@torch.no_grad()
def sharing_right(model: nn.Module, kind: Kind, seed: int) -> Tensor:
    """(ASKS,): the share of right answers to each of the four questions.

    Args:
        model: trained.
        kind: the task.
        seed: of 500 new sequences.
    """
    batch = relations_batch(torch.Generator().manual_seed(seed), kind, 500)
    right = model(batch.symbols).argmax(dim=-1) == batch.answers
    return right[:, ASKS:].float().mean(dim=(0, 1))
