"""How a picture looks, as facts: labels, their places, what overlaps or is cut off."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import torch
from matplotlib.axes import Axes

WORDS = "the cat sat on a".split()


def weights(*shape: int) -> torch.Tensor:
    return torch.randn(shape).softmax(dim=-1)


def draw(ax: Axes) -> Axes:
    """The axes as drawn; a warning on the way (a missing glyph, say) is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()
    return ax


def shown(axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def drawn(ax: Axes) -> np.ndarray:
    return np.asarray(ax.collections[0].get_array())


def boxes(axis) -> list:
    renderer = axis.figure.canvas.get_renderer()
    return [
        label.get_window_extent(renderer)
        for label in axis.get_ticklabels()
        if label.get_text()
    ]


def assert_no_labels_overlap(ax: Axes) -> None:
    for axis in (ax.xaxis, ax.yaxis):
        for one, other in itertools.combinations(boxes(axis), 2):
            if abs(one.x0 - other.x0) + abs(one.y0 - other.y0) < 60:
                assert not one.overlaps(other), f"{axis.axis_name} labels overlap"


def assert_nothing_is_cut_off(ax: Axes) -> None:
    figure = ax.figure
    width, height = figure.canvas.get_width_height()
    bar = next(a for a in figure.axes if a is not ax)
    texts = [*ax.get_xticklabels(), *ax.get_yticklabels(), *bar.get_yticklabels()]
    texts += [ax.title, ax.xaxis.label, ax.yaxis.label, bar.yaxis.label]
    for text in texts:
        box = text.get_window_extent()
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
        assert inside, f"{text.get_text()!r} at {box.extents} of {width} x {height}"
