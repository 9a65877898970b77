"""Events that can be turned round: eight sentences for each pair of nouns.

"The army did not defeat the enemy because it was weak": the army is meant, because it
acted. Exchange the nouns, or put the verb into the passive, and the other noun acts.
So three things vary on their own: which noun comes first, which noun acts, and which
adjective ends the sentence. What follows the event differs from what follows the noun.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

_EVENTS = """
did not defeat | was not defeated by | weak strong
    army enemy, lion bear, knight giant, king prince
did not fit into | did not hold | large small
    box bag, basket box, crate van, jar pot
did not catch | was not caught by | slow fast
    wolf deer, dog cat, fox rabbit, horse bull
could not lift | could not be lifted by | weak heavy
    robot machine, crane tractor, bear bull, monkey dog
did not buy | was not bought by | poor expensive
    company bank, museum gallery, club hotel, firm factory
did not scare | was not scared by | gentle brave
    dog wolf, bear lion, ghost monster, snake bird
did not hear | was not heard by | deaf quiet
    dog cat, cow horse, snake mouse, fox bird
did not hide | was not hidden by | thin wide
    wall fence, tree tower, cloud mountain, flag poster
did not carry | was not carried by | tiny heavy
    boat raft, truck car, donkey goat, train tank
did not cover | was not covered by | small big
    poster mirror, blanket carpet, cloud moon, shadow garden
did not wake | was not woken by | quiet sleepy
    dog cat, bird cow, baby dog, horse pig
did not stop | was not stopped by | weak fast
    car truck, tank train, bull horse, ship boat
did not see | was not seen by | blind small
    bat owl, mouse snake, cat rat, fish crab
did not attack | was not attacked by | shy dangerous
    lion tiger, wolf bear, shark whale, snake eagle
did not break | was not broken by | soft hard
    stone glass, wood brick, ice metal, shell rock
did not pass | was not passed by | slow wide
    car truck, bus van, ship boat, tractor taxi
"""
"""Active | passive, or what says the same the other way round | an adjective of who
acts, one of the other; below, the pairs of nouns."""


@dataclass(frozen=True)
class Pair:
    """Two nouns in an event.

    Attributes:
        event: its number; pairs of one event share it.
        verbs: active and passive.
        adjectives: the first means the noun that acts, the second the other one.
        nouns: the two nouns; either can act.
    """

    event: int
    verbs: tuple[str, str]
    adjectives: tuple[str, str]
    nouns: tuple[str, str]

    def sentences(self, repeated: bool = False) -> list[str]:
        """Eight: noun order, voice, adjective, the last one fastest.

        Args:
            repeated: whether the noun that is meant is said again, in place of "it".
        """
        return [
            self._sentence(order, voice, adjective, repeated)
            for order, voice, adjective in product((0, 1), repeat=3)
        ]

    def _sentence(self, order: int, voice: int, adjective: int, repeated: bool) -> str:
        first, second = self.nouns[::-1] if order else self.nouns
        meant = (first, second)[(voice + adjective) % 2]
        subject = f"the {meant}" if repeated else "it"
        event = f"The {first} {self.verbs[voice]} the {second}"
        return f"{event} because {subject} was too {self.adjectives[adjective]}."


def pairs() -> list[Pair]:
    """64 pairs, 4 of each of 16 events."""
    found = []
    lines = _EVENTS.strip().splitlines()
    for event, (about, nouns) in enumerate(zip(lines[::2], lines[1::2], strict=True)):
        active, passive, adjectives = (part.strip() for part in about.split("|"))
        for pair in nouns.strip().split(", "):
            words = (tuple(adjectives.split()), tuple(pair.split()))
            found.append(Pair(event, (active, passive), *words))
    return found


def three_parts(leans: Tensor) -> Tensor:
    """Split the effect of the adjective into what stays with a noun, a place, an event.

    Args:
        leans: (pairs · 8,), towards the noun that is named first, in the order of
            `Pair.sentences`.

    Returns:
        (pairs, 3): fit, which stays with the noun, wherever it is named and whatever
        it does; place, which stays with the noun named first; and event, which goes
        with the noun that acts. Each is a mean of four differences.
    """
    leans = leans.reshape(-1, 2, 2, 2)
    towards_first = leans[..., 0] - leans[..., 1]
    order = torch.tensor([1.0, -1.0])[:, None]
    voice = torch.tensor([1.0, -1.0])
    signs = (order, torch.ones(2, 2), voice)
    return torch.stack([(towards_first * s).mean(dim=(1, 2)) for s in signs], dim=1)
