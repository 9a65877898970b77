"""What a heat map shows, read off the axes it was drawn on (any way of drawing)."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Labels = list[tuple[float, str]]  # (place, counted in cells from the first one; text)


@dataclass
class Picture:
    """A heat map as a reader sees it: rows from the top, columns from the left."""

    weights: Tensor  # what was to be drawn
    values: Any = None  # numpy (rows, columns), NaN where a cell is blank
    readings: set[tuple[str, str]] | None = None
    limits: tuple[float, float] = (0.0, 0.0)
    linear: bool = True
    in_colours: bool = False  # an RGB picture: no numbers
    no_cells: bool = False  # coloured by numbers, but not a cell for each
    hidden_cells: int = 0  # outside the view, or a good part of each
    labels: dict[str, Labels] = field(default_factory=lambda: {"x": [], "y": []})
    titles: dict[str, str] = field(default_factory=lambda: {"x": "", "y": ""})
    elsewhere: tuple[str, ...] = ()  # what landed outside the axes given
    settings_changed: tuple[str, ...] = ()
    by_the_course: bool = False  # by plot_attention itself

    @functools.cached_property
    def numbers(self) -> Tensor:
        """The numbers in the picture, blank cells as 0."""
        values = torch.tensor(self.values, dtype=torch.float32)
        return values.nan_to_num(0.0, posinf=torch.inf, neginf=-torch.inf)


@contextlib.contextmanager
def _canvas(current: bool) -> Iterator[tuple[Any, Any, Axes]]:
    """A figure with the axes to draw on; `guard.run` closes it."""
    import matplotlib.pyplot as plt

    show = plt.show
    with plt.ioff():
        figure = plt.figure(figsize=(4, 3), dpi=60)
        try:
            plt.show = lambda *args, **kwargs: None
            ax = figure.add_subplot() if current else figure.add_subplot(1, 2, 1)
            if not current:
                figure.add_subplot(1, 2, 2)
            yield plt, figure, ax
        finally:
            plt.show = show


@contextlib.contextmanager
def _watched() -> Iterator[list[Any]]:
    """A list that plot_attention fills when it is called."""
    from helpers.plots import attention

    calls, select = [], attention.select_map

    def noted(*args: Any) -> Any:
        calls.append(args)
        return select(*args)

    attention.select_map = noted
    try:
        yield calls
    finally:
        attention.select_map = select


def draw(
    answer: Callable[..., Any],
    weights: Tensor,
    query_tokens: list[str],
    key_tokens: list[str],
    *,
    current: bool = True,
) -> Any:
    """The picture that `answer` draws; `current`: on pyplot's current axes?"""
    with _canvas(current) as (plt, figure, ax), _watched() as calls:
        others = [a for a in figure.axes if a is not ax]
        figures = set(plt.get_fignums())
        settings = dict(plt.rcParams)
        asked = weights.detach().clone()
        result = answer(ax, weights, query_tokens, key_tokens)
        if result is ...:
            return result
        found = read(figure, ax, asked)
        found.by_the_course = bool(calls)
        changed = (k for k, v in plt.rcParams.items() if settings.get(k) != v)
        found.settings_changed = tuple(sorted(changed))
        new = [plt.figure(n) for n in plt.get_fignums() if n not in figures]
        found.elsewhere = _landed([*others, *(a for f in new for a in f.axes)])
        return found


def _landed(axes: list[Axes]) -> tuple[str, ...]:
    """What was put on these axes, in words."""
    found = []
    for ax in axes:
        if _meshes(ax):
            found.append("the map")
        if ax.get_xlabel() or ax.get_ylabel():
            found.append("the axis titles")
        if any(_is_word(t) for which in "xy" for _, t in _ticks(ax, which)):
            found.append("the token labels")
    return tuple(dict.fromkeys(found))


def _is_word(text: str) -> bool:
    return any(c.isalpha() for c in text)


def read(figure: Any, ax: Axes, weights: Tensor) -> Picture:
    """The picture on these axes."""
    import numpy as np
    from matplotlib.colors import Normalize

    figure.draw_without_rendering()
    found = Picture(weights)
    if ax.axison:
        found.titles = {"x": ax.get_xlabel(), "y": ax.get_ylabel()}
    meshes = _meshes(ax)
    if not meshes:
        return found
    artist = meshes[-1]
    values, x, y = _cells(artist)
    if values is None:
        found.in_colours = hasattr(artist, "get_extent")
        found.no_cells = not found.in_colours
        return found
    shown = ax.transData.transform(np.stack([x.ravel(), y.ravel()], 1))
    across, up = shown[:, 0].reshape(x.shape), shown[:, 1].reshape(y.shape)
    rows, columns = np.argsort(-up[:, 0]), np.argsort(across[0])
    found.values = values[rows][:, columns]
    part = [_step(up[:, 0]) / 4, _step(across[0]) / 4][::-1]
    low, high = ax.bbox.min - 1 + part, ax.bbox.max + 1 - part
    outside = ((shown < low) | (shown > high)).any(1)
    found.hidden_cells = int(outside.sum())
    found.limits = tuple(float(v) for v in artist.get_clim())
    found.linear = type(artist.norm) is Normalize
    if ax.axison:
        for which, places in (("x", across[0][columns]), ("y", up[:, 0][rows])):
            found.labels[which] = _placed(ax, which, places)
    return found


def _step(places: Any) -> float:
    """How far apart cells are, on the screen."""
    span = abs(float(places.max() - places.min()))
    return span / max(len(places) - 1, 1)


def _placed(ax: Axes, which: str, places: Any) -> Labels:
    """The labels of an axis, each with its place in cells from the first cell."""
    step = (places[-1] - places[0]) / max(len(places) - 1, 1) or 1.0
    side = 0 if which == "x" else 1
    found = []
    for at, text in _ticks(ax, which):
        point = (at, 0) if which == "x" else (0, at)
        shown = ax.transData.transform(point)[side]
        found.append((float((shown - places[0]) / step), text))
    return sorted(found)


def _ticks(ax: Axes, which: str) -> Labels:
    axis = ax.xaxis if which == "x" else ax.yaxis
    low, high = sorted(axis.get_view_interval())
    found = []
    for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
        texts = {
            label.get_text().strip()
            for label in (tick.label1, tick.label2)
            if label.get_visible() and label.get_text().strip()
        }
        at = tick.get_loc()
        if texts and low - 1e-6 <= at <= high + 1e-6:
            found.append((at, " ".join(sorted(texts))))
    return found


def _meshes(ax: Axes) -> list[Any]:
    """All artists that colour cells by numbers."""
    seen = [a for a in [*ax.images, *ax.collections] if a.get_visible()]
    return [a for a in seen if a.get_array() is not None and a.get_alpha() != 0]


def _cells(artist: Any) -> tuple[Any, Any, Any]:
    """(values, x, y) of all cells, in data coordinates; values None for colours."""
    import numpy as np

    values = np.ma.filled(np.ma.asarray(artist.get_array(), dtype=float), np.nan)
    if hasattr(artist, "get_extent"):
        if values.ndim != 2:
            return None, None, None
        left, right, bottom, top = artist.get_extent()
        if artist.origin == "upper":
            bottom, top = top, bottom
        rows, columns = values.shape
        x = left + (right - left) * (np.arange(columns) + 0.5) / columns
        y = bottom + (top - bottom) * (np.arange(rows) + 0.5) / rows
        return values, *np.meshgrid(x, y)
    if hasattr(artist, "get_coordinates"):
        corners = np.ma.filled(artist.get_coordinates(), np.nan)
        if corners.size // 2 != values.size:
            corners = (corners[1:] + corners[:-1]) / 2
            corners = (corners[:, 1:] + corners[:, :-1]) / 2
        if values.size * 2 != corners.size:
            return None, None, None
        x, y = corners[..., 0], corners[..., 1]
        return values.reshape(x.shape), x, y
    shapes = artist.get_paths()
    if len(shapes) == values.size and any(len(p.vertices) > 6 for p in shapes):
        return None, None, None  # areas between contours are no cells
    paths = [p.vertices[:4].mean(0) for p in shapes]
    if len(paths) != values.size and hasattr(artist, "get_offsets"):
        paths = np.ma.filled(artist.get_offsets(), np.nan)
    if len(paths) != values.size:
        return None, None, None
    xs, ys = np.array(paths).T
    columns = len({round(v, 6) for v in xs})
    shape = values.size // columns, columns
    order = np.lexsort((xs, ys))
    return tuple(a.ravel()[order].reshape(shape) for a in (values, xs, ys))
