"""The loop of streaming attention, with each of its steps handed in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

Spans = list[tuple[int, int]]
PRODUCTS = {
    "matmul", "__matmul__", "__rmatmul__", "bmm", "mm", "einsum", "baddbmm", "addmm",
    "addbmm", "tensordot", "linear", "inner",
}  # fmt: skip
"""Functions of torch that may make a table of scores."""


def cut(n: int, block: int) -> Spans:
    """Where n keys are cut: [(start, end), …]."""
    return [(a, min(a + block, n)) for a in range(0, n, block)]


def fill_up(qkv: Sequence[Tensor], block: int) -> tuple[Tensor, ...]:
    """Q, K, V with zeros for the keys that the last block lacks."""
    Q, K, V = qkv
    rest = (0, 0, 0, -K.shape[-2] % block)
    return Q, F.pad(K, rest), F.pad(V, rest)


def hide_future(s: Tensor, shift: int) -> Tensor:
    """Scores of a causal attention."""
    return s.masked_fill(~torch.ones(s.shape[-2:]).tril(shift).bool(), -1e9)


def merged(outputs: list[Tensor], shares: list[Any]) -> Tensor:
    """A mean of the blocks' outputs."""
    return sum(o * w for o, w in zip(outputs, shares)) / sum(shares)


def streamed(
    parts: list[Tensor],
    values: list[Tensor],
    empty: Tensor,
    top: Callable[..., Any],
    new: Callable[..., Any],
    p: Callable[..., Tensor],
    added: Callable[..., Tensor],
    share: Callable[..., Tensor],
    factors: Callable[..., Any],
    update: Callable[..., Any],
    stored: Callable[..., Any],
) -> tuple[Tensor, Tensor, Tensor]:
    """(o, l, m) after all blocks.

    Args:
        parts, values: scores and values of each block.
        empty: zeros, (B, H, n_q, d_v).
        top ... stored: the steps, in the order in which they are done; what they take
            and give, the lines of streaming_attention show.
    """
    o, m = empty, torch.full_like(empty[..., :1], -math.inf)
    l = torch.zeros_like(m)
    for i, (s, v) in enumerate(zip(parts, values)):
        above = top(s)
        largest = new(m, above, i)
        e = p(s, m, largest, above)
        o, l = update(o, l, factors(m, largest, i), added(e, s, v), share(e), i)
        m = stored(m, largest, i)
    return o, l, m


class Widest(TorchFunctionMode):
    """Watches what is made: the largest tensor, and the widest table of scores.

    A table is what a product of tensors gives, or what a fused attention makes within.
    Its width is its longest axis, that of the queries apart.
    """

    def __init__(self, n_q: int, n_k: int) -> None:
        super().__init__()
        self.n_q, self.n_k = n_q, n_k
        self.size, self.width = 0, 0

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Call the function, and look at what it made."""
        made = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        if name == "scaled_dot_product_attention":
            key = args[1] if len(args) > 1 else (kwargs or {})["key"]
            self.width = max(self.width, key.shape[-2])
        for tensor in made if isinstance(made, tuple | list) else (made,):
            if isinstance(tensor, Tensor):
                self.size = max(self.size, tensor.numel())
                if name in PRODUCTS:
                    axes = [n for n in tensor.shape if n <= self.n_k and n != self.n_q]
                    self.width = max(self.width, *axes, 0)
        return made
