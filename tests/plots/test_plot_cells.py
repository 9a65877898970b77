"""The table of labelled cells shows what it is given, where it was given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from helpers.plots.cells import plot_cells


def test_every_label_stands_in_its_cell():
    ax = plot_cells([["a0", "a1", "a2"], ["b0", "b1", "b2"]], title="x")
    found = {text.get_text(): text.get_position() for text in ax.texts}
    assert found["a0"] == (0.5, 0.5)
    assert found["b2"] == (2.5, 1.5)
    assert ax.get_ylim() == (2, 0), "row 0 is on top"
    plt.close("all")


def test_a_letter_is_a_shade():
    ax = plot_cells([["a0", "b0"], ["a1", "b1"]], title="x")
    shades = ax.collections[0].get_array().reshape(2, 2)
    assert (shades[:, 0] == shades[0, 0]).all()
    assert shades[0, 0] != shades[0, 1]
    plt.close("all")


def test_shades_agree_between_tables_with_the_same_groups():
    def shade(labels, letter):
        ax = plot_cells(labels, title="x", groups="abc")
        place = [row[0] for row in labels].index(letter)
        return ax.collections[0].get_array().reshape(len(labels), 1)[place, 0]

    assert shade([["a"], ["b"]], "b") == shade([["b"], ["c"]], "b")
    plt.close("all")


def test_it_draws_where_it_is_told():
    _, ax = plt.subplots()
    drawn = plot_cells([["a"]], title="x", rows="token", columns="feature", ax=ax)
    assert drawn is ax
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("token", "feature")
    plt.close("all")


@pytest.mark.parametrize("labels", [[], [[]], [["a"], ["b", "c"]]])
def test_what_is_no_table_is_refused(labels):
    with pytest.raises(ValueError, match="rows of one length"):
        plot_cells(labels, title="x")


@pytest.mark.parametrize("text", ["$$", r"$\frac$"])
def test_texts_are_literal(text: str) -> None:
    ax = plot_cells([[text]], title=text, rows=text, columns=text)
    ax.figure.canvas.draw()
    assert [t.get_text() for t in ax.texts] == [text] and ax.get_title() == text
