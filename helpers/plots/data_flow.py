"""Diagrams of the subject itself: a soft look-up, attention with shapes, the cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helpers.plots.diagram import Arrow, Box, Frame, plot_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_lookup_diagram(
    asks: str, words: Sequence[str], weights: Sequence[float], ax: Axes | None = None
) -> Axes:
    """Draw how one query collects a blend of values, from left to right.

    Args:
        asks: the word whose query it is.
        words: those that are asked; each has a key and a value.
        weights: the weight that each of them gets.
        ax: where to draw; by default in a new figure.

    >>> ax = plot_lookup_diagram("it", ["animal", "street"], [0.9, 0.1])
    >>> ax.texts[0].get_text()
    'query of it'
    """
    middle = (len(words) - 1) / 2
    boxes = {
        "query": Box(f"query of {asks}", (0, middle), "query", 1.15),
        "output": Box("output:\nthe blend", (4, middle), "output"),
    }
    arrows = []
    for row, (word, weight) in enumerate(zip(words, weights, strict=True)):
        key, share, value = f"key {row}", f"weight {row}", f"value {row}"
        boxes[key] = Box(f"key of\n{word}", (1, row), "key")
        boxes[share] = Box(f"weight\n{weight:.2f}", (2, row), "attention")
        boxes[value] = Box(f"value of\n{word}", (3, row), "value")
        arrows += [
            Arrow("query", key),
            Arrow(key, share, "score"),
            Arrow(share, value, "times"),
            Arrow(value, "output"),
        ]
    title = "Keys decide how much of each value is taken"
    return plot_diagram(boxes, arrows, title=title, pitch=(1.75, 0.75), ax=ax)


def plot_attention_diagram(ax: Axes | None = None) -> Axes:
    """Draw softmax(Q Kᵀ / √d_k) V as a flow of data, with the shape on each arrow.

    Args:
        ax: where to draw; by default in a new figure.
    """
    boxes = {
        "Q": Box("Q", (0, 0), "query", 0.6),
        "K": Box("K", (0, 1), "key", 0.6),
        "V": Box("V", (0, 2), "value", 0.6),
        "scores": Box("Q Kᵀ / √d_k", (1.15, 0.5)),
        "mask": Box("mask:\nhidden = −∞", (2.2, 0.5), width=1.1),
        "softmax": Box("softmax over\nthe keys", (3.25, 0.5), "attention", 1.1),
        "blend": Box("weights · V", (3.25, 2), "output"),
        "output": Box("output", (4.45, 2), "output", 0.8),
    }
    arrows = [
        Arrow("Q", "scores", "B, H, n_q, d_k", at=0.4),
        Arrow("K", "scores", "B, H, n_k, d_k", at=0.4),
        Arrow("scores", "mask", "scores"),
        Arrow("mask", "softmax"),
        Arrow("softmax", "blend", "weights: B, H, n_q, n_k"),
        Arrow("V", "blend", "B, H, n_k, d_v", at=0.25),
        Arrow("blend", "output", "B, H, n_q, d_v"),
    ]
    title = "The weights are made of Q and K, and blend V"
    return plot_diagram(boxes, arrows, title=title, ax=ax)


def plot_cache_diagram(ax: Axes | None = None) -> Axes:
    """Draw how a decoder reads n tokens at once, and then writes with a KV cache.

    Args:
        ax: where to draw; by default in a new figure.
    """
    boxes = {
        "prompt": Box("prompt:\nn tokens", (0, 0)),
        "Q, K, V": Box("Q, K, V", (1, 0)),
        "square": Box("causal\nattention", (2.35, 0), "attention"),
        "rows": Box("n rows", (3.6, 0), "output"),
        "cache": Box("KV cache: K and V of every token", (1, 1.2), "key", 2.3),
        "token": Box("new token", (0, 2.4)),
        "q, k, v": Box("q, k, v", (1, 2.4)),
        "row": Box("attention", (2.35, 2.4), "attention"),
        "new row": Box("1 row", (3.6, 2.4), "output"),
    }
    arrows = [
        Arrow("prompt", "Q, K, V"),
        Arrow("Q, K, V", "square", "Q: n rows"),
        Arrow("square", "rows", "n × n weights"),
        Arrow("Q, K, V", "cache", "K, V: n rows"),
        Arrow("token", "q, k, v"),
        Arrow("q, k, v", "row", "q: 1 row"),
        Arrow("q, k, v", "cache", "k, v: 1 row", at=0.55),
        Arrow("cache", "row", "K, V: n + 1 rows", at=0.62),
        Arrow("row", "new row", "1 × (n + 1)"),
        Arrow("new row", "token", "the token it predicts", bend=0.14, dashed=True),
    ]
    frames = [
        Frame("prefill, once", ("prompt", "Q, K, V", "square", "rows")),
        Frame("step, once per token", ("token", "q, k, v", "row", "new row")),
    ]
    title = "What was read is kept, so a step computes one row"
    pitch = (1.75, 0.85)
    return plot_diagram(boxes, arrows, title=title, frames=frames, pitch=pitch, ax=ax)
