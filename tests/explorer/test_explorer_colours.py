"""The explorer's page has the colours of the course: one meaning each, one map."""

from __future__ import annotations

import colorsys
import re

import matplotlib
import pytest
from matplotlib.colors import to_rgb

from helpers.explorer import explorer
from helpers.plots.colours import COLOURS, WEIGHTS_MAP

CSS = (explorer.FOLDER / "explorer.css").read_text(encoding="utf-8")
JS = (explorer.FOLDER / "explorer.js").read_text(encoding="utf-8")
MEANINGS = {"query": "query", "q": "query", "k": "key", "v": "value"}


def shades(name: str) -> list[str]:
    """What a variable of the style sheet is set to, once for each theme."""
    return re.findall(rf"--attx-{name}: (#[0-9a-f]{{6}});", CSS)


def hue(colour: str) -> float:
    """In degrees, 0 is red."""
    return 360 * colorsys.rgb_to_hsv(*to_rgb(colour))[0]


@pytest.mark.parametrize(("variable", "meaning"), MEANINGS.items())
def test_a_meaning_has_its_hue_in_both_themes(variable: str, meaning: str) -> None:
    found = shades(variable)
    assert len(found) == (1 if variable == "query" else 2)
    for shade in found:
        assert hue(shade) == pytest.approx(hue(COLOURS[meaning]), abs=5)


def test_what_is_chosen_has_the_very_colour_of_queries() -> None:
    assert shades("query") == [COLOURS["query"].lower()]
    assert CSS.lower().count(COLOURS["query"].lower()) == 1


def test_weights_are_drawn_in_the_map_of_the_course() -> None:
    (gradient,) = re.findall(r"linear-gradient\(90deg, ([^)]*)\)", CSS)
    nine = gradient.split(", ")
    drawn = matplotlib.colormaps[WEIGHTS_MAP]
    for i, colour in enumerate(nine):  # matplotlib has 256 steps between them
        assert to_rgb(colour) == pytest.approx(drawn(i / 8)[:3], abs=1.5 / 255)
    (table,) = re.findall(r"const BLUES = (\[.*?\n\]);", JS, re.DOTALL)
    triples = re.findall(r"\[(\d+), (\d+), (\d+)\]", table)
    assert ["#{:02x}{:02x}{:02x}".format(*map(int, rgb)) for rgb in triples] == nine
    assert len(nine) == 9 and {*shades("arc"), shades("lit")[0]} <= set(nine)
