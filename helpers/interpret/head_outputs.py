"""What single heads put out: read it, hold it, or take it from another run.

The output of a head is what it blended from the values, (T, d_k) for each sentence,
before W_o. What the other heads do in that layer stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from helpers.interpret.patching import run_from, share_turned
from helpers.measure.timing import one_thread
from helpers.models.minilm import MiniLM
from helpers.models.reading import Reader

Change = Callable[[Tensor], Tensor]
"""The outputs of a layer's heads, (B, H, T, d_k) → what stands in their place."""


@contextmanager
def heads_changed(model: MiniLM, layer: int, change: Change) -> Iterator[None]:
    """Inside: the outputs of a layer's heads are changed. Afterwards: as before.

    Args:
        model: the encoder.
        layer: from 0.
        change: gets a copy of the outputs, which it may write into.
    """
    attention = model.layers[layer].attention

    def before(module: nn.Module, args: tuple[Tensor]) -> tuple[Tensor]:
        outputs = attention.split_heads(args[0]).clone()
        return (attention.merge_heads(change(outputs)),)

    handle = attention.W_o.register_forward_pre_hook(before)
    try:
        yield
    finally:
        handle.remove()


@one_thread()
@torch.no_grad()
def outputs_of(model: MiniLM, layer: int, x: Tensor) -> Tensor:
    """(B, H, T, d_k): what a layer's heads put out for the x that enters it.

    Args:
        model: the encoder.
        layer: from 0.
        x: (B, T, d_model), without padding.
    """
    attention = model.layers[layer].attention
    return attn_weights_of(model, layer, x) @ attention.split_heads(attention.W_v(x))


@one_thread()
@torch.no_grad()
def attn_weights_of(model: MiniLM, layer: int, x: Tensor) -> Tensor:
    """(B, H, T, T): the weights of a layer for the x that enters it."""
    return model.layers[layer].attention(x, x, x)[1]


def swapped(heads: Collection[int], row: int, outputs: Tensor) -> Change:
    """At one position, these heads put out what is given.

    Args:
        heads: numbers of heads.
        row: the position; all others stay as they are.
        outputs: (H, T, d_k), of another run.
    """

    def change(own: Tensor) -> Tensor:
        for head in heads:
            own[:, head, row] = outputs[head, row]
        return own

    return change


def one_each(row: int, outputs: Tensor) -> Change:
    """In copy h of a batch of H, head h puts out at one position what is given.

    Args:
        row: the position.
        outputs: (H, T, d_k), of another run.
    """
    every = torch.arange(len(outputs))

    def change(own: Tensor) -> Tensor:
        own[every, every, row] = outputs[:, row]
        return own

    return change


def held(heads: Collection[int], means: Tensor) -> Change:
    """These heads put out the same everywhere: their mean, or zeros.

    Args:
        heads: numbers of heads.
        means: (H, d_k).
    """

    def change(own: Tensor) -> Tensor:
        for head in heads:
            own[:, head] = means[head]
        return own

    return change


def each_held(means: Tensor) -> Change:
    """In copy h of a batch of H, head h puts out its mean, (H, d_k), everywhere."""
    every = torch.arange(len(means))

    def change(own: Tensor) -> Tensor:
        own[every, every] = means[:, None]
        return own

    return change


def turned_by_each(
    model: MiniLM, clean: Tensor, other: Tensor, row: int, until: int
) -> Tensor:
    """How far each head's output alone, of the other run, turns one vector.

    Args:
        model: the encoder.
        clean, other: (layers + 1, T, d_model), the vectors of two runs.
        row: the position at which the output is replaced and the vector is read.
        until: how many layers run before it is read.

    Returns:
        (until, H), of `share_turned`.
    """
    ends = clean[until, row], other[until, row]
    rows = []
    for layer in range(until):
        outputs = outputs_of(model, layer, other[layer][None])[0]
        copies = clean[layer].repeat(len(outputs), 1, 1)
        with heads_changed(model, layer, one_each(row, outputs)):
            patched = run_from(model, copies, layer, until)[0][-1]
        rows.append(share_turned(patched[:, row], *ends))
    return torch.stack(rows)


def mean_outputs(reader: Reader, sentences: Sequence[str]) -> Tensor:
    """(layers, H, d_k): the mean output of each head over all words' tokens."""
    found = []
    for sentence in sentences:
        hidden = reader(sentence).hidden
        layers = range(len(reader.model.layers))
        outputs = [outputs_of(reader.model, i, hidden[i : i + 1])[0] for i in layers]
        found.append(torch.stack(outputs)[:, :, 1:-1])
    return torch.cat(found, dim=2).mean(dim=2)


@one_thread()
@torch.no_grad()
def moved_when_held(
    reader: Reader, sentences: Sequence[str], means: Tensor
) -> tuple[Tensor, Tensor]:
    """How far a model's results move if one head at a time is held at its mean.

    Args:
        reader: the model.
        sentences: what it reads.
        means: (layers, H, d_k); zeros take the head away.

    Returns:
        tokens, embeddings: both (layers, H); 1 − cosine of the last vectors, the mean
        over the tokens, and of the embeddings; the mean over the sentences.
    """
    model, found = reader.model, []
    for sentence in sentences:
        hidden = reader(sentence).hidden
        last, rows = hidden[-1], []
        for layer, held_at in enumerate(means):
            copies = hidden[layer].repeat(len(held_at), 1, 1)
            with heads_changed(model, layer, each_held(held_at)):
                changed = run_from(model, copies, layer)[0][-1]
            tokens = torch.cosine_similarity(changed, last, dim=-1).mean(dim=1)
            whole = torch.cosine_similarity(changed.mean(1), last.mean(0), dim=-1)
            rows.append(1 - torch.stack([tokens, whole]))
        found.append(torch.stack(rows, dim=1))
    tokens, embeddings = torch.stack(found).mean(dim=0)
    return tokens, embeddings
