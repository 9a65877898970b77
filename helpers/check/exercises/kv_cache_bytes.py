"""kv_cache_bytes: 2 · layers · batch · n · kv_heads · d_head · bytes_per_number."""

from __future__ import annotations

from ._counts import IN_BYTES, SIZE, counting, factor

LINES = {
    "times": (
        "2",
        {
            "1": "keys-or-values-only",
            "4": "cache-doubled",
            "3": "queries-cached-too",
            "8": "cache-doubled",
            "1 / 2": "quarter-of-the-cache",
        },
    ),
    "depth": factor("layers", "layers"),
    "samples": factor("batch", "batch"),
    "tokens": (
        "n",
        {
            "1": "length-not-counted",
            "n * n": "cache-length-squared",
            "n - 1": "one-token-missing",
            "n + 1": "one-token-too-many",
            "n * (n + 1) / 2": "cache-length-squared",
            "n**3": "cache-length-squared",
        },
    ),
    "heads": factor("kv_heads", "kv-heads"),
    "width": factor("d_head", "d-head"),
    "per_token": ("heads * width", {"heads + width": "heads-and-width-added"}),
    "size": SIZE,
    "total": (
        "times * depth * samples * tokens * per_token * size",
        {
            "times + depth + samples + tokens + heads + width + size": (
                "added-up-not-multiplied"
            )
        },
    ),
    "count": IN_BYTES,
}
EXERCISES = [
    counting(
        "kv_cache_bytes",
        "layers batch n kv_heads d_head bytes_per_number",
        LINES,
        (3, 5, 11, 2, 7, 4),
        (2, 3, 10, 4, 8, 2),
        (None, None, 19, None, None, 8),
        (5, 1, 6, 1, 3, 4, "a single sequence and head"),
        (4, 3, 7, 2, 5, 1, "numbers of one byte"),
        (32, 1, 4096, 8, 128, 2),
    )
]
