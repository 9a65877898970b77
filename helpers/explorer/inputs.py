"""What the explorer is given, as arrays of one sample: weights, Q, K, V and mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import (
    MultiHeadAttention,
    check_dtype,
    check_tensor,
    scaled_dot_product_attention,
)
from helpers.masks import check_mask
from helpers.plots.attention import as_array


def as_layers(weights: np.ndarray) -> np.ndarray:
    """The weights as (layers, heads, n_q, n_k); missing axes count 1.

    Raises:
        ValueError: if there are several samples, or too few axes.
    """
    shape = weights.shape
    if weights.ndim == 5:
        if shape[1] != 1:
            raise ValueError(
                f"weights of shape {shape} hold {shape[1]} samples in axis 1: choose "
                f"one, for example weights[:, 0]"
            )
        weights = weights[:, 0]
    if weights.ndim not in (2, 3, 4) or 0 in shape:
        raise ValueError(
            f"weights must be (layers, heads, n_q, n_k), (heads, n_q, n_k) or "
            f"(n_q, n_k), none of them 0; got shape {shape}"
        )
    return weights.reshape((1,) * (4 - weights.ndim) + weights.shape)


def attend(
    Q: Any, K: Any, V: Any, mask: Tensor | None = None
) -> tuple[np.ndarray, ...]:
    """Weights, Q, K, V and mask of one layer, each (1, heads or 1, …), as arrays.

    Args:
        Q, K, V: as in `AttentionExplorer.from_qkv`.
        mask: True (or 1) = may attend.

    Raises:
        ValueError: if shapes do not fit, or there are several samples.
    """
    Q, K, V = (_one_sample(x, name) for x, name in zip((Q, K, V), "QKV"))
    with torch.no_grad():
        weights = scaled_dot_product_attention(Q, K, V, mask)[1]
    keep = torch.ones(1, 1, 1, 1, dtype=torch.bool)
    if mask is not None:
        keep = check_mask(mask, 1, *weights.shape[1:])
        keep = keep.reshape((1,) * (4 - keep.ndim) + keep.shape)
    return (*(as_array(x) for x in (weights, Q, K, V)), keep.cpu().numpy())


def _one_sample(x: Any, name: str) -> Tensor:
    x = x.detach() if isinstance(x, Tensor) else torch.as_tensor(np.asarray(x))
    if x.ndim not in (2, 3, 4):
        raise ValueError(
            f"{name} must be (heads, tokens, features), with or without an axis of 1 "
            f"before it, or (tokens, features) for one head; got shape {tuple(x.shape)}"
        )
    if x.ndim == 4 and len(x) != 1:
        raise ValueError(
            f"{name} of shape {tuple(x.shape)} holds {len(x)} samples, and the "
            f"explorer shows one: choose it, for example {name}[0], in Q, K and V alike"
        )
    return x.reshape((1,) * (4 - x.ndim) + x.shape)


def project(mha: nn.Module, inputs: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Q, K and V, each (1, heads, tokens, features), by the module's own layers.

    Args:
        mha: a `MultiHeadAttention`, or PyTorch's `nn.MultiheadAttention`.
        inputs: "query", "key" and "value" → (1, n, d_model) or (n, d_model).

    Raises:
        ValueError: if the module is of another kind, or shapes do not fit.
    """
    batch_axis = 0
    if isinstance(mha, MultiHeadAttention):
        layers = [(x.weight, x.bias) for x in (mha.W_q, mha.W_k, mha.W_v)]
    elif isinstance(mha, nn.MultiheadAttention):
        if mha.bias_k is not None or mha.add_zero_attn:
            raise ValueError(
                "this nn.MultiheadAttention adds a key of its own (add_bias_kv or "
                "add_zero_attn), for which there is no token: such a module cannot be "
                "shown"
            )
        batch_axis = 0 if mha.batch_first else 1
        if mha.in_proj_weight is not None:
            weights = mha.in_proj_weight.chunk(3)
        else:
            weights = (mha.q_proj_weight, mha.k_proj_weight, mha.v_proj_weight)
        none = (None,) * 3
        biases = none if mha.in_proj_bias is None else mha.in_proj_bias.chunk(3)
        layers = list(zip(weights, biases))
    else:
        raise ValueError(
            f"from_module reads a MultiHeadAttention or an nn.MultiheadAttention, not "
            f"a {type(mha).__name__}; give from_qkv its Q, K and V instead"
        )
    found = []
    for (name, x), (weight, bias) in zip(inputs.items(), layers):
        check_tensor(name, x)
        if x.ndim not in (2, 3) or x.shape[-1] != weight.shape[1]:
            raise ValueError(
                f"{name} has shape {tuple(x.shape)}, but (tokens, {weight.shape[1]}) "
                f"is needed, or the same as a batch of 1"
            )
        if x.ndim == 3 and x.shape[batch_axis] != 1:
            more = "" if batch_axis == 0 else " (this module has batch_first=False)"
            which = f"{name}[{'0' if batch_axis == 0 else ':, 0'}]"
            raise ValueError(
                f"{name} of shape {tuple(x.shape)} holds {x.shape[batch_axis]} samples"
                f"{more}, and the explorer shows one: choose it, for example {which}"
            )
        check_dtype(name, x, weight)
        x = x if x.ndim == 2 else x.select(batch_axis, 0)
        x = F.linear(x.to(weight.device), weight, bias)
        found.append(x.unflatten(-1, (mha.num_heads, -1)).transpose(0, 1)[None])
    return tuple(found)


def exact(array: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest type that holds each of them exactly."""
    if array.dtype == bool:
        return array.astype("|u1")
    with np.errstate(over="ignore"):
        small = array.astype("<f4")
    return (
        small if np.array_equal(small, array, equal_nan=True) else array.astype("<f8")
    )
