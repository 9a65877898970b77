"""Sentences whose last adjective decides what "it" means, of one form.

"The animal did not cross the street because it was too tired." With *wide* instead of
*tired*, "it" is the street. All nouns and adjectives are one token of the real model,
so that the tokens of all versions of a sentence line up.
"""

from __future__ import annotations

from dataclasses import dataclass

_ACTOR_AND_THING = """
animal | did not cross | was not crossed by | street | too | tired wide sleepy
boat | struck | was struck by | rock | | drifting hidden moving
dog | refused | was refused by | food | too | sick stale ill
knife | did not cut | was not cut by | bread | too | dull hard blunt
horse | did not jump | was not jumped by | fence | too | lazy high tired
nail | did not pierce | was not pierced by | wall | too | bent solid weak
bird | could not lift | could not be lifted by | branch | too | weak heavy young
robot | never climbed | was never climbed by | hill | too | clumsy steep slow
coat | did not fit in | did not hold | drawer | too | bulky full thick
bee | visited | was visited by | flower | very | hungry sweet busy
frog | left | was left by | stove | very | scared hot nervous
fish | ignored | was ignored by | bait | too | cautious dry smart
wolf | never reached | was never reached by | cabin | too | exhausted distant weak
mouse | did not enter | was not entered by | hole | too | fat narrow afraid
elephant | did not cross | was not crossed by | bridge | too | scared fragile angry
cow | did not drink | was not drunk by | water | too | calm dirty sick
arrow | did not pierce | was not pierced by | shield | too | blunt thick slow
puppy | ignored | was ignored by | toy | too | sleepy boring excited
goat | did not climb | was not climbed by | cliff | too | lazy steep old
cat | did not climb | was not climbed by | roof | too | shy slippery sick
saw | did not cut | was not cut by | log | too | rusty tough dull
rabbit | did not eat | was not eaten by | carrot | | asleep rotten afraid
rat | did not eat | was not eaten by | cheese | too | ill bitter scared
pig | did not eat | was not eaten by | apple | too | satisfied sour sleepy
tiger | did not eat | was not eaten by | meat | too | restless spoiled nervous
plane | did not reach | was not reached by | island | too | damaged remote slow
camel | did not cross | was not crossed by | desert | too | thirsty vast exhausted
duck | did not cross | was not crossed by | road | too | shy busy frightened
monkey | did not climb | was not climbed by | tree | too | drunk smooth tired
bank | did not fund | was not funded by | project | too | cautious risky poor
storm | destroyed | was destroyed by | barn | very | violent rotten fierce
lamp | did not light | was not lit by | room | too | dim large faint
bear | did not enter | was not entered by | cave | too | frightened cramped shy
ant | did not carry | was not carried by | leaf | too | tiny broad weak
donkey | did not pull | was not pulled by | cart | too | stubborn loaded old
sponge | did not absorb | was not absorbed by | oil | too | wet sticky old
pen | did not mark | was not marked by | paper | too | old greasy dry
hammer | broke | was broken by | vase | very | heavy delicate hard
spider | caught | was caught by | fly | very | patient careless clever
river | did not flood | was not flooded by | village | too | shallow elevated calm
"""
"""First noun | active | passive | second noun | too, very or nothing | an adjective of
the first noun, one of the second, another one of the first."""

_OF_ONE_SORT = """
truck | did not use | was not used by | tunnel | too | tall low high
cake | did not fit into | did not hold | box | too | large small big
painting | did not fit into | did not hold | van | too | big little large
guitar | did not fit into | did not hold | bag | too | long short large
statue | did not fit into | did not hold | crate | too | tall tiny big
sofa | did not fit into | did not hold | room | too | wide narrow broad
jar | did not fit into | did not hold | basket | too | fat slim wide
book | did not fit into | did not hold | pocket | too | thick tight large
army | did not defeat | was not defeated by | enemy | too | weak strong small
company | did not buy | was not bought by | factory | too | poor expensive small
museum | did not rent | was not rented by | castle | too | poor costly small
hawk | did not catch | was not caught by | pigeon | too | slow fast old
lion | did not catch | was not caught by | zebra | too | old quick slow
shark | did not catch | was not caught by | seal | too | tired clever weak
ship | did not enter | was not entered by | harbor | too | long shallow large
tank | did not cross | was not crossed by | swamp | too | heavy deep large
magnet | did not lift | was not lifted by | car | too | weak heavy small
tractor | did not pull | was not pulled by | trailer | too | old heavy weak
pump | did not empty | was not emptied by | pool | too | weak deep small
fire | did not warm | was not warmed by | hall | too | weak huge small
net | did not hold | was not held by | whale | too | thin powerful weak
crowd | did not fill | was not filled by | stadium | too | small big thin
stone | cracked | was cracked by | glass | very | hard thin heavy
wind | did not move | was not moved by | tower | too | gentle massive weak
"""
"""The same, with nouns that could exchange their adjectives: an army, an enemy."""


@dataclass(frozen=True)
class Item:
    """One frame and its adjectives.

    Attributes:
        nouns: the two nouns, in the order of the active sentence.
        active, passive: what stands between them.
        degree: "too", "very" or "".
        adjectives: with the first one "it" means the first noun, with the second one
            the second.
        same: another adjective with which "it" means the first noun.
        alike: whether the two nouns are of one sort.
    """

    nouns: tuple[str, str]
    active: str
    passive: str
    degree: str
    adjectives: tuple[str, str]
    same: str
    alike: bool

    def sentence(self, adjective: str, passive: bool = False) -> str:
        """The sentence with this adjective; in the passive the nouns change places.

        >>> items()[0].sentence("wide", passive=True)
        'The street was not crossed by the animal because it was too wide.'
        """
        first, second = reversed(self.nouns) if passive else self.nouns
        verb = self.passive if passive else self.active
        end = f"{self.degree} {adjective}".strip()
        return f"The {first} {verb} the {second} because it was {end}."

    def pair(self, passive: bool = False) -> list[str]:
        """The two sentences that differ in the adjective only."""
        return [self.sentence(adjective, passive) for adjective in self.adjectives]


def items() -> list[Item]:
    """64 items; the first is the article's. 40 actors with things, 24 of one sort."""
    return [
        _item(line, alike)
        for alike, text in ((False, _ACTOR_AND_THING), (True, _OF_ONE_SORT))
        for line in text.strip().splitlines()
    ]


def _item(line: str, alike: bool) -> Item:
    first, active, passive, second, degree, last = (p.strip() for p in line.split("|"))
    a, b, same = last.split()
    return Item((first, second), active, passive, degree, (a, b), same, alike)


def strangers(by: int) -> list[list[str]]:
    """Each item's sentences with the two adjectives of another item of its kind.

    Nobody is meant in particular: "The boat struck the rock because it was dull."

    Args:
        by: how many items further the adjectives are taken from, from 1 to 23.
    """
    found = []
    for alike in (False, True):
        kind = [item for item in items() if item.alike == alike]
        for item, other in zip(kind, kind[by:] + kind[:by], strict=True):
            found.append([item.sentence(adjective) for adjective in other.adjectives])
    return found
