"""Exact attention that never holds the n × n weights: an online softmax over blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from helpers.attention import check_shapes
from helpers.masks import FILL, check_mask

LOG2_E = math.log2(math.e)
"""exp(x) = 2^(x · LOG2_E), and PyTorch's power of 2 takes half the time of its exp."""


def streaming_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    block: int | tuple[int, int] = (512, 512),
    mask: Tensor | None = None,
    causal: bool = False,
) -> Tensor:
    """Scaled dot-product attention, one block of scores at a time.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, with nothing left out or approximated.
    A query keeps three things while the blocks of keys go by, with scores s, values v:

        m ← max(m, max s)            the largest score so far
        l ← l · c + Σ exp(s - m)     the normaliser; c = exp(old m - m)
        o ← o · c + exp(s - m) v     the sum of values, not yet divided

    and its output is o / l. The backward pass computes the blocks again, so that
    training, too, needs memory for the tokens only, not for their pairs. A second
    derivative is refused. Heads are taken one by one, because it is made for long
    sequences.

    Args:
        Q: (batch, heads, n_q, d_k).
        K: (batch, heads, n_k, d_k).
        V: (batch, heads, n_k, d_v).
        block: how many queries and how many keys meet at once, or one number for both.
            It changes time and memory, not the result. By default a block of float32
            scores takes 1 MB, the fastest of the sizes that
            `benchmarks/bench_streaming.py --blocks` compares.
        mask: True (or 1) = may attend; (n_q, n_k), or 4-D and broadcastable to
            (batch, heads, n_q, n_k). Blocks in which it allows nothing are skipped.
        causal: True hides what `create_causal_mask(n_q, n_k)` hides, without making
            that mask: blocks of the future are skipped. It goes together with a mask.

    Returns:
        output: (batch, heads, n_q, d_v), in the dtype of Q; sums are taken in float32
            at least. A query that may attend to no key gets 0, and finite gradients.

    Raises:
        ValueError: if shapes or dtypes do not fit, the mask could be misread, or the
            block is no size.
        RuntimeError: if the gradient is taken with `create_graph=True`.

    Source: Milakov and Gimelshein (2018), the running normaliser; Rabe and Staats
    (2021), attention with it; Dao et al. (2022), FlashAttention, its gradient.

    >>> Q = K = V = torch.ones(1, 2, 1000, 8)
    >>> streaming_attention(Q, K, V, block=300).shape
    torch.Size([1, 2, 1000, 8])
    """
    sizes = check_shapes(Q, K, V)
    if not Q.dtype == K.dtype == V.dtype:
        raise ValueError(
            f"Q, K and V must have one dtype, got {Q.dtype}, {K.dtype} and {V.dtype}; "
            f"convert them with .to(dtype)"
        )
    if mask is not None:
        mask = check_mask(mask, *sizes).to(Q.device).expand(sizes)
    return _Streaming.apply(
        Q, K, V, mask, _Blocks(sizes, _pair(block), causal, Q.device)
    )


class _Streaming(Function):
    """The loop over the blocks, one head after another, and its gradient.

    Scores are multiplied by LOG2_E here, so that 2^s is what exp(s) is above.
    """

    @staticmethod
    def forward(
        ctx: Any, Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None, blocks: _Blocks
    ) -> Tensor:
        """Keep m, l and o of one block of queries at a time.

        For the gradient, the output and log2 Σ 2^s of each query are kept.
        """
        dtype, scale = _dtype_of_sums(Q), LOG2_E / math.sqrt(Q.shape[-1])
        output = Q.new_empty(*Q.shape[:-1], V.shape[-1])
        log_sums = Q.new_empty(*Q.shape[:-1], 1, dtype=dtype)
        scores = Q.new_empty(blocks.largest, dtype=dtype)
        lowest = torch.finfo(dtype).min  # not -inf: -inf - -inf would be NaN

        for head in blocks.heads():
            queries, keys, values = (x[head].to(dtype) for x in (Q, K, V))
            for rows in blocks.rows():
                q = queries[rows] * scale
                m = q.new_full((len(q), 1), lowest)
                l = q.new_zeros(len(q), 1)
                o = q.new_zeros(len(q), V.shape[-1])
                for columns, hidden in blocks.columns(head, rows, mask):
                    k, v = keys[columns], values[columns]
                    s = torch.mm(q, k.T, out=scores[: len(q), : len(k)])
                    if hidden is not None:
                        s.masked_fill_(hidden, FILL)
                    old, m = m, torch.maximum(m, s.amax(dim=1, keepdim=True))
                    p = s.sub_(m).exp2_()
                    c = old.sub_(m).exp2_()
                    l = p.sum(dim=1, keepdim=True).addcmul_(l, c)
                    o.mul_(c).addmm_(p, v)
                l.clamp_(min=1)  # the largest score adds 1: below are empty rows only
                output[head][rows] = o.div_(l)
                log_sums[head][rows] = m.add_(l.log2_())

        ctx.save_for_backward(Q, K, V, mask, output, log_sums)
        ctx.blocks = blocks
        return output

    @staticmethod
    def backward(ctx: Any, d_output: Tensor) -> tuple[Tensor | None, ...]:
        """Make each block of weights again: p = 2^(s - log-sum).

        dV = pᵀ dO and ds = p (dO Vᵀ - mean), where the mean, of dO Vᵀ under all weights
        of a query, is dO · O: no block has to wait for another.
        """
        if torch.is_grad_enabled():
            raise RuntimeError(
                "streaming_attention cannot be differentiated twice (create_graph); "
                "scaled_dot_product_attention can"
            )
        Q, K, V, mask, output, log_sums = ctx.saved_tensors
        dtype, scale = _dtype_of_sums(Q), 1 / math.sqrt(Q.shape[-1])
        dQ, dK, dV = (torch.zeros_like(x, dtype=dtype) for x in (Q, K, V))
        scratch = Q.new_empty(2, *ctx.blocks.largest, dtype=dtype)

        for head in ctx.blocks.heads():
            queries, keys, values = (x[head].to(dtype) for x in (Q, K, V))
            d_queries, d_keys, d_values = dQ[head], dK[head], dV[head]
            for rows in ctx.blocks.rows():
                q, d_o = queries[rows], d_output[head][rows].to(dtype)
                mean = (d_o * output[head][rows]).sum(dim=1, keepdim=True)
                log_sum = log_sums[head][rows]
                for columns, hidden in ctx.blocks.columns(head, rows, mask):
                    k, v = keys[columns], values[columns]
                    p, ds = scratch[:, : len(q), : len(k)]
                    torch.addmm(log_sum, q, k.T, beta=-1, alpha=scale * LOG2_E, out=p)
                    if hidden is not None:
                        p.masked_fill_(hidden, FILL)
                    p.exp2_()
                    torch.addmm(mean, d_o, v.T, beta=-1, out=ds).mul_(p)
                    d_values[columns].addmm_(p.T, d_o)
                    d_keys[columns].addmm_(ds.T, q, alpha=scale)
                    d_queries[rows].addmm_(ds, k, alpha=scale)

        return dQ.to(Q), dK.to(K), dV.to(V), None, None


@dataclass(frozen=True)
class _Blocks:
    """Which blocks there are, and what is hidden within one."""

    sizes: tuple[int, int, int, int]
    block: tuple[int, int]
    causal: bool
    device: torch.device

    @property
    def largest(self) -> tuple[int, int]:
        """Queries and keys of the largest block."""
        return tuple(min(b, n) for b, n in zip(self.block, self.sizes[2:]))

    def heads(self) -> Iterator[tuple[int, int]]:
        """Sample and number of every head."""
        return product(range(self.sizes[0]), range(self.sizes[1]))

    def rows(self) -> list[slice]:
        """The blocks of queries."""
        return _slices(self.sizes[2], self.block[0])

    def columns(
        self, head: tuple[int, int], rows: slice, mask: Tensor | None
    ) -> Iterator[tuple[slice, Tensor | None]]:
        """The blocks of keys for these queries, without those hidden as a whole.

        With each comes what is hidden in it, True = may *not* attend, or None.
        """
        n_q, n_k = self.sizes[2:]
        older = n_k - n_q  # query i may look back as far as key i + older
        end = min(n_k, rows.stop + older) if self.causal else n_k
        for columns in _slices(end, self.block[1]):
            hidden = None
            if mask is not None:
                keep = mask[head][rows, columns]
                allowed = keep.count_nonzero()
                if allowed == 0:
                    continue
                hidden = None if allowed == keep.numel() else ~keep
            reach = rows.start + older - columns.start  # of the first of these queries
            size = rows.stop - rows.start, columns.stop - columns.start
            if self.causal and reach < size[1] - 1:
                every = torch.ones(size, dtype=torch.bool, device=self.device)
                future = every.triu(reach + 1)
                hidden = future if hidden is None else hidden | future
            yield columns, hidden


def _slices(length: int, size: int) -> list[slice]:
    return [slice(a, min(a + size, length)) for a in range(0, length, size)]


def _pair(block: int | tuple[int, int]) -> tuple[int, int]:
    pair = tuple(block) if isinstance(block, tuple | list) else (block, block)
    if len(pair) != 2 or any(
        isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in pair
    ):
        raise ValueError(
            f"block must be a whole number of at least 1, or a pair of them (queries, "
            f"keys); got {block!r}"
        )
    return pair


def _dtype_of_sums(x: Tensor) -> torch.dtype:
    return torch.promote_types(x.dtype, torch.float32)
