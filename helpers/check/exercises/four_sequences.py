"""four_sequences: four sequences on which one layer of one head can't always be right.

With a score s(x, j) and a value v(x, j) of one letter at one position, the last row
takes in Σ exp(s) v / Z, Z = Σ exp(s). For two letters u and w, Z times the difference
of their logits is a sum of terms of one letter at one position each. Two sequences with
answer u and two with answer w that hold the same letters at the same positions, taken
together, have equal sums; u needs a positive one and w a negative one.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from helpers.tasks.induction import LETTERS

from ..behaviours import Trial
from ..judged import judged, plain
from ..space import Finding

COUNT = 4


def does_the_job(trial: Trial) -> Finding | None:
    """Is each of the four a puzzle, and do the two pairs hold the same letters?"""
    found = _sequences(trial.result)
    if found is None:
        return Finding("four-not-four", {"got": _kind(trial.result)})
    for text in found:
        if finding := _no_puzzle(text):
            return finding
    if len({len(text) for text in found}) > 1:
        lengths = ", ".join(str(len(text)) for text in found)
        return Finding("four-lengths-differ", {"lengths": lengths})
    if len({text[-1] for text in found}) > 1:
        last = ", ".join(f"'{text[-1]}'" for text in found)
        return Finding("four-questions-differ", {"last": last})
    if len(set(found)) < COUNT:
        text, count = Counter(found).most_common(1)[0]
        return Finding("four-repeated", {"sequence": f"'{text}'", "times": count})
    return _verdict(found)


def answer(text: str) -> str:
    """The letter after the twin."""
    return text[text.index(text[-1]) + 1]


def _no_puzzle(text: str) -> Finding | None:
    odd = next((letter for letter in text if letter not in LETTERS), None)
    if not text or odd is not None:
        got = repr(odd) if text else "nothing"
        return Finding("four-no-letters", {"got": got})
    facts = {"sequence": f"'{text}'", "last": f"'{text[-1]}'"}
    twins = text[:-1].count(text[-1])
    if twins == 0:
        return Finding("four-no-twin", facts)
    if twins > 1:
        return Finding("four-two-twins", facts | {"twins": twins})
    if text[-2] == text[-1]:
        return Finding("four-twin-is-next", facts)
    return None


def _verdict(found: list[str]) -> Finding | None:
    answers = [answer(text) for text in found]
    facts: dict[str, Any] = {"answers": ", ".join(f"'{a}'" for a in answers)}
    evidence = {f"answer of {text}": a for text, a in zip(found, answers, strict=True)}
    kinds = sorted(set(answers))
    if len(kinds) == 1:
        return Finding("four-one-answer", facts, evidence)
    if len(kinds) > 2 or answers.count(kinds[0]) != 2:
        return Finding("four-uneven", facts, evidence)
    u, w = kinds
    facts |= {"u": f"'{u}'", "w": f"'{w}'"}
    says_u, says_w = (
        [text for text, a in zip(found, answers, strict=True) if a == kind]
        for kind in kinds
    )
    places = {text.index(text[-1]) + 1 for text in found}
    if len(places) == 1:
        return Finding("four-one-place", facts | {"place": places.pop()}, evidence)
    for mine, others, kind in ((says_u, says_w, u), (says_w, says_u, w)):
        for place, letter in enumerate(mine[0]):
            alike = mine[1][place] == letter
            if alike and all(text[place] != letter for text in others):
                more = {"letter": f"'{letter}'", "place": place, "kind": f"'{kind}'"}
                return Finding("four-one-cell-tells", facts | more, evidence)
    for place in range(len(found[0])):
        in_u, in_w = (Counter(t[place] for t in pair) for pair in (says_u, says_w))
        if in_u != in_w:
            here = {
                "place": place,
                "in_u": "".join(sorted(in_u.elements())),
                "in_w": "".join(sorted(in_w.elements())),
            }
            return Finding("four-letters-differ", facts | here, evidence)
    return None


def _sequences(value: Any) -> list[str] | None:
    value = plain(value)
    if not isinstance(value, list | tuple | set) or len(value) != COUNT:
        return None
    parts = [plain(part) for part in value]
    joined = [
        "".join(part)
        if isinstance(part, list | tuple) and all(isinstance(x, str) for x in part)
        else part
        for part in parts
    ]
    if not all(isinstance(part, str) for part in joined):
        return None
    return ["".join(part.split()) for part in joined]


def _kind(value: Any) -> str:
    value = plain(value)
    if isinstance(value, list | tuple | set):
        return f"a {type(value).__name__} of {len(value)} values"
    return f"a value of type {type(value).__name__}"


EXERCISES = [
    judged(
        "four_sequences",
        "four sequences for one layer of one head",
        does_the_job,
        praise=(
            "The two sequences with one answer hold, taken together, the same letters "
            "at the same positions as the two with the other answer. What one layer of "
            "one head adds up from single letters and positions can't speak for one "
            "answer in the first two and for the other in the rest."
        ),
    )
]
