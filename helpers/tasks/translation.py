"""Translation: toy English to toy French, with words in another order.

The right attention pattern is known: a French word looks at the English word that it
translates. Colours follow the noun, other adjectives precede it, a time word moves to
the front: "the big red cat likes the door today" → "aujourd'hui le grand chat rouge
aime le porte".

With agreement, le/la and adjectives take the gender of their noun: "la porte verte".
Without it every noun is masculine, and each French word depends on one English word
("le", which never changes, on none).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

PAD, BEGIN, END = 0, 1, 2
MARKS = ["·", "<begin>", "<end>"]

MASCULINE = {
    "cat": "chat",
    "dog": "chien",
    "wolf": "loup",
    "rabbit": "lapin",
    "king": "roi",
    "hat": "chapeau",
    "cake": "gâteau",
    "bridge": "pont",
}
FEMININE = {
    "hen": "poule",
    "mouse": "souris",
    "queen": "reine",
    "door": "porte",
    "window": "fenêtre",
    "chair": "chaise",
    "lamp": "lampe",
    "ball": "balle",
}
BEFORE_NOUN = {
    "big": ("grand", "grande"),
    "small": ("petit", "petite"),
    "pretty": ("joli", "jolie"),
    "bad": ("mauvais", "mauvaise"),
}
AFTER_NOUN = {
    "red": ("rouge", "rouge"),
    "green": ("vert", "verte"),
    "white": ("blanc", "blanche"),
    "black": ("noir", "noire"),
    "grey": ("gris", "grise"),
}
VERBS = {
    "watches": "regarde",
    "finds": "trouve",
    "follows": "suit",
    "hides": "cache",
    "likes": "aime",
}
TIMES = {
    "today": "aujourd'hui",
    "now": "maintenant",
    "sometimes": "parfois",
    "soon": "bientôt",
}
NOUNS = MASCULINE | FEMININE
ADJECTIVES = BEFORE_NOUN | AFTER_NOUN

ENGLISH = [*MARKS, "the", *NOUNS, *ADJECTIVES, *VERBS, *TIMES]
FRENCH = [*MARKS, "le", "la", *NOUNS.values()]
FRENCH += dict.fromkeys(form for forms in ADJECTIVES.values() for form in forms)
FRENCH += [*VERBS.values(), *TIMES.values()]
MAX_LEN = 11
"""Tokens in the longest sentence: two phrases of four words, verb, time, <end>."""

ENGLISH_IDS = {word: i for i, word in enumerate(ENGLISH)}
FRENCH_IDS = {word: i for i, word in enumerate(FRENCH)}


@dataclass(frozen=True)
class TranslationBatch:
    """Pairs of sentences, ended by END and filled up with PAD.

    source: (B, n_k) English, lengths: (B,) its words with END.
    target: (B, n_q) French.
    aligned: (B, n_q), the position of the English word that a French word translates;
        -1 where no single word says it: le, la, END, PAD.
    noun: (B, n_q), for le and la the position of their noun in the English; else -1.
    """

    source: Tensor
    lengths: Tensor
    target: Tensor
    aligned: Tensor
    noun: Tensor

    @property
    def decoder_input(self) -> Tensor:
        """(B, n_q): BEGIN, then the French words, a position later than in target."""
        begin = torch.full_like(self.target[:, :1], BEGIN)
        return torch.cat([begin, self.target[:, :-1]], dim=1)


def translation_batch(
    generator: torch.Generator, batch: int = 64, agreement: bool = False
) -> TranslationBatch:
    """Draw a batch of sentence pairs.

    Args:
        generator: where the random numbers come from.
        batch: number of pairs B.
        agreement: True makes le/la and the adjectives agree with their noun.
    """
    draws = torch.rand(batch, 13, generator=generator).tolist()
    return as_batch([english_sentence(row) for row in draws], agreement)


def as_batch(sentences: list[str], agreement: bool = False) -> TranslationBatch:
    """English sentences with their translations, as one padded batch.

    >>> batch = as_batch(["the red cat finds the door", "the king likes the hat now"])
    >>> batch.source.shape, batch.lengths.tolist()
    (torch.Size([2, 7]), [7, 7])
    """
    pairs = [translate(sentence, agreement) for sentence in sentences]
    sources = [
        [ENGLISH_IDS[word] for word in sentence.split()] + [END]
        for sentence in sentences
    ]
    return TranslationBatch(
        source=_padded(sources, PAD),
        lengths=torch.tensor([len(source) for source in sources]),
        target=_padded([[FRENCH_IDS[w] for w, _, _ in p] + [END] for p in pairs], PAD),
        aligned=_padded([[a for _, a, _ in p] + [-1] for p in pairs], -1),
        noun=_padded([[n for _, _, n in p] + [-1] for p in pairs], -1),
    )


def english_sentence(draws: list[float]) -> str:
    """An English sentence from 13 numbers between 0 and 1."""
    nouns, times = list(NOUNS), list(TIMES)
    phrases = []
    for p_before, before, p_after, after, noun in (draws[:5], draws[5:10]):
        words = ["the"]
        if p_before < 0.4:
            words.append(_choice(list(BEFORE_NOUN), before))
        if p_after < 0.6:
            words.append(_choice(list(AFTER_NOUN), after))
        phrases.append([*words, _choice(nouns, noun)])
    verb, p_time, time = draws[10:]
    sentence = [*phrases[0], _choice(list(VERBS), verb), *phrases[1]]
    return " ".join(sentence + [_choice(times, time)] * (p_time < 0.6))


def translate(sentence: str, agreement: bool = False) -> list[tuple[str, int, int]]:
    """The French words of an English sentence, in their order.

    Returns:
        for each word (French, position of the word it translates or -1, for le and la
        the position of their noun or -1).
    """
    french: list[tuple[str, int, int]] = []
    waiting: list[int] = []  # positions of the adjectives before their noun
    for place, word in enumerate(sentence.split()):
        if word in ADJECTIVES:
            waiting.append(place)
        elif word in NOUNS:
            gender = int(agreement and word in FEMININE)
            words = sentence.split()
            forms = {i: (ADJECTIVES[words[i]][gender], i, -1) for i in waiting}
            french.append((("le", "la")[gender], -1, place))
            french += [forms[i] for i in waiting if words[i] in BEFORE_NOUN]
            french.append((NOUNS[word], place, -1))
            french += [forms[i] for i in waiting if words[i] in AFTER_NOUN]
            waiting = []
        elif word in VERBS:
            french.append((VERBS[word], place, -1))
        elif word in TIMES:
            french.insert(0, (TIMES[word], place, -1))
    return french


def words_of(ids: Tensor, language: list[str]) -> list[str]:
    """The words of one row of numbers, up to and with <end>."""
    words = [language[i] for i in ids.tolist()]
    end = language[END]
    return words[: words.index(end) + 1] if end in words else words


def _choice(words: list[str], draw: float) -> str:
    return words[int(draw * len(words))]


def _padded(rows: list[list[int]], fill: int) -> Tensor:
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [fill] * (longest - len(row)) for row in rows])
