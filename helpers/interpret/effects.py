"""Which words the answer of the coreference model depends on: each is replaced once."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor, nn

from helpers.interpret.explanations import replacing
from helpers.tasks.coref import CorefBatch, substitutes


def coref_effects(model: nn.Module, batch: CorefBatch, contrast: bool = True) -> Tensor:
    """(B, T): how much the answer changes if a word is replaced by another of its kind.

    Args:
        model: a CorefNet.
        batch: B sentences of up to T words.
        contrast: see `substitutes`.
    """

    def answer(tokens: Tensor, sentence: Tensor) -> Tensor:
        mask, it = batch.mask[sentence], batch.it[sentence]
        changed = replace(batch, tokens=tokens, mask=mask, it=it)
        return model(changed).pronoun.softmax(dim=-1)

    return replacing(answer, batch.tokens, substitutes(contrast))
