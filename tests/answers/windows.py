"""Answers to the exercises on windows and rolling caches."""

from __future__ import annotations

import numpy as np
import torch

from . import Bank

mask = Bank("window_mask")


@mask.wrong("window-one-more")
def one_more(n, window):
    return torch.ones(n, n).tril() * torch.ones(n, n).triu(-window)


@mask.wrong("window-one-less")
def one_less(n, window):
    return torch.ones(n, n).tril() * torch.ones(n, n).triu(2 - window)


@mask.wrong("window-no-bound")
def causal_only(n, window):
    return torch.ones(n, n).tril().bool()


@mask.wrong("window-both-sides")
def both_sides(n, window):
    place = torch.arange(n)
    return (place[:, None] - place).abs() < window


@mask.wrong("window-centred")
def centred(n, window):
    place = torch.arange(n)
    return (place[:, None] - place).abs() <= window // 2


@mask.wrong("window-future-seen")
def no_causal_bound(n, window):
    place = torch.arange(n)
    return place[:, None] - place < window


@mask.wrong("window-transposed")
def columns_ask(n, window):
    place = torch.arange(n)
    back = place - place[:, None]
    return (back >= 0) & (back < window)


@mask.wrong("window-not-itself")
def itself_hidden(n, window):
    place = torch.arange(n)
    back = place[:, None] - place
    return (back > 0) & (back < window)


@mask.wrong("window-inverted")
def true_means_hidden(n, window):
    place = torch.arange(n)
    back = place[:, None] - place
    return (back < 0) | (back >= window)


@mask.wrong("window-blocks")
def in_blocks(n, window):
    place = torch.arange(n)
    same = place[:, None] // window == place // window
    return same & (place <= place[:, None])


@mask.wrong("window-first-tokens")
def first_ones(n, window):
    return torch.ones(n, n).tril().bool() & (torch.arange(n) < window)


@mask.wrong("mask-is-additive")
def additive(n, window):
    keep = band(n, window)
    return torch.zeros(n, n).masked_fill(~keep, float("-inf"))


@mask.right
def band(n, window):
    place = torch.arange(n)
    back = place[:, None] - place
    return (back >= 0) & (back < window)


@mask.right
def two_triangles(n, window):
    return torch.ones(n, n).tril().triu(1 - window).bool()


@mask.right
def by_loops(n, window):
    return torch.tensor(
        [[int(max(0, i - window + 1) <= j <= i) for j in range(n)] for i in range(n)]
    )


reach = Bank("reach")


@reach.wrong("reach-by-window")
def by_window(layers, window):
    return layers * window


@reach.wrong("reach-tokens-not-distance")
def tokens_seen(layers, window):
    return layers * (window - 1) + 1


@reach.wrong("reach-multiplied")
def power(layers, window):
    return window**layers


@reach.wrong("reach-multiplied")
def power_minus_one(layers, window):
    return window**layers - 1


@reach.wrong("reach-one-layer-missing")
def between_layers(layers, window):
    return (layers - 1) * (window - 1)


@reach.wrong("reach-one-overlap-only")
def brackets_missing(layers, window):
    return layers * window - 1


@reach.wrong("layers-not-counted")
def one_layer(layers, window):
    return window - 1


@reach.wrong("reach-window-not-counted")
def one_per_layer(layers, window):
    return layers


@reach.wrong("reach-both-sides")
def half(layers, window):
    return layers * (window - 1) / 2


@reach.wrong("reach-added")
def added(layers, window):
    return layers + window - 1


@reach.right
def product(layers, window):
    return layers * (window - 1)


@reach.right
def layer_by_layer(layers, window):
    far = np.int64(0)
    for _ in range(layers):
        far += window - 1
    return far


roll = Bank("rolling_cache_step")


@roll.wrong("roll-no-sink")
def no_sink(K, V, k, v, sinks, window):
    K, V = torch.cat([K, k], 2)[:, :, -window:], torch.cat([V, v], 2)[:, :, -window:]
    return K, V, torch.arange(K.shape[2])


@roll.wrong("roll-no-sink")
def longer_window(K, V, k, v, sinks, window):
    return no_sink(K, V, k, v, 0, sinks + window)


@roll.wrong("roll-keys-twice")
def slices_always(K, V, k, v, sinks, window):
    K, V = torch.cat([K, k], 2), torch.cat([V, v], 2)
    K = torch.cat([K[:, :, :sinks], K[:, :, -window:]], 2)
    V = torch.cat([V[:, :, :sinks], V[:, :, -window:]], 2)
    return K, V, torch.arange(K.shape[2])


@roll.wrong("roll-evicts-too-late")
def evicts_first(K, V, k, v, sinks, window):
    n = K.shape[2]
    if n > sinks + window:
        keep = [*range(sinks), *range(n - window, n)]
        K, V = K[:, :, keep], V[:, :, keep]
    K, V = torch.cat([K, k], 2), torch.cat([V, v], 2)
    return K, V, torch.arange(K.shape[2])


@roll.wrong("roll-sink-in-window")
def window_in_all(K, V, k, v, sinks, window):
    return rolled(K, V, k, v, sinks, window - sinks)


@roll.wrong("roll-one-evicted-only")
def drops_one(K, V, k, v, sinks, window):
    K, V = torch.cat([K, k], 2), torch.cat([V, v], 2)
    if K.shape[2] > sinks + window:
        K = torch.cat([K[:, :, :sinks], K[:, :, sinks + 1 :]], 2)
        V = torch.cat([V[:, :, :sinks], V[:, :, sinks + 1 :]], 2)
    return K, V, torch.arange(K.shape[2])


@roll.wrong("roll-positions-of-the-text")
def old_places(K, V, k, v, sinks, window):
    n = K.shape[2] + 1
    place = torch.arange(n)
    keep = place[(place < sinks) | (place >= n - window)]
    return torch.cat([K, k], 2)[:, :, keep], torch.cat([V, v], 2)[:, :, keep], keep


@roll.wrong("roll-positions-from-one")
def from_one(K, V, k, v, sinks, window):
    K, V, positions = rolled(K, V, k, v, sinks, window)
    return K, V, positions + 1


@roll.wrong("roll-positions-backwards")
def distances(K, V, k, v, sinks, window):
    K, V, positions = rolled(K, V, k, v, sinks, window)
    return K, V, positions.flip(0)


@roll.wrong("roll-positions-missing")
def without_positions(K, V, k, v, sinks, window):
    return rolled(K, V, k, v, sinks, window)[:2]


@roll.wrong("roll-returns-swapped")
def values_first(K, V, k, v, sinks, window):
    K, V, positions = rolled(K, V, k, v, sinks, window)
    return V, K, positions


@roll.wrong("roll-newest-dropped")
def full_is_full(K, V, k, v, sinks, window):
    K, V = torch.cat([K, k], 2), torch.cat([V, v], 2)
    K, V = K[:, :, : sinks + window], V[:, :, : sinks + window]
    return K, V, torch.arange(K.shape[2])


@roll.wrong("roll-nothing-evicted")
def grows(K, V, k, v, sinks, window):
    return torch.cat([K, k], 2), torch.cat([V, v], 2), torch.arange(K.shape[2] + 1)


@roll.wrong("roll-values-not-evicted")
def values_stay(K, V, k, v, sinks, window):
    new_K, _, positions = rolled(K, V, k, v, sinks, window)
    return new_K, torch.cat([V, v], 2), positions


@roll.wrong("roll-recent-first")
def sinks_last(K, V, k, v, sinks, window):
    K, V, positions = rolled(K, V, k, v, sinks, window)
    order = [*range(min(sinks, len(positions)), len(positions)), *range(sinks)]
    order = order[: len(positions)]
    return K[:, :, order], V[:, :, order], positions


@roll.right
def rolled(K, V, k, v, sinks, window):
    K, V = torch.cat([K, k], 2), torch.cat([V, v], 2)
    n = K.shape[2]
    if n > sinks + window:
        K = torch.cat([K[:, :, :sinks], K[:, :, n - window :]], 2)
        V = torch.cat([V[:, :, :sinks], V[:, :, n - window :]], 2)
    return K, V, torch.arange(K.shape[2])


@roll.right
def by_a_list(K, V, k, v, sinks, window):
    keep = list(range(K.shape[2] + 1))
    while len(keep) > sinks + window:
        del keep[sinks]
    positions = torch.arange(len(keep))
    return torch.cat([K, k], 2)[:, :, keep], torch.cat([V, v], 2)[:, :, keep], positions


test = Bank("looks_beyond")


def changed(x, t):
    """x with another token t."""
    y = x.clone()
    y[:, t] = torch.randn_like(y[:, t]) + 1
    return y


def differs(a, b, tol=1e-5):
    return a.numel() > 0 and bool((a - b).abs().max() > tol * a.abs().max())


@test.right
def each_token(model, x, window):
    before = model(x)
    for t in range(x.shape[1] - window):
        after = model(changed(x, t))
        if differs(before[:, t + window :], after[:, t + window :]):
            return True
    return False


@test.right
def the_whole_past(model, x, window):
    before = model(x)
    for t in range(window, x.shape[1]):
        y = torch.cat(
            [torch.randn_like(x[:, : t - window + 1]), x[:, t - window + 1 :]], 1
        )
        if differs(before[:, t], model(y)[:, t]):
            return True
    return False


@test.right
def the_window_alone(model, x, window):
    before, far = model(x), x.shape[1]
    return any(
        differs(before[:, t], model(x[:, t - window + 1 : t + 1])[:, -1])
        for t in range(window, far)
    )


@test.wrong("beyond-next-missed")
def one_row_late(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window + 1 :], model(changed(x, t))[:, t + window + 1 :])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-window-one-short")
def one_row_early(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window - 1 :], model(changed(x, t))[:, t + window - 1 :])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-all-accused")
def all_rows(model, x, window):
    return differs(model(x), model(changed(x, 3)))


@test.wrong("beyond-none-accused")
def rows_before(model, x, window):
    return differs(model(x)[:, :3], model(changed(x, 3))[:, :3])


@test.wrong("beyond-some-places-missed")
def first_token_only(model, x, window):
    return differs(model(x)[:, window:], model(changed(x, 0))[:, window:])


@test.wrong("beyond-first-token-missed")
def from_token_one(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window :], model(changed(x, t))[:, t + window :])
        for t in range(1, x.shape[1] - window)
    )


@test.wrong("beyond-far-missed")
def next_row_only(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window], model(changed(x, t))[:, t + window])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-rounding-accused")
def to_the_last_bit(model, x, window):
    before = model(x)
    return any(
        not torch.equal(before[:, t + window :], model(changed(x, t))[:, t + window :])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-rounding-accused")
def absolute_threshold(model, x, window):
    before = model(x)
    return any(
        bool((before - model(changed(x, t)))[:, t + window :].abs().max() > 1e-6)
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-faint-missed")
def threshold_too_high(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window :], model(changed(x, t))[:, t + window :], 1e-2)
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-small-outputs-missed")
def threshold_with_a_floor(model, x, window):
    before = model(x)
    for t in range(x.shape[1] - window):
        gap = (before - model(changed(x, t)))[:, t + window :].abs().max()
        if gap > 5e-4 + 1e-5 * before.abs().max():
            return True
    return False


@test.wrong("beyond-one-sample-missed")
def sample_0(model, x, window):
    before = model(x)
    return any(
        differs(before[0, t + window :], model(changed(x, t))[0, t + window :])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-one-feature-missed")
def feature_0(model, x, window):
    before = model(x)
    return any(
        differs(before[:, t + window :, 0], model(changed(x, t))[:, t + window :, 0])
        for t in range(x.shape[1] - window)
    )


@test.wrong("beyond-hard-choice-missed")
def gradient_only(model, x, window):
    x = x.clone().requires_grad_()
    y = model(x)
    for t in range(window, x.shape[1]):
        (grad,) = torch.autograd.grad(y[:, t].abs().sum(), x, retain_graph=True)
        if grad[:, : t - window + 1].abs().max() > 1e-5 * grad.abs().max():
            return True
    return False


@test.wrong("beyond-verdict-inverted")
def keeps_to_its_window(model, x, window):
    return not each_token(model, x, window)


@test.wrong("leak-no-verdict")
def returns_the_difference(model, x, window):
    return (model(x) - model(changed(x, 0)))[:, window:].abs().max()
