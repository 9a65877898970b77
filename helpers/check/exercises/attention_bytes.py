"""attention_bytes(batch, heads, n, bytes_per_number): batch · heads · n² · bytes."""

from __future__ import annotations

from ._counts import IN_BYTES, SIZE, counting, factor

LINES = {
    "matrices": factor("heads", "heads"),
    "pairs": (
        "n * n",
        {
            "n": "length-not-squared",
            "1": "length-not-counted",
            "n**3": "length-cubed",
            "n**4": "length-cubed",
            "2 * n": "length-added-not-squared",
            "n * (n + 1) / 2": "causal-half-counted",
            "n * (n - 1) / 2": "causal-half-counted",
            "n * n // heads": "pairs-shared-among-heads",
            "(n // heads) ** 2": "pairs-shared-among-heads",
            "(n / heads) ** 2": "pairs-shared-among-heads",
            "(n - 1) ** 2": "one-token-missing",
            "n * (n + 1)": "one-token-too-many",
            "(n + 1) ** 2": "one-token-too-many",
            "n * math.log2(n)": "length-times-its-log",
        },
    ),
    "size": SIZE,
    "samples": factor("batch", "batch"),
    "times": (
        "1",
        {
            "2": "scores-and-weights-counted",
            "1 / 2": "causal-half-counted",
            "3": "three-matrices-counted",
            "4": "three-matrices-counted",
        },
    ),
    "besides": (
        "0",
        {
            "batch * heads * n * bytes_per_number": "row-sums-counted",
            "batch * heads * n * bytes_per_number * 2": "row-sums-counted",
        },
    ),
    "total": (
        "times * samples * matrices * pairs * size + besides",
        {"samples + matrices + pairs + size": "added-up-not-multiplied"},
    ),
    "count": IN_BYTES,
}
EXERCISES = [
    counting(
        "attention_bytes",
        "batch heads n bytes_per_number",
        LINES,
        (3, 5, 7, 4),
        (2, 13, 11, 2),
        (None, None, None, 8),
        (5, 1, 6, 4, "a single head"),
        (1, 7, 6, 1, "numbers of one byte"),
        (1, 8, 1024, 2),
    )
]
