"""From a sentence to what the heads of a real model do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from helpers.measure.timing import one_thread
from helpers.models.minilm import MiniLM


@dataclass(frozen=True)
class Reading:
    """What the encoder made of one sentence of T tokens.

    Attributes:
        tokens: T strings; the first is [CLS], the last [SEP].
        words: the words, lower case; a word may consist of several tokens.
        pieces: for each word the positions of its tokens.
        hidden: (layers + 1, T, d_model).
        attn_weights: (layers, H, T, T).
        embedding: (d_model,).
    """

    tokens: list[str]
    words: list[str]
    pieces: list[list[int]]
    hidden: Tensor
    attn_weights: Tensor
    embedding: Tensor


class Reader:
    """A model with its tokenizer: from sentences to what the heads do with them.

    It reads on one thread: sentences are short, and threads that wait for each other
    make it several times slower on a busy machine.

    Args:
        model: the encoder.
        tokenizer: a `tokenizers.Tokenizer` (a package that only lesson 15 needs). Its
            padding and truncation are switched off.
    """

    def __init__(self, model: MiniLM, tokenizer: Any) -> None:
        self.model, self.tokenizer = model, tokenizer
        # The tokenizer's file asks for padding and for a cut at 128 tokens.
        tokenizer.no_padding()
        tokenizer.no_truncation()

    @one_thread()
    @torch.no_grad()
    def __call__(self, sentence: str) -> Reading:
        """Read one sentence."""
        encoded = self.tokenizer.encode(sentence)
        ids = torch.tensor([encoded.ids])
        hidden, maps, embedding = self.model(ids, torch.ones_like(ids).bool())
        count = 1 + max((w for w in encoded.word_ids if w is not None), default=-1)
        pieces = [
            [i for i, w in enumerate(encoded.word_ids) if w == word]
            for word in range(count)
        ]
        spans = [encoded.word_to_chars(word) for word in range(count)]
        words = [sentence[start:end].lower() for start, end in spans]
        return Reading(encoded.tokens, words, pieces, hidden[0], maps[0], embedding[0])

    @one_thread()
    @torch.no_grad()
    def embeddings(self, sentences: Sequence[str]) -> Tensor:
        """(B, d_model): the embeddings of several sentences, as one padded batch."""
        return self.model(*self.batch(sentences))[2]

    def batch(self, sentences: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Ids and mask, both (B, T); shorter sentences are padded with 0."""
        encoded = [e.ids for e in self.tokenizer.encode_batch(list(sentences))]
        ids = torch.zeros(len(encoded), max(map(len, encoded)), dtype=torch.long)
        mask = torch.zeros_like(ids, dtype=torch.bool)
        for row, numbers in enumerate(encoded):
            ids[row, : len(numbers)] = torch.tensor(numbers)
            mask[row, : len(numbers)] = True
        return ids, mask
