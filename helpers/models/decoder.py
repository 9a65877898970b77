"""A small decoder: tokens in, a guess at the next token after every one of them.

With `causal=False` it is the same network without the mask. Nothing else changes, and
its loss is better: it reads the answer.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.decoding import KVCache, cached_attention
from helpers.masks import create_causal_mask
from helpers.tasks.characters import (
    CHARACTERS,
    CONTEXT,
    CharacterBatch,
    character_batch,
)
from helpers.training import build, repeatable, train


class Layer(NamedTuple):
    """What a layer passes on.

    rows: (B, T, d_model), one row per token.
    attn_weights: (B, H, T, T).
    """

    rows: Tensor
    attn_weights: Tensor


class Block(nn.Module):
    """Attention between tokens, an MLP within each; both add to what is there.

    Args:
        d_model: width of a token.
        num_heads: number of heads.
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model)
        )
        self.norm_attention = nn.LayerNorm(d_model)
        self.norm_mlp = nn.LayerNorm(d_model)

    def forward(
        self, x: Tensor, mask: Tensor | None, need_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """x and the weights (None unless needed), from x (B, T, d_model)."""
        h = self.norm_attention(x)
        out, attn_weights = self.attention(h, h, h, mask, need_weights)
        return self._add_mlp(x + out), attn_weights

    def read_on(self, x: Tensor, cache: KVCache, layer: int) -> Tensor:
        """The rows of new tokens, which follow those in the cache."""
        out, _ = cached_attention(self.attention, self.norm_attention(x), cache, layer)
        return self._add_mlp(x + out)

    def _add_mlp(self, x: Tensor) -> Tensor:
        return x + self.mlp(self.norm_mlp(x))


class Decoder(nn.Module):
    """Token and position embeddings, blocks, logits of the next token.

    Args:
        vocabulary: number of different tokens.
        d_model: width of a token.
        num_heads: heads per layer.
        num_layers: number of blocks.
        context: number of positions that it has vectors for.
        causal: False leaves the mask out, and every token sees every other.
    """

    def __init__(
        self,
        vocabulary: int = len(CHARACTERS),
        d_model: int = 48,
        num_heads: int = 4,
        num_layers: int = 2,
        context: int = CONTEXT,
        causal: bool = True,
    ) -> None:
        super().__init__()
        self.context = context
        self.causal = causal
        self.num_layers = num_layers
        self.embedding = nn.Embedding(vocabulary, d_model)
        self.position = nn.Embedding(context, d_model)
        nn.init.normal_(self.embedding.weight, std=0.3)
        nn.init.normal_(self.position.weight, std=0.3)
        self.blocks = nn.ModuleList(
            Block(d_model, num_heads) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, vocabulary)

    def forward(self, tokens: Tensor, cache: KVCache | None = None) -> Tensor:
        """Logits of the next token, after every token.

        Args:
            tokens: (B, T) token ids, at most `context` with those in the cache.
            cache: of the tokens before, to which these are added.

        Returns:
            (B, T, vocabulary).

        Raises:
            ValueError: if there are more tokens than positions, or a cache is given
                to a model without a mask.
        """
        if cache is None:
            return self.read(self.embed(tokens))
        if not self.causal:
            raise ValueError(
                "a cache needs a causal mask: without one, every new token changes "
                "the rows of the old ones, and what is kept would be out of date"
            )
        x = self.embed(tokens, start=cache.length)
        for layer, block in enumerate(self.blocks):
            x = block.read_on(x, cache, layer)
        return self.out(self.norm(x))

    def embed(self, tokens: Tensor, start: int = 0) -> Tensor:
        """(B, T, d_model): token plus position, the first position being `start`."""
        end = start + tokens.shape[1]
        if end > self.context:
            raise ValueError(
                f"{end} tokens are more than the {self.context} positions that this "
                f"model has; keep the last {self.context}, or build it with a larger "
                f"context"
            )
        return self.embedding(tokens) + self.position.weight[start:end]

    def read(self, x: Tensor) -> Tensor:
        """(B, T, vocabulary) logits, from embedded tokens (B, T, d_model)."""
        mask = self._mask(x)
        for block in self.blocks:
            x, _ = block(x, mask)
        return self.out(self.norm(x))

    def layers(self, tokens: Tensor) -> list[Layer]:
        """What every layer passes on, and its weights, to look into."""
        x, found = self.embed(tokens), []
        mask = self._mask(x)
        for block in self.blocks:
            x, attn_weights = block(x, mask, need_weights=True)
            found.append(Layer(x, attn_weights))
        return found

    def _mask(self, x: Tensor) -> Tensor | None:
        return create_causal_mask(x.shape[1]) if self.causal else None


def next_token_loss(model: nn.Module, batch: CharacterBatch) -> Tensor:
    """Mean cross-entropy of the next token, over all positions of all sequences."""
    return F.cross_entropy(model(batch.tokens).flatten(0, 1), batch.target.flatten())


def train_decoder(
    data: Tensor, seed: int, causal: bool = True, steps: int = 300
) -> tuple[Decoder, list[float]]:
    """Train a small decoder on a text, from scratch; about five seconds.

    Args:
        data: (N,) character ids of the text.
        seed: of the initial parameters and of the pieces that are drawn.
        causal: False leaves the mask out; everything else stays the same.
        steps: steps of 12 pieces each.

    Returns:
        The model, and the loss at every step.
    """
    model = build(lambda: Decoder(num_heads=2, causal=causal), seed)
    losses = train(
        model,
        lambda generator: character_batch(data, generator, batch=12),
        next_token_loss,
        steps=steps,
        lr=1e-2,
        seed=seed,
        optimizer=torch.optim.AdamW,
        weight_decay=0.01,
        decay=True,
        clip=1.0,
        label="causal mask" if causal else "no mask",
    )
    return model, losses


@torch.no_grad()
def write(model: Decoder, prompt: Tensor, count: int, seed: int) -> Tensor:
    """Continue a text: draw the next token from the softmax, append, repeat.

    Args:
        model: with or without a mask; it is shown the last `context` tokens.
        prompt: (B, n) token ids.
        count: how many tokens to append.
        seed: of the draws.

    Returns:
        (B, count): the new tokens only.
    """
    tokens = prompt
    with repeatable(seed):
        for _ in range(count):
            chances = model(tokens[:, -model.context :])[:, -1].softmax(dim=-1)
            tokens = torch.cat([tokens, torch.multinomial(chances, 1)], dim=1)
    return tokens[:, prompt.shape[1] :]
