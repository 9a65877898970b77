"""The diagram of the block."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt

from helpers.plots.block import ORDERS, PAST, plot_block_diagram


def test_both_orders_have_the_same_parts_and_a_way_past_each() -> None:
    pre, post = ORDERS.values()
    assert sorted(pre) == sorted(post)
    for name, order in ORDERS.items():
        for _, end in PAST[name]:
            assert order[end] == "+" and order[end - 1] in ("attention", "MLP")
        skipped = [order[a + 1 : b] for a, b in PAST[name]]
        assert any("norm" in parts for parts in skipped) == (name == "pre-norm")


def test_no_text_lies_on_another() -> None:
    ax = plot_block_diagram()
    ax.figure.canvas.draw()
    extents = [t.get_window_extent() for t in ax.texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(extents, 2))
    plt.close(ax.figure)
