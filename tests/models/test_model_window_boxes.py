"""The boxes of the window hunt: each looks too far back, or not, as it says."""

from __future__ import annotations

import pytest
import torch

from helpers.models.boxes import example_input
from helpers.models.window_boxes import WINDOW, all_window_boxes, window_boxes


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_each_box_is_what_it_says(seed):
    x = example_input(seed)
    for box in all_window_boxes(seed):
        before, worst = box(x), 0.0
        for t in range(x.shape[1] - WINDOW):
            y = x.clone()
            y[:, t] = -2 * y[:, t] + 1
            off = (box(y) - before)[:, t + WINDOW :].abs().max()
            worst = max(worst, float(off / before.abs().max()))
        if box.leaks:
            assert worst > 2e-4, f"{box.name} looks beyond only by {worst:.1e}"
        else:
            assert worst < 2e-6, f"{box.name} is sound, yet changes by {worst:.1e}"


def test_all_boxes_are_causal():
    x = example_input()
    for box in all_window_boxes():
        short = box(x[:, :7])
        assert torch.allclose(short, box(x)[:, :7], 1e-5, 1e-5 * short.abs().max())


def test_one_of_the_three_looks_too_far():
    assert [box.leaks for box in window_boxes().values()] == [False, True, False]
    assert list(window_boxes()) == ["D", "E", "F"]
