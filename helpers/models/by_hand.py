"""Attention without training: word features and W_q, W_k, W_v made by hand.

There are two look-ups. In the first, "it" finds the adjective and takes in what that
needs, a living thing or a place; in the second, the changed "it" finds the noun that
is one. The scores are not divided by √d_k, so that every number can be checked
without paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

FEATURES = ("living", "place", "pronoun", "adjective", "needs")
"""`needs` says what an adjective is said of: +1 a living thing, -1 a place."""

WORD_FEATURES = {
    "animal": (1, 0, 0, 0, 0),
    "street": (0, 1, 0, 0, 0),
    "it": (0, 0, 1, 0, 0),
    "tired": (0, 0, 0, 1, 1),
    "wide": (0, 0, 0, 1, -1),
}
"""Features of the words that have any; all others have zeros."""

MATCH = 5.5
"""The score of a match: among 11 words, one match then gets a weight of 0.96."""


def sentence(adjective: str) -> tuple[list[str], Tensor]:
    """The article's sentence with an adjective of your choice.

    Args:
        adjective: "tired", "wide", or any other word (which has no features).

    Returns:
        tokens: 11 words.
        X: (11, 5) float64, one row of features per word.
    """
    text = f"the animal didn't cross the street because it was too {adjective}"
    tokens = text.split()
    rows = [WORD_FEATURES.get(token, (0,) * len(FEATURES)) for token in tokens]
    return tokens, torch.tensor(rows, dtype=torch.float64)


def matrix(width: int, entries: dict[tuple[str, int], float]) -> Tensor:
    """A matrix of zeros with a few entries, addressed by the feature's name.

    Args:
        width: number of columns.
        entries: (feature, column) → number.

    Returns:
        (5, width) float64.
    """
    W = torch.zeros(len(FEATURES), width, dtype=torch.float64)
    for (feature, column), number in entries.items():
        W[FEATURES.index(feature), column] = number
    return W


@dataclass(frozen=True)
class LookUp:
    """Three matrices that make queries, keys and values from word features.

    softmax(X W_q (X W_k)ᵀ) X W_v
    """

    W_q: Tensor
    W_k: Tensor
    W_v: Tensor

    def __call__(self, X: Tensor) -> tuple[Tensor, Tensor]:
        """Let every word look once.

        Args:
            X: (n, features).

        Returns:
            output: (n, d_v).
            attn_weights: (n, n), rows are queries.
        """
        scores = (X @ self.W_q) @ (X @ self.W_k).T
        attn_weights = scores.softmax(dim=-1)
        return attn_weights @ (X @ self.W_v), attn_weights


FIRST = LookUp(
    W_q=matrix(1, {("pronoun", 0): MATCH}),
    W_k=matrix(1, {("adjective", 0): 1}),
    W_v=matrix(5, {("needs", 4): 1}),
)
"""A pronoun asks for an adjective and receives its needs."""

SECOND = LookUp(
    W_q=matrix(2, {("needs", 0): MATCH, ("needs", 1): -MATCH}),
    W_k=matrix(2, {("living", 0): 1, ("place", 1): 1}),
    W_v=matrix(5, {("living", 0): 1, ("place", 1): 1}),
)
"""A word that needs a living thing asks for it, and one that needs a place for that."""


def two_lookups(adjective: str) -> tuple[list[str], Tensor, Tensor]:
    """Both look-ups on the article's sentence.

    Args:
        adjective: "tired" or "wide".

    Returns:
        tokens: 11 words.
        first: (11, 11), the weights of the first look-up.
        second: (11, 11), the weights of the second, which reads X + output of the
            first.

    >>> tokens, first, second = two_lookups("wide")
    >>> tokens[second[tokens.index("it")].argmax()]
    'street'
    """
    tokens, X = sentence(adjective)
    taken_in, first = FIRST(X)
    _, second = SECOND(X + taken_in)
    return tokens, first, second
