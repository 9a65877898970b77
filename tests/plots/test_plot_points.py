"""Points and patches: what is drawn, and what is refused."""

from __future__ import annotations

import pytest
import torch

from helpers.plots import COLOURS, plot_patches, plot_points


def test_points_have_the_colour_of_their_group_and_names_beside_them() -> None:
    a, b = torch.tensor([0.0, 1.0]), torch.tensor([2.0, 3.0])
    ax = plot_points(
        {"one": (a, b), "$two$": (b, a)},
        title="t",
        x="x",
        y="y",
        colours=("chance", "attention"),
        names={"2.1": (1.0, 3.0)},
    )
    first, second = ax.collections
    assert first.get_offsets().tolist() == [[0, 2], [1, 3]]
    assert second.get_label() == "$two$" and len(ax.get_legend().get_texts()) == 2
    assert [text.get_text() for text in ax.texts] == ["2.1"]
    assert COLOURS["chance"].lower() != COLOURS["attention"].lower()


def test_one_group_has_no_legend_and_bands_may_be_drawn() -> None:
    a = torch.tensor([0.0, 1.0])
    ax = plot_points({"one": (a, a)}, title="t", x="x", y="y", band=0.5)
    assert ax.get_legend() is None and len(ax.patches) == 2


def test_too_many_groups_are_refused() -> None:
    a = torch.zeros(1)
    with pytest.raises(ValueError, match="at most 3 groups"):
        plot_points({str(i): (a, a) for i in range(4)}, title="t", x="x", y="y")


def test_patches_write_the_larger_effects_into_their_cells() -> None:
    effects = torch.tensor([[1.0, 0.0], [0.05, 0.3], [0.0, 0.0]])
    ax = plot_patches(effects, ["it", "ADJ"], title="t")
    assert [text.get_text() for text in ax.texts] == ["1.00", "0.30"]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["into layer 0", "into layer 1", "after layer 1"]
    with pytest.raises(ValueError, match="2 columns"):
        plot_patches(effects, ["it"], title="t")
