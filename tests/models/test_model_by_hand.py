"""The two look-ups made by hand find what they should."""

from __future__ import annotations

import pytest
import torch

from helpers.models.by_hand import FIRST, SECOND, matrix, sentence, two_lookups

NOUN = {"tired": "animal", "wide": "street"}


@pytest.mark.parametrize("adjective", NOUN)
def test_it_finds_the_noun_that_the_adjective_needs(adjective: str) -> None:
    tokens, first, second = two_lookups(adjective)
    it = tokens.index("it")
    assert first[it, -1] > 0.9
    assert second[it, tokens.index(NOUN[adjective])] > 0.9


@pytest.mark.parametrize("lookup", [FIRST, SECOND])
def test_rows_sum_to_one(lookup) -> None:
    tokens, X = sentence("tired")
    output, weights = lookup(X)
    assert weights.shape == (11, 11) and output.shape == (11, 5)
    assert torch.allclose(weights.sum(dim=-1), torch.ones(11, dtype=torch.float64))


def test_the_second_alone_cannot_tell() -> None:
    tokens, X = sentence("tired")
    _, weights = SECOND(X)
    row = weights[tokens.index("it")]
    assert row.max() - row.min() < 1e-12


def test_matrix_puts_entries_where_they_are_named() -> None:
    W = matrix(2, {("place", 1): 3.0})
    assert W.shape == (5, 2) and W[1, 1] == 3.0 and W.abs().sum() == 3.0
