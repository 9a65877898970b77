"""tokens_that_fit: how many tokens a sequence of a batch may have, in a memory."""

from __future__ import annotations

from ._counts import SIZE, counting, factor

LINES = {
    "pair": ("2", {"1": "keys-or-values-only", "4": "cache-doubled"}),
    "depth": factor("layers", "layers"),
    "heads": factor("kv_heads", "kv-heads"),
    "width": factor("d_head", "d-head"),
    "size": SIZE,
    "per_token": ("pair * depth * heads * width * size", {}),
    "weights": (
        "numbers * bytes_per_number",
        {
            "0": "fit-weights-forgotten",
            "numbers": "fit-weights-in-numbers",
            "batch * numbers * bytes_per_number": "fit-weights-per-sequence",
            "layers * numbers * bytes_per_number": "fit-weights-per-layer",
        },
    ),
    "room": ("memory - weights", {"memory + weights": "fit-weights-added"}),
    "samples": ("batch", {"1": "fit-batch-forgotten"}),
    "fit": ("room / (samples * per_token)", {}),
    "whole": (
        "math.floor(fit)",
        {"math.ceil(fit)": "fit-rounded-up", "fit": "fit-not-whole"},
    ),
    "least": ("max(0, whole)", {"whole": "fit-below-zero"}),
    "count": ("one(least)", {}),
}
EXERCISES = [
    counting(
        "tokens_that_fit",
        "memory numbers layers kv_heads d_head bytes_per_number batch",
        LINES,
        (100_003, 1009, 3, 5, 7, 2, 11),
        (24 * 2**30, 8_030_261_248, 32, 8, 128, 2, 4),
        (1_000_003, 2003, None, None, 13, 4, 3),
        (70_001, 503, 2, 3, 5, 1, 1, "a batch of one"),
        (1000, 2003, 3, 5, 7, 4, 2, "weights that do not fit"),
    )
]
