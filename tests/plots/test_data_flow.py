from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest

from helpers.plots.data_flow import (
    plot_attention_diagram,
    plot_cache_diagram,
    plot_lookup_diagram,
)
from helpers.plots.encoder_decoder import plot_encoder_decoder_diagram

DIAGRAMS = [plot_attention_diagram, plot_cache_diagram, plot_encoder_decoder_diagram]


def lookup() -> plt.Axes:
    return plot_lookup_diagram("it", ["animal", "street", "the"], [0.91, 0.06, 0.0])


@pytest.mark.parametrize("draw", [lookup, *DIAGRAMS])
def test_no_text_lies_on_another(draw) -> None:
    ax = draw()
    ax.figure.canvas.draw()
    extents = [t.get_window_extent() for t in ax.texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(extents, 2))
    plt.close(ax.figure)


def test_every_word_has_a_key_a_weight_and_a_value() -> None:
    ax = lookup()
    texts = [t.get_text() for t in ax.texts]
    for word, weight in (("animal", "0.91"), ("street", "0.06"), ("the", "0.00")):
        for part in (f"key of\n{word}", f"weight\n{weight}", f"value of\n{word}"):
            assert part in texts
    plt.close(ax.figure)


def test_words_without_weights_are_refused() -> None:
    with pytest.raises(ValueError):
        plot_lookup_diagram("it", ["animal", "street"], [1.0])


def test_the_shapes_are_on_the_arrows() -> None:
    ax = plot_attention_diagram()
    texts = {t.get_text() for t in ax.texts}
    assert {"B, H, n_q, d_k", "B, H, n_k, d_k", "B, H, n_k, d_v"} <= texts
    assert {"weights: B, H, n_q, n_k", "B, H, n_q, d_v"} <= texts
    plt.close(ax.figure)


def test_the_cache_is_filled_by_the_prompt_and_by_each_step() -> None:
    ax = plot_cache_diagram()
    texts = {t.get_text() for t in ax.texts}
    assert {"prefill, once", "step, once per token"} <= texts
    assert {"K, V: n rows", "k, v: 1 row", "K, V: n + 1 rows"} <= texts
    assert {"n × n weights", "1 × (n + 1)"} <= texts
    plt.close(ax.figure)
