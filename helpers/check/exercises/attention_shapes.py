"""attention_shapes: a prediction. Four shapes in a cross-attention of several heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..behaviours import Behaviour, Trial
from ..judged import judged, plain
from ..space import Finding

Shape = tuple[int, ...]
BATCH, HEADS, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13
D_MODEL = HEADS * D_K
RIGHT: dict[str, Shape] = {
    "Q": (BATCH, HEADS, N_Q, D_K),
    "attn_weights": (BATCH, HEADS, N_Q, N_K),
    "heads": (BATCH, HEADS, N_Q, D_V),
    "output": (BATCH, N_Q, D_MODEL),
}
# name → {wrong shape: the thought that leads to it}
WRONG: dict[str, dict[Shape, str]] = {
    "Q": {
        (BATCH, N_Q, D_MODEL): "shape-without-heads",
        (BATCH, N_Q, D_K): "shape-without-heads",
        (BATCH, HEADS, N_Q, D_MODEL): "shape-features-not-shared-out",
        (BATCH, N_Q, HEADS, D_K): "shape-heads-behind-tokens",
        (BATCH, HEADS, D_K, N_Q): "shape-features-before-tokens",
        (BATCH, HEADS, N_Q, D_V): "shape-d-v-for-d-k",
        (BATCH, HEADS, N_Q, N_K): "shape-of-the-weights",
    },
    "attn_weights": {
        (BATCH, N_Q, N_K): "shape-without-heads",
        (BATCH, HEADS, N_Q, N_Q): "shape-square",
        (BATCH, HEADS, N_K, N_K): "shape-square",
        (BATCH, N_Q, HEADS, N_K): "shape-heads-behind-tokens",
        (BATCH, N_Q, N_K, HEADS): "shape-heads-behind-tokens",
        (BATCH, HEADS, N_Q, D_K): "shape-weights-with-features",
        (BATCH, HEADS, N_Q, D_V): "shape-weights-with-features",
        (BATCH, N_Q, D_MODEL): "shape-weights-with-features",
        (BATCH, HEADS, D_K, D_K): "shape-weights-with-features",
    },
    "heads": {
        (BATCH, HEADS, N_Q, D_K): "shape-d-k-for-d-v",
        (BATCH, HEADS, N_Q, D_MODEL): "shape-features-not-shared-out",
        (BATCH, N_Q, HEADS * D_V): "shape-merged-too-soon",
        (BATCH, N_Q, D_MODEL): "shape-merged-too-soon",
        (BATCH, N_Q, D_V): "shape-without-heads",
        (BATCH, N_Q, HEADS, D_V): "shape-heads-behind-tokens",
        (BATCH, HEADS, N_Q, N_K): "shape-of-the-weights",
    },
    "output": {
        (BATCH, N_Q, HEADS * D_V): "shape-before-W-o",
        (BATCH, HEADS, N_Q, D_V): "shape-not-merged",
        (BATCH, HEADS, N_Q, D_K): "shape-not-merged",
        (BATCH, HEADS, N_Q, D_MODEL): "shape-not-merged",
        (BATCH, N_Q, D_K): "shape-without-heads",
        (BATCH, N_Q, D_V): "shape-without-heads",
    },
}
OTHER_LENGTH = {N_Q: N_K, N_K: N_Q}


def mistake(name: str, shape: Shape) -> str | None:
    """Which thought leads to this shape; None if it is the right one."""
    right = RIGHT[name]
    if shape == right:
        return None
    exchanged = tuple(OTHER_LENGTH.get(size, size) for size in shape)
    if exchanged == right:
        return "shape-lengths-exchanged"
    if shape in WRONG[name]:
        return WRONG[name][shape]
    if exchanged in WRONG[name]:
        return WRONG[name][exchanged]
    if shape == right[1:]:
        return "shape-without-batch"
    if shape == (BATCH * HEADS, *right[2:]):
        return "shape-batch-times-heads"
    return "shape-other"


def shape_of(name: str) -> Behaviour:
    """The shape called `name` is right."""

    def check(trial: Trial) -> Finding | None:
        value = trial.result
        if not isinstance(value, Mapping):
            kind = type(value).__name__
            return Finding("shapes-no-dict", {"type": kind, "names": ", ".join(RIGHT)})
        if value.get(name) is None or value[name] is ...:
            shown = {"names in your dict": ", ".join(map(str, value)) or "none"}
            facts = {"name": name, "names": ", ".join(RIGHT)}
            return Finding("shapes-missing", facts, shown)
        shape = sizes_of(value[name])
        if shape is None:
            shown = {f"under {name!r}": repr(value[name])[:60]}
            kind = type(value[name]).__name__
            return Finding("shape-no-tuple", {"name": name, "type": kind}, shown)
        found = mistake(name, shape)
        if found is None:
            return None
        facts = {"name": name, "got": shape, "n_q": N_Q, "n_k": N_K}
        return Finding(found, facts, {f"your {name}": str(shape)})

    return check


def sizes_of(shape: Any) -> Shape | None:
    """Whole numbers from a tuple, a list, an array or a tensor of them."""
    shape = plain(shape)
    if not isinstance(shape, list | tuple):
        return None
    sizes = tuple(map(plain, shape))
    return sizes if all(type(n) is int for n in sizes) else None


EXERCISES = [
    judged(
        "attention_shapes",
        "four shapes",
        *(shape_of(name) for name in RIGHT),
        praise=(
            "All four. The number of rows is always that of the queries; the keys "
            "appear only as columns of the weights, and d_v only until W_o."
        ),
    )
]
