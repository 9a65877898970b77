"""Fits: exponents and factors are found again, and doubt is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measure import fit_power, fit_terms


@given(st.floats(-3, 3), st.floats(1e-6, 1e6), st.integers(3, 7))
def test_a_power_is_found_again(exponent, factor, points):
    sizes = [3 * 2**i for i in range(points)]
    fit = fit_power(sizes, [factor * n**exponent for n in sizes])
    assert fit.exponent == pytest.approx(exponent, abs=1e-9)
    assert fit.factor == pytest.approx(factor, rel=1e-9)
    assert fit.low == pytest.approx(exponent, abs=1e-9)
    assert fit.high == pytest.approx(exponent, abs=1e-9)
    assert fit.at(5) == pytest.approx(factor * 5**exponent, rel=1e-9)


def test_a_disturbed_point_widens_the_spread_around_the_exponent():
    fit = fit_power([1, 2, 4, 8], [1, 2, 4, 16])
    assert fit.low == pytest.approx(1) and fit.low < fit.exponent < fit.high


@pytest.mark.parametrize(
    ("sizes", "values", "words"),
    [
        ([1, 2], [1, 2], "at least 3"),
        ([2, 2, 2], [1, 2, 3], "at least 3"),
        ([1, 2, 3], [1, 2], "at least 3"),
        ([1, 2, 3], [1, 0, 2], "positive"),
        ([0, 2, 3], [1, 1, 2], "positive"),
    ],
)
def test_what_cannot_be_fitted(sizes, values, words):
    with pytest.raises(ValueError, match=words):
        fit_power(sizes, values)


@given(st.floats(1e-9, 1e-3), st.floats(1e-12, 1e-6))
def test_the_factors_of_known_powers_are_found_again(linear, square):
    sizes = [512, 1024, 2048]
    fit = fit_terms(sizes, [linear * n + square * n**2 for n in sizes], powers=(1, 2))
    due = linear * 2**20 + square * 2**40
    assert fit.powers == (1, 2)
    assert fit.at(2**20) == pytest.approx(due, rel=1e-4)


def test_small_values_count_as_much_as_large_ones():
    fit = fit_terms([1, 1000], [2, 1000], powers=(1,))
    assert 1 < fit.factors[0] < 2  # least squares of the values would give 1.000001


@pytest.mark.parametrize(
    ("sizes", "values", "words"),
    [
        ([2, 2], [1, 2], "at least 2"),
        ([1, 2, 3], [1, 2], "at least 2"),
        ([1, 2], [0, 1], "positive"),
        ([0, 2], [1, 1], "positive"),
    ],
)
def test_factors_need_enough_points(sizes, values, words):
    with pytest.raises(ValueError, match=words):
        fit_terms(sizes, values)
