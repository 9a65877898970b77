"""Grids of heads, masks, alignments, rows and spreads: what they show, as facts."""

from __future__ import annotations

import copy
import random
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn

from helpers.attention import MultiHeadAttention
from helpers.interpret import patterns
from helpers.masks import create_causal_mask, padding_mask
from helpers.plots import (
    plot_alignment,
    plot_attention,
    plot_heads,
    plot_mask,
    plot_row,
    plot_spread,
)
from tests.plots.looking import (
    WORDS,
    assert_no_labels_overlap,
    assert_nothing_is_cut_off,
    draw,
    drawn,
    shown,
    weights,
)

# Heads


def test_every_head_on_one_scale_with_one_colour_bar() -> None:
    given = weights(7, 5, 5)
    given[0] = 0.2  # flat beside steep
    axes = plot_heads(given, WORDS)
    figure = draw(axes[0]).figure
    assert [ax.get_title() for ax in axes] == [f"Head {i}" for i in range(7)]
    for ax, head in zip(axes, given, strict=True):
        assert np.allclose(drawn(ax), head)
        assert ax.collections[0].get_clim() == (0, 1)
        assert ax.collections[0].get_cmap().name == "Blues"
        assert ax.get_ylim() == (5, 0) and ax.get_aspect() == 1
    bars = [a for a in figure.axes if "weight" in a.get_ylabel()]
    assert len(bars) == 1
    assert len(plt.get_fignums()) == 1


def test_labels_stand_at_the_edges_and_name_every_token() -> None:
    axes = plot_heads(weights(7, 5, 5), WORDS, columns=4)
    draw(axes[0])
    for i, ax in enumerate(axes):
        named = i % 4 == 0
        assert (shown(ax.yaxis) == WORDS and ax.get_ylabel() == "query token") == named
        assert (shown(ax.xaxis) == WORDS and ax.get_xlabel() == "key token") == (i > 2)


@pytest.mark.parametrize("n", [16, 40, 120, 512])
@pytest.mark.parametrize("heads", [2, 5])
def test_long_sequences_in_a_grid(heads: int, n: int) -> None:
    tokens = [f"token{i}" for i in range(n)]
    axes = plot_heads(weights(heads, n, n), tokens, title="All of them")
    draw(axes[0])
    figure = axes[0].figure
    assert max(figure.get_size_inches()) < 16
    for i, ax in enumerate(axes):
        assert_no_labels_overlap(ax)
        assert_nothing_is_cut_off(ax)
        if i == 0:
            title = ax.get_ylabel()
            thinned = re.fullmatch(r"query token \(1 in (\d+) named\)", title)
            step = int(thinned[1]) if thinned else 1
            assert shown(ax.yaxis) == tokens[::step]


def test_no_title_touches_another() -> None:
    axes = plot_heads(weights(4, 3, 5), WORDS[:3], WORDS, title="Four heads, two jobs")
    draw(axes[0])
    boxes = [ax.title.get_window_extent() for ax in axes]
    boxes.append(axes[0].figure._suptitle.get_window_extent())
    for i, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[i + 1 :])


def test_three_heads_are_no_picture_in_colours() -> None:
    for n in (3, 4):
        axes = plot_heads(weights(3, n, n), WORDS[:n])
        assert [drawn(ax).shape for ax in axes] == [(n, n)] * 3


def test_the_sample_is_named_or_chosen() -> None:
    given = weights(16, 2, 5, 5)
    axes = plot_heads(given, WORDS)
    assert axes[0].figure._suptitle.get_text() == "sample 0 of 16"
    assert np.allclose(drawn(axes[1]), given[0, 1])
    axes = plot_heads(given, WORDS, batch=7, title="Seventh")
    assert axes[0].figure._suptitle.get_text() == "Seventh"
    assert np.allclose(drawn(axes[1]), given[7, 1])


def test_chosen_heads_in_their_order() -> None:
    given = weights(5, 3, 5)
    axes = plot_heads(
        given, WORDS[:3], WORDS, heads=[4, 0, -3], titles=["a", "$b$", "c"]
    )
    draw(axes[0])
    assert [ax.get_title() for ax in axes] == ["a", "$b$", "c"]
    for ax, head in zip(axes, (4, 0, 2), strict=True):
        assert np.allclose(drawn(ax), given[head])


@pytest.mark.parametrize(
    ("given", "options", "essence"),
    [
        (weights(5, 5), {}, r"\(5, 5\)"),
        (weights(2, 5, 5), {"batch": 1}, "no batch axis"),
        (weights(3, 2, 5, 5), {"batch": 3}, "batch 0 to 2"),
        (weights(2, 5, 5), {"heads": [2]}, r"\[2\].*heads 0 to 1"),
        (weights(2, 5, 5), {"heads": []}, r"\[\]"),
        (weights(2, 5, 5), {"titles": ["one"]}, "2 heads.*1 titles"),
        (weights(2, 5, 5), {"columns": 0}, "columns"),
        (weights(2, 5, 3), {}, "n_q = 5.*n_k = 3.*5 tokens"),
        (torch.ones(2, 5, 5, device="meta"), {}, "meta device"),
    ],
)
def test_what_a_grid_refuses(given: object, options: dict, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        plot_heads(given, WORDS, **options)
    assert not plt.get_fignums()


# Masks


def test_a_mask_is_dark_where_it_allows() -> None:
    mask = create_causal_mask(3, 5)
    ax = draw(plot_mask(mask, WORDS[:3], WORDS))
    dark = drawn(ax) > 0.5
    assert np.array_equal(dark, mask.numpy())
    assert ax.get_ylim() == (3, 0)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("key token", "query token")
    assert shown(ax.xaxis) == WORDS and shown(ax.yaxis) == WORDS[:3]
    assert ax.get_title() == f"May attend: {int(mask.sum())} of 15 pairs"


@pytest.mark.parametrize("kind", [torch.bool, torch.float32, torch.int64])
def test_masks_of_every_kind_are_the_same_picture(kind: torch.dtype) -> None:
    mask = create_causal_mask(5)
    ax = plot_mask(mask.to(kind), WORDS)
    assert np.array_equal(drawn(ax) > 0.5, mask.numpy())


def test_a_padding_mask_has_a_row_for_every_query() -> None:
    ax = plot_mask(padding_mask([3], 5), WORDS)
    assert (drawn(ax) > 0.5).sum(0).tolist() == [5, 5, 5, 0, 0]


@pytest.mark.parametrize("n", [1, 16, 40, 120, 512])
def test_labels_of_masks_never_overlap(n: int) -> None:
    ax = draw(plot_mask(create_causal_mask(n), [f"token{i}" for i in range(n)]))
    assert_no_labels_overlap(ax)


@pytest.mark.parametrize(
    ("mask", "essence"),
    [
        (torch.zeros(5, 5), "zeros only"),
        (torch.tensor([[0.0, -torch.inf]] * 5), "additive"),
        (torch.ones(2, 1, 5, 5), r"\(2, 1, 5, 5\) holds several"),
        (torch.ones(5), r"\(5,\)"),
        (torch.ones(5, 4), "n_k = 4"),
    ],
)
def test_what_is_no_mask_is_refused(mask: torch.Tensor, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        plot_mask(mask, WORDS)
    assert not plt.get_fignums()


# Alignments, rows, spreads


def frames(ax) -> list[tuple[float, float]]:
    return [patch.get_xy() for patch in ax.patches]


def test_frames_stand_where_the_queries_should_look() -> None:
    given = torch.eye(5)[[1, 0, 2]]
    ax = draw(plot_alignment(given, [1, 3, -1], WORDS[:3], WORDS))
    assert frames(ax) == [(1, 0), (3, 1)]
    assert ax.get_title() == "Attention weights: 1 of 2 look most at their frame"
    assert np.allclose(drawn(ax), given)


def test_targets_that_do_not_fit_are_refused() -> None:
    for targets in ([0, 1], [0, 1, 5], [0, 1, -2]):
        with pytest.raises(ValueError, match="3 positions from 0 to 4"):
            plot_alignment(weights(3, 5), targets, WORDS[:3], WORDS)
    assert not plt.get_fignums()


def test_a_row_is_that_of_its_query_on_a_fixed_scale() -> None:
    given = weights(16, 3, 5, 5)
    ax = draw(plot_row(given, 1, WORDS, head=2))
    assert np.allclose([bar.get_height() for bar in ax.patches], given[0, 2, 1])
    assert ax.get_ylim() == (0, 1) and shown(ax.xaxis) == WORDS
    assert re.search("'cat'.*Head 2, sample 0 of 16", ax.get_title())
    box, figure = ax.title.get_window_extent(), ax.figure
    assert box.x0 >= 0 and box.x1 <= figure.canvas.get_width_height()[0]
    with pytest.raises(ValueError, match="query = 5.*0 to 4"):
        plot_row(given, 5, WORDS)


def test_a_spread_has_a_numbered_point_for_every_head() -> None:
    given = weights(2, 3, 5, 5)
    ax = draw(plot_spread(given))
    places = np.asarray(ax.collections[0].get_offsets())
    far, wide = patterns.mean_distance(given), patterns.entropy(given)
    assert np.allclose(places, torch.stack([far, wide], dim=1))
    assert [t.get_text() for t in ax.texts][:3] == ["0", "1", "2"]
    assert np.allclose(ax.lines[0].get_ydata(), np.log(5))
    assert ax.get_xlabel() == "mean distance (tokens)"


# All of them

PICTURES = {
    "attention": lambda w, ax: plot_attention(w, WORDS, ax=ax),
    "heads": lambda w, ax: plot_heads(w, WORDS)[0],
    "alignment": lambda w, ax: plot_alignment(w, [0] * 5, WORDS, ax=ax),
    "row": lambda w, ax: plot_row(w, 0, WORDS, ax=ax),
    "spread": lambda w, ax: plot_spread(w, ax=ax),
    "mask": lambda w, ax: plot_mask(w[0, 0] > 0.2, WORDS, ax=ax),
}


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize("kind", ["plain", "bfloat16", "requires_grad"])
def test_any_kind_of_tensor_and_nothing_left_behind(picture: str, kind: str) -> None:
    given = weights(2, 3, 5, 5)
    if kind == "bfloat16":
        given = given.bfloat16()
    given.requires_grad_(kind == "requires_grad")
    kept, settings = given.detach().clone(), copy.deepcopy(dict(matplotlib.rcParams))
    state = torch.get_rng_state(), random.getstate()
    draw(PICTURES[picture](given, None))
    assert len(plt.get_fignums()) == 1
    assert (
        torch.equal(state[0], torch.get_rng_state()) and state[1] == random.getstate()
    )
    assert dict(matplotlib.rcParams) == settings and torch.equal(given, kept)


@pytest.mark.parametrize("picture", [name for name in PICTURES if name != "heads"])
def test_they_draw_where_they_are_told(picture: str) -> None:
    ax = plt.subplots()[1]
    assert PICTURES[picture](weights(1, 3, 5, 5), ax) is ax
    assert len(plt.get_fignums()) == 1


class Net(nn.Module):
    """Attention and dropout: a model whose mode and random numbers matter."""

    def __init__(self) -> None:
        super().__init__()
        self.mha = MultiHeadAttention(8, 2)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        output, attn_weights = self.mha(x, x, x)
        return self.dropout(output), attn_weights


def trained(with_pictures: bool) -> dict[str, torch.Tensor]:
    torch.manual_seed(5)
    net = Net().train()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(4):
        output, attn_weights = net(torch.randn(1, 5, 8))
        if with_pictures:
            for picture in PICTURES.values():
                draw(picture(attn_weights, None))
            plt.close("all")
        assert net.training
        optimizer.zero_grad()
        (output.pow(2).mean() + attn_weights[..., 0].mean()).backward()
        optimizer.step()
    return net.state_dict()


def test_training_with_pictures_is_training_without() -> None:
    plain, drawn_between = trained(False), trained(True)
    for name, value in plain.items():
        assert torch.equal(value, drawn_between[name]), name


# Hard cases of every picture


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 2.0])
def test_a_grid_says_that_its_numbers_are_no_weights(value: float) -> None:
    given = weights(2, 3, 3)
    given[1, 0, 0] = value
    figure = draw(plot_heads(given, WORDS[:3], title="mine")[0]).figure
    assert re.search("mine\n.*(not weights|NaN)", figure.get_suptitle())
    figure = draw(plot_heads(given, WORDS[:3], heads=[0])[0]).figure
    assert figure.get_suptitle() == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_spread_of_no_numbers_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="NaN or infinite"):
        plot_spread(torch.full((2, 3, 3), value))
    assert not plt.get_fignums()


def test_a_spread_over_one_key() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(plot_spread(torch.ones(2, 1, 1)))


@pytest.mark.parametrize("value", [0.0, float("nan")])
def test_a_row_without_weights_looks_at_no_frame(value: float) -> None:
    given = torch.tensor([[value] * 3, [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
    ax = draw(plot_alignment(given, [0, 1, 2], WORDS[:3]))
    assert ax.get_title().startswith("Attention weights: 2 of 3 look most")


@pytest.mark.parametrize(
    ("call", "essence"),
    [
        (lambda w: plot_row(w, 1.0, WORDS), "query must be one whole.*1.0"),
        (lambda w: plot_row(w, "cat", WORDS), "query must be one whole.*'cat'"),
        (lambda w: plot_alignment(w, [None] * 5, WORDS), "targets.*None"),
        (lambda w: plot_heads(w, WORDS, heads=[0.5]), "heads.*0.5"),
        (lambda w: plot_heads(w, WORDS, heads=["a"]), "heads.*'a'"),
        (lambda w: plot_heads(w[None], WORDS, batch=0.0), "batch.*0.0"),
        (lambda w: plot_mask("cat", WORDS), "mask must be a tensor.*str"),
        (lambda w: plot_mask(None, WORDS), "mask must be a tensor.*NoneType"),
        (lambda w: plot_mask(w[0].to("meta"), WORDS), "meta device"),
    ],
)
def test_what_is_no_number_is_one_sentence(call, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        call(weights(3, 5, 5))
    assert not plt.get_fignums()


def test_one_head_may_be_named_without_a_list() -> None:
    assert [ax.get_title() for ax in plot_heads(weights(3, 5, 5), WORDS, heads=1)] == [
        "Head 1"
    ]


def test_masks_take_tokens_once_and_long_ones_whole() -> None:
    mask = create_causal_mask(3)
    assert shown(draw(plot_mask(mask, iter(WORDS[:3]))).xaxis) == WORDS[:3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw(plot_mask(mask.to_sparse(), ["x" * 120] * 3))
    assert ax.get_window_extent().height > 40


@pytest.mark.parametrize("token", ["$$", r"$\frac$", "$5$"])
def test_a_token_in_the_title_of_a_row_is_literal(token: str) -> None:
    ax = draw(plot_row(weights(3, 3), 1, ["a", token, "b"]))
    assert not ax.title.get_parse_math()
