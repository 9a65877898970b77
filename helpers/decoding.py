"""Decoding with a cache: keep the keys and values of what was read, and continue.

Under a causal mask the row of a token never changes once it is computed: nothing that
comes later enters it. So its keys and values can be kept, and a new token costs one
row of attention instead of all rows.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.masks import create_causal_mask, whole_number


class KVCache:
    """Keys and values of all tokens read so far, layer by layer.

    Args:
        num_layers: number of attention layers that will use it.

    Raises:
        ValueError: if num_layers is not a whole number of at least 1.

    >>> cache = KVCache(num_layers=2)
    >>> cache.length
    0
    """

    def __init__(self, num_layers: int) -> None:
        num_layers = whole_number("num_layers", num_layers)
        if num_layers < 1:
            raise ValueError(f"a cache needs at least 1 layer; got {num_layers}")
        self.keys: list[Tensor | None] = [None] * num_layers
        self.values: list[Tensor | None] = [None] * num_layers

    @property
    def length(self) -> int:
        """Tokens read by all layers; it is the position of the next token."""
        return min(0 if K is None else K.shape[2] for K in self.keys)

    def copy(self) -> KVCache:
        """A cache that continues on its own; what was read so far is shared."""
        other = KVCache(len(self.keys))
        other.keys, other.values = list(self.keys), list(self.values)
        return other

    def extend(self, layer: int, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
        """Put the keys and values of new tokens after those of the old ones.

        Args:
            layer: number of the layer, from 0.
            K: (B, H, t, d_k) keys of t new tokens.
            V: (B, H, t, d_v) values of the same tokens.

        Returns:
            K, V of all tokens, old and new: (B, H, n, d_k) and (B, H, n, d_v).

        Raises:
            ValueError: if there is no such layer, or the shapes do not continue what
                the cache holds.
        """
        if not 0 <= layer < len(self.keys):
            raise ValueError(
                f"there is no layer {layer}: the cache has layers 0 to "
                f"{len(self.keys) - 1}"
            )
        if K.ndim != 4 or V.ndim != 4 or K.shape[:3] != V.shape[:3]:
            raise ValueError(
                f"K and V must be (batch, heads, tokens, features) and agree in the "
                f"first three; got {tuple(K.shape)} and {tuple(V.shape)}"
            )
        old = (self.keys[layer], self.values[layer])
        joined = []
        for name, kept, new in zip("KV", old, (K, V), strict=True):
            if kept is None:
                joined.append(new)
                continue
            a, b = tuple(kept.shape), tuple(new.shape)
            if a[:2] + a[3:] != b[:2] + b[3:]:
                raise ValueError(
                    f"{name} of shape {b} does not continue the cache, which holds "
                    f"{a}; only the number of tokens (axis 2) may differ. A new batch "
                    f"needs a new cache"
                )
            joined.append(torch.cat([kept, new], dim=2))
        self.keys[layer], self.values[layer] = joined
        return joined[0], joined[1]


class CausalModel(Protocol):
    """What the functions below need from a model."""

    num_layers: int

    def __call__(self, tokens: Tensor, cache: KVCache | None = None) -> Tensor:
        """(B, t, vocabulary) logits of t new tokens, which follow those in the cache.

        Without a cache the tokens are a whole sequence, from position 0.
        """
        ...


def cached_attention(
    mha: MultiHeadAttention, x: Tensor, cache: KVCache, layer: int = 0
) -> tuple[Tensor, Tensor]:
    """Causal self-attention of new tokens over everything read so far.

    softmax(Q Kᵀ / √d_k) V, with Q of the new tokens only, K and V of all, and the
    causal mask aligned bottom-right: the last new token sees every key.

    Args:
        mha: the attention layer; its parameters are used, and nothing in it is changed.
        x: (B, t, d_model), the new tokens.
        cache: receives their keys and values.
        layer: which layer of the cache.

    Returns:
        output: (B, t, d_model).
        attn_weights: (B, H, t, n), over all n tokens.

    Raises:
        ValueError: if x does not continue what the cache holds.

    >>> mha, cache = MultiHeadAttention(d_model=8, num_heads=2), KVCache(num_layers=1)
    >>> _ = cached_attention(mha, torch.ones(1, 5, 8), cache)
    >>> cached_attention(mha, torch.ones(1, 1, 8), cache)[1].shape
    torch.Size([1, 2, 1, 6])
    """
    Q, K, V = (mha.split_heads(W(x)) for W in (mha.W_q, mha.W_k, mha.W_v))
    K, V = cache.extend(layer, K, V)
    n_q, n_k = Q.shape[2], K.shape[2]
    # a single new token may see everything, so it needs no mask
    mask = create_causal_mask(n_q, n_k) if n_q > 1 else None
    heads, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    return mha.W_o(mha.merge_heads(heads)), attn_weights


def prefill(model: CausalModel, tokens: Tensor) -> tuple[Tensor, KVCache]:
    """Read a prompt in one pass.

    Args:
        model: the decoder.
        tokens: (B, n) token ids.

    Returns:
        logits: (B, n, vocabulary), a prediction after every token.
        cache: what `step` continues from.
    """
    cache = KVCache(model.num_layers)
    return step(model, tokens, cache), cache


def step(model: CausalModel, tokens: Tensor, cache: KVCache) -> Tensor:
    """Read t more tokens; only they are computed.

    Args:
        model: the decoder.
        tokens: (B, t) token ids; t = 1 when generating.
        cache: holds the tokens before; the new ones are added to it.

    Returns:
        (B, t, vocabulary) logits, a prediction after every new token.

    Raises:
        ValueError: if tokens is not (B, t) with at least one token.
    """
    if tokens.ndim != 2 or tokens.shape[1] < 1:
        raise ValueError(
            f"tokens must be (batch, tokens) with at least one token; got "
            f"{tuple(tokens.shape)}"
        )
    return model(tokens, cache)


@torch.no_grad()
def greedy(
    model: CausalModel, prompt: Tensor, count: int, cached: bool = True
) -> Tensor:
    """Append the likeliest token, again and again.

    Args:
        model: the decoder.
        prompt: (B, n) token ids, n ≥ 1.
        count: how many tokens to append.
        cached: False reads the whole text anew for every token. The result is the same,
            except for ties within rounding.

    Returns:
        (B, n + count) token ids.
    """
    tokens, unread, cache = prompt, prompt, KVCache(model.num_layers)
    for _ in range(count):
        logits = step(model, unread, cache) if cached else model(tokens)
        unread = logits[:, -1:].argmax(dim=-1)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
