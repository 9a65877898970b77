"""The words for every mistake: a short name, what the answer does, a question.

They stand in Markdown: those of one exercise beside it in exercises/, those that
several need here. An entry is a heading with the id, the short name in bold, what the
answer does, and the question as a quotation:

    ## no-scale
    **no division by √d_k**

    The scores are not scaled: the division by √d_k is missing.

    > How large is a typical q·k for d_k = 64, and what does softmax make of that?

Plain English, short sentences, no blame, never the solution's code. {names} are filled
with numbers seen: an exercise's facts, or those of a Departure or a Finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Words(NamedTuple):
    """`short` stands inside a sentence; `says` ends in a full stop, `asks` asks."""

    short: str
    says: str
    asks: str


def parsed(text: str) -> dict[str, Words]:
    """The entries of one Markdown file, by id.

    Raises ValueError for an entry that lacks one of its three parts, or has more.
    """
    found: dict[str, Words] = {}
    _, *entries = re.split(r"^## ", text, flags=re.M)
    for entry in entries:
        mistake, _, body = entry.partition("\n")
        if not re.fullmatch(r"\w+(-\w+)*", mistake):
            raise ValueError(f"## {mistake}: an id is words joined by hyphens")
        if mistake in found:
            raise ValueError(f"## {mistake}: it has words already")
        found[mistake] = _entry(mistake, body)
    return found


def _entry(mistake: str, body: str) -> Words:
    blocks = re.split(r"\n\s*\n", body.strip())
    if len(blocks) != 3:
        raise ValueError(f"## {mistake}: it has {len(blocks)} parts, not three")
    short, says, asks = (" ".join(block.split()) for block in blocks)
    if not re.fullmatch(r"\*\*.+\*\*", short):
        raise ValueError(f"## {mistake}: the first part is not **a short name**")
    if not all(line.startswith("> ") for line in blocks[2].splitlines()):
        raise ValueError(f"## {mistake}: the last part is not > a question")
    return Words(short.strip("*"), says, asks[2:].replace(" > ", " "))


def facts_named(text: str) -> set[str]:
    """The {names} in a sentence.

    >>> sorted(facts_named("a row sums to {row_sum}, not to {due}."))
    ['due', 'row_sum']
    """
    return set(re.findall(r"\{(\w+)\}", text))


def collected(files: Iterable[Path]) -> dict[str, Words]:
    """The words of all files; ValueError if an id stands in two of them."""
    words: dict[str, Words] = {}
    for file in sorted(files):
        more = parsed(file.read_text(encoding="utf-8"))
        if twice := words.keys() & more.keys():
            raise ValueError(f"{file}: these ids have words already: {sorted(twice)}")
        words |= more
    return words


WORDS = collected([*FOLDER.glob("*.md"), *FOLDER.parent.glob("exercises/*.md")])
"""Mistake id -> its words."""
