"""transformer_parameters: decoder-only, tied, with biases and learned positions."""

from __future__ import annotations

from ._counts import counting

LINES = {
    "d": ("d_model", {}),
    "biases": ("1", {"0": "model-no-biases"}),
    "normed": ("1", {"0": "model-no-norms", "1 / 2": "model-half-the-norms"}),
    "embedding": (
        "vocabulary * d",
        {"2 * vocabulary * d": "model-tied-twice", "0": "model-no-embedding"},
    ),
    "position": (
        "context * d",
        {"0": "model-no-positions", "context": "model-no-width"},
    ),
    "attention": (
        "4 * d * d",
        {
            "3 * d * d": "model-no-w-o",
            "(3 * num_heads + 1) * d * d": "model-heads-multiply",
            "4 * num_heads * d * d": "model-heads-multiply",
            "8 * d * d": "model-cross-attention",
        },
    ),
    "attention_biases": (
        "4 * d",
        {"0": "model-no-attention-biases", "3 * d": "model-no-bias-of-w-o"},
    ),
    "mlp": (
        "2 * d * hidden",
        {
            "d * hidden": "model-one-mlp-matrix",
            "3 * d * hidden": "model-three-matrices",
        },
    ),
    "mlp_biases": (
        "hidden + d",
        {
            "0": "model-no-mlp-biases",
            "hidden": "model-one-mlp-bias",
            "d": "model-one-mlp-bias",
            "2 * d": "model-mlp-biases-alike",
            "2 * hidden": "model-mlp-biases-alike",
        },
    ),
    "norms": (
        "4 * d",
        {"6 * d": "model-three-norms", "2 * d": "model-layer-norm-half"},
    ),
    "last": ("2 * d", {"0": "model-no-last-norm"}),
    "out": ("vocabulary", {"0": "model-no-output-bias"}),
    "layer": (
        "attention + mlp + biases * (attention_biases + mlp_biases) + normed * norms",
        {},
    ),
    "layers": ("num_layers", {"1": "model-one-layer", "2 * num_layers": "model-twice"}),
    "total": (
        "embedding + position + layers * layer + normed * last + biases * out",
        {
            "12 * num_layers * d * d": "model-12-l-d-squared",
            "layers * layer": "model-layers-only",
        },
    ),
    "count": ("one(total)", {}),
}
EXERCISES = [
    counting(
        "transformer_parameters",
        "vocabulary d_model num_heads num_layers hidden context",
        LINES,
        (40, 48, 4, 3, 200, 32),
        (101, 35, 5, 2, 90, 61),
        (None, 28, 7, None, 44, 19),
        (1000, 12, 1, 1, 36, 29, "one head and one layer"),
        (50_257, 768, 12, 12, 3072, 1024),
    )
]
