"""Look into any attention: all heads, one head large, the arithmetic of each weight."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from traitlets import Bytes, Dict, Int, TraitError, validate

from helpers.attention import (
    MultiHeadAttention,
    check_dtype,
    check_tensor,
    scaled_dot_product_attention,
)
from helpers.masks import check_mask
from helpers.plots.attention import (
    SUM_TOLERANCE,
    as_array,
    fit_tokens,
    plot_attention,
    whole,
)
from helpers.plots.colours import COLOURS, WEIGHTS_MAP
from helpers.plots.labels import visible

FOLDER = Path(__file__).parent
MOST_BYTES = 48_000_000
"""What the page gets of the weights; it says which queries were too many."""
OPEN_IT = "Run this cell in JupyterLab to open it."


class AttentionExplorer(anywidget.AnyWidget):
    """Show every head as a small map, one head large, and each weight's arithmetic.

    weight = exp(score − largest) / Σ exp(score − largest),  score = q · k / √d_k

    All numbers are sent to the page once, exactly as the tensors hold them (as float32
    where that loses nothing, else as float64), so that it answers while the kernel is
    busy. The page computes the steps between q, k and the weight in float64; the weight
    itself is the tensor's own. Where the two differ in the digits that are shown, as
    they may in bfloat16, the page says so. Nothing is written, moved or switched to
    another mode.

    Where there is no kernel (GitHub, exported HTML), a picture and a sentence remain.

    Args:
        weights: (layers, heads, n_q, n_k), (heads, n_q, n_k) or (n_q, n_k); tensor of
            any dtype and device, array or (nested) list. A list of one
            (1, heads, n_q, n_k) tensor a layer works too.
        tokens: n_q tokens, the queries (and the keys, if there are no key_tokens).
        key_tokens: n_k tokens.
        layer, head: which head is open first.

    Attributes:
        weights: (layers, heads, n_q, n_k) float64 array, the numbers that are drawn.
        tokens, key_tokens: lists of strings.
        layer, head: the open head; may be read and set, the page follows.
        query, key: the chosen weight, or None; may be read and set.

    Raises:
        ValueError: if shapes, tokens or indices do not fit together.

    >>> AttentionExplorer([[1.0, 0.0], [0.5, 0.5]], ["a", "b"])
    Attention explorer: 1 layer × 1 head, 2 tokens.
    """

    _esm = FOLDER / "explorer.js"
    _css = FOLDER / "explorer.css"

    layer = Int(0).tag(sync=True)
    head = Int(0).tag(sync=True)
    query = Int(None, allow_none=True).tag(sync=True)
    key = Int(None, allow_none=True).tag(sync=True)
    _facts = Dict().tag(sync=True)
    _weights = Bytes().tag(sync=True)
    _q = Bytes().tag(sync=True)
    _k = Bytes().tag(sync=True)
    _v = Bytes().tag(sync=True)
    _mask = Bytes().tag(sync=True)

    def __init__(
        self,
        weights: Any,
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        *,
        layer: int = 0,
        head: int = 0,
        _arithmetic: dict[str, np.ndarray] | None = None,
    ) -> None:
        given = as_array(weights)
        self.weights = _as_layers(given)
        layers, heads, n_q, n_k = self.weights.shape
        sides = fit_tokens(tokens, key_tokens, n_q, n_k)
        self.tokens, self.key_tokens = ([str(t) for t in side] for side in sides)
        self._sizes = {"layer": layers, "head": heads, "query": n_q, "key": n_k}
        for name, value in (("layer", layer), ("head", head)):
            value = whole(name, value)
            try:
                self._index(name, value)
            except TraitError as error:
                raise ValueError(str(error)) from None
        shown = max(1, min(n_q, MOST_BYTES // (4 * layers * heads * n_k)))
        arrays = {"_weights": self.weights[:, :, :shown], **(_arithmetic or {})}
        sent = {name: _exact(array) for name, array in arrays.items()}
        facts = {
            "sizes": [layers, heads, n_q, n_k],
            "shown": shown,
            "left_out": self._left_out(shown),
            "tokens": [visible(token) for token in self.tokens],
            "key_tokens": [visible(token) for token in self.key_tokens],
            "summary": self._summary(),
            "notes": _notes(self.weights, self.tokens) + _reading(given.shape),
            "arrays": {
                name: {"shape": list(arrays[name].shape), "type": array.dtype.str[1:]}
                for name, array in sent.items()
            },
        }
        data = {name: array.tobytes() for name, array in sent.items()}
        super().__init__(layer=layer, head=head, _facts=facts, **data)

    @classmethod
    def from_qkv(
        cls,
        Q: Any,
        K: Any,
        V: Any,
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        mask: Tensor | None = None,
        *,
        layer: int = 0,
        head: int = 0,
    ) -> AttentionExplorer:
        """Explore the attention of Q, K and V, with the arithmetic of every weight.

        Args:
            Q: (heads, n_q, d_k), (1, heads, n_q, d_k), or (n_q, d_k) for one head.
            K: the same with n_k.
            V: the same with n_k and d_v.
            tokens: n_q tokens, the queries (and the keys, if there are no key_tokens).
            key_tokens: n_k tokens.
            mask: True (or 1) = may attend; (n_q, n_k), or 4-D.
            layer, head: which head is open first.

        Raises:
            ValueError: if shapes do not fit, or there are several samples.
        """
        return cls.from_layers(
            [(Q, K, V, mask)], tokens, key_tokens, layer=layer, head=head
        )

    @classmethod
    def from_layers(
        cls,
        layers: Sequence[tuple],
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        *,
        layer: int = 0,
        head: int = 0,
    ) -> AttentionExplorer:
        """Explore several layers at once.

        Args:
            layers: one (Q, K, V) or (Q, K, V, mask) a layer, as in `from_qkv`; all of
                the same shapes.
            tokens, key_tokens, layer, head: as in `from_qkv`.

        Raises:
            ValueError: if shapes do not fit, or there are several samples.
        """
        parts = [_attend(*one) for one in layers]
        shapes = sorted({tuple(tuple(x.shape) for x in part) for part in parts})
        if len(shapes) != 1:
            raise ValueError(
                f"from_layers needs one layer at least, and Q, K and V of the same "
                f"shapes in all of them; got {[shape[1:4] for shape in shapes]}"
            )
        names = ("weights", "_q", "_k", "_v", "_mask")
        arrays = dict(zip(names, (np.concatenate(x) for x in zip(*parts))))
        return cls(
            arrays.pop("weights"),
            tokens,
            key_tokens,
            layer=layer,
            head=head,
            _arithmetic=arrays,
        )

    @classmethod
    def from_module(
        cls,
        mha: MultiHeadAttention | nn.MultiheadAttention,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        *,
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        mask: Tensor | None = None,
        layer: int = 0,
        head: int = 0,
    ) -> AttentionExplorer:
        """Explore what a module with heads does with its input.

        Only its projections are used: the module is not called, so it stays where it
        is and in its mode, and its dropout plays no part.

        Args:
            mha: a `MultiHeadAttention`, or PyTorch's `nn.MultiheadAttention`.
            query: (1, n_q, d_model) or (n_q, d_model).
            key: by default the query (self-attention).
            value: by default the key.
            tokens, key_tokens, mask, layer, head: as in `from_qkv`; True = may attend,
                for nn.MultiheadAttention too.

        Raises:
            ValueError: if the module is of another kind, or shapes do not fit.
        """
        key = query if key is None else key
        value = key if value is None else value
        with torch.no_grad():
            Q, K, V = _project(mha, {"query": query, "key": key, "value": value})
        return cls.from_qkv(Q, K, V, tokens, key_tokens, mask, layer=layer, head=head)

    @validate("layer", "head", "query", "key")
    def _in_range(self, proposal: dict[str, Any]) -> int | None:
        return self._index(proposal["trait"].name, proposal["value"])

    def _index(self, name: str, value: int | None) -> int | None:
        size = self._sizes[name]
        if value is None:
            return None
        if not -size <= value < size:
            raise TraitError(
                f"{name} = {value} is not there: it goes from 0 to {size - 1}"
            )
        return value % size

    def _left_out(self, shown: int) -> str:
        n_q = len(self.tokens)
        if shown == n_q:
            return ""
        millions = self.weights.size / 1e6
        return (
            f"The page holds queries 0 to {shown - 1} of {n_q}: {millions:.0f} million "
            f"weights are too many for it. To see later ones, give "
            f"weights[..., {shown}:, :] with tokens[{shown}:] and all key_tokens."
        )

    def _summary(self) -> str:
        layers, heads, n_q, n_k = self.weights.shape
        tokens = _count(n_q, "token")
        if self.tokens != self.key_tokens:
            tokens = f"{_count(n_q, 'query token')} × {_count(n_k, 'key token')}"
        return f"{_count(layers, 'layer')} × {_count(heads, 'head')}, {tokens}"

    def __repr__(self) -> str:
        return f"Attention explorer: {self._summary()}."

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and what remains where there is none: a picture, a sentence."""
        bundle = super()._repr_mimebundle_(**kwargs)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        return {
            **data,
            "text/plain": f"{self!r} {OPEN_IT}",
            "image/png": base64.b64encode(self._picture()).decode("ascii"),
        }

    def _picture(self) -> bytes:
        from matplotlib.figure import Figure

        layers, heads, n_q, n_k = self.weights.shape
        several = layers * heads > 1
        size = (9 if several else 5.5, 1.7 + min(2.9, 4.2 * n_q / n_k))
        figure = Figure(figsize=size, dpi=90, layout="compressed")
        axes = figure.subplots(
            1, 1 + several, squeeze=False, width_ratios=[2, 3][1 - several :]
        )[0]
        with warnings.catch_warnings():  # a font that lacks a letter: said in the plots
            warnings.simplefilter("ignore")
            plot_attention(
                self.weights[self.layer],
                self.tokens,
                self.key_tokens,
                head=self.head,
                ax=axes[-1],
                title=f"Layer {self.layer}, head {self.head}",
            )
            if several:
                _draw_all(axes[0], self.weights, self.layer * heads + self.head)
            figure.supxlabel(f"{self!r}\n{OPEN_IT}", fontsize=9, color="0.35")
            file = io.BytesIO()
            figure.savefig(file, format="png", metadata={"Software": None})
        return file.getvalue()


def _as_layers(weights: np.ndarray) -> np.ndarray:
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


def _reading(shape: tuple[int, ...]) -> list[str]:
    """How three axes are read, which might be heads or samples."""
    if len(shape) != 3 or shape[0] == 1:
        return []
    return [
        f"The {shape[0]} maps are read as heads. If they are samples, as in what "
        f"nn.MultiheadAttention returns by default, give one: weights[0]."
    ]


def _attend(
    Q: Any, K: Any, V: Any, mask: Tensor | None = None
) -> tuple[np.ndarray, ...]:
    """Weights, Q, K, V and mask of one layer, each (1, heads or 1, …), as arrays."""
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
            f"{name} must be (heads, tokens, features), with a batch of 1 before it or "
            f"for one head without heads; got shape {tuple(x.shape)}"
        )
    if x.ndim == 4 and len(x) != 1:
        raise ValueError(
            f"{name} of shape {tuple(x.shape)} holds {len(x)} samples, and the "
            f"explorer shows one: choose it, for example {name}[0], in Q, K and V alike"
        )
    return x.reshape((1,) * (4 - x.ndim) + x.shape)


def _project(
    mha: nn.Module, inputs: dict[str, Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """Q, K and V, each (1, heads, tokens, features), by the module's own layers."""
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


def _exact(array: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest type that holds each of them exactly."""
    if array.dtype == bool:
        return array.astype("|u1")
    with np.errstate(over="ignore"):
        small = array.astype("<f4")
    return (
        small if np.array_equal(small, array, equal_nan=True) else array.astype("<f8")
    )


def _notes(weights: np.ndarray, tokens: list[str]) -> list[str]:
    """What a reader of the maps must know first; one sentence each."""

    def where(rows: np.ndarray) -> str:
        layer, head, query = np.argwhere(rows)[0]
        first = (
            f"query {query}, {visible(tokens[query])}, in layer {layer}, head {head}"
        )
        return first if rows.sum() == 1 else f"first: {first}"

    notes = []
    broken = np.isnan(weights).any(axis=-1)
    if broken.any():
        notes.append(
            f"{_count(broken.sum(), 'row')} of {broken.size} hold NaN, drawn in grey "
            f"({where(broken)})."
        )
    low, high = np.nanmin(weights, initial=0.0), np.nanmax(weights, initial=1.0)
    if low < 0 or high > 1 + SUM_TOLERANCE:
        notes.append(
            f"These are no attention weights: numbers go from {low:.3g} to {high:.3g}, "
            f"but the colours from 0 to 1. Are they scores, before the softmax?"
        )
        return notes
    sums = weights.sum(axis=-1)
    empty = sums == 0
    if empty.any():
        notes.append(
            f"{_count(empty.sum(), 'row')} of {empty.size} sum to 0, so that query "
            f"attends to no key ({where(empty)})."
        )
    off = ~empty & (np.abs(sums - 1) > SUM_TOLERANCE)
    if off.any():
        notes.append(
            f"{_count(off.sum(), 'row')} of {off.size} do not sum to 1, but to "
            f"{sums[off].min():.2f} … {sums[off].max():.2f} ({where(off)})."
        )
    return notes


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"


def _draw_all(axes: Any, weights: np.ndarray, open_one: int) -> None:
    """All heads as one picture of tiles, one layer a row; the open one has a frame."""
    from matplotlib.patches import Rectangle

    layers, heads, n_q, n_k = weights.shape
    columns = heads if layers > 1 else int(np.ceil(np.sqrt(heads)))
    tiles = weights.reshape(-1, n_q, n_k)
    rows = -(-len(tiles) // columns)
    gap_q, gap_k = max(1, n_q // 8), max(1, n_k // 8)
    sheet = np.full((rows * (n_q + gap_q), columns * (n_k + gap_k)), np.nan)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        top, left = row * (n_q + gap_q), column * (n_k + gap_k)
        sheet[top : top + n_q, left : left + n_k] = tile
        if number == open_one:
            corner, style = (left - 0.5, top - 0.5), {"lw": 1.5, "fill": False}
            frame = Rectangle(corner, n_k, n_q, ec=COLOURS["query"], **style)
            axes.add_patch(frame)
    axes.imshow(sheet, cmap=WEIGHTS_MAP, vmin=0, vmax=1, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    order = "a layer a row" if layers > 1 else "left to right, row by row"
    axes.set_title(f"All {layers * heads} heads, {order}", fontsize=10)
