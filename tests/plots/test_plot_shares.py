from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from helpers.plots.shares import plot_shares

NAMES, SHARES = ["first", "second", "third"], [0.9, 0.5, 0.0]
INTERVALS = [(0.7, 0.95), (0.3, 0.7), (0.0, 0.2)]
TEXT = dict(title="A message", label="share right")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_share_interval_and_others_are_where_they_belong() -> None:
    others = {"rule": [0.5, 0.4, 0.1], "luck": [0.2, 0.2, 0.3]}
    ax = plot_shares(NAMES, SHARES, INTERVALS, others, **TEXT)
    (bars,) = ax.containers
    assert list(bars.lines[0].get_xdata()) == SHARES
    ends = [[float(x) for x, _ in line] for line in bars.lines[2][0].get_segments()]
    assert ends == [pytest.approx(list(interval)) for interval in INTERVALS]
    marks = [
        c.get_offsets()[:, 0].tolist()
        for c in ax.collections
        if c.get_label()[0] != "_"
    ]
    assert list(others.values()) == [m for m in marks if m in list(others.values())]
    assert [t.get_text() for t in ax.get_yticklabels()] == NAMES
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first row is on top"
    legend = {text.get_text() for text in ax.get_legend().get_texts()}
    assert legend == {"the head", "rule", "luck"}
    assert ax.get_title() == "A message" and ax.get_xlabel() == "share right"


def test_it_draws_into_given_axes() -> None:
    _, ax = plt.subplots()
    assert plot_shares(NAMES, SHARES, INTERVALS, {}, ax=ax, **TEXT) is ax


def test_lists_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="one number per row"):
        plot_shares(NAMES, SHARES[:2], INTERVALS, {}, **TEXT)
    with pytest.raises(ValueError, match="4 kinds"):
        plot_shares(NAMES, SHARES, INTERVALS, dict.fromkeys("abcd", SHARES), **TEXT)


@pytest.mark.parametrize("text", ["$$", r"$\frac$"])
def test_texts_are_literal(text: str) -> None:
    texts = dict(title=text, label=text)
    ax = plot_shares([text], [0.5], [(0.4, 0.6)], {text: [0.1]}, **texts)
    ax.figure.canvas.draw()
    assert ax.get_title() == ax.get_xlabel() == text


@pytest.mark.parametrize("share", [0.3, 0.7, float("nan")])
def test_a_share_outside_its_interval_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="share of first.*outside.*0.4 to 0.6"):
        plot_shares(["first"], [share], [(0.4, 0.6)], {}, **TEXT)
