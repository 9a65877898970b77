"""Positions, against their formulas and the properties that follow from them."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.positions import (
    alibi_bias,
    alibi_slopes,
    rotate,
    sinusoidal_positions,
)


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


def test_a_rotation_is_a_product_of_complex_numbers():
    x = torch.randn(2, 3, 7, 10, generator=torch.Generator().manual_seed(3)).double()
    places = torch.tensor([0, 1, 5, 11, 12, 100, 4096])
    rates = 10_000.0 ** (-torch.arange(0, 10, 2).double() / 10)
    angles = places[:, None] * rates
    turned = torch.view_as_complex(x.unflatten(-1, (5, 2))) * torch.polar(
        torch.ones_like(angles), angles
    )
    expected = torch.view_as_real(turned).flatten(-2)
    assert torch.allclose(rotate(x, places), expected, atol=1e-12)
    assert rotate(x.float(), places).dtype == torch.float32


def test_halves_are_the_same_map_with_the_features_in_another_order():
    x = torch.randn(5, 6, generator=torch.Generator().manual_seed(3))
    places, order = torch.arange(7, 12), [0, 2, 4, 1, 3, 5]
    swapped = rotate(x[:, order], places, halves=True)
    assert torch.allclose(swapped, rotate(x, places)[:, order])


@given(st.integers(0, 2000), st.integers(0, 2000), st.integers(0, 500))
def test_scores_depend_on_the_distance_alone(m, n, shift):
    q, k = torch.randn(2, 1, 14, generator=torch.Generator().manual_seed(5)).double()

    def score(m, n):
        return rotate(q, torch.tensor([m])) @ rotate(k, torch.tensor([n])).T

    assert torch.allclose(score(m, n), score(m + shift, n + shift), atol=1e-9)
    assert torch.allclose(rotate(q, torch.tensor([m])).norm(), q.norm())


@pytest.mark.parametrize(
    ("x", "places", "said"),
    [
        (torch.ones(3, 5), torch.arange(3), "even"),
        (torch.ones(3, 4), torch.arange(4), "one place per token"),
        (torch.ones(3, 4), torch.ones(3, 1), "one place per token"),
        (torch.ones(4), torch.arange(1), "one place per token"),
    ],
)
def test_rotate_refuses_what_does_not_fit(x, places, said):
    with pytest.raises(ValueError, match=said):
        rotate(x, places)


def test_alibi_is_minus_slope_times_distance():
    bias = alibi_bias(7, 4)
    assert bias.shape == (4, 7, 7)
    for h in range(4):
        for i in range(7):
            for j in range(7):
                expected = -(2 ** (-8 * (h + 1) / 4)) * abs(i - j)
                assert bias[h, i, j].item() == pytest.approx(expected)
    assert alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]
    with pytest.raises(ValueError, match="num_heads"):
        alibi_bias(3, 0)
    with pytest.raises(ValueError, match="n must be"):
        alibi_bias(-1, 2)
