"""The diagram of the fixed vector and of attention."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest

from helpers.plots.bottleneck import plot_bottleneck_diagram


def texts(ax: plt.Axes) -> list[str]:
    return [t.get_text() for t in ax.texts]


def test_only_the_fixed_vector_is_a_box_of_its_own_and_only_attention_asks() -> None:
    fixed, looked = plot_bottleneck_diagram()
    assert "one vector" in texts(fixed) and "asks" not in texts(fixed)
    assert "one vector" not in texts(looked) and {"asks", "gets"} <= {*texts(looked)}
    assert texts(fixed).count("state\n1") == texts(looked).count("state\n1") == 2
    plt.close(fixed.figure)


@pytest.mark.parametrize("words", [("a", "b"), ("the", "cat", "sleeps", "well")])
def test_no_text_lies_on_another(words: tuple[str, ...]) -> None:
    axes = plot_bottleneck_diagram(words)
    axes[0].figure.canvas.draw()
    for ax in axes:
        extents = [t.get_window_extent() for t in ax.texts]
        assert not any(a.overlaps(b) for a, b in itertools.combinations(extents, 2))
    plt.close(axes[0].figure)
