"""Token labels: every token readable as what it is, in a font that has its letters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from matplotlib.axis import Axis

FONT_SIZE = 9.0
"""Size of token labels in points."""
PITCH = 1.25
"""Room that a label needs across its line, in font sizes."""
MOST_CHARACTERS = 80
"""Of a longer token the beginning is shown."""


def visible(token: object) -> str:
    """The token as one line of visible text, cut where it is long.

    Control characters are written as Python would write them, an empty or blank token
    is put in quotes: so nothing that is on an axis looks like nothing.

    >>> [visible(t) for t in ("cat", "a\\nb", "", " ")]
    ['cat', 'a\\\\nb', "''", "' '"]
    """
    text = str(token)
    if len(text) > MOST_CHARACTERS:
        text = f"{text[: MOST_CHARACTERS - 1]}…"
    return printable(text) if text.strip(" ") else repr(text)


def printable(text: str) -> str:
    """The text with control characters as Python would write them."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def escaped(character: str) -> str:
    r"""The character by its number, as Python writes it.

    >>> print(escaped("学"))
    \u5b66
    """
    return ascii(character)[1:-1]


def width_in_ems(text: str) -> float:
    """Width of a label in font sizes, if anything a little too much."""
    return sum(
        1.0
        if c in "MWmw@%" or east_asian_width(c) in "WF"
        else 0.66
        if c.islower() or c in " .,:;!'()[]|ijl"
        else 0.82
        for c in text
    )


def width_beyond(inches: float, tokens: Sequence[object]) -> float:
    """By how many inches the longest label is longer than the room that it has."""
    widths = (width_in_ems(visible(token)) for token in tokens)
    return max(0.0, max(widths, default=0.0) * FONT_SIZE / 72 - inches)


def set_token_labels(
    axis: Axis, tokens: Sequence[object], start: float = 0.0, title: str = "token"
) -> None:
    """Put tokens on an axis as literal text, thinned so that none overlap.

    The thinning is done when the axis is drawn, by the room that it has then.

    Args:
        axis: ax.xaxis or ax.yaxis.
        tokens: one per position.
        start: where the first one is, in data units; the others follow in steps of 1.
        title: the title of the axis; if tokens are left out, it says so.
    """
    from helpers.plots.ticks import TokenFormatter, TokenLocator

    texts = [visible(t) for t in tokens]
    family, missing = fonts_for("".join(texts))
    if missing:
        table = str.maketrans({c: escaped(c) for c in missing})
        texts = [text.translate(table) for text in texts]
    style = {"fontfamily": family, "fontsize": FONT_SIZE}
    axis.set_major_locator(TokenLocator(len(texts), start, PITCH * FONT_SIZE))
    axis.set_major_formatter(TokenFormatter(texts, start, title, style))
    axis.set_label_text(title)


def warn_if_missing(tokens: Sequence[object]) -> None:
    """Say in one sentence which characters no installed font has, and the remedy."""
    _, missing = fonts_for("".join(map(visible, tokens)))
    if missing:
        first, *_ = some = sorted(missing)[:8]
        warnings.warn(
            f"no installed font has the characters {' '.join(some)}; they are drawn as "
            f"numbers ({first} as {escaped(first)}). Install a font that has them (the "
            f"Noto fonts cover nearly all) and restart the kernel",
            stacklevel=3,
        )


def fonts_for(text: str) -> tuple[list[str], set[str]]:
    """Font families that together have every character, and the characters none has.

    Args:
        text: what is to be drawn.

    Returns:
        families, the usual one first; and the set of characters no font has.
    """
    import matplotlib
    from matplotlib import font_manager

    families = list(matplotlib.rcParams["font.family"])
    wanted = {c for c in text if not c.isspace() and ord(c) >= 128}
    if not wanted:
        return families, wanted
    for family in families:
        properties = font_manager.FontProperties(family=[family])
        wanted -= _characters_of(font_manager.findfont(properties))
    for family, path in _installed_fonts() if wanted else ():
        found = wanted & _characters_of(path)
        if found:
            families.append(family)
            wanted -= found
        if not wanted:
            break
    return families, wanted


@cache
def _characters_of(path: str) -> frozenset[str]:
    from matplotlib import ft2font

    try:
        return frozenset(map(chr, ft2font.FT2Font(path).get_charmap()))
    except (RuntimeError, OSError):
        return frozenset()


@cache
def _installed_fonts() -> tuple[tuple[str, str], ...]:
    """(family, file) of every upright installed font, the Noto fonts first.

    Without the Last Resort font of matplotlib: it has a box for every character.
    """
    from matplotlib import font_manager

    fonts = {
        entry.name: entry.fname
        for entry in font_manager.fontManager.ttflist
        if entry.style == "normal" and not entry.name.startswith("Last Resort")
    }
    return tuple(sorted(fonts.items(), key=lambda f: (not f[0].startswith("Noto"), f)))
