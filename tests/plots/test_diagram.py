from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import pytest

from helpers.plots import COLOURS, Arrow, Box, Frame, plot_diagram

BOXES = {
    "x": Box("x", (0, 1)),
    "Q": Box("Q", (1, 0), "query"),
    "K": Box("K", (1, 2), "key"),
    "scores": Box("Q Kᵀ / √d_k", (2, 1)),
}
ARROWS = [
    Arrow("x", "Q"),
    Arrow("x", "K"),
    Arrow("Q", "scores", "(B, H, n_q, d_k)"),
    Arrow("K", "scores", "(B, H, n_k, d_k)"),
]


def draw(boxes=BOXES, arrows=ARROWS, **kw) -> plt.Axes:
    ax = plot_diagram(boxes, arrows, title="It is", **kw)
    ax.figure.canvas.draw()
    return ax


def test_every_text_is_there_and_none_overlaps_another() -> None:
    ax = draw()
    texts = [t.get_text() for t in ax.texts]
    assert sorted(texts) == sorted(
        [*(b.text for b in BOXES.values()), *(a.label for a in ARROWS if a.label)]
    )
    extents = [t.get_window_extent() for t in ax.texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(extents, 2))
    inside = ax.get_window_extent()
    assert all(
        inside.contains(e.x0, e.y0) and inside.contains(e.x1, e.y1) for e in extents
    )


@pytest.mark.parametrize("bend", [-0.6, -0.2, 0.0, 0.2, 0.6])
@pytest.mark.parametrize("end", [(3, 0), (0, 3), (3, 3), (-3, 0), (0, -3)])
def test_a_label_is_on_its_arrow_and_within_the_axes(
    end: tuple[float, float], bend: float
) -> None:
    boxes = {"a": Box("a", (0, 0)), "b": Box("b", end)}
    ax = draw(boxes, [Arrow("a", "b", "here", bend=bend)])
    (label,) = (t for t in ax.texts if t.get_text() == "here")
    (arrow,) = (p for p in ax.patches if hasattr(p, "set_connectionstyle"))
    path = arrow.get_path().transformed(arrow.get_transform())
    line = path.cleaned(curves=False).interpolated(20).vertices
    box = label.get_window_extent().padded(8)
    assert any(box.contains(*point) for point in line)
    whole, inside = label.get_window_extent(), ax.get_window_extent().padded(2)
    assert inside.contains(whole.x0, whole.y0) and inside.contains(whole.x1, whole.y1)


def test_an_arrow_begins_and_ends_at_the_borders() -> None:
    ax = draw({"a": Box("a", (0, 0)), "b": Box("b", (2, 0))}, [Arrow("a", "b")])
    (arrow,) = (p for p in ax.patches if hasattr(p, "set_connectionstyle"))
    line = arrow.get_transform().transform(arrow.get_path().vertices[:3])
    start, _, end = ax.transData.inverted().transform(line)[:, 0]
    assert (
        0.5 <= start < 0.54 and 3.24 < end <= 3.3
    )  # the boxes end at 0.5, start at 3.3


def test_colours_are_meanings() -> None:
    faces = {p.get_edgecolor()[:3] for p in draw().patches}
    from matplotlib.colors import to_rgb

    assert {to_rgb(COLOURS["query"]), to_rgb(COLOURS["key"])} <= faces


def test_a_frame_holds_its_boxes() -> None:
    ax = draw(frames=[Frame("projections", ("Q", "K"))])
    (frame,) = (p for p in ax.patches if p.get_linestyle() == ":")
    for text in ax.texts:
        if text.get_text() in ("Q", "K", "projections"):
            assert frame.get_window_extent().overlaps(text.get_window_extent())


@pytest.mark.parametrize(
    ("boxes", "arrows", "frames", "name"),
    [
        ({}, [], [], "0 boxes"),
        (BOXES, [Arrow("x", "y")], [], "'y'"),
        (BOXES, [], [Frame("f", ("z",))], "'z'"),
    ],
)
def test_unknown_names_are_refused(boxes, arrows, frames, name) -> None:
    with pytest.raises(ValueError, match=name):
        plot_diagram(boxes, arrows, title="It is", frames=frames)


def test_it_draws_into_given_axes_and_leaves_no_state() -> None:
    before = dict(plt.rcParams)
    _, ax = plt.subplots()
    assert draw(ax=ax) is ax
    assert dict(plt.rcParams) == before
