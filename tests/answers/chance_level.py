"""Answers to chance_level, which earlier editions of the lessons asked for."""

from __future__ import annotations

from . import Answer, Bank

chance = Bank("chance_level")


def says(value, *mistakes: str) -> None:
    """A prediction as an answer."""

    def answer(*args):
        return value

    answer.__name__ = f"says {value!r}"
    chance.answers.append(Answer("chance_level", answer, mistakes))
