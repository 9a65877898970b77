"""The dress of the pictures: literal text, one size, and nothing left behind."""

from __future__ import annotations

import matplotlib
import matplotlib.pyplot as plt

from helpers.plots.style import TITLE_SIZE, finish, new_axes


def test_a_dollar_starts_no_formula_on_axes_made_by_anyone() -> None:
    _, theirs = plt.subplots()
    for ax in (theirs, new_axes(3, 2)):
        assert finish(ax, "$a$", x="$b$", y="$c$") is ax
        texts = (ax.title, ax.xaxis.label, ax.yaxis.label)
        assert [text.get_text() for text in texts] == ["$a$", "$b$", "$c$"]
        assert not any(text.get_parse_math() for text in texts)
        assert ax.title.get_fontsize() == TITLE_SIZE


def test_names_and_frame_stay_unless_asked_for() -> None:
    ax = new_axes(3, 2)
    ax.set_xlabel("before")
    finish(ax, "title")
    assert ax.get_xlabel() == "before"
    assert all(spine.get_visible() for spine in ax.spines.values())
    finish(ax, "title", open_frame=True)
    shown = {side for side, spine in ax.spines.items() if spine.get_visible()}
    assert shown == {"left", "bottom"}


def test_no_setting_is_left_changed() -> None:
    before = matplotlib.rcParams.copy()
    finish(new_axes(3, 2, layout="compressed"), "title", open_frame=True)
    assert matplotlib.rcParams == before
