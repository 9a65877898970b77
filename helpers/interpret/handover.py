"""How the adjective comes to "it": the same experiment on many pairs of sentences.

In each pair the first sentence is the clean run and the second one the other; they
differ in the adjective. All have the form that `roles` reads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch
from torch import Tensor

from helpers.interpret import head_outputs as heads_of
from helpers.interpret.leaning import roles
from helpers.interpret.patching import patch_grid, run_from, share_turned
from helpers.models.reading import Reader

Pairs = Sequence[Sequence[str]]


def mean_grid(
    reader: Reader, pairs: Pairs, word: str | None, until: int | None = None
) -> Tensor:
    """`patch_grid`, one column per role, the mean over the pairs.

    Args:
        reader: the model.
        pairs: the sentences.
        word: the role at which the effect is read; None reads the embedding.
        until: how many layers run before it is read; by default all.
    """
    grids = []
    for pair in pairs:
        clean, other = (reader(sentence) for sentence in pair)
        at = roles(clean.tokens)
        readout = None if word is None else at[word]
        runs = reader.model, clean.hidden, other.hidden
        grids.append(patch_grid(*runs, list(at.values()), readout, until))
    return torch.stack(grids).mean(dim=0)


def turned_by_heads(reader: Reader, pairs: Pairs, until: int) -> Tensor:
    """(pairs, until · H): how far each head's output at "it" alone turns "it"."""
    found = []
    for pair in pairs:
        clean, other = (reader(sentence) for sentence in pair)
        runs = reader.model, clean.hidden, other.hidden
        each = heads_of.turned_by_each(*runs, roles(clean.tokens)["it"], until)
        found.append(each.flatten())
    return torch.stack(found)


@torch.no_grad()
def turned_by(
    reader: Reader,
    pairs: Pairs,
    layer: int,
    heads: Collection[int],
    until: int,
    values: bool = False,
    patterns: bool = False,
) -> float:
    """How far some heads turn "it" with values, or weights, of the other run.

    Args:
        reader: the model.
        pairs: the sentences.
        layer, heads: whose outputs at "it" are replaced.
        until: how many layers run before "it" is read.
        values: whether the values are those of the other run.
        patterns: whether the weights are.

    Returns:
        The mean over the pairs: 0 = stays, 1 = turned.
    """
    shares = []
    for pair in pairs:
        runs = [reader(sentence) for sentence in pair]
        it, clean, other = roles(runs[0].tokens)["it"], runs[0].hidden, runs[1].hidden
        attention = reader.model.layers[layer].attention
        weights = runs[patterns].attn_weights[layer]
        V = attention.split_heads(attention.W_v(runs[values].hidden[layer][None]))[0]
        change = heads_of.swapped(heads, it, weights @ V)
        with heads_of.heads_changed(reader.model, layer, change):
            patched = run_from(reader.model, clean[layer], layer, until)[0][-1, it]
        shares.append(share_turned(patched, clean[until, it], other[until, it]))
    return torch.stack(shares).mean().item()


def look_moved(
    reader: Reader, pairs: Pairs, layer: int, heads: Collection[int], reads: int
) -> tuple[float, float]:
    """Forge what some heads tell "it": does a head of the next layer look elsewhere?

    The look is the logarithm of the ratio of two weights from "it", on the first and
    on the second noun.

    Args:
        reader: the model.
        pairs: the sentences.
        layer, heads: whose outputs at "it" are those of the other run.
        reads: the head of the next layer whose look is asked.

    Returns:
        How far it moves, and how far it moves between the two runs; means.
    """
    moved, whole = [], []
    for pair in pairs:
        clean, other = (reader(sentence) for sentence in pair)
        at, model = roles(clean.tokens), reader.model
        outputs = heads_of.outputs_of(model, layer, other.hidden[layer][None])[0]
        change = heads_of.swapped(heads, at["it"], outputs)
        with heads_of.heads_changed(model, layer, change):
            maps = run_from(model, clean.hidden[layer], layer, layer + 2)[1][-1]
        nexts = (clean.attn_weights[layer + 1], maps, other.attn_weights[layer + 1])
        rows = [weights[reads, at["it"]].log() for weights in nexts]
        before, forged, after = (row[at["noun 1"]] - row[at["noun 2"]] for row in rows)
        moved.append(before - forged)
        whole.append(before - after)
    return torch.stack(moved).mean().item(), torch.stack(whole).mean().item()
