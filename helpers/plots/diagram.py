"""Diagrams of boxes and arrows on a grid: who gives what to whom, in which shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helpers.plots.colours import COLOURS
from helpers.plots.labels import width_in_ems
from helpers.plots.style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyBboxPatch

SIZE = 9.0
"""Font size in the boxes; what is on the arrows is one point smaller."""
GAP = 0.06
"""Inches between an arrow and its label."""
INK = "#333333"


@dataclass(frozen=True)
class Box:
    """A thing or a step.

    Attributes:
        text: what stands in it; "\\n" breaks the line.
        at: (column, row) of its middle on the grid, row 0 on top; fractions are fine.
        colour: a key of COLOURS, or "" for grey.
        width, height: its size, in inches.
    """

    text: str
    at: tuple[float, float]
    colour: str = ""
    width: float = 1.0
    height: float = 0.42


@dataclass(frozen=True)
class Arrow:
    """From one box to another.

    Attributes:
        start, end: names of boxes.
        label: what is handed over, usually its shape.
        bend: 0 is straight; 0.3 bends to the left as seen from the start.
        dashed: for what happens only sometimes, or only in one of two cases.
        at: where the label is, as a share of the way from start to end.
    """

    start: str
    end: str
    label: str = ""
    bend: float = 0.0
    dashed: bool = False
    at: float = 0.5


@dataclass(frozen=True)
class Frame:
    """A thin line around some boxes, with a heading, such as "encoder".

    Attributes:
        text: the heading.
        around: the names of the boxes.
    """

    text: str
    around: tuple[str, ...]


def plot_diagram(
    boxes: Mapping[str, Box],
    arrows: Sequence[Arrow],
    *,
    title: str,
    frames: Sequence[Frame] = (),
    pitch: tuple[float, float] = (1.9, 0.85),
    ax: Axes | None = None,
) -> Axes:
    """Draw boxes on a grid, and arrows between them.

    Args:
        boxes: name -> box.
        arrows: drawn below the boxes, from border to border.
        title: what the diagram says, in a sentence.
        frames: drawn below everything else.
        pitch: inches from one column to the next, and from one row to the next.
        ax: where to draw; by default in a new figure of the size that is needed.

    Returns:
        The axes; one unit is one inch.

    Raises:
        ValueError: if there is no box, or an arrow or a frame names one that is not
            there.

    >>> boxes = {"x": Box("x", (0, 0)), "y": Box("W x", (1, 0), "output")}
    >>> ax = plot_diagram(boxes, [Arrow("x", "y", "(B, d)")], title="One layer")
    >>> len(ax.texts)
    3
    """
    used = {name for a in arrows for name in (a.start, a.end)}
    used |= {name for frame in frames for name in frame.around}
    if not boxes or used - set(boxes):
        raise ValueError(
            f"a diagram needs boxes, and arrows between boxes that are there; got "
            f"{len(boxes)} boxes and the unknown names {sorted(used - set(boxes))}"
        )
    places = {n: (b.at[0] * pitch[0], -b.at[1] * pitch[1]) for n, b in boxes.items()}
    left, right, low, high = _extent(boxes, places, bool(frames))
    for arrow in arrows:
        x, y, place = _label(arrow, places)
        wide = width_in_ems(arrow.label) * (SIZE - 1) / 72 + GAP
        share = {"left": (0, 1), "right": (1, 0), "center": (0.5, 0.5)}[place["ha"]]
        left, right = min(left, x - share[0] * wide), max(right, x + share[1] * wide)
        low, high = min(low, y - 0.15), max(high, y + 0.25)
    if ax is None:
        ax = new_axes(right - left, high - low + 0.35)
    patches = {name: _draw_box(ax, box, places[name]) for name, box in boxes.items()}
    for frame in frames:
        _draw_frame(ax, frame, boxes, places)
    for arrow in arrows:
        _draw_arrow(ax, arrow, patches, places)
    ax.set(xlim=(left, right), ylim=(low, high), aspect="equal")
    ax.set_axis_off()
    return finish(ax, title)


def _extent(
    boxes: Mapping[str, Box], places: Mapping[str, tuple[float, float]], framed: bool
) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of all boxes, with a margin."""
    margin = 0.35 if framed else 0.12
    across = [places[n][0] + s * b.width / 2 for n, b in boxes.items() for s in (-1, 1)]
    up = [places[n][1] + s * b.height / 2 for n, b in boxes.items() for s in (-1, 1)]
    return (
        min(across) - margin,
        max(across) + margin,
        min(up) - margin,
        max(up) + margin,
    )


def _draw_box(ax: Axes, box: Box, middle: tuple[float, float]) -> FancyBboxPatch:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import FancyBboxPatch

    colour = COLOURS[box.colour] if box.colour else INK
    x, y = middle
    patch = FancyBboxPatch(
        (x - box.width / 2, y - box.height / 2),
        box.width,
        box.height,
        boxstyle="round,pad=0,rounding_size=0.06",
        facecolor=to_rgba(colour, 0.18 if box.colour else 0.06),
        edgecolor=colour,
        linewidth=1.2,
        zorder=2,
    )
    ax.add_patch(patch)
    _write(ax, x, y, box.text, SIZE, ha="center", va="center", zorder=4)
    return patch


def _draw_frame(
    ax: Axes,
    frame: Frame,
    boxes: Mapping[str, Box],
    places: Mapping[str, tuple[float, float]],
) -> None:
    from matplotlib.patches import Rectangle

    inside = {name: boxes[name] for name in frame.around}
    left, right, low, high = _extent(inside, places, framed=False)
    high += 0.16
    line = {"facecolor": "none", "edgecolor": COLOURS["chance"], "linestyle": ":"}
    ax.add_patch(Rectangle((left, low), right - left, high - low, zorder=0, **line))
    _write(ax, left + 0.06, high - 0.05, frame.text, SIZE - 1, ha="left", va="top")


def _draw_arrow(
    ax: Axes,
    arrow: Arrow,
    patches: Mapping[str, FancyBboxPatch],
    places: Mapping[str, tuple[float, float]],
) -> None:
    from matplotlib.patches import FancyArrowPatch

    (x0, y0), (x1, y1) = places[arrow.start], places[arrow.end]
    ax.add_patch(
        FancyArrowPatch(
            (x0, y0),
            (x1, y1),
            patchA=patches[arrow.start],
            patchB=patches[arrow.end],
            connectionstyle=f"arc3,rad={-arrow.bend}",
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=1,
            shrinkB=1,
            linewidth=1.1,
            linestyle="--" if arrow.dashed else "-",
            color=INK,
            zorder=1,
        )
    )
    if not arrow.label:
        return
    x, y, place = _label(arrow, places)
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9}
    _write(ax, x, y, arrow.label, SIZE - 1, zorder=3, bbox=behind, **place)


def _label(
    arrow: Arrow, places: Mapping[str, tuple[float, float]]
) -> tuple[float, float, dict[str, str]]:
    """Where the label of an arrow is, and how it is aligned there.

    The curve is quadratic; its control point is off to one side of the middle.
    """
    (x0, y0), (x1, y1), t = places[arrow.start], places[arrow.end], arrow.at
    dx, dy = x1 - x0, y1 - y0
    control = (x0 + dx / 2 - arrow.bend * dy, y0 + dy / 2 + arrow.bend * dx)
    x, y = (
        (1 - t) ** 2 * a + 2 * t * (1 - t) * c + t**2 * b
        for a, c, b in zip((x0, y0), control, (x1, y1))
    )
    if abs(dy) > abs(dx):
        side = -1 if arrow.bend * dy > 0 else 1
        return (
            x + side * GAP,
            y,
            {"ha": "left" if side > 0 else "right", "va": "center"},
        )
    level = dy == 0
    return x, y + level * GAP, {"ha": "center", "va": "bottom" if level else "center"}


def _write(ax: Axes, x: float, y: float, text: str, size: float, **style: Any) -> None:
    ax.text(x, y, text, fontsize=size, color=INK, parse_math=False, **style)
