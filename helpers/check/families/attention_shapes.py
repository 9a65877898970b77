"""attention_shapes: a prediction. Four shapes in a cross-attention of several heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..behaviours import Behaviour, Trial
from ..judged import plain
from ..space import Case, Choices, Exercise, Finding, Values

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


def judged(name: str) -> Behaviour:
    """The shape called `name` is right."""

    def check(trial: Trial) -> Finding | None:
        shapes = given(trial.outcomes[0].value)
        if shapes is None or name not in shapes:
            value = trial.outcomes[0].value
            held = value.get(name, "nothing") if isinstance(value, dict) else value
            shown = {f"under {name!r}": held if held == "nothing" else repr(held)[:60]}
            return Finding("shapes-missing", {"names": ", ".join(RIGHT)}, shown)
        found = mistake(name, shapes[name])
        if found is None:
            return None
        facts = {"name": name, "got": shapes[name], "n_q": N_Q, "n_k": N_K}
        return Finding(found, facts, {f"your {name}": str(shapes[name])})

    check.__qualname__ = f"judged_{name}"
    return check


def given(value: Any) -> dict[str, Shape] | None:
    """Shapes by name; from a dict, or from four in the order of the exercise."""
    if isinstance(value, list | tuple) and len(value) == len(RIGHT):
        value = dict(zip(RIGHT, value, strict=True))
    if not isinstance(value, dict):
        return None
    found: dict[str, Shape] = {}
    for name, shape in value.items():
        shape = plain(shape)
        if isinstance(shape, list | tuple):
            sizes = tuple(map(plain, shape))
            if all(type(n) is int for n in sizes):
                found[str(name)] = sizes
    return found


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `judged` does it."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one question."""
    return [Case("question", "four shapes", ())]


EXERCISES = [
    Exercise(
        name="attention_shapes",
        parts=("shapes",),
        space={},
        compute=compute,
        cases=cases,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=tuple(judged(name) for name in RIGHT),
        value=True,
        praise=(
            "All four. The number of rows is always that of the queries; the keys "
            "appear only as columns of the weights, and d_v only until W_o."
        ),
    )
]
