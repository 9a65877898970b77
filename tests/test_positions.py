"""Sinusoidal positions, against the formula and the properties that follow from it."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.positions import sinusoidal_positions


def test_every_number_is_that_of_the_formula():
    pe = sinusoidal_positions(11, 6)
    assert pe.shape == (11, 6) and pe.dtype == torch.float32
    for t in range(11):
        for i in range(3):
            angle = t / 10_000 ** (2 * i / 6)
            assert pe[t, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert pe[t, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_the_first_position():
    assert sinusoidal_positions(1, 4).tolist() == [[0, 1, 0, 1]]


@given(st.integers(0, 40), st.integers(1, 13))
def test_all_have_one_length_and_a_product_depends_on_the_distance(length, waves):
    pe = sinusoidal_positions(length + 2, 2 * waves).double()
    products = pe @ pe.T
    assert torch.allclose(products.diagonal(), torch.tensor(float(waves)).double())
    for distance in range(1, length + 2):
        along = products.diagonal(distance)
        assert torch.allclose(along, along[:1].expand_as(along), atol=1e-5)


def test_far_positions_keep_their_digits():
    far = sinusoidal_positions(100_001, 4)[-1]
    assert far[0].item() == pytest.approx(math.sin(100_000), abs=1e-6)


def test_no_positions():
    assert sinusoidal_positions(0, 4).shape == (0, 4)


@pytest.mark.parametrize(
    ("length", "d_model", "says"), [(-1, 4, "length"), (3, 5, "even"), (3, 0, "even")]
)
def test_sizes_that_make_no_sense(length, d_model, says):
    with pytest.raises(ValueError, match=says):
        sinusoidal_positions(length, d_model)
