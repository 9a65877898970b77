"""Answers to whose_costs."""

from __future__ import annotations

import numpy as np

from . import Answer, Bank

bank = Bank("whose_costs")

R, C, W, S = "RNN", "convolution", "window", "self-attention"


def named(*names: str) -> dict[str, str]:
    return dict(zip("ABCD", names, strict=True))


WRONG = [
    ("costs-window-and-convolution", named(C, R, W, S)),
    ("costs-window-and-convolution", named("conv", "rnn", "Window", "attention")),
    ("costs-rnn-and-convolution", named(W, C, R, S)),
    ("costs-rnn-and-window", named(R, W, C, S)),
    ("costs-attention-and-window", named(S, R, C, W)),
    ("costs-attention-and-another", named(W, S, C, R)),
    ("costs-attention-and-another", named(W, R, S, C)),
    ("costs-three-turned", named(R, C, W, S)),
    ("costs-three-turned", named(C, W, R, S)),
    ("costs-growing-state-missed", named(S, C, R, W)),
    ("costs-growing-state-missed", named(S, W, R, C)),
    ("costs-name-twice", named(W, R, W, S)),
    ("costs-letter-missing", {"A": W, "B": R, "C": C}),
    ("costs-no-such-layer", named(W, "LSTM", C, S)),
    ("costs-no-labels", "WRCS"),
    ("costs-no-labels", [W, R, C]),
]
for mistake, value in WRONG:
    bank.answers.append(Answer("whose_costs", lambda v=value: v, (mistake,)))

RIGHT = [
    named(W, R, C, S),
    named("window", "rnn", "CNN", "attention"),
    {name: letter for letter, name in named(W, R, C, S).items()},
    [W, R, C, S],
    (W, R, C, "self attention"),
    np.array([W, R, C, S]),
    {"a": W, "b": R, "c": C, "d": S},
]
for value in RIGHT:
    bank.answers.append(Answer("whose_costs", lambda v=value: v))
