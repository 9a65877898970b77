"""Tensors made, held and kept: small calls whose bytes are known."""

from __future__ import annotations

import pytest
import torch

from helpers.measure import peak_bytes, saved_bytes, tensors_made

x = torch.ones(7, 11)
SIZE = x.nbytes


def test_views_and_what_is_overwritten_are_no_new_tensors():
    def call():
        y = x + 1
        y.mul_(2)
        return y.T.reshape(11, 7)[2:], x.view(11, 7)

    made = tensors_made(call)
    assert [(m.operation, m.shape, m.bytes) for m in made] == [("add", (7, 11), SIZE)]


def test_what_is_freed_does_not_count_any_more():
    assert peak_bytes(lambda: x + 1 + 2 + 3 + 4) == 2 * SIZE


def test_what_is_held_counts_together():
    assert peak_bytes(lambda: [x + i for i in range(5)]) == 5 * SIZE


def test_the_peak_may_lie_before_the_end():
    def call():
        return sum((x + i for i in [(x * 2, x * 3)][0]), start=x[:1, :1] * 0)[
            :1
        ].clone()

    assert peak_bytes(call) > peak_bytes(lambda: x + 1)


def test_the_backward_pass_is_seen():
    y = x.clone().requires_grad_()
    made = [m.operation for m in tensors_made(lambda: y.exp().sum().backward())]
    assert "exp" in made and "mul" in made


def test_full_attention_keeps_its_weights_and_no_more():
    n, d = 13, 3
    Q, K, V = torch.randn(3, n, d).unbind()
    for t in (Q, K, V):
        t.requires_grad_()
    kept = saved_bytes(lambda: (Q @ K.T).softmax(-1) @ V, Q, K, V)
    assert kept == n * n * 4


def test_a_tensor_kept_twice_counts_once_and_what_was_given_not_at_all():
    y = x.clone().requires_grad_()

    def call():
        z = y.exp()
        return z * z + z.square()

    assert saved_bytes(call, y) == SIZE
    assert saved_bytes(lambda: y * y, y) == 0
    assert saved_bytes(lambda: y * y) == SIZE


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
def test_on_a_gpu_the_allocator_is_asked():
    big = torch.ones(2**20, device="cuda")
    assert peak_bytes(lambda: big + 1, "cuda") == big.nbytes
