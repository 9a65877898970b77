"""Three forms of one map, against each other and against the plainest formula."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from helpers.recurrent import (
    chunked_attention,
    linear_attention,
    recurrent_attention,
)

B, H, T, D_K, D_V = 2, 3, 23, 5, 7
RULES = {
    "plain": (False, False),
    "decay": (True, False),
    "delta": (False, True),
    "gated delta": (True, True),
}
every_rule = pytest.mark.parametrize("rule", RULES)


def draw(rule: str, T: int = T, dtype: torch.dtype = torch.float64) -> tuple:
    """Q, K, V, decay, beta; keys of length 1."""
    g = torch.Generator().manual_seed(T)
    Q, K = torch.randn(2, B, H, T, D_K, generator=g, dtype=dtype)
    V = torch.randn(B, H, T, D_V, generator=g, dtype=dtype)
    gates = (torch.rand(B, H, T, generator=g, dtype=dtype) * 0.5 + 0.5 for _ in "ab")
    gates = (x if on else None for x, on in zip(gates, RULES[rule]))
    return Q, K / K.norm(dim=-1, keepdim=True), V, *gates


def by_definition(
    Q: Tensor, K: Tensor, V: Tensor, decay: Tensor | None, beta: Tensor | None
) -> Tensor:
    """One sample, one head, one number at a time."""
    out = torch.zeros_like(V)
    for sample in range(B):
        for head in range(H):
            S = torch.zeros(D_K, D_V, dtype=V.dtype)
            for t in range(Q.shape[-2]):
                q, k, v = (x[sample, head, t] for x in (Q, K, V))
                if decay is not None:
                    S = S * decay[sample, head, t]
                stored = torch.einsum("k,kv->v", k, S)
                if beta is not None:
                    v = beta[sample, head, t] * (v - stored)
                S = S + torch.outer(k, v)
                out[sample, head, t] = torch.einsum("kv,k->v", S, q)
    return out


def error(got: Tensor, want: Tensor) -> float:
    return ((got - want).abs().max() / want.abs().max()).item()


@every_rule
@pytest.mark.parametrize("length", [1, 2, T])
def test_all_forms_are_the_definition(rule: str, length: int) -> None:
    args = draw(rule, length)
    want = by_definition(*args)
    assert error(linear_attention(*args), want) <= 1e-13
    assert error(recurrent_attention(*args).output, want) <= 1e-13
    for chunk in (1, 4, 7, length, 100):
        assert error(chunked_attention(*args, chunk=chunk).output, want) <= 1e-13


@every_rule
@pytest.mark.parametrize("form", [recurrent_attention, chunked_attention])
def test_the_state_is_handed_on(rule: str, form) -> None:
    args = draw(rule)
    whole = form(*args)
    first = form(*(x if x is None else x[:, :, :11] for x in args))
    rest = (x if x is None else x[:, :, 11:] for x in args)
    second = form(*rest, state=first.state)
    both = torch.cat([first.output, second.output], dim=-2)
    assert error(both, whole.output) <= 1e-13
    assert error(second.state, whole.state) <= 1e-13


@every_rule
def test_gradients_agree(rule: str) -> None:
    def gradients(form) -> list[Tensor]:
        args = [x if x is None else x.clone().requires_grad_() for x in draw(rule)]
        output = form(*args)
        output = output if isinstance(output, Tensor) else output.output
        weights = torch.linspace(-1, 1, output.numel(), dtype=output.dtype)
        (output * weights.view_as(output)).sum().backward()
        return [x.grad for x in args if x is not None]

    want = gradients(recurrent_attention)
    for form in (linear_attention, lambda *a: chunked_attention(*a, chunk=6)):
        for got, due in zip(gradients(form), want, strict=True):
            assert error(got, due) <= 1e-11


@given(st.integers(1, 40), st.sampled_from(sorted(RULES)), st.integers(1, 45))
def test_any_chunk_gives_the_same(length: int, rule: str, chunk: int) -> None:
    args = draw(rule, length)
    got = chunked_attention(*args, chunk=chunk).output
    assert error(got, recurrent_attention(*args).output) <= 1e-12


def test_long_decays_stay_finite_in_float32() -> None:
    Q, K, V, *_ = draw("plain", 1009, torch.float32)
    decay = torch.full(Q.shape[:-1], 0.5)
    for output in (
        linear_attention(Q, K, V, decay),
        chunked_attention(Q, K, V, decay).output,
    ):
        assert output.isfinite().all()
        assert error(output, recurrent_attention(Q, K, V, decay).output) <= 1e-5


def test_the_delta_rule_replaces_the_value_of_a_key() -> None:
    key = torch.eye(D_K)[[2, 4, 2]]
    values = torch.randn(3, D_V)
    S = recurrent_attention(key, key, values, beta=torch.ones(3)).state
    assert torch.allclose(S[2], values[2]) and torch.allclose(S[4], values[1])
    S = recurrent_attention(key, key, values).state
    assert torch.allclose(S[2], values[0] + values[2])


def test_the_plain_sum_does_not_know_the_order() -> None:
    _, K, V, *_ = draw("plain")
    order = torch.randperm(T, generator=torch.Generator().manual_seed(3))
    state = recurrent_attention(K, K, V).state
    turned = recurrent_attention(K, K[:, :, order], V[:, :, order]).state
    assert error(turned, state) <= 1e-13


@pytest.mark.parametrize(
    "change, says",
    [
        (dict(V=torch.zeros(2, 4, 7)), "(2, 5, 3)"),
        (dict(K=torch.zeros(2, 5, 4)), "(2, 5, 4)"),
        (dict(decay=torch.ones(2, 5, 1)), "decay must have one number per token"),
        (dict(beta=torch.ones(5)), "beta must have one number per token"),
        (dict(state=torch.zeros(3, 7)), "the state must be (2, 3, 7)"),
        (dict(chunk=0), "at least 1 token"),
    ],
)
def test_what_does_not_fit_is_said(change: dict, says: str) -> None:
    args = dict(Q=torch.zeros(2, 5, 3), K=torch.zeros(2, 5, 3), V=torch.zeros(2, 5, 7))
    with pytest.raises(ValueError) as raised:
        chunked_attention(**args | change)
    assert says in str(raised.value)


def test_the_interference_law() -> None:
    """Random unit keys: the error of the plain sum is √((P - 1) / d_k)."""
    g, d_k, P = torch.Generator().manual_seed(11), 31, 37
    K = torch.randn(300, P, d_k, generator=g, dtype=torch.float64)
    K = K / K.norm(dim=-1, keepdim=True)
    V = torch.eye(13, dtype=torch.float64)[torch.randint(13, (300, P), generator=g)]
    read = K @ recurrent_attention(K, K, V).state
    measured = ((read - V).norm() / V.norm()).item()
    assert abs(measured / math.sqrt((P - 1) / d_k) - 1) < 0.03
