"""Wilson's interval: known values, and what any interval for a share must do."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.interpret.intervals import wilson


@pytest.mark.parametrize(
    "right, of, low, high",
    [  # from the defining equation, solved by bisection below; 0 and n in closed form
        (0, 10, 0.0, 1.96**2 / (10 + 1.96**2)),
        (10, 10, 10 / (10 + 1.96**2), 1.0),
        (9, 10, 0.5958, 0.9821),
        (15, 30, 0.3315, 0.6685),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_known_values(right: int, of: int, low: float, high: float) -> None:
    assert wilson(right, of) == pytest.approx((low, high), abs=1e-4)


def solved(right: int, of: int, z: float, rising: bool) -> float:
    """The share p with |right/of − p| = z √(p(1−p)/of), by bisection on one side."""
    share = right / of
    inner, outer = (share, 0.0) if rising else (share, 1.0)
    for _ in range(80):
        middle = (inner + outer) / 2
        far = abs(share - middle) > z * math.sqrt(middle * (1 - middle) / of)
        inner, outer = (inner, middle) if far else (middle, outer)
    return (inner + outer) / 2


@given(of=st.integers(2, 500), data=st.data(), z=st.sampled_from([1.0, 1.96, 2.576]))
def test_its_ends_solve_the_equation(of: int, data: st.DataObject, z: float) -> None:
    right = data.draw(st.integers(1, of - 1))
    low, high = wilson(right, of, z)
    assert 0 < low < right / of < high < 1
    assert low == pytest.approx(solved(right, of, z, rising=True), abs=1e-9)
    assert high == pytest.approx(solved(right, of, z, rising=False), abs=1e-9)


@given(of=st.integers(1, 300), data=st.data())
def test_hits_and_misses_mirror_each_other(of: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, of))
    low, high = wilson(right, of)
    assert wilson(of - right, of) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_more_cases_make_it_narrower() -> None:
    widths = [high - low for low, high in (wilson(3 * n, 5 * n) for n in (1, 7, 49))]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("right, of", [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_share_is_refused(right: int, of: int) -> None:
    with pytest.raises(ValueError, match=f"{right} right of {of}"):
        wilson(right, of)
