"""Masks: one polarity, one fill value, one place.

In this course a mask answers the question "may this query attend to this key?": True
(or 1) = yes, False (or 0) = no. The article means it this way, and so does PyTorch's
own `F.scaled_dot_product_attention`. `nn.MultiheadAttention` means the opposite; the
one function that translates is `to_multihead_attention_mask`.
"""

from __future__ import annotations

import operator

import torch
from torch import Tensor

FILL = float("-inf")
"""The score of a forbidden key: exp(-inf) is exactly 0, so its weight is exactly 0."""


def create_causal_mask(seq_len: int, key_len: int | None = None) -> Tensor:
    """Mask in which a token may look at itself and at what came before it.

    mask[i, j] = (j <= i + n_k - n_q): aligned bottom-right, so that the last query
    sees every key. With a cache of old keys that is the right alignment; if there are
    more queries than keys, the first n_q - n_k queries may attend to nothing.

    Args:
        seq_len: number of queries n_q.
        key_len: number of keys n_k; by default as many as queries.

    Returns:
        bool tensor (n_q, n_k), lower-triangular when n_q = n_k.

    Raises:
        ValueError: if a length is not a whole number of at least 0.

    Source: the article, section 6.

    >>> create_causal_mask(4).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    """
    n_q = whole_number("seq_len", seq_len)
    n_k = n_q if key_len is None else whole_number("key_len", key_len)
    queries = torch.arange(n_q).unsqueeze(1)
    return torch.arange(n_k) <= queries + (n_k - n_q)


def padding_mask(lengths: Tensor | list[int], max_len: int) -> Tensor:
    """Mask that hides the padding at the end of each sentence from every query.

    mask[b, 0, 0, j] = (j < lengths[b]).

    Args:
        lengths: (B,) whole numbers, the real length of each sentence.
        max_len: the padded length, at least as large as every length.

    Returns:
        bool tensor (B, 1, 1, max_len): it broadcasts over heads and queries.

    Raises:
        ValueError: if lengths is not one row of whole numbers from 0 to max_len.

    >>> padding_mask([2, 3], max_len=3)[:, 0, 0].int().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    try:
        lengths = torch.as_tensor(lengths)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(
            f"lengths must be one row of whole numbers, one per sentence; got "
            f"{lengths!r}"
        ) from None
    max_len = whole_number("max_len", max_len)
    if lengths.ndim != 1 or lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise ValueError(
            f"lengths must be one row of whole numbers, one per sentence; got "
            f"{lengths.dtype} of shape {tuple(lengths.shape)}"
        )
    known = lengths.numel() and not lengths.is_meta
    if known and (lengths.min() < 0 or lengths.max() > max_len):
        raise ValueError(
            f"lengths go from {lengths.min().item()} to {lengths.max().item()}, but "
            f"must lie between 0 and max_len = {max_len}"
        )
    keys = torch.arange(max_len, device=lengths.device)
    return (keys < lengths.unsqueeze(1))[:, None, None, :]


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """Mask that allows what every one of the masks allows: a logical AND.

    Args:
        masks: 2-D, (n_q, n_k), or 4-D masks that broadcast against each other, bool or
            0/1; None is skipped.

    Returns:
        bool tensor of the broadcast shape, or None if every mask was None.

    Raises:
        ValueError: if the shapes do not broadcast, or a mask is neither 2-D nor 4-D or
            not made of 0 and 1.

    >>> combine_masks(create_causal_mask(3), padding_mask([2, 3], 3)).shape
    torch.Size([2, 1, 3, 3])
    """
    combined: Tensor | None = None
    for mask in masks:
        if mask is None:
            continue
        mask = as_bool(mask)
        if mask.ndim not in (2, 4):
            raise ValueError(
                f"mask of shape {tuple(mask.shape)} is {mask.ndim}-D, but must be "
                f"(n_q, n_k) or 4-D; {_remedy(mask.ndim)}"
            )
        if combined is None:
            combined = mask
            continue
        try:
            combined = combined & mask
        except RuntimeError:
            raise ValueError(
                f"masks of shapes {tuple(combined.shape)} and {tuple(mask.shape)} do "
                f"not broadcast against each other; a causal mask is (n_q, n_k), a "
                f"padding mask (B, 1, 1, n_k)"
            ) from None
    return combined


def as_bool(mask: Tensor) -> Tensor:
    """The mask as bool; 0/1 of any dtype is accepted, anything else refused.

    Args:
        mask: tensor of any shape.

    Returns:
        bool tensor of the same shape, True = may attend.

    Raises:
        TypeError: if it is not a tensor.
        ValueError: if it holds anything but 0 and 1, or is a float mask of zeros only
            (added to the scores it would hide nothing, read as 0/1 everything).
    """
    if not isinstance(mask, Tensor):
        raise TypeError(
            f"mask must be a tensor of bool or 0/1 (1 = may attend); got "
            f"{type(mask).__name__}"
        )
    mask = mask.to_dense()
    if mask.dtype == torch.bool:
        return mask
    keep = mask != 0
    if mask.is_meta:
        return keep  # it has no values that could be misread
    if bool((keep & (mask != 1)).any()):
        mask = mask.real if mask.is_complex() else mask
        low, high = mask.min().item(), mask.max().item()
        raise ValueError(
            f"mask must hold only 0 and 1 (1 = may attend), but its values go from "
            f"{low:g} to {high:g}; an additive mask (0 = keep, -inf = hide) becomes "
            f"one of ours by `mask == 0`"
        )
    if mask.is_floating_point() and mask.numel() and not bool(keep.any()):
        raise ValueError(
            "mask is a float tensor of zeros only: as an additive mask it would hide "
            "nothing, as a 0/1 mask everything; pass `mask == 0` for the first "
            "meaning or `mask.bool()` for the second"
        )
    return keep


def check_mask(mask: Tensor, batch: int, heads: int, n_q: int, n_k: int) -> Tensor:
    """The mask as bool, if it fits scores of shape (batch, heads, n_q, n_k).

    A 2-D mask is (n_q, n_k), for all samples and heads; a 4-D mask broadcasts to
    (batch, heads, n_q, n_k). A mask (B, n_k) with B = n_q cannot be told from
    (n_q, n_k): use `padding_mask`, whose shape says what it means.

    Args:
        mask: bool or 0/1 of any dtype, True (1) = may attend.
        batch, heads, n_q, n_k: the sizes of the scores.

    Returns:
        bool tensor that broadcasts to (batch, heads, n_q, n_k).

    Raises:
        TypeError, ValueError: one sentence with the shapes and the remedy.
    """
    mask = as_bool(mask)
    given, wanted = tuple(mask.shape), (batch, heads, n_q, n_k)
    if mask.ndim == 2:
        if all(size in (1, full) for size, full in zip(given, (n_q, n_k), strict=True)):
            return mask
        if given == (batch, n_k):
            raise ValueError(
                f"mask of shape {given} looks like (batch, n_k), but a 2-D mask is "
                f"read as (n_q, n_k) = {(n_q, n_k)}; to hide padding use "
                f"padding_mask(lengths, max_len), which is (batch, 1, 1, n_k)"
            )
        raise ValueError(
            f"mask of shape {given} does not fit (n_q, n_k) = {(n_q, n_k)}; "
            f"create_causal_mask({n_q}, {n_k}) gives one that does"
        )
    if mask.ndim == 4:
        if all(size in (1, full) for size, full in zip(given, wanted, strict=True)):
            return mask
        raise ValueError(
            f"mask of shape {given} does not broadcast to (batch, heads, n_q, n_k) = "
            f"{wanted}: each size must be 1 or equal"
        )
    raise ValueError(
        f"mask of shape {given} is {mask.ndim}-D, but must be (n_q, n_k) = "
        f"{(n_q, n_k)} or broadcast to (batch, heads, n_q, n_k) = {wanted}; "
        f"{_remedy(mask.ndim)}"
    )


def to_multihead_attention_mask(mask: Tensor) -> Tensor:
    """Our mask in the opposite polarity of `nn.MultiheadAttention`, True = forbidden.

    Args:
        mask: bool or 0/1, True (1) = may attend.

    Returns:
        bool tensor of the same shape, True = may *not* attend. For `attn_mask` it must
        be (n_q, n_k) or (B·H, n_q, n_k), for `key_padding_mask` (B, n_k).

    Source: the documentation of `torch.nn.MultiheadAttention.forward`.
    """
    return ~as_bool(mask)


def _remedy(ndim: int) -> str:
    return {
        1: "a mask over keys is mask[None, :]; one for padding is (batch, 1, 1, n_k)",
        3: "write mask[:, None] if it is one per sample, mask[None] if one per head",
    }.get(ndim, "add or drop axes until it does")


def whole_number(name: str, value: int) -> int:
    """The value as a Python number, if it is whole and not below 0.

    Raises:
        ValueError: if it is not.
    """
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"{name} must be a whole number, 0 or more; got {value!r}")
    return number
