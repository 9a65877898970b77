"""Grouped-query attention: several query heads read one head of keys and values."""

from __future__ import annotations

from torch import Tensor

from helpers.attention import scaled_dot_product_attention
from helpers.masks import check_mask


def grouped_query_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attention in which query heads share heads of keys and values.

    Query head h reads key and value head ⌊h / r⌋, with r = H / G. G = H is multi-head
    attention, G = 1 is multi-query attention. Nothing is copied: the queries of a group
    are rows of one product with the keys that they share.

    Args:
        Q: (B, H, n_q, d_k).
        K: (B, G, n_k, d_k), where G divides H.
        V: (B, G, n_k, d_v).
        mask: as for `scaled_dot_product_attention`, over H heads.

    Returns:
        output: (B, H, n_q, d_v).
        attn_weights: (B, H, n_q, n_k).

    Raises:
        ValueError: if Q is not 4-D, or G does not divide H; otherwise as for
            `scaled_dot_product_attention`.

    Source: Shazeer (2019), multi-query attention; Ainslie et al. (2023), GQA.

    >>> import torch
    >>> Q, K = torch.ones(2, 6, 5, 7), torch.ones(2, 3, 5, 7)
    >>> grouped_query_attention(Q, K, K)[0].shape
    torch.Size([2, 6, 5, 7])
    """
    if Q.ndim != 4 or K.ndim != 4 or not K.shape[1] or Q.shape[1] % K.shape[1]:
        raise ValueError(
            f"the heads of K must divide those of Q, both 4-D; got Q {tuple(Q.shape)}, "
            f"K {tuple(K.shape)}"
        )
    (B, H, n_q, _), (G, n_k) = Q.shape, K.shape[1:3]
    rows = Q.reshape(B, G, H // G * n_q, Q.shape[-1])
    if mask is not None:
        full = check_mask(mask, B, H, n_q, n_k).expand(B, H, n_q, n_k)
        mask = full.reshape(B, G, H // G * n_q, n_k)
    output, attn_weights = scaled_dot_product_attention(rows, K, V, mask)
    return output.view(B, H, n_q, -1), attn_weights.view(B, H, n_q, n_k)
