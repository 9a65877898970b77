"""Explanations of one answer of a coreference model, each (B, T): one number per word.

All take the absolute value. Where a baseline is needed it is the mean word vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.interpret import explanations as ex
from helpers.tasks.coref import CorefBatch


def explain(model: nn.Module, batch: CorefBatch) -> dict[str, Tensor]:
    """All candidates: what they are called → (B, T).

    Args:
        model: a CorefNet.
        batch: B sentences of up to T words.
    """
    rows = torch.arange(len(batch.it))
    first, second = (w.detach() for w in model(batch).attn_weights)
    maps = [ex.attention(weights, batch.it) for weights in (first, second)]
    return {
        "map 2": maps[1],
        "map 1 + map 2": maps[0] + maps[1],
        "rollout": ex.rollout([first, second])[rows, batch.it],
        "gradient × input": gradient_times_input(model, batch),
        "integrated gradients": integrated_gradients(model, batch),
        "occlusion": occlusion(model, batch),
    }


def gradient_times_input(model: nn.Module, batch: CorefBatch) -> Tensor:
    """| Σ over features of gradient · input |, for the lead of the model's answer."""
    with ex.recording(model.embedding) as words:
        lead = _lead(model, batch)
    return ex.gradient_times_input(lead, words[0].output)


def integrated_gradients(
    model: nn.Module, batch: CorefBatch, steps: int = 16
) -> Tensor:
    """The mean gradient on the way from the mean word to the word, times the way.

    Args:
        model: a CorefNet.
        batch: B sentences.
        steps: points on the way.

    Source: Sundararajan et al. (2017), Axiomatic attribution for deep networks.
    """
    table = model.embedding.weight.detach()
    words, base = table[batch.tokens], table.mean(dim=0)
    answer = model(batch).pronoun.argmax(dim=-1)
    total = torch.zeros_like(words)
    for share in (torch.arange(steps) + 0.5) / steps:
        point = (base + share * (words - base)).requires_grad_()
        with _words(model, point):
            lead = _lead(model, batch, answer)
        total += torch.autograd.grad(lead.sum(), point)[0]
    return (total / steps * (words - base)).sum(dim=-1).abs()


@torch.no_grad()
def occlusion(model: nn.Module, batch: CorefBatch) -> Tensor:
    """How far the answer's lead moves if a word's vector becomes the mean word vector.

    Source: Zeiler and Fergus (2014), Visualizing and understanding convolutional
    networks.
    """
    table = model.embedding.weight
    words, answer = table[batch.tokens], model(batch).pronoun.argmax(dim=-1)
    before, found = _lead(model, batch, answer), torch.zeros(batch.tokens.shape)
    for place in range(found.shape[1]):
        hidden = words.clone()
        hidden[:, place] = table.mean(dim=0)
        with _words(model, hidden):
            found[:, place] = (_lead(model, batch, answer) - before).abs()
    return found


@contextmanager
def _words(model: nn.Module, vectors: Tensor) -> Iterator[None]:
    """Inside: the sentences are made of these vectors."""
    handle = model.embedding.register_forward_hook(lambda *_: vectors)
    try:
        yield
    finally:
        handle.remove()


def _lead(model: nn.Module, batch: CorefBatch, answer: Tensor | None = None) -> Tensor:
    """(B,): the answer's logit minus the mean of the two others'."""
    said = model(batch).pronoun
    answer = said.argmax(dim=-1) if answer is None else answer
    one = F.one_hot(answer, said.shape[-1]).bool()
    return said[one] - said[~one].view(len(said), -1).mean(dim=-1)
