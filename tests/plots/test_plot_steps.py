"""The dependency graph drawn: every cell at its step, the thick way as walked."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from helpers.measure import graph
from helpers.plots.steps import plot_steps

KINDS = {
    "attention": graph.self_attention,
    "rnn": graph.rnn,
    "convolution": graph.convolution(3),
    "dilated": graph.convolution(3, dilated=True),
    "window": graph.restricted_attention(4),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [5, 9])
def test_dots_are_the_cells_and_the_thick_line_is_the_longest_path(kind, n):
    reads = KINDS[kind]
    ax = plot_steps(reads, n, title=kind)
    length, layers = graph.longest_path(reads, n)
    step = graph.steps_of(reads, n, layers)
    dots = {tuple(xy) for xy in ax.collections[0].get_offsets().tolist()}
    assert dots == {(float(i), float(s)) for (_, i), s in step.items()}
    thick = [line for line in ax.lines if line.get_linewidth() == 3]
    assert len(thick) == length
    assert thick[0].get_xdata()[1] == n - 1 and thick[-1].get_xdata()[0] == 0
    assert ax.get_title().startswith(f"{kind}\n{length} cell")
    plt.close("all")


def test_it_draws_where_it_is_told():
    fig, ax = plt.subplots()
    assert plot_steps(graph.rnn, 4, title="RNN", ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    plt.close(fig)
