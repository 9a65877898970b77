"""A small encoder–decoder: one decoder layer, which consults the encoder."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.masks import create_causal_mask, padding_mask
from helpers.tasks.translation import (
    BEGIN,
    END,
    ENGLISH,
    FRENCH,
    MAX_LEN,
    PAD,
    TranslationBatch,
)


class Translator(nn.Module):
    """English in, French out; one decoder layer, with or without an encoder layer.

    The decoder layer is: causal self-attention, cross-attention (one head, so that
    there is one map to look at), MLP. Each adds its result to what it was given.

    Args:
        d_model: width of a token.
        num_heads: heads of the self-attention layers.
        encoder_layer: True adds one layer of self-attention to the encoder; without it
            an encoder row is an English word and its position, nothing else.
    """

    def __init__(
        self, d_model: int = 48, num_heads: int = 2, encoder_layer: bool = False
    ) -> None:
        super().__init__()
        self.source_embedding = nn.Embedding(len(ENGLISH), d_model)
        self.target_embedding = nn.Embedding(len(FRENCH), d_model)
        self.source_position = nn.Embedding(MAX_LEN, d_model)
        self.target_position = nn.Embedding(MAX_LEN, d_model)
        for layer in self.children():
            nn.init.normal_(layer.weight, std=0.5)
        self.encoder_self_attention = (
            MultiHeadAttention(d_model, num_heads) if encoder_layer else None
        )
        self.decoder_self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads=1)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 2 * d_model), nn.GELU(), nn.Linear(2 * d_model, d_model)
        )
        names = ("encoder_self", "encoder_out", "self", "cross", "mlp", "out")
        self.norm = nn.ModuleDict({name: nn.LayerNorm(d_model) for name in names})
        self.out = nn.Linear(d_model, len(FRENCH))

    def encode(self, source: Tensor, source_mask: Tensor | None) -> Tensor:
        """encoder_out (B, n_k, d_model), from English words (B, n_k)."""
        x = self.source_embedding(source)
        x = x + self.source_position.weight[: source.shape[1]]
        if self.encoder_self_attention is not None:
            h = self.norm["encoder_self"](x)
            x = x + self.encoder_self_attention(h, h, h, source_mask)[0]
        return self.norm["encoder_out"](x)

    def decode(
        self, target: Tensor, encoder_out: Tensor, source_mask: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Logits (B, n_q, French words) and cross-attention weights (B, 1, n_q, n_k).

        Args:
            target: (B, n_q), the French words so far, after BEGIN.
            encoder_out: (B, n_k, d_model).
            source_mask: (B, 1, 1, n_k), True = a word; None = every position is one.
        """
        n_q = target.shape[1]
        x = self.target_embedding(target) + self.target_position.weight[:n_q]
        h = self.norm["self"](x)
        x = x + self.decoder_self_attention(h, h, h, create_causal_mask(n_q))[0]
        read, attn_weights = self.consult(
            self.norm["cross"](x), encoder_out, source_mask
        )
        x = x + read
        x = x + self.mlp(self.norm["mlp"](x))
        return self.out(self.norm["out"](x)), attn_weights

    def consult(
        self, decoder_out: Tensor, encoder_out: Tensor, source_mask: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The cross-attention: the decoder asks, the encoder is asked."""
        return self.cross_attention(decoder_out, encoder_out, encoder_out, source_mask)

    def given(self, batch: TranslationBatch) -> Tensor:
        """What the decoder is given in training (B, n_q): teacher forcing.

        The right French words, each a position later than it is to be said.
        """
        return batch.decoder_input

    def forward(
        self, batch: TranslationBatch, hidden: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """As `decode`, with the right French words so far.

        Args:
            batch: sentence pairs.
            hidden: bool, broadcastable to (B, n_q, n_k); True hides that English row
                from that French position's cross-attention.
        """
        mask = padding_mask(batch.lengths, batch.source.shape[1])
        encoder_out = self.encode(batch.source, mask)
        if hidden is not None:
            mask = mask & ~hidden[:, None]
        return self.decode(self.given(batch), encoder_out, mask)

    @torch.no_grad()
    def translate(self, source: Tensor, source_mask: Tensor | None) -> Tensor:
        """(B, MAX_LEN) French words, each the likeliest after the model's own words.

        After END there is PAD.
        """
        encoder_out = self.encode(source, source_mask)
        french = torch.full((len(source), 1), BEGIN)
        for _ in range(MAX_LEN):
            logits, _ = self.decode(french, encoder_out, source_mask)
            french = torch.cat([french, logits[:, -1:].argmax(dim=-1)], dim=1)
        french = french[:, 1:]
        ended = (french == END).int().cumsum(dim=1) - (french == END).int()
        return french.masked_fill(ended > 0, PAD)


def translation_loss(model: Translator, batch: TranslationBatch) -> Tensor:
    """Cross-entropy of the next French word; padding does not count."""
    logits, _ = model(batch)
    return F.cross_entropy(
        logits.flatten(0, 1), batch.target.flatten(), ignore_index=PAD
    )


@torch.no_grad()
def sentences_right(model: Translator, batch: TranslationBatch) -> float:
    """Share of sentences translated without a single mistake, running freely."""
    source_mask = padding_mask(batch.lengths, batch.source.shape[1])
    french = model.translate(batch.source, source_mask)
    due = F.pad(batch.target, (0, MAX_LEN - batch.target.shape[1]), value=PAD)
    return (french == due).all(dim=1).float().mean().item()


@torch.no_grad()
def words_right(
    model: Translator,
    batch: TranslationBatch,
    counts: Tensor,
    hidden: Tensor | None = None,
) -> float:
    """Share of French words that are right, given the right words before them.

    Args:
        model: the translator.
        batch: sentence pairs.
        counts: (B, n_q), True = this word counts.
        hidden: English rows to hide, as in `Translator.forward`.
    """
    said = model(batch, hidden)[0].argmax(dim=-1)
    return (said == batch.target)[counts].float().mean().item()


@torch.no_grad()
def looks_at(model: Translator, batch: TranslationBatch, places: Tensor) -> float:
    """Share of French words whose largest weight lies on a given English position.

    Args:
        model: the translator.
        batch: sentence pairs.
        places: (B, n_q), `batch.aligned` or `batch.noun`; -1 = does not count.
    """
    _, attn_weights = model(batch)
    largest = attn_weights[:, 0].argmax(dim=-1)
    counts = places >= 0
    return (largest == places)[counts].float().mean().item()
