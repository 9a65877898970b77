"""Random words, written twice: do heads look where induction needs them to?"""

from __future__ import annotations

import torch
from torch import Tensor

from helpers.interpret.patching import run_from
from helpers.measure.timing import one_thread
from helpers.models.reading import Reader

CLS, SEP = 101, 102
WORDS = range(2000, 20000)
"""Token ids among which the common English words are."""


def _words(reader: Reader) -> Tensor:
    """Ids of whole words of at least three letters."""
    vocabulary = sorted(reader.tokenizer.get_vocab().items(), key=lambda item: item[1])
    plain = [i for word, i in vocabulary if word.isalpha() and word.isascii()]
    long = {i for word, i in vocabulary if len(word) > 2}
    return torch.tensor([i for i in plain if i in long and i in WORDS])


@one_thread()
@torch.no_grad()
def weight_at_twin(
    reader: Reader, step: int, sequences: int, seed: int, repeated: bool = True
) -> Tensor:
    """Weight from words of the second half to a place beside their twin in the first.

    A sequence is 8 to 20 random words x, and then x again. No word occurs twice in x.

    Args:
        reader: the model.
        step: 0 is the twin itself, +1 the token after it, where induction looks.
        sequences: how many.
        seed: of the words.
        repeated: False puts other words into the second half: the control.

    Returns:
        (sequences, layers · heads), the mean over the words of the second half.
    """
    vocabulary = _words(reader)
    generator = torch.Generator().manual_seed(seed)
    found = []
    for _ in range(sequences):
        n = int(torch.randint(8, 21, (1,), generator=generator))
        drawn = vocabulary[torch.randperm(len(vocabulary), generator=generator)]
        second = drawn[:n] if repeated else drawn[n : 2 * n]
        ids = torch.cat([torch.tensor([CLS]), drawn[:n], second, torch.tensor([SEP])])
        x = reader.model.embed(ids[None])[0]
        maps = run_from(reader.model, x, 0)[1].flatten(0, 1)
        queries = torch.arange(n + 1, 2 * n)
        found.append(maps[:, queries, queries - n + step].mean(dim=1))
    return torch.stack(found)
