"""Coreference: "The animal did not cross the street because it was too tired."

What does *it* refer to? The adjective decides: animals can be tired, streets can be
wide. The sentences are translated into German, where *it* becomes er, sie or es, by the
gender of the noun that it refers to. The right attention pattern is known: from *it* to
that noun. A fifth of the pairs of noun and adjective is held out: they are never
trained on, though all their words are known.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from helpers.masks import padding_mask

PRONOUNS = ("er", "sie", "es")
ANIMALS = {
    "er": "bear dog donkey eagle fox frog hedgehog lion",
    "sie": "cat cow duck goat mouse owl spider turtle",
    "es": "animal calf camel horse pig rabbit sheep zebra",
}
PLACES = {
    "er": "beach forest garden harbour lake market park river",
    "sie": "alley bridge cave city desert island meadow street",
    "es": "castle field museum stadium theatre valley village warehouse",
}
_FEELINGS = "tired afraid hungry ill lazy nervous old shy sleepy thirsty"
_LOOKS = "wide busy cold crowded dark flooded muddy narrow noisy steep"
FEELINGS, LOOKS = _FEELINGS.split(), _LOOKS.split()
VERBS = {
    "cross": "crossed", "enter": "entered", "leave": "left",
    "like": "liked", "reach": "reached", "visit": "visited",
}  # fmt: skip
TIMES = ("today", "yesterday", "at night", "last week", "in the morning")
SIZES = ("big", "huge", "little", "small")
THINGS = ("boat", "car", "fence", "lamp", "tower", "tree")

GENDER = {
    noun: gender
    for nouns in (ANIMALS, PLACES)
    for gender, words in nouns.items()
    for noun in words.split()
}
"""noun → the German pronoun that stands for it."""
_ANIMALS = [noun for words in ANIMALS.values() for noun in words.split()]
_PLACES = [noun for words in PLACES.values() for noun in words.split()]

PAD = "<pad>"
WORDS = sorted(
    {PAD, ".", "because", "by", "did", "it", "near", "not", "the", "too", "was"}
    | {*GENDER, *FEELINGS, *LOOKS, *VERBS, *VERBS.values(), *SIZES, *THINGS}
    | {word for time in TIMES for word in time.split()}
)
ID = {word: i for i, word in enumerate(WORDS)}
MAX_LENGTH = 24


@dataclass(frozen=True)
class Sentence:
    """A sentence as words, and the positions that matter.

    words: the tokens, the last one a full stop.
    referent, other: position of the noun that *it* means, and of the noun it does not.
    it, adjective: positions of these two.
    """

    words: tuple[str, ...]
    referent: int
    other: int
    it: int
    adjective: int

    @property
    def pronoun(self) -> str:
        """What *it* becomes in German."""
        return GENDER[self.words[self.referent]]

    @property
    def genders_differ(self) -> bool:
        """Whether the other noun would give another pronoun."""
        return GENDER[self.words[self.other]] != self.pronoun


@dataclass(frozen=True)
class CorefBatch:
    """Sentences padded to one length T.

    tokens: (B, T) word ids. mask: (B, 1, 1, T), True = a word, may be attended.
    pronoun, other_pronoun: (B,) index into PRONOUNS for the referent, the other noun.
    referent, other, it: (B,) positions. noun: (B,) word id of the referent.
    """

    tokens: Tensor
    mask: Tensor
    pronoun: Tensor
    other_pronoun: Tensor
    noun: Tensor
    referent: Tensor
    other: Tensor
    it: Tensor


def is_held_out(noun: str, adjective: str) -> bool:
    """Is "the noun is adjective" kept out of training? A fifth of the pairs is.

    >>> is_held_out("animal", "tired"), is_held_out("street", "wide")
    (True, True)
    """
    nouns, adjectives = (_ANIMALS, FEELINGS) if noun in _ANIMALS else (_PLACES, LOOKS)
    first = nouns.index("animal" if noun in _ANIMALS else "street")
    return (nouns.index(noun) - first - adjectives.index(adjective)) % 5 == 0


def draw_sentence(rng: random.Random, held_out: bool = False) -> Sentence:
    """A random sentence about an animal and a place.

    Args:
        rng: where the random numbers come from.
        held_out: True draws a pair of referent and adjective that is never trained,
            False one that may be.
    """
    while True:
        animal, place = rng.choice(_ANIMALS), rng.choice(_PLACES)
        of_animal = rng.random() < 0.5
        referent, other = (animal, place) if of_animal else (place, animal)
        adjective = rng.choice(FEELINGS if of_animal else LOOKS)
        if is_held_out(referent, adjective) == held_out:
            break
    verb = rng.choice(list(VERBS))
    words = rng.choice(TIMES).split() if rng.random() < 0.4 else []
    near = ["near", "the", rng.choice(THINGS)] if rng.random() < 0.3 else []
    if rng.random() < 0.5:
        words += [*_phrase(rng, animal), *near, "did", "not", verb]
        words += _phrase(rng, place)
    else:
        words += [*_phrase(rng, place), *near, "was", "not", VERBS[verb], "by"]
        words += _phrase(rng, animal)
    words += ["because", "it", "was", "too", adjective, "."]
    return _located(words, referent, other)


def read_sentence(text: str) -> Sentence:
    """A sentence from its text: a space before the full stop, one animal, one place.

    >>> s = read_sentence("the cat did not cross the street because it was too wide .")
    >>> s.words[s.referent], s.pronoun
    ('street', 'sie')
    """
    words = text.split()
    unknown = [word for word in words if word not in ID]
    if unknown:
        raise ValueError(f"the model does not know: {', '.join(unknown)}")
    nouns = [word for word in words if word in GENDER]
    feeling = any(word in FEELINGS for word in words)
    referent = next(noun for noun in nouns if (noun in _ANIMALS) == feeling)
    other = next(noun for noun in nouns if (noun in _ANIMALS) != feeling)
    return _located(words, referent, other)


def swap_adjective(sentence: Sentence, rng: random.Random) -> Sentence:
    """The same words with an adjective of the other kind: *it* means the other noun."""
    words = list(sentence.words)
    feeling = words[sentence.adjective] in FEELINGS
    words[sentence.adjective] = rng.choice(LOOKS if feeling else FEELINGS)
    return replace(
        sentence,
        words=tuple(words),
        referent=sentence.other,
        other=sentence.referent,
    )


def pad_sentences(sentences: Sequence[Sentence]) -> CorefBatch:
    """Put sentences into one batch, padded to the longest."""
    lengths = [len(s.words) for s in sentences]
    longest = max(lengths)
    rows = [
        [ID[word] for word in s.words] + [ID[PAD]] * (longest - len(s.words))
        for s in sentences
    ]
    genders = [PRONOUNS.index(s.pronoun) for s in sentences]
    others = [PRONOUNS.index(GENDER[s.words[s.other]]) for s in sentences]
    return CorefBatch(
        tokens=torch.tensor(rows),
        mask=padding_mask(lengths, longest),
        pronoun=torch.tensor(genders),
        other_pronoun=torch.tensor(others),
        noun=torch.tensor([ID[s.words[s.referent]] for s in sentences]),
        referent=torch.tensor([s.referent for s in sentences]),
        other=torch.tensor([s.other for s in sentences]),
        it=torch.tensor([s.it for s in sentences]),
    )


def draw_sentences(
    generator: torch.Generator, count: int, held_out: bool = False
) -> list[Sentence]:
    """Random sentences; the same generator state gives the same sentences."""
    seed = int(torch.randint(2**62, (1,), generator=generator))
    rng = random.Random(seed)
    return [draw_sentence(rng, held_out) for _ in range(count)]


def coref_batch(
    generator: torch.Generator, batch: int = 64, held_out: bool = False
) -> CorefBatch:
    """Draw a batch of sentences; chance is about 1/3 (three pronouns)."""
    return pad_sentences(draw_sentences(generator, batch, held_out))


def _phrase(rng: random.Random, noun: str) -> list[str]:
    return ["the", *([rng.choice(SIZES)] if rng.random() < 0.3 else []), noun]


def _located(words: Sequence[str], referent: str, other: str) -> Sentence:
    words = tuple(words)
    return Sentence(
        words, words.index(referent), words.index(other), words.index("it"),
        next(i for i, w in enumerate(words) if w in FEELINGS or w in LOOKS),
    )  # fmt: skip
