"""Which of two nouns a word's vector is nearer to, layer by layer.

The sentences have one form: "The N … the N because …", each noun one token long.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from helpers.measure.timing import one_thread
from helpers.models.reading import Reader
from helpers.tasks.minimal_pairs import Pair


def roles(tokens: Sequence[str]) -> dict[str, int]:
    """Role → position, for sentences that end in "because it was … ADJ .".

    >>> text = "[CLS] the dog bit the cat because it was angry . [SEP]"
    >>> {role: at for role, at in roles(text.split()).items() if "noun" in role}
    {'noun 1': 2, 'noun 2': 5}
    """
    because = tokens.index("because")
    return {
        "[CLS]": 0,
        "noun 1": 2,
        "noun 2": because - 1,
        "because": because,
        "it": because + 1,
        "was": because + 2,
        "ADJ": len(tokens) - 3,
        ".": len(tokens) - 2,
        "[SEP]": len(tokens) - 1,
    }


@one_thread()
@torch.no_grad()
def leans_to_first(reader: Reader, sentences: Sequence[str], word: str) -> Tensor:
    """How much nearer a word's vector is to the first noun's than to the second's.

    cos(h_word, h_first) − cos(h_word, h_second), all vectors of the same run.

    Args:
        reader: the model.
        sentences: n of them, of the form above.
        word: the word that is asked, the first of its kind after "because".

    Returns:
        (n, layers + 1).
    """
    found = []
    for start in range(0, len(sentences), 64):
        part = list(sentences[start : start + 64])
        hidden = reader.model(*reader.batch(part))[0]
        rows = torch.arange(len(part))
        texts = [encoded.tokens for encoded in reader.tokenizer.encode_batch(part)]
        because = torch.tensor([text.index("because") for text in texts])
        at = [text.index(word, text.index("because")) for text in texts]
        asks = hidden[rows, :, at]
        first, second = hidden[:, :, 2], hidden[rows, :, because - 1]
        near = [torch.cosine_similarity(asks, noun, dim=-1) for noun in (first, second)]
        found.append(near[0] - near[1])
    return torch.cat(found)


def shifts(reader: Reader, pairs: Sequence[Sequence[str]], word: str = "it") -> Tensor:
    """How far the other sentence of a pair changes the lean: first minus second.

    Returns:
        (pairs, layers + 1); above 0 if the lean moves with the adjective.
    """
    flat = [sentence for pair in pairs for sentence in pair]
    leans = leans_to_first(reader, flat, word).unflatten(0, (len(pairs), 2))
    return leans[:, 0] - leans[:, 1]


@one_thread()
@torch.no_grad()
def leans_after_pronoun(reader: Reader, pairs: Sequence[Pair]) -> Tensor:
    """The same for pairs that differ in the pronoun, asked from the word after it.

    That word is the same in both sentences; the nouns may stand anywhere.

    Returns:
        (pairs, 2, layers + 1), above 0 if the first noun is nearer.
    """
    found = []
    for pair in pairs:
        for sentence in pair.sentences:
            reading = reader(sentence)
            first, second = (reading.pieces[noun][-1] for noun in pair.nouns)
            asks = reading.hidden[:, reading.pieces[pair.pronoun][-1] + 1]
            near = [
                torch.cosine_similarity(asks, reading.hidden[:, noun], dim=-1)
                for noun in (first, second)
            ]
            found.append(near[0] - near[1])
    return torch.stack(found).unflatten(0, (len(pairs), 2))
