"""What a head adds: how much it takes from each token, and what changes without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from helpers.interpret.explanations import carried
from helpers.models.minilm import MiniLM
from helpers.models.reading import Reader, Reading


@contextmanager
def head_off(model: MiniLM, layer: int, head: int) -> Iterator[None]:
    """Inside: this head adds nothing, its block of W_o is 0. Afterwards: as before."""
    attention = model.layers[layer].attention
    block = attention.W_o.weight.data[:, head * attention.d_k :][:, : attention.d_k]
    kept = block.clone()
    block.zero_()
    try:
        yield
    finally:
        block.copy_(kept)


@torch.no_grad()
def handed_over(model: MiniLM, reading: Reading) -> Tensor:
    """The length of the vector that each head takes from each token at full weight.

    |V_t W_O^(h)|: the token's value through the head's block of W_o.

    Returns:
        (layers, H, T).
    """
    found = []
    for layer, x in zip(model.layers, reading.hidden):
        found.append(carried(layer.attention, x[None])[0].norm(dim=-1))
    return torch.stack(found)


def moved_without(reader: Reader, sentences: Sequence[str]) -> Tensor:
    """(layers, H): how far the embeddings move without each head, one at a time.

    1 − cosine of the embeddings with and without it, mean over the sentences.
    """
    whole = reader.embeddings(sentences)
    rows = []
    for index, layer in enumerate(reader.model.layers):
        for head in range(layer.attention.num_heads):
            with head_off(reader.model, index, head):
                cosines = (reader.embeddings(sentences) * whole).sum(dim=1)
            rows.append((1 - cosines).mean())
    return torch.stack(rows).unflatten(0, (len(reader.model.layers), -1))
