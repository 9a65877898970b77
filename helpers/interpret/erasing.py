"""A score for explanations: is the answer kept by the words that they name?

The words that an explanation names stay; all other words that could be named are
replaced at once. An explanation that names what decides keeps the answer.

Source: DeYoung et al. (2020), ERASER, who call it sufficiency and delete words.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from helpers.interpret.effects import coref_probabilities
from helpers.tasks.coref import WORDS, CorefBatch
from helpers.tasks.substitutes import nameable, substitutes


def top_words(
    explanation: Tensor, named: Tensor, k: int, generator: torch.Generator
) -> Tensor:
    """(B, T) bool: the k words with the largest numbers; ties are broken at random.

    Args:
        explanation: (B, T), one number per word.
        named: (B, T) bool, the words that may be chosen.
        k: how many.
        generator: breaks the ties.
    """
    numbers = explanation.double().masked_fill(~named, -torch.inf)
    shuffled = torch.rand(numbers.shape, generator=generator).argsort(dim=1)
    ranks = numbers.gather(1, shuffled).argsort(dim=1, descending=True, stable=True)
    best = shuffled.gather(1, ranks[:, :k])
    return torch.zeros_like(named).scatter(1, best, True) & named


def answer_kept(
    model: nn.Module,
    batch: CorefBatch,
    explanation: Tensor,
    k: int = 2,
    draws: int = 8,
    seed: int = 0,
) -> Tensor:
    """(B,): the probability that the model's answer keeps, by the k words named alone.

    All other nameable words are replaced by random fair substitutes.

    Args:
        model: a CorefNet.
        batch: B sentences of up to T words.
        explanation: (B, T), one number per word.
        k: how many words are named.
        draws: how often substitutes are drawn; the mean is returned.
        seed: of the substitutes, and of the ties.
    """
    g, named = torch.Generator().manual_seed(seed), nameable(batch.tokens)
    rows = torch.arange(len(batch.it))
    answer = coref_probabilities(model, batch, batch.tokens, rows).argmax(dim=-1)
    kept = torch.zeros(len(rows))
    for _ in range(draws):
        lost = named & ~top_words(explanation, named, k, g)
        tokens = torch.where(lost, _drawn(batch.tokens, g), batch.tokens)
        kept += coref_probabilities(model, batch, tokens, rows)[rows, answer]
    return kept / draws


def kept_by(
    model: nn.Module, batch: CorefBatch, explanations: Mapping[str, Tensor]
) -> dict[str, float]:
    """Name → the mean of `answer_kept` over the sentences, for two words.

    Args:
        model, batch: as for `answer_kept`.
        explanations: name → (B, T).
    """
    return {
        name: answer_kept(model, batch, numbers).mean().item()
        for name, numbers in explanations.items()
    }


def named_first(
    batch: CorefBatch, explanations: Mapping[str, Tensor], place: Tensor
) -> dict[str, float]:
    """Name → in which share of the sentences a word is the first that is named.

    Args:
        batch: B sentences of up to T words.
        explanations: name → (B, T).
        place: (B,) positions of the word.
    """
    named, rows = nameable(batch.tokens), torch.arange(len(place))
    found = {}
    for name, numbers in explanations.items():
        top = top_words(numbers, named, 1, torch.Generator().manual_seed(0))
        found[name] = top[rows, place].float().mean().item()
    return found


def _drawn(tokens: Tensor, generator: torch.Generator) -> Tensor:
    """For each word one of its fair substitutes; any word for one that has none."""
    fair = substitutes()
    table = torch.zeros(len(WORDS), max(map(len, fair.values())), dtype=torch.long)
    count = torch.ones(len(WORDS))
    for word, others in fair.items():
        table[word, : len(others)] = torch.tensor(others)
        count[word] = len(others)
    drawn = torch.rand(tokens.shape, generator=generator) * count[tokens]
    return table[tokens, drawn.long()]
