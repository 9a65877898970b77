"""arithmetic_intensity: FLOPs per byte of a matrix times a batch of vectors."""

from __future__ import annotations

from ._counts import SIZE, counting

LINES = {
    "flops": (
        "2 * b * d_in * d_out",
        {
            "b * d_in * d_out": "intensity-one-per-pair",
            "2 * d_in * d_out": "intensity-flops-of-one-vector",
        },
    ),
    "weights": (
        "d_in * d_out",
        {
            "b * d_in * d_out": "intensity-weights-per-vector",
            "d_in + d_out": "intensity-sides-added",
        },
    ),
    "inputs": (
        "b * d_in",
        {"0": "intensity-no-input", "d_in": "intensity-input-of-one-vector"},
    ),
    "outputs": (
        "b * d_out",
        {"0": "intensity-no-output", "d_out": "intensity-output-of-one-vector"},
    ),
    "moved": (
        "weights + inputs + outputs",
        {
            "weights": "intensity-weights-only",
            "inputs + outputs": "intensity-no-weights",
        },
    ),
    "size": SIZE,
    "ratio": (
        "flops / (moved * size)",
        {
            "moved * size / flops": "intensity-upside-down",
            "flops * moved * size": "intensity-product",
        },
    ),
    "count": ("one(ratio)", {"one(round(ratio))": "intensity-rounded"}),
}
EXERCISES = [
    counting(
        "arithmetic_intensity",
        "b d_in d_out bytes_per_number",
        LINES,
        (5, 7, 11, 4),
        (1, 4096, 1024, 2, "a single vector"),
        (3, 13, 5, 2),
        (None, 17, 19, 8),
        (256, 64, 32, 1, "numbers of one byte"),
    )
]
