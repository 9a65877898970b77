"""Real English, character by character: Alice's Adventures in Wonderland.

`alice29.txt` beside this file is the book by Lewis Carroll (1865), in the public
domain, from the Canterbury corpus (Arnold & Bell, 1997): the Millennium Fulcrum
Edition 2.9.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

FILE = Path(__file__).with_name("alice29.txt")
ALPHABET = "\n !\"'(),-.:;?`abcdefghijklmnopqrstuvwxyz"
"""All characters of the text as it is read here: lower case, no other marks."""
_ID = {character: i for i, character in enumerate(ALPHABET)}


class Book(NamedTuple):
    """The text in three parts: chapters 1 to 10, chapter 11, chapter 12."""

    train: str
    tune: str
    test: str


@functools.cache
def read_alice() -> Book:
    """The book in lower case; a line break stands between paragraphs only.

    >>> [len(part) for part in read_alice()]
    [120307, 10279, 11491]
    """
    text = FILE.read_text(encoding="latin-1").split("THE END")[0].lower()
    chapters = []
    for chapter in re.split(r"\n +chapter [ivx]+\n", text)[1:]:
        paragraphs = re.split(r"\n\s*\n", chapter)
        lines = [re.sub(r"\s+", " ", p).strip() for p in paragraphs]
        lines = [line for line in lines if re.search("[a-z]", line)]
        joined = "\n".join(lines) + "\n"
        chapters.append("".join(c for c in joined if c in _ID))
    return Book("".join(chapters[:10]), chapters[10], chapters[11])


def encode(text: str) -> Tensor:
    """Character ids of a text, (len(text),).

    Raises:
        ValueError: if a character is not in ALPHABET.
    """
    unknown = sorted(set(text) - set(ALPHABET))
    if unknown:
        raise ValueError(f"not in the alphabet of the book: {unknown}")
    return torch.tensor([_ID[c] for c in text], dtype=torch.long)


def decode(ids: Tensor | Sequence[int]) -> str:
    """The text of character ids; the inverse of `encode`."""
    return "".join(ALPHABET[int(i)] for i in ids)


def words_of(text: str, shortest: int = 3) -> list[str]:
    """The words of at least `shortest` letters, in order.

    >>> words_of("`come on, then,' said the queen")
    ['come', 'then', 'said', 'the', 'queen']
    """
    return [w for w in re.findall("[a-z]+", text) if len(w) >= shortest]


def kinds_of_character(text: str) -> np.ndarray:
    """0 for the first letter of a word, 1 for its other letters, 2 for all else; (N,).

    >>> kinds_of_character("oh my!").tolist()
    [0, 1, 2, 0, 1, 2]
    """
    letter = np.array([c.isalpha() for c in text])
    after = np.concatenate([[False], letter[:-1]])
    return np.where(letter, after.astype(int), 2)
