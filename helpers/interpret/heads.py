"""What a head of a real model looks at: positions, marked words, [CLS].

Heads are numbered through all layers: head 40 of a model with 12 heads per layer is
head 4 of layer 3, written 3.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from helpers.models.reading import Reading
from helpers.tasks.minimal_pairs import Pair
from helpers.tasks.sentences import Link

Read = Callable[[str], Reading]


def name(head: int, num_heads: int = 12) -> str:
    """40 → '3.4': layer and head, both from 0."""
    return f"{head // num_heads}.{head % num_heads}"


def share_at(readings: Sequence[Reading], step: int) -> Tensor:
    """How much weight heads give to the token at a fixed distance.

    Args:
        readings: of several sentences.
        step: -1 is the token before, +1 the one after; at most 2 away.

    Returns:
        (sentences, layers · heads): the mean over the tokens, without the first and
        last two.
    """
    shares = []
    for reading in readings:
        inner = torch.arange(2, len(reading.tokens) - 2)
        maps = reading.attn_weights.flatten(0, 1)
        shares.append(maps[:, inner, inner + step].mean(dim=1))
    return torch.stack(shares)


def share_on_cls(readings: Sequence[Reading]) -> Tensor:
    """(layers, heads): the mean weight on [CLS], of all tokens but [CLS] and [SEP]."""
    shares = [r.attn_weights[:, :, 1:-1, 0].mean(dim=-1) for r in readings]
    return torch.stack(shares).mean(dim=0)


def word_weights(reading: Reading, source: int) -> Tensor:
    """How much weight heads give to each word, asked from a word's last token.

    Args:
        reading: of one sentence.
        source: number of the word that looks.

    Returns:
        (layers · heads, words): the weights of a word's tokens added up. What goes to
        [CLS] and [SEP] is left out, so rows do not sum to 1.
    """
    row = reading.attn_weights[:, :, reading.pieces[source][-1]].flatten(0, 1)
    return torch.stack([row[:, tokens].sum(dim=1) for tokens in reading.pieces], dim=1)


def most_looked_at(
    read: Read, links: Mapping[str, Sequence[Link]]
) -> dict[str, Tensor]:
    """The other word to which each head gives most, asked from each link's source.

    Args:
        read: a reader; each sentence is read once.
        links: relation → its marked pairs.

    Returns:
        relation → (links, layers · heads), numbers of words.
    """
    sentences = dict.fromkeys(
        link.sentence for pairs in links.values() for link in pairs
    )
    readings = {sentence: read(sentence) for sentence in sentences}

    def winners(link: Link) -> Tensor:
        weights = word_weights(readings[link.sentence], link.source)
        weights[:, link.source] = -1.0
        return weights.argmax(dim=1)

    return {
        relation: torch.stack([winners(link) for link in pairs])
        for relation, pairs in links.items()
    }


def weights_beside(read: Read, links: Sequence[Link], head: int) -> Tensor:
    """How much weight one head gives to the marked word, and how much to [CLS].

    Args:
        read: a reader.
        links: n marked pairs.
        head: its number, through all layers.

    Returns:
        (n, 2), asked from each link's source.
    """
    rows = []
    for link in links:
        reading = read(link.sentence)
        asked = reading.pieces[link.source][-1]
        on_cls = reading.attn_weights.flatten(0, 1)[head, asked, 0]
        rows.append(
            torch.stack([word_weights(reading, link.source)[head, link.target], on_cls])
        )
    return torch.stack(rows)


def targets(links: Sequence[Link]) -> Tensor:
    """(links, 1): the words that should be looked at."""
    return torch.tensor([[link.target] for link in links])


def leans(read: Read, pairs: Sequence[Pair]) -> Tensor:
    """Which noun the pronoun looks at more, in both sentences of each pair.

    log(weight on the first noun / weight on the second), asked from the pronoun.

    Returns:
        (pairs, 2, layers · heads); right is above 0 in the first sentence and below 0
        in the second.
    """
    rows = []
    for pair in pairs:
        both = []
        for sentence in pair.sentences:
            weights = word_weights(read(sentence), pair.pronoun)
            first, second = (weights[:, noun].clamp_min(1e-12) for noun in pair.nouns)
            both.append(first.log() - second.log())
        rows.append(torch.stack(both))
    return torch.stack(rows)


def both_right(leans: Tensor) -> Tensor:
    """(pairs, heads) bool: the first noun in the first sentence, then the second."""
    return (leans[:, 0] > 0) & (leans[:, 1] < 0)
