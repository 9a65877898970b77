"""What can be read about the noun from what block 2 reads at one position."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from helpers.interpret.explanations import recording
from helpers.interpret.probing import control_labels, probe_accuracy
from helpers.tasks.coref import GENDER, PRONOUNS, Sentence, pad_sentences

NOUNS = sorted(GENDER)
GENDERS = torch.tensor([PRONOUNS.index(GENDER[noun]) for noun in NOUNS])


def probed(
    model: nn.Module,
    word: str,
    train: Sequence[Sentence],
    test: Sequence[Sentence],
    draws: int = 5,
    seed: int = 0,
) -> dict[str, float]:
    """Shares of right labels of linear probes at one word.

    Args:
        model: a CorefNet.
        word: one that every sentence has.
        train: sentences on which the probes are fitted.
        test: sentences on which they are scored.
        draws: how many sets of control labels; their mean is returned.
        seed: of the control labels.

    Returns:
        "noun": which noun *it* refers to, of 48. "gender": its gender. "control": the
        same with genders dealt out to the nouns at random.
    """
    g = torch.Generator().manual_seed(seed)
    vectors = [_at(model, part, word) for part in (train, test)]
    nouns = [
        torch.tensor([NOUNS.index(s.words[s.referent]) for s in part])
        for part in (train, test)
    ]

    def accuracy(labels: Tensor) -> float:
        fitted, scored = ((x, labels[y]) for x, y in zip(vectors, nouns, strict=True))
        return probe_accuracy(fitted, scored)

    dealt = [accuracy(control_labels(GENDERS, g)) for _ in range(draws)]
    return {
        "noun": accuracy(torch.arange(len(NOUNS))),
        "gender": accuracy(GENDERS),
        "control": sum(dealt) / draws,
    }


@torch.no_grad()
def _at(model: nn.Module, sentences: Sequence[Sentence], word: str) -> Tensor:
    with recording(model.far) as calls:
        model(pad_sentences(sentences))
    places = torch.tensor([s.words.index(word) for s in sentences])
    return calls[0].args[1][torch.arange(len(places)), places]
