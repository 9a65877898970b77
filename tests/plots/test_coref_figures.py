"""Figures of coreference models, and dots in rows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
import torch

from helpers.models.coref import CorefNet, coref_looks
from helpers.plots.coref_diagram import plot_coref_diagram
from helpers.plots.coref_maps import plot_its_rows, plot_named, plot_patching
from helpers.plots.dots import plot_dots
from helpers.tasks.coref import pad_sentences, read_sentence
from helpers.training import build

SENTENCE = read_sentence(
    "the animal did not cross the street because it was too tired ."
)
MODELS = {
    "closed": build(CorefNet, 1),
    "open": build(lambda: CorefNet(closed=False), 1),
}


def strips(ax: plt.Axes) -> torch.Tensor:
    return torch.tensor(ax.images[0].get_array())


def panels(figure: plt.Figure) -> list[plt.Axes]:
    return [ax for ax in figure.axes if ax.images]


def test_a_row_per_model_and_a_panel_per_sentence() -> None:
    figure = plot_its_rows(MODELS, [SENTENCE, SENTENCE])
    assert len(panels(figure)) == 2
    ax = panels(figure)[0]
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert labels == list(MODELS) and ax.images[0].get_clim() == (0, 1)
    looks = coref_looks(MODELS["open"], pad_sentences([SENTENCE]))[0]
    assert torch.allclose(strips(ax)[1], looks, atol=1e-6)
    assert ax.get_title().startswith("too tired: they say ")
    (frame,) = ax.patches
    assert frame.get_x() == SENTENCE.referent - 0.5 and frame.get_height() == 2
    plt.close(figure)


def test_the_strongest_nameable_word_is_at_1() -> None:
    said = {"map": torch.arange(13.0)[None], "nothing": torch.zeros(1, 13)}
    figure = plot_named({"closed": said}, SENTENCE, "A title")
    drawn = strips(panels(figure)[0])
    assert drawn.max(dim=1).values.tolist() == [1, 0]
    shown = {SENTENCE.words[i] for i in drawn[0].nonzero()[:, 0].tolist()}
    assert shown == {"animal", "cross", "street", "tired"}
    plt.close(figure)


def test_map_above_patching() -> None:
    measured = {"closed": (torch.rand(1, 13), torch.rand(1, 13))}
    figure = plot_patching(measured, SENTENCE)
    assert torch.allclose(
        strips(panels(figure)[0]), torch.cat(measured["closed"]).double().float()
    )
    plt.close(figure)


def test_the_diagram_names_what_an_ordinary_model_does() -> None:
    ax = plot_coref_diagram()
    texts = {t.get_text() for t in ax.texts}
    assert {"plain words", "in an ordinary model", "er, sie, es"} <= texts
    assert sum(p.get_linestyle() == "--" for p in ax.patches) == 1
    plt.close(ax.figure)


def test_dots_are_where_the_numbers_are() -> None:
    values = {"a": {"x": 0.1, "y": 0.9}, "b": {"x": 0.3, "y": 0.4}}
    ax = plot_dots(values, {"chance": 0.25}, title="T", label="share")
    dots = {line.get_label(): line.get_xdata() for line in ax.lines}
    assert list(dots["a"]) == [0.1, 0.9] and list(dots["b"]) == [0.3, 0.4]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["x", "y"]
    plt.close(ax.figure)


def test_dots_with_other_names_are_refused() -> None:
    with pytest.raises(ValueError, match="the same names"):
        plot_dots({"a": {"x": 1}, "b": {"y": 1}}, {}, title="T", label="share")
