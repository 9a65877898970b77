"""Sizes that follow from a formula: attention weights, and a cache of K and V."""

from __future__ import annotations

import math


def attention_bytes(batch: int, heads: int, n: int, bytes_per_number: int) -> int:
    """How much memory the weights of one attention layer take, if all are held.

    batch · heads · n² · bytes_per_number.

    Args:
        batch: number of sequences.
        heads: number of heads.
        n: tokens in each sequence, which are queries and keys.
        bytes_per_number: 4 for float32, 2 for float16 and bfloat16.

    Returns:
        bytes.

    Raises:
        ValueError: if one of them is not a whole number of at least 1.

    >>> attention_bytes(batch=1, heads=1, n=1024, bytes_per_number=4)
    4194304
    """
    return _product(batch=batch, heads=heads, n=n, m=n, bytes=bytes_per_number)


def kv_cache_bytes(
    layers: int, batch: int, n: int, kv_heads: int, d_head: int, bytes_per_number: int
) -> int:
    """How much memory the keys and values of n tokens take, in all layers.

    2 · layers · batch · n · kv_heads · d_head · bytes_per_number.

    Args:
        layers: attention layers of the model, each with a cache of its own.
        batch: number of sequences.
        n: tokens so far.
        kv_heads: heads that have keys and values of their own. With grouped-query
            attention there are fewer of them than query heads.
        d_head: width of one key, and of one value.
        bytes_per_number: 4 for float32, 2 for float16 and bfloat16.

    Returns:
        bytes.

    Raises:
        ValueError: if one of them is not a whole number of at least 1.

    >>> kv_cache_bytes(1, 1, 1, kv_heads=8, d_head=64, bytes_per_number=2)
    2048
    """
    return 2 * _product(
        layers=layers,
        batch=batch,
        n=n,
        kv_heads=kv_heads,
        d_head=d_head,
        bytes=bytes_per_number,
    )


def _product(**sizes: int) -> int:
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ValueError(
                f"{name} is {size!r}, but must be a whole number of at least 1"
            )
    return math.prod(sizes.values())
