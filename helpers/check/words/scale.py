"""Words: the scale of the scores."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "no-scale": Words(
        "no division by √d_k",
        "The scores are not scaled: the division by √d_k is missing.",
        "How large is a typical q·k for d_k = 64, and what does softmax make of that?",
    ),
    "scale-d-k": Words(
        "division by d_k instead of √d_k",
        "The scores are divided by d_k, not by √d_k (or by √d_k twice, which is the "
        "same).",
        "What is the variance of the scaled scores then: 1, or 1/d_k?",
    ),
    "scale-root-d-model": Words(
        "division by √d_model",
        "The scores are divided by √d_model (heads × d_k = {d_model}), not by √d_k.",
        "How many products are added up in one score of one head?",
    ),
    "scale-root-heads": Words(
        "division by √(number of heads)",
        "The scores are divided by √{heads}, the square root of the number of heads "
        "(axis 1 of Q), not by √d_k.",
        "Which axis of Q holds the features of a vector?",
    ),
    "scale-heads": Words(
        "division by the number of heads",
        "The scores are divided by the number of heads, not by √d_k.",
        "Which axis of Q holds the features of a vector?",
    ),
    "scale-multiplied": Words(
        "multiplied, not divided",
        "The scale is upside down: the scores are multiplied by √d_k (or d_k) where "
        "they "
        "should be divided.",
        "Should the scores get larger or smaller?",
    ),
    "scale-root-n-k": Words(
        "division by √n_k",
        "The scores are divided by √n_k, the root of the number of keys (the length), "
        "not by √d_k.",
        "Does the size of one q·k depend on how many keys there are?",
    ),
    "scale-root-n-q": Words(
        "division by √n_q",
        "The scores are divided by √n_q, the root of the number of queries (tokens), "
        "not "
        "by √d_k.",
        "Which axis of Q holds the features of a vector?",
    ),
    "scale-n-k": Words(
        "division by the number of keys",
        "The scores are divided by n_k, the number of keys, not by √d_k.",
        "Does the size of one q·k depend on how many keys there are?",
    ),
    "scale-root-d-v": Words(
        "division by √d_v",
        "The scores are divided by √d_v, the width of the values, not by √d_k.",
        "Which vectors are multiplied to make a score?",
    ),
    "scale-root-batch": Words(
        "division by √batch",
        "The scores are divided by the root of the batch size (axis 0), not by √d_k.",
        "Which axis of Q holds the features of a vector?",
    ),
    "scale-fourth-root": Words(
        "scaled on one side only (d_k^¼)",
        "The scores are divided by the fourth root of d_k: half of the scale is "
        "missing.",
        "If Q alone takes d_k^(1/4), who takes the other half?",
    ),
    "scale-whole-root": Words(
        "the root rounded down",
        "The square root of d_k is cut to a whole number before the division.",
        "What is √11, and what does an integer make of it?",
    ),
    "scale-half-d-k": Words(
        "division by d_k/2",
        "The scores are divided by d_k / 2: half of d_k is not its square root.",
        "Which power of d_k is the square root, and which operator writes a power?",
    ),
    "scores-standardised": Words(
        "scores standardised",
        "Each row of scores is standardised (mean taken off, divided by its own "
        "standard deviation), not divided by √d_k.",
        "Should a query with weak scores everywhere get the same weights as a sure "
        "one?",
    ),
    "scale-times-constant": Words(
        "a constant beside √d_k",
        "The scores are divided by √d_k and by another constant, {factor} (a "
        "temperature).",
        "What else than √d_k changes the scores before the softmax?",
    ),
    "scale-after-softmax": Words(
        "scaled after the softmax",
        "The scale comes after the softmax: the rows sum to {row_sum}, which is "
        "1/√d_k.",
        "What should be scaled: the scores or the weights?",
    ),
}
