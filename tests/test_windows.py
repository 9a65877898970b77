"""Masks with a window, and what a cache with one keeps."""

from __future__ import annotations

import pytest
import torch

from helpers.masks import create_causal_mask
from helpers.windows import create_window_mask, places_kept


@pytest.mark.parametrize("window, sinks", [(1, 0), (3, 0), (3, 2), (5, 1), (11, 0)])
def test_the_mask_against_a_loop(window, sinks):
    mask = create_window_mask(7, window, sinks)
    for i in range(7):
        for j in range(7):
            near = i - window < j <= i
            assert mask[i, j] == (near or (j < sinks and j <= i))


def test_no_window_is_causal():
    assert torch.equal(create_window_mask(5, None), create_causal_mask(5))


def test_no_row_is_empty_and_odd_windows_are_refused():
    assert create_window_mask(5, 1).any(dim=1).all()
    for window in (0, -1, 1.5):
        with pytest.raises(ValueError, match="window"):
            create_window_mask(5, window)


def test_places_are_those_that_the_last_row_sees():
    for n in (3, 24):
        rows = [create_window_mask(n, w)[-1].sum().item() for w in (5, 5, None)]
        assert places_kept((5, 5, None), n) == sum(rows)
