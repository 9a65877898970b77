"""Explanations of one answer: which words is it said to come from?

Each explanation gives every word a number, (B, T), for the answer at one query per
sentence; the word with the largest is the one it points at. Whether it points at the
right one is another question: `replacing` is the judge, which does not look inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention


@dataclass(frozen=True)
class Call:
    """One call of a module: what went in, what came out."""

    args: tuple[Any, ...]
    output: Any


@contextmanager
def recording(module: nn.Module) -> Iterator[list[Call]]:
    """Inside: every call of the module is recorded. Afterwards: as before.

    Args:
        module: part of a model; it computes what it computes without this.

    >>> with recording(layer := nn.Linear(2, 3)) as calls:
    ...     output = layer(torch.ones(1, 2))
    >>> calls[0].output is output
    True
    """
    calls: list[Call] = []
    handle = module.register_forward_hook(
        lambda module, args, output: calls.append(Call(args, output))
    )
    try:
        yield calls
    finally:
        handle.remove()


def attention(attn_weights: Tensor, query: Tensor) -> Tensor:
    """The query's row of weights, mean over heads.

    Args:
        attn_weights: (B, H, T, T).
        query: (B,) position of the query in each sentence.

    Returns:
        (B, T).
    """
    return _rows(attn_weights.mean(dim=1), query)


def carried(mha: MultiHeadAttention, value: Tensor) -> Tensor:
    """What each token hands over in each head, as it arrives after W_o.

    The output of the layer is Σ over heads and keys of weight · carried, plus the bias.

    Args:
        mha: the layer.
        value: (B, T, d_model), what it got as value.

    Returns:
        (B, H, T, d_model).
    """
    V = mha.split_heads(mha.W_v(value))
    blocks = mha.W_o.weight.unflatten(1, (mha.num_heads, mha.d_k))
    return torch.einsum("bhtk,dhk->bhtd", V, blocks)


def attention_times_value(
    attn_weights: Tensor, values: Tensor, query: Tensor
) -> Tensor:
    """Length of what each key adds to the query: | Σ over heads of weight · value |.

    Args:
        attn_weights: (B, H, T, T).
        values: (B, H, T, d), of `carried`.
        query: (B,).

    Returns:
        (B, T).

    Source: Kobayashi et al. (2020), Attention is not only a weight.
    """
    rows = attn_weights[torch.arange(len(query)), :, query]
    return (rows.unsqueeze(-1) * values).sum(dim=1).norm(dim=-1)


def gradient_times_input(answer: Tensor, inputs: Tensor) -> Tensor:
    """| Σ over features of gradient · input |: the answer's first-order share of each.

    Args:
        answer: (B,) one number per sentence, made from inputs.
        inputs: (B, T, d) word vectors; they must be part of the graph.

    Returns:
        (B, T).
    """
    (gradient,) = torch.autograd.grad(answer.sum(), inputs)
    return (gradient * inputs.detach()).sum(dim=-1).abs()


def rollout(layers: Sequence[Tensor]) -> Tensor:
    """Weights multiplied along all paths through the layers, residuals included.

    R = Ã_L ⋯ Ã_1 with Ã = ½ mean over heads of A + ½ I.

    Args:
        layers: (B, H, T, T) weights of each layer, the first one first.

    Returns:
        (B, T, T): row i says how the last token i is made up of the input words.

    Source: Abnar and Zuidema (2020), Quantifying attention flow in transformers.
    """
    T = layers[0].shape[-1]
    same = torch.eye(T, dtype=layers[0].dtype)
    mixed = same
    for attn_weights in layers:
        step = 0.5 * attn_weights.mean(dim=1) + 0.5 * same
        mixed = step @ mixed
    return mixed


@torch.no_grad()
def replacing(
    answer: Callable[[Tensor, Tensor], Tensor],
    tokens: Tensor,
    substitutes: Mapping[int, Sequence[int]],
) -> Tensor:
    """How much the answer changes if one word is replaced: the judge.

    Mean over the substitutes of ½ Σ |p - p′|, the share of the probability that moves.

    Args:
        answer: gets tokens (N, T) and, (N,), the sentence each comes from; returns
            probabilities (N, C).
        tokens: (B, T) word ids.
        substitutes: word id → the ids that may replace it. A word that is not in it is
            kept, and gets 0.

    Returns:
        (B, T).
    """
    rows, places, words = [], [], []
    for row, sentence in enumerate(tokens.tolist()):
        for place, word in enumerate(sentence):
            for other in substitutes.get(word, ()):
                rows.append(row), places.append(place), words.append(other)
    if not rows:
        return torch.zeros(tokens.shape)
    row, place = torch.tensor(rows), torch.tensor(places)
    changed = tokens[row]
    changed[torch.arange(len(row)), place] = torch.tensor(words)
    before = answer(tokens, torch.arange(len(tokens)))[row]
    moved = 0.5 * (answer(changed, row) - before).abs().sum(dim=-1)
    total, count = moved.new_zeros(2, *tokens.shape)
    total.index_put_((row, place), moved, accumulate=True)
    count.index_put_((row, place), torch.ones_like(moved), accumulate=True)
    return total / count.clamp_min(1)


def _rows(matrix: Tensor, query: Tensor) -> Tensor:
    return matrix[torch.arange(len(query)), query]
