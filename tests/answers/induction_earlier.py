"""Answers to two exercises of an earlier lesson 14."""

from __future__ import annotations

import math

import torch

from . import Answer, Bank

layers = Bank("layers_needed")

matrices = Bank("previous_token_matrix")


def says(bank: Bank, value, *mistakes: str) -> None:
    """A value as an answer, with a name for the test."""

    def answer(*args):
        return value

    answer.__name__ = f"says {str(value)[:40]!r}"
    bank.answers.append(Answer(bank.exercise, answer, mistakes))


def turn(hours: float, size: float = 200.0) -> torch.Tensor:
    """Turns a row by so many hours ahead."""
    angle = 2 * math.pi * hours / 24
    c, s = math.cos(angle), math.sin(angle)
    return size * torch.tensor([[c, s], [-s, c]])
