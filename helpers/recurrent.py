"""Attention without the softmax: one map in three forms, with a state of fixed size.

    S_t = a_t S_{t-1} + k_t u_tᵀ      u_t = v_t, or by the delta rule
    o_t = S_tᵀ q_t                    u_t = β_t (v_t - a_t S_{t-1}ᵀ k_t)

The state S is (d_k, d_v), however long the sequence. Without a and β this is the causal
product (Q Kᵀ) V. With a < 1 the state decays. With β the token writes only what is new
about its value, so that a key that comes again replaces its old value.

Every function takes Q, K (..., T, d_k) and V (..., T, d_v), and decay and beta
(..., T) or None. The state may be handed on from one call to the next.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Memory(NamedTuple):
    """What a pass returns.

    output: (..., T, d_v).
    state: (..., d_k, d_v), after the last token.
    """

    output: Tensor
    state: Tensor


def linear_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    decay: Tensor | None = None,
    beta: Tensor | None = None,
) -> Tensor:
    """All tokens at once: attention without softmax and without √d_k.

    O = (Q Kᵀ ∘ D) U, where D_ts = a_{s+1} ⋯ a_t for s ≤ t and 0 above the diagonal.
    U is V, or solves (I + tril(diag(β) K Kᵀ ∘ D, -1)) U = diag(β) V for the delta rule.
    Its work grows as T², like that of attention.

    Args:
        Q: (..., T, d_k) queries.
        K: (..., T, d_k) keys; of length 1 if there is a beta, else the state explodes.
        V: (..., T, d_v) values.
        decay: (..., T), what is left of the state at each token, over 0 and up to 1.
        beta: (..., T), how much of what is new is written, from 0 to 1.

    Returns:
        (..., T, d_v).

    Raises:
        ValueError: if shapes do not fit.

    Source: Katharopoulos et al. (2020); Sun et al. (2023), RetNet, the decay; Yang et
    al. (2024), the delta rule for all tokens at once.
    """
    _check(Q, K, V, decay, beta)
    products = _decays(Q, decay)
    if beta is not None:
        V = _new_values(K, beta[..., None] * V, products, beta)
    return (Q @ K.mT * products) @ V


def recurrent_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    decay: Tensor | None = None,
    beta: Tensor | None = None,
    state: Tensor | None = None,
) -> Memory:
    """Token by token: an RNN whose state is a matrix. Its work grows as T.

    Args:
        Q, K, V, decay, beta: as for `linear_attention`.
        state: (..., d_k, d_v) from the tokens before; None starts with zeros.

    Raises:
        ValueError: if shapes do not fit.

    >>> q, k, v = torch.eye(2)[[0]], torch.eye(2)[[0]], torch.tensor([[3.0, 5.0, 7.0]])
    >>> recurrent_attention(q, k, v).output.tolist()
    [[3.0, 5.0, 7.0]]
    """
    _check(Q, K, V, decay, beta, state)
    S = _start(Q, V) if state is None else state
    rows = []
    for t in range(Q.shape[-2]):
        q, k, v = (x[..., t, :, None] for x in (Q, K, V))
        if decay is not None:
            S = decay[..., t, None, None] * S
        if beta is not None:
            v = beta[..., t, None, None] * (v - S.mT @ k)
        S = S + k @ v.mT
        rows.append((S.mT @ q).squeeze(-1))
    return Memory(torch.stack(rows, dim=-2), S)


def chunked_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    decay: Tensor | None = None,
    beta: Tensor | None = None,
    state: Tensor | None = None,
    chunk: int = 64,
) -> Memory:
    """All tokens of a chunk at once, and the state from chunk to chunk.

    Its work grows as T, and most of it is products of matrices: 4 + 4 · chunk / d
    operations for each of T · d² where d_k = d_v = d.

    Args:
        Q, K, V, decay, beta, state: as for `recurrent_attention`.
        chunk: tokens of a chunk; the last may have fewer.

    Raises:
        ValueError: if shapes do not fit, or chunk is less than 1.
    """
    _check(Q, K, V, decay, beta, state)
    if chunk < 1:
        raise ValueError(f"chunk is {chunk}, but a chunk needs at least 1 token")
    S = _start(Q, V) if state is None else state
    rows = []
    for start in range(0, Q.shape[-2], chunk):
        part = slice(start, start + chunk)
        q, k, u = (x[..., part, :] for x in (Q, K, V))
        a = None if decay is None else decay[..., part]
        products = _decays(q, a)
        left = None if a is None else a.cumprod(dim=-1)[..., None]
        if beta is not None:
            b = beta[..., part]
            stored = k @ S if left is None else left * (k @ S)
            u = _new_values(k, b[..., None] * (u - stored), products, b)
        old = q @ S if left is None else left * (q @ S)
        rows.append(old + (q @ k.mT * products) @ u)
        to_end = k if left is None else k * products[..., -1, :, None]
        S = (S if left is None else left[..., -1:, :] * S) + to_end.mT @ u
    return Memory(torch.cat(rows, dim=-2), S)


def _decays(Q: Tensor, decay: Tensor | None) -> Tensor:
    """(..., T, T): what is left at t of what was written at s; 0 for s after t."""
    T = Q.shape[-2]
    past = torch.ones(T, T, dtype=torch.bool, device=Q.device).tril()
    if decay is None:
        return past.to(Q.dtype)
    # Sums from s + 1 to t: differences of sums from 0 would lose digits, and ratios of
    # products would overflow.
    logs = decay.log()[..., :, None].expand(*decay.shape, T)
    sums = logs.masked_fill(~past.tril(-1), 0.0).cumsum(dim=-2)
    return sums.masked_fill(~past, float("-inf")).exp()


def _new_values(K: Tensor, values: Tensor, products: Tensor, beta: Tensor) -> Tensor:
    """What each token writes: its value less what its key holds already."""
    overlap = (K @ K.mT * products * beta[..., None]).tril(-1)
    return torch.linalg.solve_triangular(
        overlap, values, upper=False, unitriangular=True
    )


def _start(Q: Tensor, V: Tensor) -> Tensor:
    return Q.new_zeros(*Q.shape[:-2], Q.shape[-1], V.shape[-1])


def _check(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    decay: Tensor | None,
    beta: Tensor | None,
    state: Tensor | None = None,
) -> None:
    if Q.dim() < 2 or Q.shape != K.shape or V.shape[:-1] != Q.shape[:-1]:
        raise ValueError(
            f"Q and K must both be (..., T, d_k) and V (..., T, d_v), got "
            f"{tuple(Q.shape)}, {tuple(K.shape)} and {tuple(V.shape)}"
        )
    if Q.shape[-2] == 0:
        raise ValueError("there must be at least 1 token, got 0")
    for name, gate in (("decay", decay), ("beta", beta)):
        if gate is not None and gate.shape != Q.shape[:-1]:
            raise ValueError(
                f"{name} must have one number per token, {tuple(Q.shape[:-1])}, got "
                f"{tuple(gate.shape)}"
            )
    due = (*Q.shape[:-2], Q.shape[-1], V.shape[-1])
    if state is not None and tuple(state.shape) != due:
        raise ValueError(f"the state must be {due}, got {tuple(state.shape)}")
