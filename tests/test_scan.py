"""A scan against the loop, and Newton's method against the steps themselves."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.measure import graph
from helpers.scan import newton_rounds, prefix_scan, tanh_states


@given(st.integers(1, 70))
def test_a_scan_is_the_loop(n: int) -> None:
    g = torch.Generator().manual_seed(n)
    a = torch.rand(n, 5, generator=g, dtype=torch.float64) * 2 - 1
    b = torch.randn(n, 5, generator=g, dtype=torch.float64)
    states, rounds = prefix_scan(a, b)
    h = torch.zeros(5, dtype=torch.float64)
    for t in range(n):
        h = a[t] * h + b[t]
        assert torch.allclose(states[t], h, atol=1e-12)
    assert rounds == math.ceil(math.log2(n)) == graph.scan(n).rounds


@pytest.mark.parametrize("n", [1, 2, 13, 64])
def test_matrices_are_joined_in_order(n: int) -> None:
    g = torch.Generator().manual_seed(n)
    a = torch.randn(n, 3, 3, generator=g, dtype=torch.float64) / 2
    b = torch.randn(n, 3, generator=g, dtype=torch.float64)
    states, _ = prefix_scan(a, b)
    h = torch.zeros(3, dtype=torch.float64)
    for t in range(n):
        h = a[t] @ h + b[t]
    assert torch.allclose(states[-1], h, atol=1e-10)


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(ValueError, match=r"got \(4, 3\) and \(5, 3\)"):
        prefix_scan(torch.zeros(4, 3), torch.zeros(5, 3))
    with pytest.raises(ValueError, match="n at least 1"):
        prefix_scan(torch.zeros(0, 3), torch.zeros(0, 3))


def test_tanh_states_are_pytorchs() -> None:
    g = torch.Generator().manual_seed(7)
    W, x = torch.randn(5, 5, generator=g), torch.randn(11, 5, generator=g)
    rnn = torch.nn.RNN(5, 5, bias=False)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(torch.eye(5))
        rnn.weight_hh_l0.copy_(W)
        theirs = rnn(x)[0]
    assert torch.allclose(tanh_states(W, x), theirs, atol=1e-6)


def test_newton_needs_few_rounds_where_the_rnn_forgets() -> None:
    g = torch.Generator().manual_seed(5)
    W = torch.randn(11, 11, generator=g, dtype=torch.float64) / math.sqrt(11)
    x = 0.5 * torch.randn(61, 11, generator=g, dtype=torch.float64)
    assert newton_rounds(0 * W, x) == 1
    assert newton_rounds(0.5 * W, x) < newton_rounds(2.5 * W, x)
