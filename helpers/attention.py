"""The article's two pieces: scaled dot-product attention, and attention with heads."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.devices import check_device
from helpers.masks import FILL, check_mask, whole_number


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Let every query collect a weighted mean of the values.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V

    A query that may attend to no key gets weights 0 and output 0, and its gradients
    are finite, as with PyTorch's own `F.scaled_dot_product_attention`.

    Args:
        Q: (batch, heads, n_q, d_k).
        K: (batch, heads, n_k, d_k).
        V: (batch, heads, n_k, d_v).
        mask: True (or 1) = may attend; (n_q, n_k), or 4-D and broadcastable to
            (batch, heads, n_q, n_k). A 2-D mask is never (batch, n_k): use
            `padding_mask` for that; where batch = n_q the two cannot be told apart.

    Returns:
        output: (batch, heads, n_q, d_v).
        attn_weights: (batch, heads, n_q, n_k); each row sums to 1, or to 0 where the
            mask leaves no key.

    Raises:
        TypeError, ValueError: if shapes or dtypes do not fit or the mask could be
            misread; the sentence gives them and the remedy.

    Source: Vaswani et al. (2017), equation 1; the article, section 3.

    >>> Q = K = V = torch.ones(2, 3, 5, 7)
    >>> output, attn_weights = scaled_dot_product_attention(Q, K, V)
    >>> output.shape, attn_weights.shape
    (torch.Size([2, 3, 5, 7]), torch.Size([2, 3, 5, 5]))
    """
    batch, heads, n_q, n_k = check_shapes(Q, K, V)
    scores = (Q / math.sqrt(Q.shape[-1])) @ K.transpose(-2, -1)
    if mask is None:
        attn_weights = _softmax(scores)
        return attn_weights @ V, attn_weights

    mask = check_mask(mask, batch, heads, n_q, n_k).to(Q.device)
    empty = ~mask.any(dim=-1, keepdim=True)
    some_are_empty = empty.is_meta or bool(empty.any())  # meta tensors hold no numbers
    # An empty row keeps its scores through the softmax, which would make NaN of
    # -inf alone, and is set to 0 afterwards.
    attn_weights = _softmax(scores.masked_fill(~(mask | empty), FILL))
    if some_are_empty:
        attn_weights = attn_weights.masked_fill(empty, 0.0)
    return attn_weights @ V, attn_weights


def _softmax(scores: Tensor) -> Tensor:
    """Softmax over the keys; under no_grad it reuses the memory of the scores."""
    return torch.softmax(
        scores, dim=-1, out=None if torch.is_grad_enabled() else scores
    )


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in its own d_k of the d_model features.

    MultiHead(Q, K, V) = Concat(head_1, …, head_h) W_O
    head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)

    The h matrices W_i^Q of the formula are the blocks of rows of `W_q`, and so on.

    Args:
        d_model: width of a token; must be divisible by num_heads.
        num_heads: number of heads h; each is d_k = d_model // num_heads wide.

    Raises:
        ValueError: if d_model is not a multiple of num_heads, or not whole.

    Source: Vaswani et al. (2017), section 3.2.2; the article, section 4.

    >>> mha = MultiHeadAttention(d_model=512, num_heads=8)
    >>> x = torch.ones(4, 20, 512)
    >>> output, attn_weights = mha(x, x, x)
    >>> output.shape, attn_weights.shape
    (torch.Size([4, 20, 512]), torch.Size([4, 8, 20, 20]))
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        d_model = whole_number("d_model", d_model)
        num_heads = whole_number("num_heads", num_heads)
        if num_heads < 1 or d_model < 1 or d_model % num_heads:
            raise ValueError(
                f"d_model = {d_model} is not divisible by num_heads = {num_heads}: "
                f"every head must get the same whole number of features"
            )
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def split_heads(self, x: Tensor) -> Tensor:
        """Cut the features into heads: (B, T, d_model) → (B, H, T, d_k)."""
        return x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)

    def merge_heads(self, x: Tensor) -> Tensor:
        """Lay the heads side by side again: (B, H, T, d_k) → (B, T, d_model)."""
        return x.transpose(1, 2).flatten(start_dim=-2)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        need_weights: bool = True,
    ) -> tuple[Tensor, Tensor | None]:
        """Project, split, attend, merge, project.

        Args:
            query: (B, n_q, d_model), the tokens that ask.
            key: (B, n_k, d_model), the tokens that are asked.
            value: (B, n_k, d_model), what is handed over; nearly always the same
                tensor as key.
            mask: True (or 1) = may attend; (n_q, n_k), or 4-D and broadcastable to
                (B, H, n_q, n_k).
            need_weights: False lets PyTorch's fused kernel do the work. It is faster,
                as it never forms the weights, and attn_weights is None.

        Returns:
            output: (B, n_q, d_model).
            attn_weights: (B, H, n_q, n_k), or None.

        Raises:
            ValueError: if shapes do not fit or the mask could be misread.
        """
        for name, x in (("query", query), ("key", key), ("value", value)):
            check_tensor(name, x)
            if x.ndim != 3 or x.shape[-1] != self.d_model:
                raise ValueError(
                    f"{name} has shape {tuple(x.shape)}, but (batch, tokens, d_model) "
                    f"with d_model = {self.d_model} is needed"
                )
            check_dtype(name, x, self.W_q.weight)
        Q = self.split_heads(self.W_q(query))
        K = self.split_heads(self.W_k(key))
        V = self.split_heads(self.W_v(value))
        if need_weights:
            heads, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
        else:
            sizes = check_shapes(Q, K, V)
            attn_mask = None if mask is None else check_mask(mask, *sizes).to(Q.device)
            heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=attn_mask)
            attn_weights = None
        return self.W_o(self.merge_heads(heads)), attn_weights

    def copy_weights_from(self, other: nn.MultiheadAttention) -> MultiHeadAttention:
        """Copy the parameters of PyTorch's own module, so that both compute the same.

        Args:
            other: an `nn.MultiheadAttention` with the same d_model and num_heads, with
                biases and one width for query, key and value.

        Returns:
            self, so that the call can follow the constructor.

        Raises:
            ValueError: if the two modules differ in size or kind.
        """
        sizes = (other.embed_dim, other.num_heads)
        plain = other.in_proj_weight is not None and other.in_proj_bias is not None
        extra = other.bias_k is not None or other.add_zero_attn
        if sizes != (self.d_model, self.num_heads) or not plain or extra:
            raise ValueError(
                f"cannot copy from an nn.MultiheadAttention with embed_dim, num_heads "
                f"= {sizes} into (d_model, num_heads) = "
                f"{(self.d_model, self.num_heads)}: sizes must agree, with biases and "
                f"without kdim, vdim, add_bias_kv or add_zero_attn"
            )
        with torch.no_grad():
            weights = other.in_proj_weight.chunk(3)
            biases = other.in_proj_bias.chunk(3)
            layers = (self.W_q, self.W_k, self.W_v)
            for layer, weight, bias in zip(layers, weights, biases, strict=True):
                layer.weight.copy_(weight)
                layer.bias.copy_(bias)
            self.W_o.load_state_dict(other.out_proj.state_dict())
        return self


def check_shapes(Q: Tensor, K: Tensor, V: Tensor) -> tuple[int, int, int, int]:
    """The sizes (batch, heads, n_q, n_k); one sentence says what does not fit."""
    for name, x in zip("QKV", (Q, K, V)):
        check_tensor(name, x)
    shapes = [tuple(x.shape) for x in (Q, K, V)]
    got = "got Q {}, K {}, V {}".format(*shapes)
    if any(len(shape) != 4 for shape in shapes):
        raise ValueError(
            f"Q, K and V must be 4-D, (batch, heads, tokens, features); {got}; "
            f"x[None, None] adds a batch and a head axis"
        )
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"Q and K must be equally wide (d_k, the last axis); {got}")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"K and V must have equally many tokens (n_k, axis 2); {got}")
    for axis, name in ((0, "batch"), (1, "heads")):
        sizes = {shape[axis] for shape in shapes}
        if len(sizes) > 1:
            raise ValueError(f"Q, K and V differ in {name} (axis {axis}); {got}")
    if not all(x.is_floating_point() for x in (Q, K, V)):
        kinds = ", ".join(str(x.dtype) for x in (Q, K, V))
        raise ValueError(
            f"Q, K and V must be floating point, got {kinds}; use .float()"
        )
    if not Q.dtype == K.dtype == V.dtype and not _converts_itself(Q):
        raise ValueError(
            f"Q, K and V must have one dtype, got {Q.dtype}, {K.dtype} and {V.dtype}; "
            f"convert them with .to(dtype)"
        )
    check_device(Q.device.type, Q.dtype)
    return (*shapes[0][:3], shapes[1][2])


def check_tensor(name: str, x: object) -> None:
    """Refuse, in one sentence, what is not a tensor.

    Raises:
        TypeError: if x is something else.
    """
    if not isinstance(x, Tensor):
        raise TypeError(
            f"{name} must be a tensor, got {type(x).__name__}; torch.as_tensor makes "
            f"one from numbers"
        )


def check_dtype(name: str, x: Tensor, weight: Tensor) -> None:
    """Refuse, in one sentence, an x of another dtype than the weight it will meet.

    Raises:
        ValueError: if the dtypes differ, and autocast is off.
    """
    if x.dtype != weight.dtype and not _converts_itself(x):
        raise ValueError(
            f"{name} is {x.dtype}, but the module's parameters are {weight.dtype}; "
            f"convert one of them, for example {name}.to({weight.dtype})"
        )


def _converts_itself(x: Tensor) -> bool:
    """Autocast brings dtypes together on its own."""
    return torch.is_autocast_enabled(x.device.type)
