"""Look into any attention: all heads, one head large, the arithmetic of each weight."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import torch
from torch import Tensor, nn
from traitlets import Bytes, Dict, Int, TraitError, validate

from helpers.attention import MultiHeadAttention
from helpers.explorer.inputs import as_layers, attend, exact, project
from helpers.explorer.notes import how_read, notes_on
from helpers.explorer.picture import picture
from helpers.plots.attention import as_array, fit_tokens, whole
from helpers.plots.labels import visible

FOLDER = Path(__file__).parent
MOST_BYTES = 48_000_000
"""Bytes of weights that the page gets at most; it says which queries did not fit."""
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
            (1, heads, n_q, n_k) tensor per layer works too.
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
        self.weights = as_layers(given)
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
        sent = {name: exact(array) for name, array in arrays.items()}
        facts = {
            "sizes": [layers, heads, n_q, n_k],
            "shown": shown,
            "left_out": self._left_out(shown),
            "tokens": [visible(token) for token in self.tokens],
            "key_tokens": [visible(token) for token in self.key_tokens],
            "summary": self._summary(),
            "notes": notes_on(self.weights, self.tokens) + how_read(given.shape),
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
        layers: Sequence[tuple[Any, ...]],
        tokens: Sequence[str],
        key_tokens: Sequence[str] | None = None,
        *,
        layer: int = 0,
        head: int = 0,
    ) -> AttentionExplorer:
        """Explore several layers at once.

        Args:
            layers: one (Q, K, V) or (Q, K, V, mask) per layer, as in `from_qkv`; all of
                the same shapes.
            tokens, key_tokens, layer, head: as in `from_qkv`.

        Raises:
            ValueError: if shapes do not fit, or there are several samples.
        """
        parts = [attend(*one) for one in layers]
        shapes = sorted({tuple(tuple(x.shape) for x in part) for part in parts})
        if len(shapes) != 1:
            raise ValueError(
                f"from_layers needs at least one layer, and Q, K and V of the same "
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
            Q, K, V = project(mha, {"query": query, "key": key, "value": value})
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
                f"{name} = {value} is out of range: it goes from 0 to {size - 1}"
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
        caption = f"{self!r}\n{OPEN_IT}"
        sides = (self.tokens, self.key_tokens)
        png = picture(self.weights, *sides, self.layer, self.head, caption)
        return {
            **data,
            "text/plain": f"{self!r} {OPEN_IT}",
            "image/png": base64.b64encode(png).decode("ascii"),
        }


def _count(number: int, name: str) -> str:
    """The number and its noun: 1 head, 2 heads."""
    return f"{number} {name}{'' if number == 1 else 's'}"
