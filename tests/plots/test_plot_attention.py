from __future__ import annotations

import copy
import itertools
import random
import re
import warnings
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib import font_manager
from matplotlib.axes import Axes

from helpers.attention import MultiHeadAttention
from helpers.plots import COLOURS, labels, plot_attention, plot_bars
from helpers.plots.colours import WEIGHTS_MAP
from helpers.plots.labels import fonts_for, visible, width_in_ems
from tests.plots.looking import (
    WORDS,
    assert_no_labels_overlap,
    assert_nothing_is_cut_off,
    boxes,
    draw,
    drawn,
    shown,
    weights,
)

INF = float("inf")

# What is drawn


def test_the_call_of_the_article() -> None:
    tokens = ["The", "cat", "sat", "on", "the", "mat"]
    mha = MultiHeadAttention(16, 8)
    x = torch.randn(1, 6, 16)
    _, attn_weights = mha(x, x, x)
    ax = draw(plot_attention(attn_weights, tokens, head=3))
    assert isinstance(ax, Axes)
    assert ax.get_title() == "Head 3"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("key token", "query token")
    assert shown(ax.xaxis) == shown(ax.yaxis) == tokens
    assert np.allclose(drawn(ax), attn_weights[0, 3].detach())
    mesh = ax.collections[0]
    assert mesh.get_clim() == (0, 1) and mesh.get_cmap().name == "Blues"
    assert ax.get_aspect() == 1
    assert any("weight" in a.get_ylabel() for a in ax.figure.axes if a is not ax)


def test_row_0_is_on_top_and_labels_stand_at_their_cells() -> None:
    ax = draw(plot_attention(weights(3, 5), WORDS[:3], WORDS))
    places = [b.y0 for b in boxes(ax.yaxis)]
    assert places == sorted(places, reverse=True)
    places = [b.x0 for b in boxes(ax.xaxis)]
    assert places == sorted(places)
    assert list(ax.get_xticks()) == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert ax.get_ylim() == (3, 0)


def test_the_scale_is_the_same_for_flat_and_for_steep_maps() -> None:
    flat = plot_attention(torch.full((5, 5), 0.2), WORDS)
    steep = plot_attention(torch.eye(5), WORDS)
    assert flat.collections[0].get_clim() == steep.collections[0].get_clim() == (0, 1)


@pytest.mark.parametrize("head", [0, 2, -1])
@pytest.mark.parametrize("n", [3, 4, 5])
def test_heads_without_batch_are_heads_and_no_colours(head: int, n: int) -> None:
    given = weights(3, n, n)
    ax = draw(plot_attention(given, WORDS[:n], head=head))
    assert drawn(ax).shape == (n, n) and np.allclose(drawn(ax), given[head])
    assert ax.get_title() == f"Map {head % 3} of 3"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([torch.rand(1, 2, 1, k) for k in (1, 2, 3)], "(1, 2, 1, 1), (1, 2, 1, 2)"),
        ((None, None), "output_attentions=True"),
        ([[0.5, 0.5], [1.0]], "(2,), (1,)"),
    ],
)
def test_a_list_that_is_no_map_is_described(given: object, told: str) -> None:
    with pytest.raises(ValueError) as error:
        plot_attention(given, WORDS)
    assert told in str(error.value)


def test_a_long_token_is_cut() -> None:
    assert labels.visible("x" * 1_000_000) == "x" * 79 + "…"
    assert labels.visible("x" * 80) == "x" * 80


def test_two_axes_are_one_map() -> None:
    given = weights(5, 5)
    ax = draw(plot_attention(given, WORDS))
    assert np.allclose(drawn(ax), given) and "Head" not in ax.get_title()


def test_the_title_says_which_sample_of_how_many() -> None:
    given = weights(16, 2, 5, 5)
    ax = draw(plot_attention(given, WORDS))
    assert re.search(r"Head 0.*sample 0 of 16", ax.get_title())
    assert np.allclose(drawn(ax), given[0, 0])
    ax = draw(plot_attention(given, WORDS, head=1, batch=7))
    assert re.search(r"Head 1.*sample 7 of 16", ax.get_title())
    assert np.allclose(drawn(ax), given[7, 1])
    ax = draw(plot_attention(given, WORDS, title="mine"))
    assert re.search(r"mine.*sample 0 of 16", ax.get_title())
    ax = draw(plot_attention(given, WORDS, batch=7, title="mine"))
    assert ax.get_title() == "mine"
    assert draw(plot_attention(given[:1], WORDS)).get_title() == "Head 0"


KINDS = {
    "float64": lambda w: w.double(),
    "bfloat16": lambda w: w.bfloat16(),
    "float16": lambda w: w.half(),
    "requires_grad": lambda w: w.requires_grad_(),
    "not contiguous": lambda w: w.mT.contiguous().mT,
    "list": lambda w: w.tolist(),
    "list of tensors": lambda w: list(w),
    "list of lists of rows": lambda w: [list(head) for head in w.bfloat16()],
    "rows with a gradient": lambda w: [list(h) for h in w.clone().requires_grad_()],
    "sparse": lambda w: w.to_sparse(),
    "expanded": lambda w: w.unsqueeze(0).expand(1, -1, -1, -1),
    "numpy": lambda w: w.numpy(),
    "float32 numpy": lambda w: w.numpy().astype(np.float32),
}


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_any_kind(kind: str) -> None:
    given = weights(2, 5, 5)
    wanted = given.clone()
    ax = draw(plot_attention(KINDS[kind](given), WORDS, head=1))
    assert np.allclose(drawn(ax), wanted[1], atol=4e-3)
    assert ax.get_title() in (
        "Map 1 of 2",
        "Head 1",
    )  # rounding is no reason for a note


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
def test_weights_on_a_gpu() -> None:
    draw(plot_attention(weights(5, 5).cuda(), WORDS))


def test_neither_weights_nor_model_nor_random_numbers_change() -> None:
    mha = MultiHeadAttention(6, 2).train()
    x = torch.randn(1, 5, 6)
    _, given = mha(x, x, x)
    kept = given.detach().clone()
    state = torch.get_rng_state(), random.getstate(), repr(np.random.get_state())
    draw(plot_attention(given, WORDS))
    now = torch.get_rng_state(), random.getstate(), repr(np.random.get_state())
    assert torch.equal(state[0], now[0]) and state[1:] == now[1:]
    assert mha.training and given.requires_grad and torch.equal(given, kept)
    given.sum().backward()
    assert mha.W_q.weight.grad is not None


def test_annotated_cells() -> None:
    ax = draw(plot_attention(torch.eye(3) * 0.25 + 0.25, WORDS[:3], annotate=True))
    assert sorted({t.get_text() for t in ax.texts}) == ["0.25", "0.50"]
    assert len(ax.texts) == 9


# Tokens


def test_a_token_that_comes_twice_has_two_rows_and_columns() -> None:
    tokens = "the cat saw the cat".split()
    ax = draw(plot_attention(weights(5, 5), tokens))
    assert shown(ax.xaxis) == shown(ax.yaxis) == tokens


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("$$", "$$"),
        ("$5$", "$5$"),
        ("$x", "$x"),
        (r"\$", r"\$"),
        ("a_b", "a_b"),
        ("^", "^"),
        (r"\frac", r"\frac"),
        (r"$\frac$", r"$\frac$"),
        ("%", "%"),
        ("{}", "{}"),
        ("<s>", "<s>"),
        ("</s>", "</s>"),
        ("##ing", "##ing"),
        ("_nolegend_", "_nolegend_"),
        ("Ġthe", "Ġthe"),
        ("▁the", "▁the"),
        ("a\nb", r"a\nb"),
        ("\t", r"\t"),
        ("\r\n", r"\r\n"),
        ("\x00", r"\x00"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\u200b", r"\u200b"),
        ("\u00a0", r"\xa0"),
        ("\ud800", r"\ud800"),
        ("", "''"),
        (" ", "' '"),
        ("  a", "  a"),
        ("'", "'"),
        (7, "7"),
        ("Thầy học trò", "Thầy học trò"),
    ],
)
def test_tokens_are_literal_text(token: object, text: str) -> None:
    ax = draw(plot_attention(weights(3, 3), ["x", token, "y"]))
    assert shown(ax.xaxis) == shown(ax.yaxis) == ["x", text, "y"]
    assert visible(token) == text
    for label in (*ax.get_xticklabels(), *ax.get_yticklabels()):
        assert not label.get_parse_math()
    # As wide as its letters: no formula was made of it, no line was broken.
    one = ax.get_yticklabels()[1].get_window_extent()
    other = ax.get_yticklabels()[0].get_window_extent()
    assert one.height < 2 * other.height


def test_a_title_is_literal_text() -> None:
    ax = draw(plot_attention(weights(5, 5), WORDS, title=r"$\frac$ costs 5 $"))
    assert ax.get_title() == r"$\frac$ costs 5 $"


@pytest.mark.parametrize("n", [16, 40, 120, 512])
def test_long_sequences(n: int) -> None:
    tokens = [f"token{i}" for i in range(n)]
    ax = draw(plot_attention(weights(n, n), tokens))
    assert_no_labels_overlap(ax)
    assert_nothing_is_cut_off(ax)
    for axis, title in ((ax.xaxis, "key token"), (ax.yaxis, "query token")):
        text = axis.get_label_text()
        thinned = re.fullmatch(rf"{title} \(1 in (\d+) named\)", text)
        assert thinned or text == title
        step = int(thinned[1]) if thinned else 1
        assert shown(axis) == tokens[::step]
        assert step == 1 if n <= 40 else step > 1
        assert len(shown(axis)) >= 30 or step == 1
        ticks = axis.get_majorticklocs()
        assert np.allclose(ticks, np.arange(0, n, step) + 0.5)


@pytest.mark.parametrize(
    ("n_q", "n_k"), [(1, 1), (1, 8), (8, 1), (3, 40), (40, 3), (120, 7), (8, 8)]
)
@pytest.mark.parametrize("word", ["w", "abcdefghijklmnopqrst", "M" * 20])
def test_oblong_maps_and_long_tokens(n_q: int, n_k: int, word: str) -> None:
    # With a note above the map, which may be wider than the map.
    given = 0.7 * weights(16, 2, n_q, n_k)
    ax = draw(plot_attention(given, [word] * n_q, [word] * n_k))
    assert_no_labels_overlap(ax)
    assert_nothing_is_cut_off(ax)


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("n", [5, 16])
def test_axes_of_a_grid(layout: str | None, n: int) -> None:
    figure, grid = plt.subplots(2, 2, layout=layout)
    for ax in grid.flat:
        assert plot_attention(weights(n, n), ["word"] * n, ax=ax) is ax
    assert plt.get_fignums() == [figure.number]
    draw(grid[0, 0])
    for ax in grid.flat:
        assert_no_labels_overlap(ax)
        assert ("named" in ax.get_xlabel()) == (len(shown(ax.xaxis)) < n)


def test_thinning_follows_the_size_of_the_figure() -> None:
    ax = draw(plot_attention(weights(40, 40), ["word"] * 40))
    assert len(shown(ax.xaxis)) == 40
    ax.figure.set_size_inches(4, 4)
    draw(ax)
    assert 5 < len(shown(ax.xaxis)) < 40 and "named" in ax.get_xlabel()
    assert_no_labels_overlap(ax)
    ax.figure.set_size_inches(9, 9)
    draw(ax)
    assert len(shown(ax.xaxis)) == 40 and ax.get_xlabel() == "key token"


@pytest.mark.parametrize("tokens", [["日本語", "は", "語"], ["ท", "日", "x"]])
def test_letters_that_no_font_has(tokens: list[str], monkeypatch) -> None:
    monkeypatch.setattr(labels, "_installed_fonts", lambda: ())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ax = plot_attention(weights(3, 3), tokens)
        ax.figure.canvas.draw()
    assert len(caught) == 1
    message = str(caught[0].message)
    first = min(c for c in "".join(tokens) if ord(c) > 127)
    for words in ("日", "Install a font", f"{first} as {labels.escaped(first)}"):
        assert words in message
    assert caught[0].filename == __file__  # the caller's line
    assert labels.escaped("日") in shown(ax.xaxis)[1] + shown(ax.xaxis)[0]


def test_letters_that_another_font_has() -> None:
    path = Path(matplotlib.get_data_path(), "fonts", "ttf", "STIXGeneral.ttf")
    assert path.exists()
    usual = labels._characters_of(font_manager.findfont("DejaVu Sans"))
    stix = labels._characters_of(str(path))
    letter = min(c for c in stix - usual if "\u1000" < c < "\ue000" and c.isprintable())
    families, missing = fonts_for(f"a{letter}")
    assert not missing and len(families) > 1
    ax = draw(plot_attention(weights(3, 3), ["a", letter, "b"]))  # and no warning
    assert shown(ax.xaxis) == ["a", letter, "b"]


def test_the_usual_fonts_for_usual_letters() -> None:
    assert fonts_for("cat $ học") == (list(matplotlib.rcParams["font.family"]), set())


def test_widths_are_rather_too_large() -> None:
    figure = plt.figure()
    for text in ("x" * 60, "M" * 20, "QWERTY", "iiiii", "##ing@%", "Thầy", "0123456"):
        label = figure.text(0, 0, text, fontsize=labels.FONT_SIZE)
        width = label.get_window_extent().width / figure.dpi * 72 / labels.FONT_SIZE
        assert width <= width_in_ems(text) < 2.5 * width + 0.2, text


# What does not fit, and what is no weight


@pytest.mark.parametrize(
    ("tokens", "keys"),
    [(WORDS, None), (WORDS, WORDS[:3]), (WORDS[:3], None), (WORDS[:2], WORDS)],
)
def test_wrong_numbers_of_tokens(tokens: list, keys: list | None) -> None:
    with pytest.raises(ValueError, match="n_q = 3.*n_k = 5") as error:
        plot_attention(weights(3, 5), tokens, keys)
    assert f"{len(tokens)} tokens" in str(error.value)
    if keys is not None:
        assert f"{len(keys)} key_tokens" in str(error.value)
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    ("given", "options", "essence"),
    [
        (weights(2, 5, 5), {"head": 2}, r"head = 2.*\(2, 5, 5\).*0 to 1"),
        (weights(3, 2, 5, 5), {"batch": 3}, r"batch = 3.*\(3, 2, 5, 5\).*0 to 2"),
        (weights(2, 5, 5), {"batch": 1}, r"batch = 1.*\(2, 5, 5\).*no batch"),
        (weights(5, 5), {"head": 1}, r"head = 1.*\(5, 5\).*no head"),
        (weights(5), {}, r"\(5,\)"),
        (torch.zeros(2, 0, 5, 5), {}, r"\(2, 0, 5, 5\)"),
        (torch.ones(5, 5, device="meta"), {}, "meta device"),
        ("cat", {}, "numbers.*str"),
        (torch.eye(5).cfloat(), {}, "numbers.*Tensor|numbers.*ndarray"),
        (np.eye(5) * 1j, {}, "numbers.*ndarray"),
        (weights(2, 5, 5), {"head": 1.0}, "head must be one whole number.*1.0"),
        (weights(2, 5, 5), {"head": "1"}, "head must be one whole number.*'1'"),
        (weights(2, 5, 5), {"head": None}, "head must be one whole number.*None"),
        (weights(3, 2, 5, 5), {"batch": [0]}, r"batch must be one whole.*\[0\]"),
        (weights(5, 5, 2), {}, "n_q = 5.*n_k = 2"),
        ([[0.5, 0.5], [1.0]], {}, "numbers.*list"),
        (None, {}, r"\(\)|NoneType"),
    ],
)
def test_what_is_refused(given: object, options: dict, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        plot_attention(given, WORDS, **options)
    assert not plt.get_fignums()


@pytest.mark.parametrize("tokens", [None, 3, {"a", "b", "c"}, object()])
def test_what_has_no_order_is_no_list_of_tokens(tokens: object) -> None:
    with pytest.raises(ValueError, match=f"tokens must be.*{type(tokens).__name__}"):
        plot_attention(weights(3, 3), tokens)
    with pytest.raises(ValueError, match="tokens must be a list"):
        plot_bars([1, 2, 3], tokens, title="All", label="score")
    assert not plt.get_fignums()


@pytest.mark.parametrize(
    "tokens", [torch.arange(3), np.arange(3), (i for i in range(3)), range(3)]
)
def test_any_sequence_of_anything_names_the_tokens(tokens: object) -> None:
    ax = draw(plot_attention(weights(3, 3), tokens))
    assert shown(ax.xaxis) == ["0", "1", "2"]


def test_one_string_is_no_list_of_tokens() -> None:
    with pytest.raises(ValueError, match=r"tokens.*\.split\(\)"):
        plot_attention(weights(3, 3), b"cat")
    with pytest.raises(ValueError, match=r"tokens.*\.split\(\)"):
        plot_attention(weights(3, 3), "cat")
    with pytest.raises(ValueError, match=r"key_tokens.*\.split\(\)"):
        plot_attention(weights(3, 3), WORDS[:3], "cat")


def test_rows_that_do_not_sum_to_1_have_a_note() -> None:
    given = weights(5, 5).double()
    assert "\n" not in plot_attention(given, WORDS).get_title()
    given[1] = 0
    ax = draw(plot_attention(given, WORDS))
    assert re.search(r"note: 1 row sums to 0\.00, not to 1", ax.get_title())
    given[2] *= 0.5
    ax = draw(plot_attention(given, WORDS))
    assert re.search(r"2 of 5 rows sum to 0\.00 to 0\.50", ax.get_title())
    assert np.allclose(drawn(ax), given)
    assert "note" in draw(plot_attention(given.T, WORDS, title="mine")).get_title()


def test_numbers_that_are_no_weights_have_a_note() -> None:
    ax = draw(plot_attention(torch.tensor([[-2.0, 3.0], [0.5, 0.5]]), WORDS[:2]))
    assert re.search("not weights.*-2 to 3", ax.get_title())
    assert ax.collections[0].get_clim() == (0, 1)


@pytest.mark.parametrize("row", [[INF, 0, 0], [-INF, 0, 1], [INF, -INF, 0]])
def test_infinite_numbers_have_a_note_and_no_warning(row: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw(plot_attention(torch.tensor([row] * 3), WORDS[:3], annotate=True))
    assert re.search("not weights: numbers from .*inf", ax.get_title())


@pytest.mark.parametrize("rows", [1, 3])
def test_nan_has_a_note_and_no_warning(rows: int) -> None:
    given = weights(3, 3)
    given[:rows] = float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw(plot_attention(given, WORDS[:3], annotate=True))
    assert re.search(f"{3 * rows} weights are NaN", ax.get_title())


# What is left behind


def test_one_figure_or_none_and_the_same_settings() -> None:
    before = copy.deepcopy(dict(matplotlib.rcParams))
    given = plt.figure().add_subplot()
    plot_attention(weights(5, 5), WORDS, ax=given)
    assert len(plt.get_fignums()) == 1
    draw(plot_attention(weights(5, 5), WORDS))
    assert len(plt.get_fignums()) == 2
    assert dict(matplotlib.rcParams) == before
    assert matplotlib.get_backend().lower() == "agg"


def test_a_title_of_an_axis_that_is_set_afterwards_stays() -> None:
    ax = plot_attention(weights(512, 512), ["word"] * 512)
    ax.set_xlabel("where it looks")
    draw(ax)
    assert ax.get_xlabel() == "where it looks" and "1 in" in ax.get_ylabel()


def test_twice_in_the_same_axes_is_as_once() -> None:
    ax = plt.figure().add_subplot()
    plot_attention(weights(3, 3), WORDS[:3], ax=ax)
    ax.clear()
    draw(plot_attention(weights(5, 5), WORDS, ax=ax))
    assert shown(ax.xaxis) == shown(ax.yaxis) == WORDS


# Bars


def test_bars() -> None:
    values = torch.tensor([0.5, -1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
    ax = draw(plot_bars(values, ["a", "$$", ""], title="All", label="score"))
    assert [bar.get_height() for bar in ax.patches] == [0.5, -1.0, 2.0]
    assert shown(ax.xaxis) == ["a", "$$", "''"]
    assert (ax.get_title(), ax.get_ylabel()) == ("All", "score")
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("n", [1, 12, 60])
def test_bars_have_room_for_their_labels(n: int) -> None:
    tokens = ["abcdefghijkl"] * n
    ax = draw(plot_bars(range(n), tokens, title="All", label="score"))
    assert_no_labels_overlap(ax)
    ax = plt.subplots(1, 2)[1][0]
    draw(plot_bars([0.1] * n, tokens, title="All", label="score", ax=ax))
    assert_no_labels_overlap(ax)
    assert ("named" in ax.get_xlabel()) == (len(shown(ax.xaxis)) < n)


def test_bars_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"\(3,\).*2 tokens"):
        plot_bars([1, 2, 3], ["a", "b"], title="All", label="score")
    with pytest.raises(ValueError, match=r"\(2, 2\).*2 tokens"):
        plot_bars(torch.ones(2, 2), ["a", "b"], title="All", label="score")
    assert not plt.get_fignums()


def test_every_colour_means_one_thing() -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_scores_of_hidden_keys_have_no_bar_and_the_title_says_so() -> None:
    ax = draw(plot_bars([1.0, -INF, -INF], ["a", "b", "c"], title="All", label="score"))
    assert [bar.get_height() for bar in ax.patches][0] == 1
    assert ax.get_title() == "All\nno bar: -inf"


@pytest.mark.parametrize("text", ["$$", r"$\frac$", "$5$", "%", "a_b"])
def test_all_texts_of_bars_are_literal(text: str) -> None:
    ax = draw(plot_bars([1, 2], ["a", text], title=text, label=text))
    for label in (ax.title, ax.yaxis.label, *ax.get_xticklabels()):
        assert not label.get_parse_math()


def test_bars_have_room_for_a_token_as_long_as_a_line() -> None:
    ax = draw(plot_bars([1, 2], ["x" * 120, "y"], title="All", label="score"))
    assert ax.get_window_extent().height > 40


# Colours, for those who see fewer of them

TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)
DEUTERANOPIA = np.array(
    [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
)
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""


def lab(colour: object, seen_through: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of a colour: distances are about as large as they look."""
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(seen_through @ linear, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("seen_through", [np.eye(3), DEUTERANOPIA])
def test_colours_differ_without_red_and_green(seen_through: np.ndarray) -> None:
    # "chance" is a dashed or thin line: its shape tells it from the others.
    hues = {name: c for name, c in COLOURS.items() if name != "chance"}
    for one, other in itertools.combinations(hues, 2):
        apart = lab(hues[one], seen_through) - lab(hues[other], seen_through)
        assert np.linalg.norm(apart) > 15, (one, other)


def test_what_is_compared_differs_in_grey() -> None:
    dark, light = (lab(COLOURS[n], np.eye(3))[0] for n in ("attention", "rival"))
    assert light - dark > 10


@pytest.mark.parametrize("seen_through", [np.eye(3), DEUTERANOPIA])
def test_more_weight_is_darker_also_in_grey(seen_through: np.ndarray) -> None:
    shades = matplotlib.colormaps[WEIGHTS_MAP](np.linspace(0, 1, 21))
    light = [lab(shade, seen_through)[0] for shade in shades]
    assert all(a - b > 1 for a, b in itertools.pairwise(light))
