"""Scores of attention maps: one number per head, so that heads can be compared.

A score says where the weights lie. It doesn't say whether the model uses them.
"""

from __future__ import annotations

import torch
from torch import Tensor


def entropy(attn_weights: Tensor, queries: Tensor | None = None) -> Tensor:
    """How far the rows of each head spread: mean of -Σ w log w, in nats.

    0 = all weight on one key, log n_k = the same weight on every key.

    Args:
        attn_weights: (batch, heads, n_q, n_k), (heads, n_q, n_k) or (n_q, n_k).
        queries: bool, (n_q,) or (batch, n_q): the rows that count; by default all.

    Returns:
        (heads,).

    Raises:
        ValueError: if the shapes do not fit, or no row counts.

    >>> entropy(torch.stack([torch.eye(3), torch.full((3, 3), 1 / 3)]))
    tensor([0.0000, 1.0986])
    """
    weights = _as_4d(attn_weights)
    return _mean(torch.special.entr(weights).sum(dim=-1), queries)


def mean_distance(attn_weights: Tensor, queries: Tensor | None = None) -> Tensor:
    """How far away each head looks: mean of Σ w · |i - j|, in tokens.

    Args:
        attn_weights: as for `entropy`; for self-attention, where i and j count the
            same tokens.
        queries: as for `entropy`.

    Returns:
        (heads,).
    """
    weights = _square(attn_weights)
    places = torch.arange(weights.shape[-1])
    apart = (places.unsqueeze(1) - places).abs()
    return _mean((weights * apart.to(weights)).sum(dim=-1), queries)


def previous_token(attn_weights: Tensor, queries: Tensor | None = None) -> Tensor:
    """Mean weight on the token before the query; the first query has none.

    Args:
        attn_weights: as for `entropy`; for self-attention.
        queries: as for `entropy`.

    Returns:
        (heads,).

    >>> previous_token(torch.tensor([[1, 0, 0], [1, 0, 0], [0, 0.5, 0.5]]))
    tensor([0.7500])
    """
    weights = _square(attn_weights)
    before = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1)
    on_it = torch.nn.functional.pad(before, (1, 0))
    later = torch.arange(on_it.shape[-1]) > 0
    return _mean(on_it, later if queries is None else later & queries)


def same_token(
    attn_weights: Tensor, tokens: Tensor, key_tokens: Tensor | None = None
) -> Tensor:
    """Mean weight on the other positions that hold the query's own token.

    Queries whose token occurs nowhere else do not count.

    Args:
        attn_weights: as for `entropy`.
        tokens: whole numbers, (n_q,) or (batch, n_q): what each query is, or asks for.
        key_tokens: (n_k,) or (batch, n_k), what each key is; by default the tokens
            themselves, and a query's own position is then left out.

    Returns:
        (heads,).

    >>> same_token(torch.tensor([[0.2, 0, 0.8], [0, 1, 0], [0.4, 0, 0.6]]), [7, 5, 7])
    tensor([0.6000])
    """
    weights = _as_4d(attn_weights)
    tokens = torch.as_tensor(tokens)
    keys = tokens if key_tokens is None else torch.as_tensor(key_tokens)
    same = tokens.unsqueeze(-1) == keys.unsqueeze(-2)
    if key_tokens is None:
        same &= ~torch.eye(same.shape[-1], dtype=torch.bool)
    on_it = (weights * same.unsqueeze(-3).to(weights)).sum(dim=-1)
    return _mean(on_it, same.any(dim=-1))


def _as_4d(attn_weights: Tensor) -> Tensor:
    weights = attn_weights.detach()
    if weights.ndim not in (2, 3, 4) or 0 in weights.shape:
        raise ValueError(
            f"attn_weights must be (batch, heads, n_q, n_k), (heads, n_q, n_k) or "
            f"(n_q, n_k), none of them 0; got shape {tuple(weights.shape)}"
        )
    weights = weights.reshape((1,) * (4 - weights.ndim) + weights.shape)
    return weights if weights.dtype == torch.float64 else weights.float()


def _square(attn_weights: Tensor) -> Tensor:
    weights = _as_4d(attn_weights)
    n_q, n_k = weights.shape[-2:]
    if n_q != n_k:
        raise ValueError(
            f"distances need self-attention, where queries and keys are the same "
            f"tokens; got n_q = {n_q} and n_k = {n_k}"
        )
    return weights


def _mean(rows: Tensor, queries: Tensor | None) -> Tensor:
    """(heads,): mean of (batch, heads, n_q) over the samples and rows that count."""
    B, _, n_q = rows.shape
    if queries is None:
        return rows.mean(dim=(0, 2))
    queries = torch.as_tensor(queries)
    if tuple(queries.shape) not in {(n_q,), (1, n_q), (B, n_q)}:
        raise ValueError(
            f"queries of shape {tuple(queries.shape)} do not fit {B} samples of "
            f"{n_q} rows; give (n_q,) or (batch, n_q)"
        )
    counts = queries.to(rows).expand(B, n_q)
    if not counts.any():
        raise ValueError("no row counts: there is no query to take the mean over")
    return (rows * counts.unsqueeze(1)).sum(dim=(0, 2)) / counts.sum()
