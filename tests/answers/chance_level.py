"""Answers to chance_level, which earlier editions of the lessons asked for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import torch

from . import Answer, Bank

chance = Bank("chance_level")


def says(value, *mistakes: str) -> None:
    """A prediction as an answer."""

    def answer(*args):
        return value

    answer.__name__ = f"says {value!r}"
    chance.answers.append(Answer("chance_level", answer, mistakes))


says(0, "chance-zero")
says(1, "chance-one")
says(0.5, "chance-half")
says(12.5, "chance-in-percent")
says(8, "chance-upside-down")
says(1 / 9, "chance-counts-no-value")
says(1 / 64, "chance-of-key-and-value")
says(1 / 16, "chance-of-all-ids")
says(7 / 8, "chance-of-missing")
says(1 / 34, "chance-of-the-place")
says(1 / 7, "chance-last-number-counted")
says(0.3, "chance-other")
says("an eighth", "chance-no-number")
says([0.125, 0.125], "chance-no-number")
says(0.125)
says(1 / 8)
says(Fraction(1, 8))
says(torch.tensor(0.125))
says(Decimal("0.125"))
says(np.array([0.125]))
says("0.125", "chance-no-number")
says(0.126, "chance-only-nearly")
says(0.13, "chance-only-nearly")
says(1 / 10, "chance-of-the-place")
