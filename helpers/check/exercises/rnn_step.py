"""rnn_step(x, h, W_x, W_h, b) -> the new state of a vanilla RNN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise, Values


def in_turn(
    terms: torch.Tensor,
    state: torch.Tensor,
    W_h: torch.Tensor,
    squash: Callable[[torch.Tensor], torch.Tensor],
) -> torch.Tensor:
    """The rows of a batch read as the steps of one sentence."""
    states = []
    for term in terms:
        state = squash(term + state @ W_h.mT)
        states.append(state)
    return torch.stack(states)


LINES = {
    "squash": (
        "lambda s: s.tanh()",
        {
            "lambda s: s": "rnn-no-tanh",
            "lambda s: s.sigmoid()": "rnn-sigmoid-not-tanh",
            "lambda s: s.relu()": "rnn-relu-not-tanh",
            "lambda s: s.softmax(-1)": "rnn-softmax-not-tanh",
            "lambda s: s.tanh().tanh()": "rnn-tanh-twice",
            "lambda s: s.tan()": "rnn-tan-not-tanh",
            "lambda s: (s / 2).tanh()": "rnn-sum-halved",
            "lambda s: s.clamp(-1, 1)": "rnn-resembles-tanh",
            "lambda s: F.softsign(s)": "rnn-resembles-tanh",
            "lambda s: s.arctan()": "rnn-resembles-tanh",
            "lambda s: s.sin()": "rnn-resembles-tanh",
            "lambda s: F.gelu(s)": "rnn-another-function",
            "lambda s: F.silu(s)": "rnn-another-function",
            "lambda s: F.elu(s)": "rnn-another-function",
            "lambda s: F.leaky_relu(s)": "rnn-another-function",
            "lambda s: F.softplus(s)": "rnn-another-function",
            "lambda s: s.exp()": "rnn-another-function",
            "lambda s: s.sinh()": "rnn-another-function",
            "lambda s: -s.tanh()": "rnn-another-function",
        },
    ),
    "W": (
        "(W_x, W_h)",
        {
            "(W_h, W_x)": "rnn-matrices-swapped",
            "(W_x.mT, W_h.mT)": "rnn-both-not-transposed",
        },
    ),
    "given": ("(x, h)", {"(h, x)": "rnn-state-and-token-swapped"}),
    "token": (
        "given[0] @ W[0].mT",
        {
            "torch.zeros(len(x), len(W_x))": "rnn-token-ignored",
            "x @ W_x": "rnn-w-x-not-transposed",
            "x @ W_h.mT": "rnn-matrices-swapped",
            "x": "rnn-token-without-matrix",
        },
    ),
    "state": (
        "given[1] @ W[1].mT",
        {
            "torch.zeros_like(h)": "rnn-state-ignored",
            "h @ W_h": "rnn-w-h-not-transposed",
            "h": "rnn-state-without-matrix",
            "h * W_h.diagonal()": "rnn-elementwise",
            "h @ W_x.mT": "rnn-matrices-swapped",
            "2 * (h @ W_h.mT)": "rnn-state-twice",
            "-(h @ W_h.mT)": "rnn-state-subtracted",
            "h.tanh() @ W_h.mT": "rnn-state-squashed-again",
            "h[:1] @ W_h.mT": "rnn-old-state-shared",
            "h[-1:] @ W_h.mT": "rnn-old-state-shared",
            "h.mean(0, True) @ W_h.mT": "rnn-old-state-shared",
            "h.sum(0, True) @ W_h.mT": "rnn-old-state-shared",
        },
    ),
    "bias": (
        "b",
        {
            "0 * b": "rnn-bias-missing",
            "2 * b": "rnn-bias-twice",
            "-b": "rnn-bias-subtracted",
            "b.mean()": "rnn-bias-averaged",
        },
    ),
    "new": (
        "squash(token + state + bias)",
        {
            "squash(token + state) + b": "rnn-bias-outside",
            "token.tanh() + state.tanh() + bias": "rnn-tanh-of-each",
            "(token + bias).tanh() + (state + bias).tanh()": "rnn-tanh-of-each",
            "token.tanh() + (state + bias).tanh()": "rnn-tanh-of-each",
            "(token + bias).tanh() + state.tanh()": "rnn-tanh-of-each",
            "token + (state + bias).tanh()": "rnn-token-outside",
            "token + state.tanh() + bias": "rnn-token-outside",
            "(token + bias).tanh() + state": "rnn-state-outside",
            "token.tanh() + state + bias": "rnn-state-outside",
            "squash(token * state + bias)": "rnn-multiplied-not-added",
            "squash(token + state + bias) + h": "rnn-old-state-added",
            "(squash(token + state + bias) + h) / 2": "rnn-averaged-with-old",
            "squash(token + squash(token + state + bias) @ W_h.mT + bias)": (
                "rnn-step-twice"
            ),
            "in_turn(token + bias, h[0], W_h, squash)": "rnn-batch-as-time",
            "in_turn(token + bias, 0 * h[0], W_h, squash)": "rnn-batch-as-time",
        },
    ),
    "returned": (
        "new",
        {
            "(new, new)": "returns-two",
            "(new, h)": "returns-two",
            "h": "rnn-returns-old-state",
            "torch.cat([x, new], 1)": "rnn-side-by-side",
            "new.mT": "output-transposed",
            "new.squeeze()": "axis-of-one-lost",
            "new[0]": "rnn-first-sample-only",
            "new[-1]": "rnn-last-sample-only",
            "new[:1].expand_as(new)": "rnn-one-state-for-all",
            "new.mean(0)": "rnn-averaged-over-batch",
        },
    ),
}


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
    """How many features a token has, and what comes back."""
    return {"d_in": case.args[0].shape[1], "part": "new state"}


EXERCISES = [
    Exercise(
        name="rnn_step",
        parts=("new state",),
        compute=Program("x h W_x W_h b", LINES, in_turn=in_turn),
        cases=cases,
        facts=facts,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
        remarks=(behave.gradients("plain", names=("x", "h", "W_x", "W_h", "b")),),
    )
]
