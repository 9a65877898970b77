from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from helpers.attention import scaled_dot_product_attention
from helpers.masks import combine_masks, create_causal_mask, padding_mask
from helpers.streaming import streaming_attention

B, H, N_Q, N_K, D_K, D_V = 2, 3, 11, 13, 5, 7
VALUES = {
    torch.float64: 1e-12,
    torch.float32: 1e-6,
    torch.bfloat16: 2e-2,
    torch.float16: 2e-3,
}
GRADIENTS = VALUES | {torch.float32: 1e-5}
every_dtype = pytest.mark.parametrize("dtype", VALUES, ids=str)
every_block = pytest.mark.parametrize("block", [1, 4, (3, 5), (11, 13), (100, 2), 99])

SEEDED = torch.Generator().manual_seed(0)
CAUSAL = create_causal_mask(N_Q, N_K)
PADDING = padding_mask([4, 6], N_K)
MASKS = {
    "none": None,
    "causal bool": CAUSAL,
    "causal int": CAUSAL.int(),
    "causal float": CAUSAL.float(),
    "one row": (torch.arange(N_K) % 3 == 1)[None],
    "one column": (torch.arange(N_Q) % 3 == 1)[:, None],
    "padding": PADDING,
    "both": combine_masks(CAUSAL, PADDING),
    "a head": torch.rand(1, H, N_Q, N_K, generator=SEEDED) > 0.6,
    "full": torch.rand(B, H, N_Q, N_K, generator=SEEDED) > 0.8,
    "a query": (torch.rand(B, 1, N_Q, 1, generator=SEEDED) > 0.5).float(),
    "window": CAUSAL & ~create_causal_mask(N_Q, N_K).tril(-2),
    "no key at all": torch.zeros(N_Q, N_K, dtype=torch.bool),
}
every_mask = pytest.mark.parametrize("mask", MASKS.values(), ids=list(MASKS))


def qkv(
    dtype: torch.dtype = torch.float32,
    shape: tuple[int, ...] = (B, H, N_Q, N_K, D_K, D_V),
) -> list[Tensor]:
    batch, heads, n_q, n_k, d_k, d_v = shape
    sizes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    return [torch.randn(batch, heads, *s, dtype=dtype).requires_grad_() for s in sizes]


def error(got: Tensor, want: Tensor) -> float:
    """Largest difference, relative to the largest entry that is wanted."""
    got, want = got.detach().double(), want.detach().double()
    assert got.shape == want.shape and got.isfinite().all()
    difference = (got - want).abs().max().item()
    return difference / max(want.abs().max().item(), 1e-30)


def gradients(output: Tensor, of: list[Tensor]) -> list[Tensor]:
    """Of a sum with weights that differ from entry to entry."""
    weights = torch.linspace(-1, 1, output.numel(), dtype=output.dtype)
    return list(torch.autograd.grad((output * weights.view_as(output)).sum(), of))


def assert_equal(
    ours: Tensor, theirs: Tensor, of: list[Tensor], dtype: torch.dtype
) -> None:
    assert ours.dtype == dtype and error(ours, theirs) <= VALUES[dtype]
    found, wanted = gradients(ours, of), gradients(theirs, of)
    for i, (got, want) in enumerate(zip(found, wanted, strict=True)):
        assert got.dtype == dtype
        assert error(got, want) <= GRADIENTS[dtype], f"gradient {i}"


# The full one as the oracle


@every_dtype
@every_mask
def test_equals_pytorch(mask: Tensor | None, dtype: torch.dtype) -> None:
    of = qkv(dtype)
    keep = None if mask is None else mask.bool()
    theirs = F.scaled_dot_product_attention(*of, attn_mask=keep)
    assert_equal(streaming_attention(*of, (3, 4), mask), theirs, of, dtype)


@every_block
@pytest.mark.parametrize("name", ["none", "causal bool", "full"])
def test_equals_the_articles_for_every_block(
    name: str, block: int | tuple[int, int]
) -> None:
    of = qkv(torch.float64)
    wanted, _ = scaled_dot_product_attention(*of, MASKS[name])
    found = streaming_attention(*of, block, MASKS[name])
    assert_equal(found, wanted, of, torch.float64)


@every_block
@pytest.mark.parametrize("n_q, n_k", [(11, 13), (13, 11), (7, 7), (1, 5), (17, 3)])
def test_causal_is_the_rule_of_the_causal_mask(
    n_q: int, n_k: int, block: int | tuple[int, int]
) -> None:
    of = qkv(torch.float64, (1, 2, n_q, n_k, D_K, D_V))
    rule = create_causal_mask(n_q, n_k)
    wanted, _ = scaled_dot_product_attention(*of, rule)
    found = streaming_attention(*of, block, causal=True)
    assert_equal(found, wanted, of, torch.float64)


@every_mask
def test_causal_goes_together_with_a_mask(mask: Tensor | None) -> None:
    of = qkv(torch.float64)
    wanted, _ = scaled_dot_product_attention(*of, combine_masks(mask, CAUSAL))
    found = streaming_attention(*of, (4, 3), mask, causal=True)
    assert_equal(found, wanted, of, torch.float64)


@pytest.mark.parametrize("causal", [False, True])
def test_gradcheck(causal: bool) -> None:
    of = qkv(torch.float64, (1, 1, 5, 4, 2, 2))  # the first query has no key if causal
    mask = torch.rand(5, 4) > 0.3

    def streamed(*of: Tensor) -> Tensor:
        return streaming_attention(*of, (2, 3), mask, causal)

    assert torch.autograd.gradcheck(streamed, of)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Tensor], tuple[int, int], Tensor | None, bool]:
    batch, heads, d_k, d_v = (draw(st.integers(1, 3)) for _ in range(4))
    n_q, n_k, rows, columns = (draw(st.integers(1, 7)) for _ in range(4))
    torch.manual_seed(draw(st.integers(0, 999)))
    of = qkv(torch.float64, (batch, heads, n_q, n_k, d_k, d_v))
    of = [(x * draw(st.sampled_from([0.1, 1, 30]))).detach() for x in of]
    mask = None
    if draw(st.booleans()):
        full = batch, heads, n_q, n_k
        shape = [s if draw(st.booleans()) else 1 for s in full]
        shape = shape[2:] if draw(st.booleans()) else shape
        mask = torch.rand(shape) > draw(st.sampled_from([0.2, 0.8, 1.0]))
    return [x.requires_grad_() for x in of], (rows, columns), mask, draw(st.booleans())


@given(cases())
def test_any_size_block_and_mask(case: tuple) -> None:
    of, block, mask, causal = case
    rule = create_causal_mask(of[0].shape[2], of[1].shape[2]) if causal else None
    wanted, _ = scaled_dot_product_attention(*of, combine_masks(mask, rule))
    found = streaming_attention(*of, block, mask, causal)
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-10)
    for got, want in zip(gradients(found, of), gradients(wanted, of), strict=True):
        torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9)


# Where the running maximum matters


@pytest.mark.parametrize("slope", [99.0, -99.0, 1e4, -1e4])
def test_scores_that_rise_or_fall_by_hundreds(slope: float) -> None:
    K = torch.linspace(-1, 1, N_K).view(1, 1, N_K, 1).requires_grad_()
    Q = torch.full((1, 1, N_Q, 1), slope, requires_grad=True)
    V = torch.randn(1, 1, N_K, D_V, requires_grad=True)
    found = streaming_attention(Q, K, V, 3)
    theirs = F.scaled_dot_product_attention(Q, K, V)
    assert error(found, theirs) <= 1e-5  # float32 scores of 99 have five decimals
    for got, want in zip(gradients(found, [Q, K, V]), gradients(theirs, [Q, K, V])):
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-6 * abs(slope))


def test_scores_that_are_all_very_low_or_a_row_apart() -> None:
    Q = torch.tensor([-1e4, 1.0, 1e4]).view(1, 1, 3, 1).requires_grad_()
    K = (1 + torch.rand(1, 1, N_K, 1) / 1e4).requires_grad_()
    V = torch.randn(1, 1, N_K, D_V, requires_grad=True)
    found = streaming_attention(Q, K, V, 3)
    theirs = F.scaled_dot_product_attention(*(x.double() for x in (Q, K, V)))
    assert error(found, theirs) <= 1e-3  # scores of 10⁴ have three decimals


@pytest.mark.parametrize("causal", [False, True])
def test_a_query_without_keys_gets_0_and_finite_gradients(causal: bool) -> None:
    of = qkv(torch.float32, (1, 2, 7, 5, D_K, D_V))
    mask = torch.ones(7, 5, dtype=torch.bool)
    mask[3] = False
    output = streaming_attention(*of, (2, 3), mask, causal)
    empty = [0, 1, 3] if causal else [3]
    assert (output[:, :, empty] == 0).all()
    found = gradients(output, of)
    assert all(g.isfinite().all() for g in found)
    assert (found[0][:, :, empty] == 0).all()


def test_no_keys_or_no_queries() -> None:
    Q, K, V = qkv()
    assert (streaming_attention(Q, K[:, :, :0], V[:, :, :0]) == 0).all()
    assert streaming_attention(Q[:, :, :0], K, V).shape == (B, H, 0, D_V)


def test_a_float16_sum_of_many_keys_does_not_stall() -> None:
    n = 5000  # 2048 + 1 is 2048 in float16
    Q = torch.zeros(1, 1, 1, 4, dtype=torch.float16)
    V = torch.ones(1, 1, n, 1, dtype=torch.float16)
    found = streaming_attention(Q, Q.expand(1, 1, n, 4), V, 1000)
    assert found.item() == 1


# Manners


def test_arguments_untouched_and_any_layout() -> None:
    of = [x.detach() for x in qkv()]
    kept = [x.clone() for x in of]
    wanted = streaming_attention(*of, 4, CAUSAL)
    assert all(torch.equal(x, k) for x, k in zip(of, kept, strict=True))
    strided = [x.transpose(1, 2).contiguous().transpose(1, 2) for x in of]
    strided = [x.requires_grad_() for x in strided]
    found = streaming_attention(*strided, 4, CAUSAL)
    assert torch.equal(found, wanted)
    of = [x.requires_grad_() for x in of]
    wanted = streaming_attention(*of, 4, CAUSAL)
    for got, want in zip(gradients(found, strided), gradients(wanted, of)):
        assert torch.equal(got, want)


def test_keys_that_heads_share_by_expand() -> None:
    Q, k, _ = qkv(torch.float64)
    k = k.detach()[:, :1].requires_grad_()
    K = k.expand(B, H, N_K, D_K)
    found = streaming_attention(Q, K, K, (3, 4))
    wanted, _ = scaled_dot_product_attention(Q, K, K)
    assert_equal(found, wanted, [Q, k], torch.float64)


def test_the_default_block_for_more_tokens_than_one_block_holds() -> None:
    of = qkv(torch.float32, (1, 1, 700, 1100, 4, 3))
    rule = create_causal_mask(700, 1100)
    theirs = F.scaled_dot_product_attention(*of, attn_mask=rule)
    assert_equal(streaming_attention(*of, causal=True), theirs, of, torch.float32)


def test_a_second_derivative_is_refused() -> None:
    of = qkv()
    output = streaming_attention(*of, 4)
    with pytest.raises(RuntimeError, match="differentiated twice"):
        torch.autograd.grad(output.sum(), of, create_graph=True)


@pytest.mark.parametrize(
    "block", [0, -1, (3, 0), (3,), (1, 2, 3), 2.5, "4", None, True]
)
def test_a_block_that_is_no_size(block: object) -> None:
    with pytest.raises(ValueError, match="block must be"):
        streaming_attention(*qkv(), block)


def test_what_does_not_fit_is_refused() -> None:
    Q, K, V = qkv()
    with pytest.raises(ValueError, match="one dtype"):
        streaming_attention(Q, K.double(), V)
    with pytest.raises(ValueError, match="equally wide"):
        streaming_attention(Q, K[..., 1:], V)
    with pytest.raises(ValueError, match="does not fit"):
        streaming_attention(Q, K, V, mask=CAUSAL[1:])


# Memory and work, counted


class Watch(TorchDispatchMode):
    """Sees every tensor that is made, forward and backward, and counts the products."""

    def __init__(self) -> None:
        super().__init__()
        self.largest = 0
        self.calls: Counter[str] = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        self.calls[func.overloadpacket.__name__] += 1
        for x in made if isinstance(made, tuple | list) else (made,):
            if isinstance(x, Tensor):
                size = x.untyped_storage().nbytes() // x.element_size()
                self.largest = max(self.largest, size)
        return made


N = 101
LONG = (1, 1, N, N, 3, 3)


def streamed(*of: Tensor) -> Tensor:
    return streaming_attention(*of, (7, 9))


def looped(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """The same loop over the keys, left to autograd."""
    m, l, o = torch.tensor(-math.inf), 0, 0
    for k, v in zip(K.split(9, dim=2), V.split(9, dim=2)):
        s = Q @ k.mT / math.sqrt(Q.shape[-1])
        old, m = m, torch.maximum(m, s.amax(-1, keepdim=True))
        p, c = (s - m).exp(), (old - m).exp()
        l, o = l * c + p.sum(-1, keepdim=True), o * c + p @ v
    return o / l


def full(*of: Tensor) -> Tensor:
    return scaled_dot_product_attention(*of)[0]


@pytest.mark.parametrize(
    "options",
    [{}, {"causal": True}, {"mask": padding_mask([77], N)}],
    ids=["plain", "causal", "padding"],
)
def test_no_tensor_as_large_as_the_weights_is_ever_made(options: dict) -> None:
    of = qkv(shape=LONG)
    with Watch() as watch:
        output = streaming_attention(*of, (7, 9), **options)
        forward = watch.calls["mm"]
        torch.autograd.grad(output.sum(), of)
    assert forward and watch.calls["addmm"] > forward  # backward was seen, too
    assert watch.largest <= N * 3  # the inputs' own size
    with Watch() as watch:
        full(*of)
    assert watch.largest == N * N


def kept(attention: Callable[..., Tensor]) -> int:
    """Numbers that are kept for the gradient, each piece of memory once."""
    storages = {}

    def pack(x: Tensor) -> Tensor:
        storages[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes() // 4
        alive.append(x)  # so that no address is used twice
        return x

    alive: list[Tensor] = []
    of = qkv(shape=LONG)
    with saved_tensors_hooks(pack, lambda x: x):
        output = attention(*of)
    assert output.requires_grad
    return sum(storages.values())


def test_what_is_kept_for_the_gradient() -> None:
    assert kept(streamed) == 4 * N * 3 + N  # Q, K, V, output and log-sums
    assert kept(full) >= N * N
    assert kept(looped) >= N * N
    of = qkv(shape=LONG)
    assert error(looped(*of), full(*of)) <= 1e-6


def test_blocks_that_are_hidden_are_skipped() -> None:
    of = [x.detach() for x in qkv(shape=(1, 1, 8, 12, 3, 3))]

    def products(**options: object) -> int:
        with Watch() as watch:
            streaming_attention(*of, (2, 3), **options)
        return watch.calls["mm"]

    assert products() == 4 * 4
    assert products(causal=True) == 2 + 3 + 4 + 4  # the last queries see 6, 8, 10, 12
    one = torch.zeros(8, 12, dtype=torch.bool)
    one[5, 7] = True
    assert products(mask=one) == 1
    assert products(mask=one.logical_not()) == 16
    assert products(mask=padding_mask([4], 12), causal=True) == 2 * 4
    assert products(mask=torch.zeros_like(one)) == 0
