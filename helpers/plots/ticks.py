"""Ticks for tokens: as many labels as the axis has room for when it is drawn.

The room is known only then: a layout, a square shape or a new figure size may change
it after the labels were set.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axis import Axis
from matplotlib.ticker import Formatter, Locator


class TokenLocator(Locator):
    """A tick at every k-th token, with the smallest k that gives each label its room.

    Args:
        count: number of tokens; token i is at start + i.
        start: where token 0 is, in data units.
        pitch: points (1/72 inch) that a label needs across its line.
    """

    def __init__(self, count: int, start: float, pitch: float) -> None:
        self.count = count
        self.start = start
        self.pitch = pitch

    def step(self) -> int:
        """k: 1 if there is room for every token."""
        axis: Axis = self.axis
        box = axis.axes.get_window_extent()
        pixels = box.width if axis.axis_name == "x" else box.height
        low, high = axis.get_view_interval()
        room = 72 / axis.get_figure(root=True).dpi * pixels / max(abs(high - low), 1e-6)
        return max(1, int(-(-self.pitch // max(room, 1e-6))))

    def __call__(self) -> list[float]:
        """The positions of the ticks, in data units."""
        return [self.start + i for i in range(0, self.count, self.step())]


class TokenFormatter(Formatter):
    """Tokens as literal text; the title of the axis says how many are left out.

    Args:
        texts: one per token.
        start: where token 0 is, in data units.
        title: the title of the axis; one that was set since is left alone.
        style: properties of the labels.
    """

    def __init__(
        self, texts: Sequence[str], start: float, title: str, style: dict[str, object]
    ) -> None:
        self.texts = texts
        self.start = start
        self.title = self.shown = title
        self.style = style

    def __call__(self, x: float, pos: int | None = None) -> str:
        """The token at x."""
        index = round(x - self.start)
        return self.texts[index] if 0 <= index < len(self.texts) else ""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """The tokens at these positions, whose labels get their style here."""
        for tick in self.axis.get_major_ticks(len(values)):
            tick.label1.set(parse_math=False, **self.style)
        if self.axis.get_label_text() == self.shown:
            step = self.axis.get_major_locator().step()
            thinned = f" (1 in {step} named)" if step > 1 else ""
            self.shown = self.title + thinned
            self.axis.set_label_text(self.shown)
        return [self(x) for x in values]
