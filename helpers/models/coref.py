"""Two attention layers that find what *it* refers to, and whose map can be read.

Block 1 lets every word look at itself and the three words after it, so that *it* learns
the adjective. Block 2 lets the changed *it* look at all words of the sentence, and
reads the *words*: its keys and values are made from the word embeddings, not from the
output of block 1. Both restrictions matter for the picture, not for the accuracy. In an
ordinary model block 1 may copy the noun to its article or to the adjective, and block 2
may then read it there. That is as accurate, but the map points elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.masks import combine_masks
from helpers.tasks.coref import (
    MAX_LENGTH,
    PRONOUNS,
    WORDS,
    CorefBatch,
    Sentence,
    coref_batch,
    pad_sentences,
)
from helpers.training import build, train

REACH = 3
"""How many words ahead a word of block 1 may look: it · was · too · tired."""


class CorefOutput(NamedTuple):
    """What the model says at *it*, and the weights of both blocks.

    pronoun: (B, 3) logits of er, sie, es.
    noun: (B, words) logits of the noun that *it* refers to.
    attn_weights: of block 1 and of block 2, each (B, 1, T, T).
    """

    pronoun: Tensor
    noun: Tensor
    attn_weights: tuple[Tensor, Tensor]


class CorefNet(nn.Module):
    """Embeddings, two attention layers of one head, two read-outs at *it*.

    Args:
        d_model: width of a token.
        closed: False gives the ordinary model, with the same parameters: block 1 looks
            everywhere, and block 2 reads what block 1 wrote.
        ahead: False lifts the first restriction only: block 1 looks everywhere, block 2
            still reads the plain words.
    """

    def __init__(
        self, d_model: int = 32, closed: bool = True, ahead: bool = True
    ) -> None:
        super().__init__()
        self.closed, self.ahead = closed, closed and ahead
        self.embedding = nn.Embedding(len(WORDS), d_model)
        self.position = nn.Embedding(MAX_LENGTH, d_model)
        nn.init.normal_(self.embedding.weight, std=0.5)
        nn.init.normal_(self.position.weight, std=0.2)
        self.near = MultiHeadAttention(d_model, num_heads=1)
        self.far = MultiHeadAttention(d_model, num_heads=1)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))
        self.to_pronoun = nn.Linear(d_model, len(PRONOUNS))

    def forward(
        self,
        batch: CorefBatch,
        look_at: Tensor | None = None,
        switched_off: bool = False,
    ) -> CorefOutput:
        """Read the sentences and answer at *it*.

        Args:
            batch: B sentences of up to T words.
            look_at: (B,) positions; block 2 may look at this word only.
            switched_off: True lets block 2 look at nothing, so that it adds nothing
                but its bias.
        """
        T = batch.tokens.shape[1]
        words = self.embedding(batch.tokens) + self.position.weight[:T]
        norm_near, norm_far, norm_out = self.norms
        h = norm_near(words)
        ahead = _ahead(T) if self.ahead else None
        out, first = self.near(h, h, h, combine_masks(ahead, batch.mask))
        x = words + out

        mask = batch.mask
        if look_at is not None:
            mask = F.one_hot(look_at, T).bool()[:, None, None]
        if switched_off:
            mask = torch.zeros_like(mask)
        h = norm_far(words if self.closed else x)
        out, second = self.far(norm_far(x), h, h, mask)
        x = x + out
        it = norm_out(x[torch.arange(len(x)), batch.it])
        return CorefOutput(
            self.to_pronoun(it), it @ self.embedding.weight.T, (first, second)
        )


def coref_loss(model: nn.Module, batch: CorefBatch) -> Tensor:
    """Cross-entropy of the German pronoun plus that of the noun *it* refers to.

    The referent is a label. Where the attention looks is not: no term here sees it.
    """
    out = model(batch)
    return F.cross_entropy(out.pronoun, batch.pronoun) + F.cross_entropy(
        out.noun, batch.noun
    )


def pronoun_loss(model: nn.Module, batch: CorefBatch) -> Tensor:
    """Cross-entropy of the German pronoun alone: nothing names the noun."""
    return F.cross_entropy(model(batch).pronoun, batch.pronoun)


def train_coref(
    seed: int,
    steps: int = 700,
    lr: float = 3e-3,
    closed: bool = True,
    label: bool = True,
) -> CorefNet:
    """Train the model from scratch; about six seconds.

    Args:
        seed: of the initial parameters and of the sentences.
        steps: steps of 64 sentences each.
        lr: the highest learning rate.
        closed: False trains the ordinary model, see CorefNet.
        label: False trains on the German pronoun alone. Then the read-out of the noun
            stays untrained.
    """
    model = build(lambda: CorefNet(closed=closed), seed)
    train(
        model,
        coref_batch,
        coref_loss if label else pronoun_loss,
        steps=steps,
        lr=lr,
        seed=seed,
        optimizer=torch.optim.AdamW,
        weight_decay=0.1,
        decay=True,
        clip=1.0,
        label="it → animal or street",
    )
    return model


@torch.no_grad()
def coref_answers(
    model: nn.Module,
    batch: CorefBatch,
    look_at: Tensor | None = None,
    switched_off: bool = False,
) -> Tensor:
    """(B,) index into PRONOUNS: what the model says for *it*."""
    return model(batch, look_at, switched_off).pronoun.argmax(dim=-1)


@torch.no_grad()
def coref_looks(model: nn.Module, batch: CorefBatch) -> Tensor:
    """(B, T): the weights of block 2 from *it* to every word."""
    attn_weights = model(batch).attn_weights[1]
    return attn_weights[torch.arange(len(batch.it)), 0, batch.it]


@torch.no_grad()
def coref_attention(
    model: nn.Module, sentence: Sentence
) -> tuple[list[str], Tensor, Tensor]:
    """What can be drawn for one sentence.

    Returns:
        tokens: its T words.
        attn_weights: (1, 1, T, T) weights of block 2.
        row: (T,) its row of *it*.
    """
    attn_weights = model(pad_sentences([sentence])).attn_weights[1]
    return list(sentence.words), attn_weights, attn_weights[0, 0, sentence.it]


def _ahead(T: int) -> Tensor:
    """(T, T) mask: itself and the REACH words after it."""
    distance = torch.arange(T) - torch.arange(T).unsqueeze(1)
    return (distance >= 0) & (distance <= REACH)
