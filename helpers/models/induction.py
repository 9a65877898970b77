"""Attention and nothing else, in one layer or two, for the puzzle of induction.

No normalisation and, unless asked for, one causal head per layer and no MLP. A layer
can be removed, and what the first layer adds can be replaced, to find out what each of
them is for.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.masks import FILL, create_causal_mask
from helpers.tasks.induction import NUM_TOKENS, InductionBatch

POSITIONS = ("table", "relative", "none")
MAX_LENGTH = 64
REACH = 8
"""Relative positions tell the distances 0 to 7 apart; all longer ones are one."""

FAST_ADAM = functools.partial(torch.optim.Adam, fused=True)
"""Adam in one kernel: the same step, and a quarter less time for so small a model."""


class InductionOutput(NamedTuple):
    """What the model says at the last position, and how it came to it.

    logits: (B, NUM_TOKENS).
    attn_weights: one (B, H, n, n) per layer, H = 1 by default.
    added: one (B, n, d_model) per layer, what its attention adds to the tokens.
    """

    logits: Tensor
    attn_weights: tuple[Tensor, ...]
    added: tuple[Tensor, ...]


class InductionNet(nn.Module):
    """Embed, attend once or more, read the answer off the last position.

    x ← x + Attention(x), in each layer; the answer is linear in the last x.

    Args:
        layers: attention layers of one head each.
        positions: "table", one learned vector per position, MAX_LENGTH of them;
            "relative", no vectors, but a learned number per distance, added to the
            score; "none", only the causal mask.
        d_model: width of a token.
        neighbour: True adds to every token an embedding of the token before it, so
            that the keys of the first layer know their predecessors.
        num_heads: heads per layer, each d_model // num_heads wide.
        mlp: hidden width of an MLP after each attention layer, x ← x + MLP(x); 0 for
            none.

    Raises:
        ValueError: if there is no such kind of positions.
    """

    def __init__(
        self,
        layers: int,
        positions: str = "table",
        d_model: int = 32,
        neighbour: bool = False,
        num_heads: int = 1,
        mlp: int = 0,
    ) -> None:
        super().__init__()
        if positions not in POSITIONS:
            known = ", ".join(POSITIONS)
            raise ValueError(f"positions must be one of {known}; got {positions!r}")
        self.embedding = nn.Embedding(NUM_TOKENS, d_model)
        self.table = nn.Embedding(MAX_LENGTH, d_model) if positions == "table" else None
        self.layers = nn.ModuleList(
            MultiHeadAttention(d_model, num_heads) for _ in range(layers)
        )
        self.bias = None
        if positions == "relative":
            self.bias = nn.Parameter(torch.zeros(layers, REACH + 1))
        self.before = nn.Embedding(NUM_TOKENS, d_model) if neighbour else None
        self.out = nn.Linear(d_model, NUM_TOKENS)
        self.mlps = nn.ModuleList(
            nn.Sequential(nn.Linear(d_model, mlp), nn.ReLU(), nn.Linear(mlp, d_model))
            for _ in range(layers if mlp else 0)
        )

    def forward(
        self,
        tokens: Tensor,
        off: Collection[int] = (),
        first: Tensor | None = None,
        answer_only: bool = False,
    ) -> InductionOutput:
        """Read the sequences and answer at the last position.

        Args:
            tokens: (B, n).
            off: numbers of the layers that add nothing; the first is 0.
            first: (B, n, d_model), added in place of what the first layer adds.
            answer_only: True lets only the last position ask in the last layer: the
                same answer for less work, and one row of weights, (B, 1, 1, n).

        Raises:
            ValueError: if a sequence is longer than the table of positions.
        """
        x = self.embed(tokens)
        attn_weights, added = [], []
        for number in range(len(self.layers)):
            last = answer_only and number == len(self.layers) - 1
            output, weights = self._attend(number, x, x[:, -1:] if last else x)
            if number == 0 and first is not None:
                output = first
            if number in off:
                output = torch.zeros_like(output)
            attn_weights.append(weights)
            added.append(output)
            x = (x[:, -1:] if last else x) + output
            if self.mlps:
                x = x + self.mlps[number](x)
        return InductionOutput(self.out(x[:, -1]), tuple(attn_weights), tuple(added))

    def embed(self, tokens: Tensor) -> Tensor:
        """(B, n, d_model): what goes into the first layer."""
        n = tokens.shape[1]
        x = self.embedding(tokens)
        if self.table is not None:
            if n > MAX_LENGTH:
                raise ValueError(
                    f"{n} tokens, but the table of positions ends at {MAX_LENGTH}; "
                    f'take positions="relative" for longer ones'
                )
            x = x + self.table.weight[:n]
        if self.before is not None:
            before = F.pad(self.before(tokens[:, :-1]), (0, 0, 1, 0))
            x = x + before
        return x

    def scores(self, number: int, x: Tensor, query: Tensor | None = None) -> Tensor:
        """(B, 1, n_q, n): the scores of a layer, before the mask.

        Args:
            number: of the layer, from 0.
            x: (B, n, d_model), what goes into it.
            query: (B, n_q, d_model), the last n_q of them; by default all.
        """
        layer = self.layers[number]
        Q = layer.split_heads(layer.W_q(x if query is None else query))
        K = layer.split_heads(layer.W_k(x))
        scores = Q @ K.transpose(-2, -1) / math.sqrt(layer.d_k)
        if self.bias is not None:
            n = x.shape[1]
            places = torch.arange(n)
            distance = places[n - Q.shape[2] :, None] - places
            scores = scores + self.bias[number][distance.clamp(0, REACH)]
        return scores

    def _attend(self, number: int, x: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        layer = self.layers[number]
        mask = None  # the last position may look at everything
        if query.shape[1] > 1:
            mask = create_causal_mask(query.shape[1], x.shape[1])
        if self.bias is None:
            return layer(query, x, x, mask)
        scores = self.scores(number, x, query)
        if mask is not None:
            scores = scores.masked_fill(~mask, FILL)
        attn_weights = scores.softmax(dim=-1)
        V = layer.split_heads(layer.W_v(x))
        return layer.W_o(layer.merge_heads(attn_weights @ V)), attn_weights


def induction_loss(model: nn.Module, batch: InductionBatch) -> Tensor:
    """Cross-entropy of the answer; no term sees where the attention looks."""
    return F.cross_entropy(model(batch.tokens, answer_only=True).logits, batch.answer)


@torch.no_grad()
def induction_answers(
    model: nn.Module,
    batch: InductionBatch,
    off: Collection[int] = (),
    first: Tensor | None = None,
) -> Tensor:
    """(B,): the token that the model says; `off` and `first` as in the model."""
    return model(batch.tokens, off, first, answer_only=True).logits.argmax(dim=-1)


def induction_accuracy(
    model: nn.Module, batch: InductionBatch, off: Collection[int] = ()
) -> float:
    """Share of sequences answered correctly; `off` as in the model."""
    right = induction_answers(model, batch, off) == batch.answer
    return right.float().mean().item()


@torch.no_grad()
def induction_looks(model: nn.Module, batch: InductionBatch) -> tuple[float, float]:
    """How often the largest weight of each of two layers is where it should be.

    Returns:
        previous: layer 1, on the position before; the first position has none, and
            the token before the last one is of no use, so both are left out.
        successor: layer 2, from the last position to the answer's.
    """
    first, second = model(batch.tokens).attn_weights
    before = torch.arange(batch.tokens.shape[1] - 2)
    previous = first[:, 0, 1:-1].argmax(dim=-1) == before
    successor = second[:, 0, -1].argmax(dim=-1) == batch.where
    return previous.float().mean().item(), successor.float().mean().item()


def induction_score(weights: Tensor, tokens: Tensor) -> float:
    """Mean weight on the position after the latest earlier occurrence of the query.

    Only queries whose token has occurred before count; 0 if there is none.

    Args:
        weights: (n, n), the map of one head; rows are queries.
        tokens: (n,).

    Source: Olsson et al. (2022) call it the prefix-matching score.

    >>> induction_score(torch.eye(4).roll(2, dims=0), torch.tensor([5, 7, 9, 5]))
    1.0
    """
    latest: dict[int, int] = {}
    found = []
    for place, token in enumerate(tokens.tolist()):
        if token in latest:
            found.append(weights[place, latest[token] + 1].item())
        latest[token] = place
    return sum(found) / len(found) if found else 0.0
