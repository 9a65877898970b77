"""Answers to two exercises of an earlier lesson 14."""

from __future__ import annotations

import math

import torch

from helpers.models.induction_by_hand import hour_back

from . import Answer, Bank

layers = Bank("layers_needed")

matrices = Bank("previous_token_matrix")


def says(bank: Bank, value, *mistakes: str) -> None:
    """A value as an answer, with a name for the test."""

    def answer(*args):
        return value

    answer.__name__ = f"says {str(value)[:40]!r}"
    bank.answers.append(Answer(bank.exercise, answer, mistakes))


says(layers, "A", "induction-in-one-look")

says(layers, "b", "induction-by-size")

says(layers, "D.", "induction-not-learnable")

says(layers, 2, "no-such-choice")

says(layers, "two", "no-such-choice")

says(layers, "C")

says(layers, " c) ")


def turn(hours: float, size: float = 200.0) -> torch.Tensor:
    """Turns a row by so many hours ahead."""
    angle = 2 * math.pi * hours / 24
    c, s = math.cos(angle), math.sin(angle)
    return size * torch.tensor([[c, s], [-s, c]])


says(matrices, hour_back())

says(matrices, turn(-1, 90))

says(matrices, turn(-1, 1e5))

says(matrices, turn(-1).tolist())

says(matrices, turn(-1).numpy())

says(matrices, turn(-1).double().requires_grad_())

says(matrices, turn(-1) @ torch.diag(torch.tensor([1.05, 1.0])))

says(matrices, turn(-1.1, 400))

says(matrices, turn(-1).round().long())

says(matrices, turn(-1, 1), "previous-spread")

says(matrices, turn(-1, 50), "previous-spread")

says(matrices, turn(1), "previous-is-next")

says(matrices, turn(-1).T, "previous-is-next")

says(matrices, turn(1, 1), "previous-is-next")

says(matrices, 200 * torch.eye(2), "previous-is-itself")

says(matrices, torch.eye(2), "previous-is-itself")

says(matrices, turn(-1 / (2 * math.pi)), "previous-is-itself")

says(matrices, turn(-2), "previous-two-back")

says(matrices, turn(-2, 3), "previous-two-back")

says(matrices, -turn(-1), "previous-negated")

says(matrices, -turn(1), "previous-opposite")

says(matrices, -200 * torch.eye(2), "previous-opposite")

says(matrices, turn(-5), "previous-wrong-hour")

says(matrices, turn(3, 20), "previous-wrong-hour")

says(matrices, turn(-math.degrees(1)), "previous-degrees")

says(matrices, turn(-15 * 24 / (2 * math.pi)), "previous-degrees")

says(matrices, turn(15 * 24 / (2 * math.pi), 1), "previous-degrees")

says(matrices, turn(-0.5), "previous-half-an-hour")

says(matrices, turn(-1.5), "previous-half-an-hour")

says(matrices, torch.zeros(2, 2), "previous-flat")

says(matrices, 200 * torch.diag(torch.tensor([1.0, -1.0])), "previous-mirrored")

says(matrices, turn(-1) * torch.tensor([[1.0, 1.0], [-1.0, -1.0]]), "previous-mirrored")

says(
    matrices,
    200 * torch.tensor([[1.0, 0.0], [0.0, 0.0]]),
    "previous-on-a-line",
)

says(matrices, torch.full((2, 2), -90.0), "previous-on-a-line")

says(matrices, turn(-1, 1) @ torch.diag(torch.tensor([90.0, 2.0])), "previous-uneven")

says(
    matrices,
    torch.roll(torch.eye(20), 1, 0) * 20,
    "previous-is-a-map",
)

says(matrices, torch.ones(2), "previous-misshapen")

says(matrices, torch.ones(2, 20), "previous-misshapen")

says(matrices, 15.0, "previous-misshapen")

says(matrices, "turn", "previous-no-matrix")

says(matrices, turn(-1) * math.nan, "matrix-not-finite")

says(matrices, turn(-1) / 0, "matrix-not-finite")

says(layers, ["C"])

says(layers, "**C**")

says(matrices, tuple(turn(-1)))

matrices.answers.append(Answer("previous_token_matrix", lambda: turn(-1)))
