"""attention_flops(n_q, n_k, d_k, d_v): 2 · n_q · n_k · (d_k + d_v)."""

from __future__ import annotations

from ._counts import counting

LINES = {
    "pairs": (
        "n_q * n_k",
        {
            "n_q * n_q": "n-q-for-n-k",
            "n_k * n_k": "n-k-for-n-q",
            "n_q": "linear-in-n",
            "n_k": "linear-in-n",
            "n_q + n_k": "lengths-added",
            "(n_q * n_k) ** 2": "pairs-squared",
            "n_q * n_k**2": "pairs-squared",
            "n_q**2 * n_k": "pairs-squared",
            "max(n_q, n_k) ** 2": "n-longer-only",
            "min(n_q, n_k) ** 2": "n-longer-only",
            "1": "lengths-not-counted",
            "n_q * (n_q + 1) / 2": "causal-half-counted",
            "n_k * (n_k + 1) / 2": "causal-half-counted",
        },
    ),
    "widths": (
        "(d_k, d_v)",
        {
            "(d_k, 0)": "weights-times-v-not-counted",
            "(0, d_v)": "scores-not-counted",
            "(d_k, d_k)": "d-k-for-d-v",
            "(d_v, d_v)": "d-v-for-d-k",
            "(1, 1)": "d-not-counted",
            "(1, 0)": "d-not-counted",
            "(d_k * d_v, 0)": "widths-multiplied",
            "(d_k * d_v, d_k * d_v)": "widths-multiplied",
            "(max(d_k, d_v), 0)": "larger-width-only",
            "(min(d_k, d_v), 0)": "larger-width-only",
            "(d_k**2, d_v**2)": "widths-squared",
            "(d_k**2, 0)": "widths-squared",
            "(0, d_v**2)": "widths-squared",
            "(d_k - 1 / 2, d_v - d_v / n_k / 2)": "first-addition-not-counted",
        },
    ),
    "pairs_v": (
        "pairs",
        {"n_q**2": "second-product-with-n-q", "n_k**2": "second-product-with-n-k"},
    ),
    "second": (
        "pairs_v * widths[1]",
        {
            "n_q * d_k * d_v": "second-product-as-projection",
            "n_k * d_k * d_v": "second-product-as-projection",
        },
    ),
    "times": (
        "(2, 2)",
        {
            "(1, 1)": "multiply-adds-not-flops",
            "(2, 1)": "factor-at-one-product",
            "(1, 2)": "factor-at-one-product",
            "(4, 4)": "flops-doubled",
            "(3, 3)": "flops-tripled",
            "(6, 6)": "flops-tripled",
            "(8, 8)": "flops-doubled-twice",
            "(1 / 2, 1 / 2)": "flops-halved-twice",
        },
    ),
    "besides": (
        "0",
        {
            **{f"{n} * n_q * n_k": "softmax-counted" for n in (1, 2, 3, 4, 5)},
            "2 * d_k * (n_q * d_k + n_k * d_k + n_k * d_v)": "projections-counted",
            "2 * ((n_q + n_k) * d_k**2 + n_k * d_v**2)": "projections-counted",
            "2 * ((n_q + n_k) * (d_k**2 + d_v**2))": "projections-counted",
            "6 * n_q * d_k**2": "projections-counted",
            "8 * n_q * d_k**2": "projections-counted",
            "n_q * d_v": "outputs-counted",
        },
    ),
    "total": (
        "times[0] * pairs * widths[0] + times[1] * second + besides",
        {
            f"{times} * {n} * {widths}": "projection-not-attention"
            for widths in ("d_k * d_v", "d_k**2", "d_v**2")
            for n in ("n_q", "n_k")
            for times in (4, 2, 6, 8, 1, 3)
        },
    ),
    "count": (
        "one(total)",
        {f"one(total / {unit})": "flops-in-larger-unit" for unit in (1e3, 1e6, 1e9)},
    ),
}
EXERCISES = [
    counting(
        "attention_flops",
        "n_q n_k d_k d_v",
        LINES,
        (5, 7, 3, 11),
        (8, 8, 64, 64),
        (13, 2, 17, 5),
        (None, None, None, None),
        (1, 19, 4, 4, "a single query"),
        (1024, 4096, 128, 64),
    )
]
