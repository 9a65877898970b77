"""Scores of maps: by hand, by PyTorch, and what no order of samples may change."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.interpret import patterns

B, H, N, K = 3, 2, 7, 5
ALL = (patterns.entropy, patterns.mean_distance, patterns.previous_token)


def weights(*shape: int, seed: int = 0) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=g, dtype=torch.float64).softmax(-1)


def test_entropy_is_that_of_torch():
    w = weights(B, H, N, K)
    by_torch = torch.distributions.Categorical(w).entropy().mean(dim=(0, 2))
    assert torch.allclose(patterns.entropy(w), by_torch)


def test_entropy_from_0_to_log_n():
    ends = torch.stack([torch.eye(N), torch.full((N, N), 1 / N)])
    low, high = patterns.entropy(ends).tolist()
    assert low == 0 and math.isclose(high, math.log(N), rel_tol=1e-6)


def test_a_row_that_may_attend_to_nothing_has_entropy_0():
    assert patterns.entropy(torch.zeros(N, N)).item() == 0


def test_mean_distance_and_previous_token_by_loop():
    w = weights(B, H, N, N)
    far, before = torch.zeros(H, dtype=w.dtype), torch.zeros(H, dtype=w.dtype)
    for b in range(B):
        for i in range(N):
            for j in range(N):
                far += w[b, :, i, j] * abs(i - j) / (B * N)
                before += w[b, :, i, j] * (j == i - 1) / (B * (N - 1))
    assert torch.allclose(patterns.mean_distance(w), far)
    assert torch.allclose(patterns.previous_token(w), before)


def test_same_token_counts_other_places_only_and_rows_that_have_one():
    tokens = torch.tensor([1, 2, 1, 3, 1, 2, 4])
    w = weights(B, H, N, N)
    rows = []
    for i in range(N):
        others = [j for j in range(N) if j != i and tokens[j] == tokens[i]]
        if others:
            rows.append(w[:, :, i, others].sum(-1))
    assert torch.allclose(
        patterns.same_token(w, tokens), torch.stack(rows).mean(dim=(0, 1))
    )
    assert patterns.same_token(torch.eye(N), tokens).item() == 0


def test_same_token_between_two_lists():
    asks, keys = torch.tensor([[4, 0], [1, 1]]), torch.tensor([[0, 4, 5], [5, 5, 1]])
    w = weights(2, H, 2, 3)
    wanted = (w[0, :, 0, 1] + w[0, :, 1, 0] + w[1, :, 0, 2] + w[1, :, 1, 2]) / 4
    assert torch.allclose(patterns.same_token(w, asks, keys), wanted)


def test_rows_that_do_not_count_change_nothing():
    w = weights(B, H, N, N)
    lengths = torch.tensor([7, 5, 3])
    queries = torch.arange(N) < lengths[:, None]
    changed = torch.where(queries[:, None, :, None], w, weights(B, H, N, N, seed=9))
    for score in ALL:
        assert torch.allclose(score(w, queries), score(changed, queries))
        assert not torch.allclose(score(w), score(changed))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**31), st.permutations(range(B)), st.permutations(range(H)))
def test_samples_in_any_order_and_heads_in_theirs(seed, samples, heads):
    w = weights(B, H, N, N, seed=seed)
    for score in ALL:
        moved = score(w[list(samples)][:, list(heads)])
        assert torch.allclose(moved, score(w)[list(heads)])


@pytest.mark.parametrize("score", ALL)
def test_fewer_axes_are_one_sample_or_one_head(score):
    w = weights(1, H, N, N)
    assert torch.equal(score(w[0]), score(w))
    assert torch.equal(score(w[0, 1]), score(w)[1:])


def test_half_precision_and_gradients():
    w = weights(H, N, N)
    half = patterns.entropy(w.bfloat16().requires_grad_())
    assert half.dtype == torch.float32 and not half.requires_grad
    assert torch.allclose(half.double(), patterns.entropy(w), atol=0.02)


@pytest.mark.parametrize(
    ("call", "essence"),
    [
        (lambda: patterns.entropy(torch.ones(3)), r"\(3,\)"),
        (lambda: patterns.entropy(torch.ones(0, 3)), r"\(0, 3\)"),
        (lambda: patterns.mean_distance(torch.ones(2, 3)), "n_q = 2 and n_k = 3"),
        (lambda: patterns.previous_token(torch.ones(3, 2)), "n_q = 3 and n_k = 2"),
        (lambda: patterns.entropy(torch.eye(3), torch.ones(2) > 0), r"\(2,\).*3 rows"),
        (lambda: patterns.entropy(torch.eye(3), torch.zeros(3) > 0), "no row counts"),
        (lambda: patterns.same_token(torch.eye(2), [1, 2]), "no row counts"),
    ],
)
def test_what_does_not_fit_is_refused(call, essence):
    with pytest.raises(ValueError, match=essence):
        call()
