"""Pairs of sentences that differ in one word, which decides what the pronoun means.

"The king thanked the queen because he/she was grateful": the pronoun itself decides.
"The animal didn't cross the street because it was too tired/wide": a word after it
decides, and the reader has to know what can be tired.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from helpers.tasks.sentences import words

PRONOUNS = ("it", "he", "she", "they")

_AGREEMENT = """
The king* thanked the queen* because he/she was grateful.
The actress* called the actor* after she/he lost the key.
The boy* met the girl* when he/she came home.
My aunt* visited my uncle* before she/he left.
The waiter* helped the woman* while he/she was talking.
The bride* kissed the groom* and then she/he smiled.
The father* told the daughter* that he/she was right.
The mother* watched the son* until she/he fell asleep.
The man* wrote to the lady* because he/she was lonely.
The princess* saw the prince* as she/he entered the hall.
My brother* argued with my sister* because he/she was angry.
The grandmother* followed the grandfather* since she/he knew the way.
John* waited for Mary* because he/she was late.
Anna* lent Peter* money before she/he moved away.
David* told Susan* that he/she had won.
Julia* asked Robert* whether she/he could drive.
The husband* left the wife* because he/she wanted peace.
The queen* warned the knight* that she/he was in danger.
The dog* chased the birds* until it/they got tired.
The teachers* moved the table* because they/it needed space.
The storm* scared the sailors* because it/they came suddenly.
The horses* pulled the cart* until they/it stopped.
The letter* reached the parents* before it/they left town.
The thieves* hid the car* where they/it could not be seen.
The machine* replaced the workers* because it/they cost less.
The children* fed the rabbit* when they/it were home.
The ship* carried the soldiers* until it/they reached land.
The judges* praised the song* although they/it had doubts.
"""
"""Two starred nouns and a/b: with a the pronoun means the first, with b the
second."""

_ADJECTIVES = """
The animal* didn't cross the street* because it was too tired/wide.
The ball* broke the window* because it was very heavy/thin.
The truck* could not pass under the bridge* because it was too tall/low.
The book* did not fit on the shelf* because it was too big/crowded.
The boat* struck the rock* because it was drifting/hidden.
The dog* did not eat the food* because it was too sick/stale.
The knife* would not cut the bread* because it was too blunt/hard.
The horse* could not jump the fence* because it was too tired/high.
The nail* did not go into the wall* because it was too bent/hard.
The bird* could not lift the branch* because it was too weak/heavy.
The robot* could not climb the hill* because it was too clumsy/steep.
The rope* could not hold the anchor* because it was too thin/heavy.
The coat* did not fit in the drawer* because it was too bulky/full.
The bee* flew to the flower* because it was hungry/fragrant.
The fox* did not eat the chicken* because it was not hungry/fresh.
The hammer* broke the vase* because it was so heavy/fragile.
The frog* jumped off the stove* because it was scared/hot.
The fish* did not take the bait* because it was too cautious/dry.
The wolf* never reached the cabin* because it was too exhausted/distant.
The mouse* did not enter the hole* because it was too fat/narrow.
The spoon* melted in the tea* because it was plastic/boiling.
The elephant* could not cross the bridge* because it was too heavy/weak.
The cow* would not drink the water* because it was not thirsty/clean.
The arrow* did not pierce the shield* because it was too blunt/thick.
The puppy* ignored the toy* because it was so sleepy/boring.
The monkey* climbed the tower* because it was curious/tall.
The teacher* scolded the pupil* because he was strict/lazy.
The guard* arrested the thief* because he was vigilant/guilty.
The boss* fired the clerk* because he was furious/incompetent.
The doctor* visited the patient* because he was kind/ill.
The king* pardoned the prisoner* because he was merciful/innocent.
The mother* comforted the girl* because she was caring/crying.
"""

_TEMPLATES = """
The {} did not fit into the {} because it was too large/small.
    cake box, painting van, chair car, guitar bag, statue crate, sofa room,
    camera pocket, jar basket
The {} could not climb the {} because it was too tired/steep.
    goat cliff, donkey mountain, bear slope, cat roof, deer ridge, pony path
The {} would not cut the {} because it was too dull/tough.
    saw wood, blade leather, axe log, razor rope, sword armor
She poured water from the {} into the {} until it was empty/full.
    bottle cup, jug glass, bucket bowl, pitcher tank, kettle pot
The {} did not eat the {} because it was asleep/rotten.
    rabbit carrot, rat cheese, pig apple, parrot nut, tiger meat
The {} crashed into the {} because it was speeding/invisible.
    bus wall, taxi pole, plane tower
"""
"""A frame, then pairs of nouns for it."""

_REVERSED = """
The street* was not crossed by the animal* because it was too wide/tired.
The window* was broken by the hammer* because it was so fragile/heavy.
The shelf* had no room for the book* because it was too crowded/thick.
The food* was not eaten by the dog* because it was too stale/sick.
The bread* was not cut by the knife* because it was too hard/blunt.
The fence* was not jumped by the horse* because it was too high/tired.
The branch* was not lifted by the bird* because it was too heavy/weak.
The hill* was never climbed by the robot* because it was too steep/clumsy.
The bait* was not taken by the fish* because it was too dry/cautious.
The cabin* was never reached by the wolf* because it was too distant/exhausted.
The tea* melted the spoon* because it was boiling/plastic.
The bridge* was not crossed by the elephant* because it was too weak/heavy.
The water* was refused by the cow* because it was not clean/thirsty.
The toy* was ignored by the puppy* because it was so boring/sleepy.
The tower* was climbed by the monkey* because it was tall/curious.
The cliff* was not climbed by the goat* because it was too steep/tired.
The carrot* was not eaten by the rabbit* because it was rotten/asleep.
The box* did not hold the cake* because it was too small/large.
The pupil* was scolded by the teacher* because he was lazy/strict.
The girl* was comforted by the mother* because she was crying/caring.
"""
"""The passive: whoever acts is named second."""


@dataclass(frozen=True)
class Pair:
    """Two sentences, equal except for one word.

    Attributes:
        sentences: in the first the pronoun means the first noun, in the second the
            second.
        nouns: numbers of the two nouns' words, the same in both sentences.
        pronoun: number of the pronoun's word, the same in both.
        number: pairs made from one frame share it.
    """

    sentences: tuple[str, str]
    nouns: tuple[int, int]
    pronoun: int
    number: int


def agreement_pairs() -> list[Pair]:
    """28 pairs: the pronoun agrees with one noun in gender, or in number."""
    return [_pair(line, i) for i, line in enumerate(_AGREEMENT.strip().splitlines())]


def adjective_pairs() -> list[Pair]:
    """64 pairs; the first is the article's. 32 single ones, then 32 from 6 frames."""
    lines = _ADJECTIVES.strip().splitlines()
    pairs = [_pair(line, i) for i, line in enumerate(lines)]
    frames = re.findall(r"^(\S.*)\n((?: .*\n)+)", _TEMPLATES, re.MULTILINE)
    for i, (frame, fillings) in enumerate(frames):
        for nouns in " ".join(fillings.split()).split(", "):
            starred = (f"{noun}*" for noun in nouns.split())
            pairs.append(_pair(frame.format(*starred), len(lines) + i))
    return pairs


def reversed_pairs() -> list[Pair]:
    """20 pairs whose nouns come in the opposite order: the acted-on first."""
    return [_pair(line, i) for i, line in enumerate(_REVERSED.strip().splitlines())]


def _pair(line: str, number: int) -> Pair:
    a, b = re.search(r"(\w+)/(\w+)", line).groups()
    starred = [line.replace(f"{a}/{b}", word) for word in (a, b)]
    first, second = (words(s.replace("*", "")) for s in starred)
    slots = re.findall(r"\w+\*?|[^\w\s]", starred[0])
    nouns = tuple(i for i, word in enumerate(slots) if word.endswith("*"))
    if a in PRONOUNS:
        pronoun = next(i for i in range(len(first)) if first[i] != second[i])
    else:
        pronoun = max(i for i, word in enumerate(first) if word in PRONOUNS)
    plain = tuple(s.replace("*", "") for s in starred)
    return Pair(plain, nouns, pronoun, number)
