"""What counts as the same, and what a learner's result is taken for."""

from __future__ import annotations

import math

import pytest
import torch

from helpers.check import diagnose
from helpers.check.space import as_values, same

LARGEST = torch.finfo(torch.float32).max


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        (7.5, math.nan, False),
        (LARGEST, math.inf, False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (math.nan, math.nan, True),
        (0.0, 1e-7, True),
        (1.0, 1.1, False),
    ],
)
def test_the_same_number(a: float, b: float, alike: bool):
    assert same(torch.tensor(a), torch.tensor(b), 1e-6) is alike
    pair = torch.tensor([a, 2.0]), torch.tensor([b, 2.0])
    assert same(*pair, 1e-6) is alike


class NoDifference(torch.Tensor):
    """A tensor that differs from nothing."""

    def __sub__(self, other):
        return torch.zeros(self.shape)


def test_a_tensor_of_the_learners_own_kind_is_a_plain_one():
    (value,) = as_values(torch.ones(2).as_subclass(NoDifference))
    assert type(value) is torch.Tensor
    found = diagnose("softmax", lambda x, dim: x.as_subclass(NoDifference))
    assert found.mistakes[0] == "no-softmax"


def test_what_is_put_in_the_place_of_torchs_softmax_is_not_the_right_one(monkeypatch):
    monkeypatch.setattr(torch, "softmax", lambda x, dim: x)
    found = diagnose("softmax", lambda x, dim: torch.softmax(x, dim))
    assert found.mistakes[0] == "no-softmax"
