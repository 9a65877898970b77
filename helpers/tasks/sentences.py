"""English sentences with marked words: who belongs to whom is known beforehand.

Each relation leads from one word of a sentence to another. A head that does the job
has its largest weight there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SENTENCES = """
The old farmer* quietly fed the two hungry brown horses*.
    farmer>fed old>farmer hungry>horses brown>horses
A young girl* found a small silver coin* under the wooden bench*.
    girl>found young>girl small>coin silver>coin wooden>bench
My neighbor* sold his ancient red car* to a friendly mechanic*.
    neighbor>sold ancient>car red>car friendly>mechanic
The tired nurse* finally closed the heavy door* of the ward*.
    nurse>closed tired>nurse heavy>door
Every student* in the crowded class* read the difficult poem*.
    student>read crowded>class difficult>poem
The baker* with the white hat* burned a whole tray* of fresh bread*.
    baker>burned white>hat whole>tray fresh>bread
An angry customer* returned the broken radio* to the shop*.
    customer>returned angry>customer broken>radio
The tall gardener* planted seven yellow roses* near the gate*.
    gardener>planted tall>gardener yellow>roses
The little boy* on the beach* built a huge and beautiful castle*.
    boy>built little>boy huge>castle beautiful>castle
Her older brother* rarely visits the quiet village* in the mountains*.
    brother>visits older>brother quiet>village
The famous painter* from Spain* has painted an enormous blue whale*.
    painter>painted famous>painter enormous>whale blue>whale
Our clever dog* opened the small kitchen window* with a paw*.
    dog>opened clever>dog small>window
The new manager* ignored the long and boring report* about the budget*.
    manager>ignored new>manager long>report boring>report
A strong wind* destroyed the fragile roof* of the old barn*.
    wind>destroyed strong>wind fragile>roof old>barn
The soldiers* near the river* slowly crossed the narrow stone bridge*.
    soldiers>crossed narrow>bridge
The singer* wrote a short, sad song* about her lonely childhood*.
    singer>wrote short>song sad>song lonely>childhood
This lazy cat* never catches the fat grey mouse* in the cellar*.
    cat>catches lazy>cat fat>mouse grey>mouse
The pilot* carefully landed the damaged plane* on a muddy field*.
    pilot>landed damaged>plane muddy>field
The curious child* asked the kind librarian* about a rare book*.
    child>asked curious>child kind>librarian rare>book
A rich merchant* from the north* bought the entire golden harvest*.
    merchant>bought rich>merchant entire>harvest golden>harvest
The mayor* of the tiny town* opened a modern public library* yesterday.
    mayor>opened tiny>town modern>library public>library
My grandmother* still remembers the terrible winter* of the war*.
    grandmother>remembers terrible>winter
The hungry wolves* quickly surrounded a weak and injured deer*.
    wolves>surrounded hungry>wolves weak>deer injured>deer
The engineer* will soon repair the noisy green engine* of the boat*.
    engineer>repair noisy>engine green>engine
A brave firefighter* carried the frightened old woman* out of the house*.
    firefighter>carried brave>firefighter frightened>woman old>woman
The chef* at the new hotel* prepared an excellent spicy soup*.
    chef>prepared new>hotel excellent>soup spicy>soup
The two sisters* secretly sent a long letter* to their rich uncle*.
    sisters>sent long>letter rich>uncle
The judge* did not believe the strange story* of the nervous witness*.
    judge>believe strange>story nervous>witness
His talented daughter* won the final and most important match*.
    daughter>won talented>daughter final>match important>match
The scientists* in the laboratory* discovered a simple but powerful method*.
    scientists>discovered simple>method powerful>method
The thief* hid the stolen golden necklace* behind the dusty mirror*.
    thief>hid stolen>necklace golden>necklace dusty>mirror
A cheerful postman* delivers the heavy morning newspaper* every day.
    postman>delivers cheerful>postman heavy>newspaper
The fisherman* pulled a giant silver fish* from the icy lake*.
    fisherman>pulled giant>fish silver>fish icy>lake
The proud queen* gave the loyal knight* a precious sword*.
    queen>gave proud>queen loyal>knight precious>sword
The careless driver* almost hit the small white fence* of the park*.
    driver>hit careless>driver small>fence white>fence
Many tourists* photograph the beautiful ancient temple* on the hill*.
    tourists>photograph beautiful>temple ancient>temple
The company* recently hired a very experienced lawyer* from London.
    company>hired experienced>lawyer
The shy actor* forgot the last line* of the famous play*.
    actor>forgot shy>actor last>line famous>play
The doctor* gently examined the swollen left knee* of the runner*.
    doctor>examined swollen>knee left>knee
The noisy children* broke an expensive glass lamp* in the hall*.
    children>broke noisy>children expensive>lamp
"""
"""A sentence with its nouns starred; below it, source>target: the subject and its verb
first, then the adjectives and their nouns."""

_REPEATS = """
The blue car* passed the red car* on the road.
A good book* is better than a bad book*.
She likes tea* in the morning and tea* at night.
The dog* barked because another dog* came near.
One day* in the city is like every day* in the village.
The river* meets a smaller river* near the sea.
My house* is smaller than the house* across the street.
He sold his old boat* and built a new boat* himself.
Music* was her job, but music* was also her joy.
The teacher asked a question* and answered the question* alone.
Paris* in spring is not the Paris* of winter.
The first train* was late and the second train* was full.
Rain* fell on the hills and rain* fell on the town.
Winter* came early and winter* stayed long.
A friend* in need is a friend* in truth.
They crossed one bridge* and then a second bridge*.
The cook salted the soup*, tasted it, and threw the soup* away.
Each tree* hides behind another tree* in the forest.
Her voice* was softer than the voice* of her mother.
The king* feared only the king* of the north.
"""
"""Sentences that say one word twice."""

DETERMINERS = {"the", "a", "an", "my", "her", "his", "our", "this", "every", "their"}


@dataclass(frozen=True)
class Link:
    """One marked pair of words.

    Attributes:
        sentence: the whole sentence.
        number: of the sentence, from 0; links of one sentence share it.
        source: number of the word that looks.
        target: number of the word that it should look at.
    """

    sentence: str
    number: int
    source: int
    target: int


def words(sentence: str) -> list[str]:
    """Lower-case words and punctuation marks, one by one."""
    return re.findall(r"\w+|[^\w\s]", sentence.lower())


def sentences() -> list[str]:
    """The 40 marked sentences."""
    lines = _SENTENCES.strip().splitlines()[::2]
    return [line.replace("*", "") for line in lines]


def links() -> dict[str, list[Link]]:
    """Relation → its links.

    "same word" leads both ways. "bystander → verb" leads from a noun between subject
    and verb that is not the subject: "The baker with the white *hat* burned …".
    """
    found: dict[str, list[Link]] = {
        "same word": [],
        "adjective → noun": [],
        "determiner → noun": [],
        "subject → verb": [],
        "bystander → verb": [],
    }
    for number, line in enumerate(_REPEATS.strip().splitlines()):
        sentence, (first, second) = _unstarred(line)
        for source, target in ((second, first), (first, second)):
            found["same word"].append(Link(sentence, number, source, target))
    lines = _SENTENCES.strip().splitlines()
    for number, (line, marks) in enumerate(zip(lines[::2], lines[1::2])):
        for relation, source, target in _marked(line, marks):
            sentence, _ = _unstarred(line)
            found[relation].append(Link(sentence, number, source, target))
    return found


def _unstarred(line: str) -> tuple[str, list[int]]:
    """The sentence, and the numbers of its starred words."""
    starred = [word for word in re.findall(r"\w+\*?|[^\w\s]", line)]
    where = [i for i, word in enumerate(starred) if word.endswith("*")]
    return line.replace("*", ""), where


def _marked(line: str, marks: str) -> list[tuple[str, int, int]]:
    """(relation, source, target) of one sentence."""
    sentence, nouns = _unstarred(line)
    text = words(sentence)
    (subject, verb), *adjectives = (mark.split(">") for mark in marks.split())
    subject, verb = text.index(subject), text.index(verb)
    found = [("subject → verb", subject, verb)]
    for noun in nouns:
        if subject < noun < verb:
            found.append(("bystander → verb", noun, verb))
    for adjective, noun in adjectives:
        source = text.index(adjective)
        found.append(("adjective → noun", source, text.index(noun, source)))
    for source, word in enumerate(text):
        later = [noun for noun in nouns if noun > source]
        if word in DETERMINERS and later:
            found.append(("determiner → noun", source, later[0]))
    return found
