"""Answers to draw_attention(ax, weights, query_tokens, key_tokens)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import seaborn as sns
import torch

from helpers import plot_attention

from . import Bank

bank = Bank("draw_attention")
wrong, right = bank.wrong, bank.right


def image(ax, numbers, **how):
    how = {"vmin": 0, "vmax": 1, "cmap": "Blues"} | how
    return ax.imshow(numbers.detach().numpy(), **how)


def labels(ax, across, down):
    ax.set_xticks(range(len(across)), across)
    ax.set_yticks(range(len(down)), down)


def titles(ax, across="key", down="query"):
    ax.set_xlabel(across)
    ax.set_ylabel(down)


def plain(ax, numbers, query_tokens, key_tokens, **how):
    image(ax, numbers, **how)
    labels(ax, key_tokens, query_tokens)
    titles(ax)


def instead(mistake, change):
    """A wrong answer that draws other numbers."""

    def answer(ax, weights, query_tokens, key_tokens):
        plain(ax, change(weights), query_tokens, key_tokens)

    return wrong(mistake)(answer)


def stretched(w):
    return (w - w.min()) / (w.max() - w.min())


instead("map-normalised", stretched).__name__ = "stretched"
instead("map-normalised", lambda w: w / w.max()).__name__ = "by_the_largest"
instead("map-rows-normalised", lambda w: w / w.amax(1, True)).__name__ = "by_row"
instead("map-softmax-again", lambda w: w.softmax(-1)).__name__ = "softmax_again"
instead("map-of-logs", lambda w: w.clamp_min(1e-9).log()).__name__ = "logs"
instead("map-of-logs", lambda w: (w + 1e-12).log10()).__name__ = "logs_to_base_10"
instead("map-rounded", lambda w: w.round(decimals=1)).__name__ = "rounded"
instead("map-rounded", lambda w: w.long()).__name__ = "whole_numbers"
instead("map-in-percent", lambda w: 100 * w).__name__ = "percent"
instead("map-inverted", lambda w: 1 - w).__name__ = "one_minus"
instead("map-half-drawn", lambda w: w.tril()).__name__ = "lower_triangle"
instead("map-cut-off", lambda w: w[:2, :3]).__name__ = "a_corner"
instead("map-transposed", lambda w: w.T).__name__ = "transposed"
instead("map-rows-reversed", lambda w: w.flip(0)).__name__ = "rows_reversed"
instead("map-columns-reversed", lambda w: w.flip(1)).__name__ = "columns_reversed"
instead("map-in-colours", lambda w: torch.stack([w] * 3, -1)).__name__ = "rgb"
instead("map-of-scores", lambda w: 9 * w - 3).__name__ = "scores"


@wrong("map-upside-down")
def origin_at_the_bottom(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens, origin="lower")


@wrong("map-upside-down")
def a_mesh_that_is_not_turned(ax, weights, query_tokens, key_tokens):
    ax.pcolormesh(weights, vmin=0, vmax=1)
    ax.set_xticks([i + 0.5 for i in range(len(key_tokens))], key_tokens)
    ax.set_yticks([i + 0.5 for i in range(len(query_tokens))], query_tokens)
    titles(ax)


@wrong("map-transposed-with-labels")
def queries_across(ax, weights, query_tokens, key_tokens):
    image(ax, weights.T)
    labels(ax, query_tokens, key_tokens)
    titles(ax, "query", "key")


@wrong("scale-of-each-map")
def scale_of_each_map(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens, vmin=None, vmax=None)


@wrong("scale-half-fixed")
def no_upper_end(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens, vmax=None)


@wrong("scale-not-zero-to-one")
def scale_to_a_half(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens, vmax=0.5)


@wrong("labels-shifted")
def empty_label_in_front(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    ax.set_xticks(range(len(key_tokens) + 1), ["", *key_tokens])
    ax.set_yticks(range(len(query_tokens) + 1), ["", *query_tokens])
    titles(ax)


@wrong("labels-shifted")
def labels_between_the_cells(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    ax.set_xticks([i + 0.5 for i in range(len(key_tokens))], key_tokens)
    ax.set_yticks([i + 0.5 for i in range(len(query_tokens))], query_tokens)
    titles(ax)


@wrong("labels-swapped")
def labels_exchanged(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, query_tokens, key_tokens)
    titles(ax)


@wrong("labels-merged")
def labels_of_a_set(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, list(dict.fromkeys(key_tokens)), list(dict.fromkeys(query_tokens)))
    titles(ax)


@wrong("labels-reversed")
def labels_backwards(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens[::-1])
    titles(ax)


@wrong("labels-are-numbers")
def no_labels(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    titles(ax)


@wrong("labels-missing")
def ticks_taken_away(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    ax.set(xticks=[], yticks=[])
    titles(ax)


@wrong("labels-some-missing")
def every_other_label(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    ax.set_xticks(range(0, len(key_tokens), 2), key_tokens[::2])
    ax.set_yticks(range(len(query_tokens)), query_tokens)
    titles(ax)


@wrong("axis-titles-missing")
def no_titles(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens)


@wrong("axis-titles-missing")
def one_title(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens)
    ax.set_xlabel("keys")


@wrong("axis-titles-swapped")
def titles_exchanged(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens)
    titles(ax, "query", "key")


@wrong("axis-titles-other")
def titles_of_something_else(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens)
    titles(ax, "x", "y")


@wrong("nothing-drawn")
def labels_only(ax, weights, query_tokens, key_tokens):
    labels(ax, key_tokens, query_tokens)
    titles(ax)


@wrong("map-on-other-axes")
def a_new_figure(ax, weights, query_tokens, key_tokens):
    _, ax = plt.subplots()
    plain(ax, weights, query_tokens, key_tokens)


@wrong("map-on-current-axes")
def through_pyplot(ax, weights, query_tokens, key_tokens):
    plain(plt.gca(), weights, query_tokens, key_tokens)


@wrong("map-on-current-axes")
def titles_through_pyplot(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, key_tokens, query_tokens)
    plt.xlabel("key")
    plt.ylabel("query")


@wrong("changes-argument")
def list_made_longer(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens)
    key_tokens.insert(0, "")


@wrong("changes-argument")
def weights_overwritten(ax, weights, query_tokens, key_tokens):
    plain(ax, weights.clone(), query_tokens, key_tokens)
    weights.mul_(100)


@wrong("map-upside-down", "axis-titles-missing")
def two_mistakes(ax, weights, query_tokens, key_tokens):
    image(ax, weights, origin="lower")
    labels(ax, key_tokens, query_tokens)


@right
def imshow(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens)
    return ax


@right
def imshow_with_numbers_and_bar(ax, weights, query_tokens, key_tokens):
    drawn = ax.imshow(weights.detach(), vmin=0.0, vmax=1.0, aspect="auto")
    ax.set_xticks(torch.arange(len(key_tokens)))
    ax.set_xticklabels(key_tokens, rotation=45, ha="right")
    ax.set_yticks(torch.arange(len(query_tokens)))
    ax.set_yticklabels(query_tokens)
    ax.set(xlabel="Keys (attended to)", ylabel="Queries", title="Attention")
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            ax.text(j, i, f"{weight:.2f}", ha="center")
    ax.figure.colorbar(drawn, ax=ax)


@right
def matshow_labels_on_top(ax, weights, query_tokens, key_tokens):
    ax.matshow(weights.detach().numpy(), vmin=0, vmax=1)
    labels(ax, key_tokens, query_tokens)
    ax.xaxis.set_label_position("top")
    titles(ax, "KEY", "QUERY")


@right
def pcolormesh(ax, weights, query_tokens, key_tokens):
    ax.pcolormesh(weights.detach().numpy(), vmin=0, vmax=1, cmap="Blues")
    ax.invert_yaxis()
    ax.set_xticks([i + 0.5 for i in range(len(key_tokens))], key_tokens)
    ax.set_yticks([i + 0.5 for i in range(len(query_tokens))], query_tokens)
    titles(ax, "key tokens", "query tokens")


@right
def pcolor_at_the_middles(ax, weights, query_tokens, key_tokens):
    n_q, n_k = weights.shape
    ax.pcolor(range(n_k), range(n_q), weights.detach(), vmin=0, vmax=1)
    ax.set_ylim(n_q - 0.5, -0.5)
    labels(ax, key_tokens, query_tokens)
    titles(ax)


@right
def seaborn(ax, weights, query_tokens, key_tokens):
    sns.heatmap(
        weights.detach().numpy(),
        vmin=0,
        vmax=1,
        cmap="Blues",
        annot=True,
        xticklabels=key_tokens,
        yticklabels=query_tokens,
        ax=ax,
    )
    ax.set(xlabel="key", ylabel="query")


@right
def through_pyplot_but_on_ax(ax, weights, query_tokens, key_tokens):
    plt.sca(ax)
    plt.imshow(weights.detach(), vmin=0, vmax=1)
    plt.xticks(range(len(key_tokens)), key_tokens)
    plt.yticks(range(len(query_tokens)), query_tokens)
    plt.xlabel("key")
    plt.ylabel("query")


@right
def bottom_up_twice(ax, weights, query_tokens, key_tokens):
    image(ax, weights.flip(0), origin="lower")
    labels(ax, key_tokens, query_tokens[::-1])
    titles(ax)


@right
def places_beside_the_tokens(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(
        ax,
        [f"{i}: {token}" for i, token in enumerate(key_tokens)],
        [f"{token} ({i})" for i, token in enumerate(query_tokens)],
    )
    titles(ax)


@wrong("labels-shifted")
def labels_without_ticks(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    ax.set_xticklabels(key_tokens)
    ax.set_yticklabels(query_tokens)
    titles(ax)


@wrong("labels-missing")
def axes_switched_off(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens)
    ax.axis("off")


@wrong("map-cut-off")
def half_a_row_cut_off(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens)
    ax.set_ylim(len(query_tokens) - 1.6, -0.5)


@wrong("map-other-shape")
def mean_over_queries(ax, weights, query_tokens, key_tokens):
    image(ax, weights.mean(0, keepdim=True))
    labels(ax, key_tokens, ["mean"])
    titles(ax)


@right
def zeros_left_blank(ax, weights, query_tokens, key_tokens):
    numbers = weights.detach().clone()
    numbers[numbers == 0] = torch.nan
    plain(ax, numbers, query_tokens, key_tokens)


@wrong("map-cut-off")
def half_cells_at_the_edges(ax, weights, query_tokens, key_tokens):
    plain(ax, weights, query_tokens, key_tokens)
    ax.set_xlim(0, len(key_tokens) - 1)
    ax.set_ylim(len(query_tokens) - 1, 0)


@wrong("map-not-in-cells")
def contours(ax, weights, query_tokens, key_tokens):
    ax.contourf(weights.detach(), levels=[0, 0.25, 0.5, 0.75, 1], vmin=0, vmax=1)
    ax.invert_yaxis()
    labels(ax, key_tokens, query_tokens)
    titles(ax)


@right
def tokens_in_quotes(ax, weights, query_tokens, key_tokens):
    image(ax, weights)
    labels(ax, [repr(t) for t in key_tokens], [f'"{t}"' for t in query_tokens])
    titles(ax)


@right
def square_markers(ax, weights, query_tokens, key_tokens):
    n_q, n_k = weights.shape
    places = [(j, i) for i in range(n_q) for j in range(n_k)]
    numbers = weights.detach().flatten().tolist()
    ax.scatter(*zip(*places), c=numbers, vmin=0, vmax=1, marker="s", s=200)
    ax.set(xlim=(-0.5, n_k - 0.5), ylim=(n_q - 0.5, -0.5))
    labels(ax, key_tokens, query_tokens)
    titles(ax)


@wrong("map-by-plot-attention")
def by_the_courses_own(ax, weights, query_tokens, key_tokens):
    plot_attention(weights, query_tokens, key_tokens, ax=ax)


@wrong("map-by-plot-attention")
def by_the_courses_own_and_titles(ax, weights, query_tokens, key_tokens):
    plot_attention(weights[None, None], query_tokens, key_tokens, ax=ax)
    titles(ax, "keys", "queries")
