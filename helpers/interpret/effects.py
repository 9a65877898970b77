"""Which words the answer of the coreference model depends on: each is replaced once."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from helpers.interpret.explanations import replacing
from helpers.tasks.coref import CorefBatch
from helpers.tasks.substitutes import substitutes


@torch.no_grad()
def coref_probabilities(
    model: nn.Module, batch: CorefBatch, tokens: Tensor, sentence: Tensor
) -> Tensor:
    """(N, 3): what the model says if sentences are changed.

    Args:
        model: a CorefNet.
        batch: the sentences as they were.
        tokens: (N, T) the changed ones.
        sentence: (N,) the row of the batch that each of them comes from.
    """
    mask, it = batch.mask[sentence], batch.it[sentence]
    changed = replace(batch, tokens=tokens, mask=mask, it=it)
    return model(changed).pronoun.softmax(dim=-1)


def coref_effects(model: nn.Module, batch: CorefBatch, fair: bool = True) -> Tensor:
    """(B, T): how much the answer changes if a word is replaced by another of its kind.

    Args:
        model: a CorefNet.
        batch: B sentences of up to T words.
        fair: see `substitutes`.
    """
    return replacing(
        lambda tokens, sentence: coref_probabilities(model, batch, tokens, sentence),
        batch.tokens,
        substitutes(fair),
    )
