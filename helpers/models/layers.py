"""One layer of each row of the complexity table, whole or one token at a time.

All are causal and as wide as their input, so that one can be swapped for another:
attention, restricted attention (a window), RNN and convolution. `step` gives what
`forward` gives, token by token, from a state; its size is what decoding has to keep.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.measure import counted_flops, saved_bytes


class SelfAttention(nn.Module):
    """One head of causal self-attention, with its four projections.

    Args:
        d: width of a token.
        window: how many tokens a query sees, itself included; None for all so far.
    """

    def __init__(self, d: int, window: int | None = None) -> None:
        super().__init__()
        if window is not None and window < 1:
            raise ValueError(f"window is {window}, but a token sees at least itself")
        self.window = window
        self.W_q, self.W_k, self.W_v, self.W_o = (
            nn.Linear(d, d, bias=False) for _ in range(4)
        )

    def forward(self, x: Tensor) -> Tensor:
        """(..., n, d) → (..., n, d)."""
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        n, root = x.shape[-2], x.shape[-1] ** 0.5
        if self.window is None:
            hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
            scores = (Q @ K.mT / root).masked_fill(hidden, -torch.inf)
            return self.W_o(scores.softmax(dim=-1) @ V)
        before = self.window - 1
        # (..., n, d, window): the last keys and values of each query
        near_K, near_V = (
            F.pad(t, (0, 0, before, 0)).unfold(-2, self.window, 1) for t in (K, V)
        )
        scores = (Q.unsqueeze(-2) @ near_K).squeeze(-2) / root
        place = torch.arange(n, device=x.device)[:, None] - before
        missing = place + torch.arange(self.window, device=x.device) < 0
        weights = scores.masked_fill(missing, -torch.inf).softmax(dim=-1)
        return self.W_o((weights.unsqueeze(-2) @ near_V.mT).squeeze(-2))

    def step(
        self, x: Tensor, state: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """One token (1, d) and the keys and values so far → output, new state."""
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        if state is not None:
            K, V = torch.cat([state[0], K]), torch.cat([state[1], V])
        if self.window is not None:
            K, V = K[-self.window :], V[-self.window :]
        weights = (Q @ K.mT / x.shape[-1] ** 0.5).softmax(dim=-1)
        return self.W_o(weights @ V), (K, V)


class RNN(nn.Module):
    """h_t = tanh(W x_t + U h_{t-1}), the recurrence of Elman (1990).

    Args:
        d: width of a token and of the state.
    """

    def __init__(self, d: int) -> None:
        super().__init__()
        self.W, self.U = (nn.Linear(d, d, bias=False) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        """(..., n, d) → (..., n, d): inputs all at once, states one by one."""
        state, states = x.new_zeros(*x.shape[:-2], x.shape[-1]), []
        for inputs in self.W(x).unbind(dim=-2):
            state = torch.tanh(inputs + self.U(state))
            states.append(state)
        return torch.stack(states, dim=-2)

    def step(self, x: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """One token (1, d) and the state (1, d) → the new state, twice."""
        state = torch.zeros_like(x) if state is None else state
        state = torch.tanh(self.W(x) + self.U(state))
        return state, state


class Convolution(nn.Module):
    """A causal convolution: each output sees `kernel` inputs, the newest its own.

    Args:
        d: width of a token.
        kernel: number of inputs.
    """

    def __init__(self, d: int, kernel: int) -> None:
        super().__init__()
        self.kernel = kernel
        self.conv = nn.Conv1d(d, d, kernel, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(..., n, d) → (..., n, d), with at most one axis in front."""
        return self.conv(F.pad(x.mT, (self.kernel - 1, 0))).mT

    def step(self, x: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """One token (1, d) and the inputs before it (kernel - 1, d) → output, state."""
        if state is None:
            state = x.new_zeros(self.kernel - 1, x.shape[-1])
        inputs = torch.cat([state, x])
        return self.conv(inputs.mT).mT, inputs[1:]


def numbers_in(state: Any) -> int:
    """How many numbers a state holds.

    >>> numbers_in((torch.ones(5, 8), torch.ones(5, 8)))
    80
    """
    if isinstance(state, Tensor):
        return state.numel()
    return sum(numbers_in(part) for part in state)


class Costs(NamedTuple):
    """What a layer costs: FLOPs and numbers.

    Attributes:
        work: FLOPs of `forward` for the whole sequence.
        kept: numbers that `forward` keeps for the backward pass.
        state: numbers in the state after all tokens were read one by one.
        step: FLOPs of one more step.
    """

    work: int
    kept: int
    state: int
    step: int


def costs_of(layer: nn.Module, n: int, d: int) -> Costs:
    """Count what a layer costs for a sequence of n tokens of width d.

    Args:
        layer: one of this file; its parameters are as wide.
        n: number of tokens.
        d: their width.

    Returns:
        Costs; every number is counted from a run, none from a formula.
    """
    x, state = torch.ones(n, d), None
    kept = saved_bytes(lambda: layer(x), x, *layer.parameters())
    with torch.no_grad():
        work = counted_flops(lambda: layer(x))
        for token in x.split(1):
            _, state = layer.step(token, state)
        step = counted_flops(lambda: layer.step(x[:1], state))
    return Costs(work, kept // x.element_size(), numbers_in(state), step)
