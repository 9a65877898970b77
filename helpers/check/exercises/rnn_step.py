"""rnn_step(x, h, W_x, W_h, b) -> the new state of a vanilla RNN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..space import Case, Choices, Exercise, Values

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "squash": (
        "tanh",
        {
            "none": "rnn-no-tanh",
            "sigmoid": "rnn-sigmoid-not-tanh",
            "relu": "rnn-relu-not-tanh",
            "softmax": "rnn-softmax-not-tanh",
            "twice": "rnn-tanh-twice",
            "each": "rnn-tanh-of-each",
            "tan": "rnn-tan-not-tanh",
            "scaled": "rnn-sum-halved",
        },
    ),
    "from state": (
        "by W_h transposed",
        {
            "ignored": "rnn-state-ignored",
            "by W_h": "rnn-w-h-not-transposed",
            "no matrix": "rnn-state-without-matrix",
            "elementwise": "rnn-elementwise",
            "by W_x": "rnn-matrices-swapped",
            "twice": "rnn-state-twice",
            "subtracted": "rnn-state-subtracted",
            "squashed": "rnn-state-squashed-again",
        },
    ),
    "from token": (
        "by W_x transposed",
        {
            "ignored": "rnn-token-ignored",
            "by W_x": "rnn-w-x-not-transposed",
            "by W_h": "rnn-matrices-swapped",
            "no matrix": "rnn-token-without-matrix",
        },
    ),
    "bias": (
        "once",
        {
            "none": "rnn-bias-missing",
            "twice": "rnn-bias-twice",
            "outside": "rnn-bias-outside",
            "subtracted": "rnn-bias-subtracted",
            "mean": "rnn-bias-averaged",
        },
    ),
    "join": (
        "added",
        {
            "multiplied": "rnn-multiplied-not-added",
            "state kept": "rnn-old-state-added",
            "averaged": "rnn-averaged-with-old",
            "both swapped": "rnn-matrices-swapped",
            "both not transposed": "rnn-both-not-transposed",
            "roles swapped": "rnn-state-and-token-swapped",
        },
    ),
    "returns": (
        "new",
        {
            "new twice": "returns-two",
            "new and old": "returns-two",
            "old": "rnn-returns-old-state",
            "side by side": "rnn-side-by-side",
            "transposed": "output-transposed",
            "first": "rnn-first-sample-only",
            "mean": "rnn-averaged-over-batch",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """tanh(x W_xᵀ + h W_hᵀ + b), or as the choices depart from it."""
    x, h, W_x, W_h, b = case.args
    token, state = _token(x, W_x, W_h, c), _state(h, W_x, W_h, c)
    bias = {"none": 0 * b, "outside": 0 * b, "twice": 2 * b, "subtracted": -b}.get(
        c["bias"], b.mean() if c["bias"] == "mean" else b
    )
    if c["join"] == "multiplied":
        new = _squash(c["squash"], token * state + bias)
    elif c["squash"] == "each":
        new = token.tanh() + state.tanh() + bias
    else:
        new = _squash(c["squash"], token + state + bias)
    if c["bias"] == "outside":
        new = new + b
    if c["join"] == "state kept":
        new = new + h
    if c["join"] == "averaged":
        new = (new + h) / 2
    return {
        "new twice": lambda: (new, new),
        "new and old": lambda: (new, h),
        "old": lambda: (h + 0 * new,),
        "side by side": lambda: (torch.cat([x, new], dim=1),),
        "transposed": lambda: (new.T,),
        "first": lambda: (new[0],),
        "mean": lambda: (new.mean(0),),
    }.get(c["returns"], lambda: (new,))()


def _token(
    x: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, c: Choices
) -> torch.Tensor:
    how = {
        "both swapped": "by W_h",
        "both not transposed": "by W_x",
        "roles swapped": "state's",
    }.get(c["join"], c["from token"])
    return {
        "ignored": lambda: torch.zeros(len(x), len(W_x)),
        "by W_x": lambda: x @ W_x,
        "by W_h": lambda: x @ W_h.T,
        "state's": lambda: x @ W_h.T,
        "no matrix": lambda: x,
    }.get(how, lambda: x @ W_x.T)()


def _state(
    h: torch.Tensor, W_x: torch.Tensor, W_h: torch.Tensor, c: Choices
) -> torch.Tensor:
    how = {
        "both swapped": "by W_x",
        "both not transposed": "by W_h",
        "roles swapped": "by W_x",
    }.get(c["join"], c["from state"])
    return {
        "ignored": lambda: torch.zeros_like(h),
        "by W_h": lambda: h @ W_h,
        "no matrix": lambda: h,
        "elementwise": lambda: h * W_h.diagonal(),
        "by W_x": lambda: h @ W_x.T,
        "twice": lambda: 2 * (h @ W_h.T),
        "subtracted": lambda: -(h @ W_h.T),
        "squashed": lambda: h.tanh() @ W_h.T,
    }.get(how, lambda: h @ W_h.T)()


def _squash(how: str, s: torch.Tensor) -> torch.Tensor:
    return {
        "none": lambda: s,
        "sigmoid": lambda: s.sigmoid(),
        "relu": lambda: s.relu(),
        "softmax": lambda: s.softmax(dim=-1),
        "twice": lambda: s.tanh().tanh(),
        "tan": lambda: s.tan(),
        "scaled": lambda: (s / 2).tanh(),
    }.get(how, lambda: s.tanh())()


def cases(seed: int) -> Sequence[Case]:
    """A prime for every size, then sizes that coincide, a first step, one sample."""
    g = torch.Generator().manual_seed(4409 + seed)

    def case(name: str, about: str, B: int, d_in: int, d_h: int, *tags: str) -> Case:
        sizes = (B, d_in), (B, d_h), (d_h, d_in), (d_h, d_h), (d_h,)
        args = [torch.randn(*size, generator=g) * 0.6 for size in sizes]
        if name == "first-step":
            args[1] = torch.zeros(B, d_h)
        return Case(name, about, tuple(args), frozenset(tags))

    equal = "sizes that are all equal"
    return [
        case("plain", "2 tokens of 5 features, states of 3", 2, 5, 3),
        case("wide", "3 tokens of 7 features, states of 11", 3, 7, 11),
        case("square", "4 tokens of 4 features, states of 4", 4, 4, 4, equal),
        case("first-step", "states that are all 0", 2, 5, 3, "states of zeros"),
        case("one", "a single token", 1, 5, 3, "a single token"),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention, read off the learner's result."""
    x, h, *_ = case.args
    new = values[0]
    return {
        "d_in": x.shape[1],
        "d_h": h.shape[1],
        "got": tuple(new.shape),
        "least": numbers(new.min()),
        "most": numbers(new.max()),
    }


EXERCISES = [
    Exercise(
        name="rnn_step",
        parts=("new state",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("x", "h", "W_x", "W_h", "b"),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            behave.gradients("plain", names=("x", "h", "W_x", "W_h", "b")),
        ),
        symptoms=(behave.not_finite,),
    )
]
