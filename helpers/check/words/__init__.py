"""The words for every mistake: a short name, what it does, a question. A file a family.

Plain English, short sentences, no blame, never the solution's code. {names} are filled
with numbers seen (an exercise's `facts`, a Departure's, a Finding's).
"""

from __future__ import annotations

import importlib
import pkgutil

from .entry import Words

__all__ = ["WORDS", "Words"]


def _load() -> dict[str, Words]:
    """The words of all files of this folder; no id may stand in two of them."""
    words: dict[str, Words] = {}
    for _, module, _ in pkgutil.iter_modules(__path__):
        more = getattr(importlib.import_module(f"{__name__}.{module}"), "WORDS", {})
        twice = words.keys() & more.keys()
        if twice:
            raise ValueError(f"{module}: these ids have words already: {sorted(twice)}")
        words |= more
    return words


WORDS = _load()
"""Mistake id -> its words."""
