"""The boxes of the leak hunt: each leaks, or not, exactly as it says."""

from __future__ import annotations

import pytest
import torch

from helpers.models.boxes import (
    LENGTH,
    WIDTH,
    Box,
    all_boxes,
    black_boxes,
    example_input,
)

SEEDS = (0, 1, 2)
NAMES = [box.name for box in all_boxes()]


def largest_change(box: Box, x: torch.Tensor, by) -> float:
    """Of outputs before a cut, when `by` has changed what lies behind it; relative."""
    before, worst = box(x), 0.0
    for t in range(1, x.shape[1]):
        after = box(by(x, t))[:, :t]
        worst = max(worst, (after - before[:, :t]).abs().max().item())
    return worst / before.abs().max().item()


def replaced(x, t):
    g = torch.Generator().manual_seed(t)
    return torch.cat([x[:, :t], torch.randn(x[:, t:].shape, generator=g)], dim=1)


def cut_off(x, t):
    return x[:, :t]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("by", [replaced, cut_off])
def test_each_box_is_what_it_says(by, seed):
    for box in all_boxes(seed):
        change = largest_change(box, example_input(seed), by)
        if box.leaks:
            assert change > 2e-4, f"{box.name} leaks only {change:.1e}"
        else:
            assert change < 2e-6, f"{box.name} is sound, yet changes by {change:.1e}"


def test_some_sound_boxes_are_not_equal_to_the_last_bit():
    x = example_input()
    rounded = [
        box.name
        for box in all_boxes()
        if not box.leaks and largest_change(box, x, replaced) > 0
    ]
    assert {"C", "renormalised, large"} <= set(rounded)


def test_one_of_the_three_leaks():
    assert [box.leaks for box in black_boxes().values()] == [False, True, False]


def test_names_differ_and_a_box_says_nothing_of_itself():
    assert len(set(NAMES)) == len(NAMES)
    assert repr(black_boxes()["B"]) == "Box(name='B')"


def test_shapes_and_another_width():
    for box in all_boxes():
        assert box(torch.ones(3, 5, WIDTH)).shape == (3, 5, WIDTH)
    with pytest.raises(ValueError, match="reads"):
        black_boxes()["A"](torch.ones(3, 5, WIDTH + 1))
    assert example_input(batch=3).shape == (3, LENGTH, WIDTH)
