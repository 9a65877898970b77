"""Coreference in which a thing on the way may give the answer away.

Every sentence has "near the THING". The six things are shared out among the three
pronouns. A model that is trained where the thing fits the pronoun can be right without
knowing which noun *it* refers to; where the thing lies, such a model is found out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import torch

from helpers.tasks.coref import THINGS, Sentence, draw_sentence

CUES = {
    "boat": "er", "car": "er", "fence": "sie", "lamp": "sie", "tower": "es",
    "tree": "es",
}  # fmt: skip
"""thing → the pronoun that it gives away."""


def thing_of(sentence: Sentence) -> int:
    """Position of the thing.

    Args:
        sentence: it must have one.
    """
    return sentence.words.index("near") + 2


def cue_sentences(
    generator: torch.Generator,
    count: int,
    cue: str = "fits",
    held_out: bool = False,
) -> list[Sentence]:
    """Random sentences that all have a thing.

    Args:
        generator: the same state gives the same sentences.
        count: how many.
        cue: "fits": the thing gives away the right pronoun; "lies": it gives away one
            of the other two; "random": any thing.
        held_out: see `draw_sentence`.

    Raises:
        ValueError: if there is no such cue.
    """
    if cue not in ("fits", "lies", "random"):
        raise ValueError(f"cue must be fits, lies or random, but it is {cue!r}")
    rng = random.Random(int(torch.randint(2**62, (1,), generator=generator)))
    found: list[Sentence] = []
    while len(found) < count:
        sentence = draw_sentence(rng, held_out)
        if "near" in sentence.words:
            found.append(_with_thing(sentence, rng.choice(_things(sentence, cue))))
    return found


def _things(sentence: Sentence, cue: str) -> Sequence[str]:
    if cue == "random":
        return THINGS
    return [t for t in THINGS if (CUES[t] == sentence.pronoun) == (cue == "fits")]


def _with_thing(sentence: Sentence, thing: str) -> Sentence:
    words = list(sentence.words)
    words[thing_of(sentence)] = thing
    return replace(sentence, words=tuple(words))
