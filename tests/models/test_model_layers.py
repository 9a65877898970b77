"""The layers of the complexity table: PyTorch's own are the oracle."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from helpers.models.layers import RNN, Convolution, SelfAttention, costs_of, numbers_in

D, N = 7, 13
LAYERS = {
    "attention": (lambda: SelfAttention(D), 2 * N * D),
    "window": (lambda: SelfAttention(D, window=5), 2 * 5 * D),
    "wide window": (lambda: SelfAttention(D, window=17), 2 * N * D),
    "rnn": (lambda: RNN(D), D),
    "convolution": (lambda: Convolution(D, kernel=3), 2 * D),
}
kinds = pytest.mark.parametrize("kind", LAYERS)


@kinds
def test_step_by_step_is_the_same_as_all_at_once(kind):
    make, wanted = LAYERS[kind]
    layer, x = make(), torch.randn(N, D)
    state, outputs = None, []
    for token in x.split(1):
        output, state = layer.step(token, state)
        outputs.append(output)
    assert torch.allclose(torch.cat(outputs), layer(x), atol=1e-6)
    assert numbers_in(state) == wanted


@kinds
def test_no_layer_sees_the_future_and_batches_do_not_mix(kind):
    layer, x = LAYERS[kind][0](), torch.randn(3, N, D)
    changed = x.clone()
    changed[1, 5:] += 1
    before, after = layer(x), layer(changed)
    assert torch.allclose(before[1, :5], after[1, :5], atol=1e-6)
    assert torch.allclose(before[::2], after[::2], atol=1e-6)
    assert not torch.allclose(before[1, 5:], after[1, 5:], atol=1e-3)


@pytest.mark.parametrize("window", [None, 1, 5, 17])
def test_attention_is_that_of_pytorch_with_a_mask(window):
    layer, x = SelfAttention(D, window), torch.randn(2, N, D)
    back = torch.arange(N)[:, None] - torch.arange(N)
    mask = (back >= 0) & (back < (window or N))
    Q, K, V = (W(x) for W in (layer.W_q, layer.W_k, layer.W_v))
    wanted = layer.W_o(F.scaled_dot_product_attention(Q, K, V, mask))
    assert torch.allclose(layer(x), wanted, atol=1e-6)


def test_the_rnn_is_that_of_pytorch():
    ours, theirs, x = RNN(D), nn.RNN(D, D, bias=False), torch.randn(N, D)
    theirs.weight_ih_l0 = ours.W.weight
    theirs.weight_hh_l0 = ours.U.weight
    assert torch.allclose(ours(x), theirs(x)[0], atol=1e-6)


def test_the_convolution_gives_the_newest_input_the_last_weight():
    layer, x = Convolution(D, kernel=3), torch.randn(N, D)
    w = layer.conv.weight
    wanted = x[4] @ w[..., 0].T + x[5] @ w[..., 1].T + x[6] @ w[..., 2].T
    assert torch.allclose(layer(x)[6], wanted, atol=1e-6)


def test_a_window_holds_at_least_one_token():
    with pytest.raises(ValueError, match="at least itself"):
        SelfAttention(D, window=0)


@pytest.mark.parametrize(("n", "d"), [(5, 3), (11, 7)])
def test_costs_are_what_the_table_of_lesson_08_says(n, d):
    attention = costs_of(SelfAttention(d), n, d)
    assert attention.work == 4 * n * n * d + 8 * n * d * d
    assert attention.step == 4 * (n + 1) * d + 8 * d * d
    assert attention.state == 2 * n * d
    assert attention.kept >= n * n
    window = costs_of(SelfAttention(d, window=3), n, d)
    assert window.work == 4 * 3 * n * d + 8 * n * d * d
    assert window.step == 4 * 3 * d + 8 * d * d
    rnn = costs_of(RNN(d), n, d)
    assert (rnn.work, rnn.state, rnn.step) == (4 * n * d * d, d, 4 * d * d)
    assert n * d <= rnn.kept <= (n + 1) * d
    convolution = costs_of(Convolution(d, kernel=3), n, d)
    assert (convolution.work, convolution.state) == (6 * n * d * d, 2 * d)
    assert convolution.step == 6 * d * d
