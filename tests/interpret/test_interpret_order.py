"""Are the words in the order of their effects?"""

from __future__ import annotations

import math

import pytest
import torch

from helpers.interpret.order import in_order

EFFECTS = torch.tensor([[0.9, 0.0, 0.8, 0.1]])
ALL = torch.ones(1, 4, dtype=torch.bool)


@pytest.mark.parametrize(
    ("explanation", "share"),
    [
        ([0.0, 0.0, 0.0, 0.0], 0.5),
        ([0.9, 0.0, 0.8, 0.1], 1.0),
        ([0.8, 0.1, 0.9, 0.0], 1.0),
        ([0.1, 0.9, 0.0, 0.8], 0.0),
        ([1.0, 0.0, 0.0, 0.0], 0.75),
    ],
)
def test_pairs_that_differ_by_more_than_the_gap_count(explanation, share):
    found = in_order(torch.tensor([explanation]), EFFECTS, ALL)
    assert found.tolist() == [share]


def test_words_that_cannot_be_named_do_not_count():
    named = torch.tensor([[True, True, False, False]])
    assert in_order(torch.tensor([[2.0, 1.0, 0.0, 9.0]]), EFFECTS, named) == 1


def test_no_pair_is_no_number():
    assert math.isnan(in_order(EFFECTS, torch.zeros(1, 4), ALL))
