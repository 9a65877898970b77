"""The diagram of induction: two look-ups, who asks, and what is handed over."""

from __future__ import annotations

import matplotlib.pyplot as plt

from helpers.plots.circuit import plot_induction_diagram


def test_it_shows_both_layers_with_their_two_circuits() -> None:
    ax = plot_induction_diagram()
    texts = " ".join(text.get_text() for text in ax.texts)
    for layer in (1, 2):
        for circuit in ("QK", "OV"):
            assert f"layer {layer}, {circuit}" in texts
    plt.close(ax.figure)


def test_it_draws_where_it_is_told() -> None:
    fig, ax = plt.subplots()
    assert plot_induction_diagram(ax) is ax
    plt.close(fig)
