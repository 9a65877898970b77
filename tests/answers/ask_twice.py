"""Answers to ask_twice."""

from __future__ import annotations

import numpy as np
import torch

from . import Answer, Bank

bank = Bank("ask_twice")


def matrix(width: int, **entries: float) -> torch.Tensor:
    """Entries such as r3c0=6: row 3, column 0."""
    made = torch.zeros(5, width)
    for name, value in entries.items():
        row, column = name[1:].split("c")
        made[int(row), int(column)] = value
    return made


Q1 = matrix(1, r2c0=6)
K1 = matrix(1, r3c0=1, r4c0=1)
V1 = matrix(5, r3c3=1, r4c4=1)
Q2 = matrix(2, r3c0=6, r4c1=6)
K2 = matrix(2, r0c0=1, r1c1=1)
K2_NOT_IT = K2 - matrix(2, r2c0=9, r2c1=9)

WRONG = [
    ("twice-not-five", (Q1, K1, V1)),
    ("twice-not-five", Q1),
    ("twice-not-five", {"W_q1": Q1}),
    ("twice-misshapen", (Q1.T, K1, V1, Q2, K2)),
    ("twice-misshapen", (Q1, K1, V1[:, :2], Q2, K2)),
    ("twice-misshapen", (torch.zeros(9, 1), K1, V1, Q2, K2)),
    ("twice-widths-differ", (Q1, K1, V1, Q2, K1)),
    ("twice-too-large", (Q1 * float("inf"), K1, V1, Q2, K2)),
    ("twice-order-swapped", (Q2, K2, V1, Q1, K1)),
    ("twice-first-roles-swapped", (K1, Q1, V1, Q2, K2)),
    ("twice-second-roles-swapped", (Q1, K1, V1, K2, Q2)),
    (
        "twice-value-transposed",
        (Q1, K1, matrix(5, r0c3=1, r1c4=1), matrix(2, r0c0=6, r1c1=6), K2_NOT_IT),
    ),
    ("twice-nouns-exchanged", (Q1, K1, V1, Q2.flip(1), K2)),
    ("twice-sign-flipped", (Q1, K1, V1, -Q2, K2)),
    ("twice-adjective-not-found", (Q1, matrix(1, r3c0=1), V1, Q2, K2)),
    ("twice-adjective-not-found", (Q1 / 6, K1, V1, Q2, K2)),
    ("twice-adjective-not-found", (-Q1, K1, V1, Q2, K2)),
    ("twice-nothing-handed-over", (Q1, K1, torch.zeros(5, 5), Q2, K2)),
    ("twice-nothing-handed-over", (Q1, K1, matrix(5, r4c4=1), Q2, K2)),
    ("twice-second-is-flat", (Q1, K1, V1, torch.zeros(5, 2), K2)),
    ("twice-adjective-ignored", (Q1, K1, V1, matrix(2, r2c0=6), K2)),
    (
        "twice-finds-itself",
        (Q1, K1, matrix(5, r3c0=2, r4c1=2), matrix(2, r0c0=6, r1c1=6), K2),
    ),
    ("twice-too-weak", (Q1, K1, V1, Q2 / 2, K2)),
    ("twice-another-word", (Q1, K1, V1, Q2, matrix(2, r3c0=1, r4c1=1, r1c1=1))),
]
for mistake, value in WRONG:
    bank.answers.append(Answer("ask_twice", lambda v=value: v, (mistake,)))

NEEDS = matrix(5, r3c3=1, r4c3=-1)
RIGHT = [
    (Q1, K1, V1, Q2, K2),
    [Q1, K1, V1, Q2, K2],
    tuple(m.numpy() for m in (Q1, K1, V1, Q2, K2)),
    tuple(m.tolist() for m in (Q1, K1, V1, Q2, K2)),
    tuple(m.double() for m in (Q1, K1, V1, Q2, K2)),
    (Q1, K1, NEEDS, matrix(2, r3c0=6, r3c1=-6), K2),
    (np.array(Q1) * 2, K1, V1, Q2, K2),
    (Q1, K1, matrix(5, r3c0=1, r4c1=1), matrix(2, r0c0=6, r1c1=6), K2_NOT_IT),
]
for value in RIGHT:
    bank.answers.append(Answer("ask_twice", lambda v=value: v))
