"""A small language model of real text, any part of which can be left out.

The block is `EncoderLayer` with a causal mask: GPT's shape, with tied embeddings.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.masks import create_causal_mask
from helpers.models.transformer import EncoderLayer
from helpers.tasks.alice import ALPHABET
from helpers.tasks.characters import CharacterBatch, character_batch
from helpers.training import build, train


class LanguageModel(nn.Module):
    """Embeddings, blocks, a last norm, logits of the next character.

    Args:
        vocabulary: number of characters.
        d_model: width of a token.
        num_heads: heads of each layer.
        num_layers: number of blocks.
        context: characters that it sees at once.
        hidden: width of the MLPs; None for 4 · d_model, 0 for none.
        norm: "pre", "post" or "none".
        residual, attention, positions, causal: False leaves that part out.
    """

    def __init__(
        self,
        vocabulary: int = len(ALPHABET),
        d_model: int = 48,
        num_heads: int = 4,
        num_layers: int = 2,
        context: int = 32,
        hidden: int | None = None,
        norm: str = "pre",
        residual: bool = True,
        attention: bool = True,
        positions: bool = True,
        causal: bool = True,
    ) -> None:
        super().__init__()
        self.context, self.causal = context, causal
        hidden = 4 * d_model if hidden is None else hidden
        self.embedding = nn.Embedding(vocabulary, d_model)
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.position = nn.Embedding(context, d_model) if positions else None
        if positions:
            nn.init.normal_(self.position.weight, std=0.1)
        self.blocks = nn.ModuleList(
            EncoderLayer(d_model, num_heads, hidden, norm, F.gelu, residual, attention)
            for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model) if norm == "pre" else nn.Identity()
        self.out = nn.Linear(d_model, vocabulary)
        self.out.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, T) characters, T at most context → (B, T, vocabulary) logits."""
        x = self.embedding(tokens)
        if self.position is not None:
            x = x + self.position.weight[: tokens.shape[1]]
        mask = create_causal_mask(tokens.shape[1]) if self.causal else None
        for block in self.blocks:
            x = block(x, mask)
        return self.out(self.norm(x))


def train_language(
    data: Tensor,
    seed: int,
    steps: int = 600,
    lr: float = 1e-2,
    batch: int = 8,
    **parts: int | bool | str,
) -> LanguageModel:
    """Train a model on random pieces of a text, from scratch.

    Args:
        data: (N,) character ids.
        seed: of the parameters and of the pieces.
        steps: steps of `batch` pieces.
        lr: highest learning rate; it rises over a tenth of the steps, then falls to 0.
        batch: pieces in each step.
        parts: of LanguageModel.
    """
    model = build(lambda: LanguageModel(**parts), seed)
    train(
        model,
        lambda g: character_batch(data, g, batch=batch, length=model.context),
        next_loss,
        steps=steps,
        lr=lr,
        seed=seed,
        optimizer=functools.partial(torch.optim.AdamW, fused=True),
        weight_decay=0.1,
        decay=True,
        clip=1.0,
        label="reading Alice",
    )
    return model.eval()


def next_loss(model: nn.Module, batch: CharacterBatch) -> Tensor:
    """Mean cross-entropy of the next character."""
    return F.cross_entropy(model(batch.tokens).flatten(0, 1), batch.target.flatten())


@torch.no_grad()
def log2_chances(
    model: Callable[[Tensor], Tensor], data: Tensor, context: int
) -> Tensor:
    """log2 of what the model gave each character of a text but the first, (N - 1,).

    Each character is predicted once, from at least half a context; near the start of
    the text from what there is.

    Args:
        model: (B, T) characters → (B, T, vocabulary) logits.
        data: (N,) character ids, N above context.
        context: characters that the model sees at once.
    """
    last = len(data) - 1 - context
    starts = [*range(0, last, context // 2), last]
    pieces = torch.stack([data[s : s + context + 1] for s in starts])
    logits = torch.cat([model(part) for part in pieces[:, :-1].split(64)])
    got = logits.log_softmax(dim=-1).gather(-1, pieces[:, 1:, None]).squeeze(-1)
    found, done = [], 0
    for start, row in zip(starts, got):
        found.append(row[done - start if done > start else 0 :])
        done = start + context
    return torch.cat(found) / math.log(2)


def bits(model: LanguageModel, data: Tensor) -> float:
    """Bits for each character of a text: the mean of -log2 p."""
    return -log2_chances(model, data, model.context).mean().item()
