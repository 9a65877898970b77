"""Walking the graph gives what the formulas say, and knows nothing of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measure import graph

lengths, widths = st.integers(2, 40), st.integers(2, 11)


@given(lengths)
def test_self_attention_takes_one_step_and_one_cell(n):
    assert graph.sequential_steps(graph.self_attention, n) == 1
    assert graph.longest_path(graph.self_attention, n) == (1, 1)


@given(lengths)
def test_an_rnn_waits_for_every_state(n):
    assert graph.sequential_steps(graph.rnn, n) == n
    assert graph.longest_path(graph.rnn, n) == (n, 1)


@given(lengths, widths)
def test_a_convolution_has_one_step_and_a_path_of_n_over_k(n, kernel):
    reads = graph.convolution(kernel)
    layers = math.ceil((n - 1) / (kernel - 1))
    assert graph.sequential_steps(reads, n) == 1
    assert graph.longest_path(reads, n) == (layers, layers)


@given(lengths, widths)
def test_dilated_the_path_is_a_logarithm(n, kernel):
    reads = graph.convolution(kernel, dilated=True)
    layers = next(depth for depth in range(1, 40) if kernel**depth >= n)
    assert graph.sequential_steps(reads, n) == 1
    assert graph.longest_path(reads, n) == (layers, layers)


@given(lengths, widths)
def test_a_window_passes_on_what_it_sees(n, window):
    reads = graph.restricted_attention(window)
    assert graph.longest_path(reads, n)[0] == math.ceil((n - 1) / (window - 1))


@given(lengths)
def test_generating_waits_for_every_token_but_looks_straight_back(n):
    assert graph.sequential_steps(graph.generating, n) == n
    assert graph.longest_path(graph.generating, n) == (1, 1)


def test_stacked_layers_run_like_a_wave():
    step = graph.steps_of(graph.rnn, 5, layers=3)
    assert [step[3, i] for i in range(5)] == [3, 4, 5, 6, 7]


def test_a_layer_that_connects_nothing_is_refused():
    with pytest.raises(ValueError, match="does not help"):
        graph.longest_path(lambda layer, i: [(layer - 1, i)], 5)
    with pytest.raises(ValueError, match="at least 1"):
        graph.sequential_steps(graph.rnn, 0)


@given(st.integers(1, 200))
def test_a_scan_takes_log2_rounds_and_about_n_log_n_joins(n):
    rounds, joins = graph.scan(n)
    assert rounds == math.ceil(math.log2(n))
    assert joins == sum(n - 2**r for r in range(rounds))
