"""reach(layers, window): layers · (window - 1)."""

from __future__ import annotations

from ._counts import counting, factor

LINES = {
    "depth": (
        "layers",
        {**factor("layers", "layers")[1], "layers - 1": "reach-one-layer-missing"},
    ),
    "back": (
        "window - 1",
        {
            "window": "reach-by-window",
            "window + 1": "reach-window-plus-one",
            "(window - 1) / 2": "reach-both-sides",
            "1": "reach-window-not-counted",
        },
    ),
    "hops": (
        "depth * back",
        {
            "window**layers": "reach-multiplied",
            "window**layers - 1": "reach-multiplied",
            "back**layers": "reach-multiplied",
            "depth + back": "reach-added",
            "depth * window - 1": "reach-one-overlap-only",
        },
    ),
    "found": ("hops", {"hops + 1": "reach-tokens-not-distance"}),
    "count": ("one(found)", {}),
}
EXERCISES = [
    counting(
        "reach",
        "layers window",
        LINES,
        (3, 5),
        (5, 8),
        (2, 4096),
        (None, None),
        (1, 7, "a single layer"),
        (7, 1, "a window of 1"),
    )
]
