from __future__ import annotations

import math
import warnings

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional as F

import helpers
from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.masks import (
    combine_masks,
    create_causal_mask,
    padding_mask,
    to_multihead_attention_mask,
)

B, H, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13
D_MODEL = 33
VALUES = {torch.float32: 1e-6, torch.float64: 1e-12, torch.bfloat16: 2e-2}
GRADIENTS = {torch.float32: 1e-5, torch.float64: 1e-12, torch.bfloat16: 2e-2}
every_dtype = pytest.mark.parametrize("dtype", VALUES, ids=str)

SEEDED = torch.Generator().manual_seed(0)
CAUSAL = create_causal_mask(N_Q, N_K)
PADDING = padding_mask([4, 6], N_K)
MASKS = {
    "none": None,
    "causal bool": CAUSAL,
    "causal int": CAUSAL.int(),
    "causal float": CAUSAL.float(),
    "one row": torch.tensor([[1, 1, 0, 1, 0, 1, 1]]),
    "one column": torch.tensor([[1], [0], [1], [1], [1]]).bool(),
    "padding": PADDING,
    "both": combine_masks(CAUSAL, PADDING),
    "a head": torch.rand(1, H, N_Q, N_K, generator=SEEDED) > 0.4,
    "full": torch.rand(B, H, N_Q, N_K, generator=SEEDED) > 0.4,
    "full float": (torch.rand(B, H, N_Q, N_K, generator=SEEDED) > 0.4).float(),
    "for all": CAUSAL[None, None].to(torch.uint8),
    "no key at all": torch.zeros(N_Q, N_K, dtype=torch.bool),
}
every_mask = pytest.mark.parametrize("mask", MASKS.values(), ids=list(MASKS))


def qkv(dtype: torch.dtype = torch.float32, grad: bool = True) -> list[Tensor]:
    shapes = (B, H, N_Q, D_K), (B, H, N_K, D_K), (B, H, N_K, D_V)
    return [torch.randn(s, dtype=dtype).requires_grad_(grad) for s in shapes]


def error(got: Tensor, want: Tensor) -> float:
    """Largest difference, relative to the largest entry that is wanted."""
    got, want = got.detach().double(), want.detach().double()
    assert got.shape == want.shape
    difference = (got - want).abs().max().item()
    return difference / max(want.abs().max().item(), 1e-30)


def gradients(output: Tensor, of: list[Tensor]) -> list[Tensor]:
    """Of a sum with weights that differ from entry to entry."""
    weights = torch.linspace(-1, 1, output.numel(), dtype=output.dtype)
    return list(torch.autograd.grad((output * weights.view_as(output)).sum(), of))


# The article


def test_the_calls_of_the_article(capsys: pytest.CaptureFixture[str]) -> None:
    from helpers import MultiHeadAttention

    mha = MultiHeadAttention(d_model=512, num_heads=8)
    seq_len, batch = 20, 4
    x = torch.randn(batch, seq_len, 512)
    output, attn_weights = mha(x, x, x)
    print(output.shape, attn_weights.shape)
    expected = "torch.Size([4, 20, 512]) torch.Size([4, 8, 20, 20])\n"
    assert capsys.readouterr().out == expected
    decoder_out = torch.randn(batch, 7, 512)
    output, attn_weights = mha(decoder_out, x, x)
    assert output.shape == (4, 7, 512) and attn_weights.shape == (4, 8, 7, 20)
    Q = mha.split_heads(mha.W_q(x))
    assert Q.shape == (4, 8, 20, 64) and mha.d_k == 64
    assert mha.merge_heads(Q).shape == (4, 20, 512)
    # Its own mask is of floats.
    mask = torch.tril(torch.ones(seq_len, seq_len))
    output, attn_weights = mha(x, x, x, mask)
    assert torch.equal(attn_weights, attn_weights.tril())
    again, _ = mha(x, x, x, mask=helpers.create_causal_mask(seq_len))
    assert torch.equal(output, again)


def test_the_names_of_the_package() -> None:
    assert all(hasattr(helpers, name) for name in helpers.__all__)


# Closed forms


def test_two_keys_by_hand() -> None:
    Q = torch.tensor([[[[1.0, 0.0, 0.0, 0.0]]]])
    K = torch.tensor([[[[0.0, 5.0, 5.0, 5.0], [2.0, 5.0, 5.0, 5.0]]]])
    V = torch.tensor([[[[0.0, 10.0, 1.0], [1.0, 20.0, 1.0]]]])
    output, attn_weights = scaled_dot_product_attention(Q, K, V)
    second = math.e / (1 + math.e)  # scores 0 and 2/√4 = 1
    assert attn_weights.flatten().tolist() == pytest.approx([1 - second, second])
    assert output.flatten().tolist() == pytest.approx([second, 10 + 10 * second, 1])


def test_equal_scores_give_the_mean() -> None:
    Q, K, V = qkv()
    output, attn_weights = scaled_dot_product_attention(Q * 0, K, V)
    assert torch.allclose(attn_weights, torch.full_like(attn_weights, 1 / N_K))
    assert torch.allclose(output, V.mean(dim=2, keepdim=True).expand_as(output))


def test_one_key_hands_over_its_value() -> None:
    Q, K, V = qkv()
    output, attn_weights = scaled_dot_product_attention(Q, K[:, :, :1], V[:, :, :1])
    assert torch.equal(attn_weights, torch.ones(B, H, N_Q, 1))
    assert torch.equal(output, V[:, :, :1].expand_as(output))


def test_one_allowed_key_hands_over_its_value() -> None:
    Q, K, V = qkv()
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    mask[:, 4] = True
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    assert torch.equal(output, V[:, :, 4:5].expand_as(output))


@pytest.mark.parametrize("size", [1e4, -1e4])
def test_huge_scores_stay_finite(size: float) -> None:
    Q, K, V = qkv()
    output, attn_weights = scaled_dot_product_attention(Q * size, K, V, CAUSAL)
    assert output.isfinite().all()
    assert torch.allclose(attn_weights.sum(-1), torch.ones(B, H, N_Q))


def test_no_score_is_so_low_that_a_forbidden_key_wins() -> None:
    Q = torch.tensor([[[[1e9]]]])
    K = torch.tensor([[[[-1.0], [-2.0], [1.0]]]])
    V = torch.tensor([[[[3.0], [5.0], [7.0]]]])
    mask = torch.tensor([[True, True, False]])
    output, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    assert attn_weights.flatten().tolist() == [1, 0, 0] and output.item() == 3


def test_an_empty_row_makes_no_nan_even_on_the_way() -> None:
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # anomaly mode says that it is on
        anomalies = torch.autograd.set_detect_anomaly(True)
    with anomalies:
        arguments = qkv()
        output, attn_weights = scaled_dot_product_attention(*arguments, mask)
        (output.sum() + attn_weights.sum()).backward()
    assert all((x.grad == 0).all() for x in arguments)


# PyTorch as the oracle


@every_dtype
@every_mask
def test_equals_pytorch(mask: Tensor | None, dtype: torch.dtype) -> None:
    arguments = qkv(dtype)
    ours, _ = scaled_dot_product_attention(*arguments, mask)
    keep = None if mask is None else mask.bool()
    theirs = F.scaled_dot_product_attention(*arguments, attn_mask=keep)
    assert ours.dtype == dtype
    assert error(ours, theirs) <= VALUES[dtype]
    got, want = gradients(ours, arguments), gradients(theirs, arguments)
    for name, g, w in zip("QKV", got, want, strict=True):
        assert g.isfinite().all()
        assert error(g, w) <= GRADIENTS[dtype], name


@every_mask
def test_weights_and_rows(mask: Tensor | None) -> None:
    Q, K, V = qkv(torch.float64)
    output, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    keep = torch.ones(B, H, N_Q, N_K, dtype=torch.bool)
    if mask is not None:
        keep = keep & mask.bool()
    assert (attn_weights[~keep] == 0).all()
    rows = keep.any(-1).double()
    assert torch.allclose(attn_weights.sum(-1), rows)
    assert (output[rows == 0] == 0).all()
    # The weights have gradients of their own.
    identity = torch.eye(N_K, dtype=torch.float64).expand(B, H, N_K, N_K)
    theirs = F.scaled_dot_product_attention(
        Q, K, identity, attn_mask=None if mask is None else mask.bool()
    )
    assert error(attn_weights, theirs) <= 1e-12
    got, want = gradients(attn_weights, [Q, K]), gradients(theirs, [Q, K])
    for g, w in zip(got, want, strict=True):
        assert g.isfinite().all() and error(g, w) <= 1e-12


@every_dtype
@every_mask
def test_without_gradients_bit_equal_and_arguments_untouched(
    mask: Tensor | None, dtype: torch.dtype
) -> None:
    arguments = qkv(dtype)
    kept = [x.detach().clone() for x in arguments]
    kept_mask = None if mask is None else mask.clone()
    wanted = scaled_dot_product_attention(*arguments, mask)
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            found = scaled_dot_product_attention(*arguments, mask)
        for f, w in zip(found, wanted, strict=True):
            assert not f.requires_grad and torch.equal(f, w)
    plain = scaled_dot_product_attention(*kept, mask)
    assert all(torch.equal(p, w) for p, w in zip(plain, wanted, strict=True))
    for x, k in zip(arguments, kept, strict=True):
        assert torch.equal(x, k)
    assert mask is None or torch.equal(mask, kept_mask)


def test_works_inside_vmap_and_both_kinds_of_jacobian() -> None:
    Q, K, V = qkv(grad=False)

    def output(q: Tensor) -> Tensor:
        return scaled_dot_product_attention(q, K, V)[0]

    forward, reverse = torch.func.jacfwd(output)(Q), torch.func.jacrev(output)(Q)
    assert torch.allclose(forward, reverse, atol=1e-6)
    several = torch.stack([Q, 2 * Q, 3 * Q])
    assert torch.allclose(torch.func.vmap(output)(several)[1], output(2 * Q))


# Properties


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Tensor], Tensor | None]:
    size = st.integers(1, 6)
    batch, heads, n_q, n_k, d_k, d_v = (draw(size) for _ in range(6))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 999)))

    def random(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    full = [batch, heads, n_q, n_k]
    one = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    shape = [1 if o else s for o, s in zip(one, full, strict=True)]
    if draw(st.booleans()):
        shape = shape[2:]
    mask = random(*shape) > draw(st.sampled_from([-1.0, 0.0, 1.0, 9.0]))
    dtype = draw(st.sampled_from([torch.bool, torch.int32, torch.float32]))
    if dtype.is_floating_point and not mask.any():
        dtype = torch.bool  # a float mask of zeros is refused
    Q, K = random(batch, heads, n_q, d_k), random(batch, heads, n_k, d_k)
    return [Q, K, random(batch, heads, n_k, d_v)], mask.to(dtype)


@given(cases())
def test_any_shape_and_mask(case: tuple[list[Tensor], Tensor]) -> None:
    (Q, K, V), mask = case
    output, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    keep = mask.bool().expand(*Q.shape[:3], K.shape[2])
    theirs = F.scaled_dot_product_attention(Q, K, V, attn_mask=keep)
    assert torch.allclose(output, theirs, rtol=0, atol=1e-12)
    assert torch.allclose(attn_weights.sum(-1), keep.any(-1).double())
    assert (attn_weights >= 0).all() and (attn_weights[~keep] == 0).all()


@given(cases())
def test_forbidden_keys_change_nothing(case: tuple[list[Tensor], Tensor]) -> None:
    (Q, K, V), mask = case
    before = scaled_dot_product_attention(Q, K, V, mask)
    keep = mask.bool().expand(*Q.shape[:3], K.shape[2])
    forbidden = ~keep.any(dim=2)[..., None]  # to every query
    changed = K.masked_fill(forbidden, 1e3), V.masked_fill(forbidden, -1e3)
    after = scaled_dot_product_attention(Q, *changed, mask)
    assert all(torch.equal(x, y) for x, y in zip(before, after, strict=True))


@given(cases(), st.randoms(use_true_random=False))
def test_permuted_keys_and_queries(case: tuple, random) -> None:
    (Q, K, V), mask = case
    mask = mask.bool().expand(*Q.shape[:3], K.shape[2])
    rows, columns = list(range(Q.shape[2])), list(range(K.shape[2]))
    random.shuffle(rows)
    random.shuffle(columns)
    output, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    moved, moved_weights = scaled_dot_product_attention(
        Q[:, :, rows],
        K[:, :, columns],
        V[:, :, columns],
        mask[:, :, rows][..., columns],
    )
    assert torch.allclose(moved, output[:, :, rows], rtol=0, atol=1e-12)
    wanted = attn_weights[:, :, rows][..., columns]
    assert torch.allclose(moved_weights, wanted, rtol=0, atol=1e-12)


# Multi-head attention


def both(dtype: torch.dtype = torch.float32, heads: int = H):
    theirs = nn.MultiheadAttention(D_MODEL, heads, batch_first=True, dtype=dtype)
    for parameter in theirs.parameters():  # its biases start at 0, which hides slips
        nn.init.normal_(parameter, std=D_MODEL**-0.5)
    ours = MultiHeadAttention(D_MODEL, heads).to(dtype).copy_weights_from(theirs)
    return ours, theirs


def tokens(dtype: torch.dtype = torch.float32) -> list[Tensor]:
    shapes = (B, N_Q, D_MODEL), (B, N_K, D_MODEL), (B, N_K, D_MODEL)
    return [torch.randn(s, dtype=dtype, requires_grad=True) for s in shapes]


def their_mask(mask: Tensor | None) -> Tensor | None:
    if mask is None:
        return None
    full = to_multihead_attention_mask(mask).expand(B, H, N_Q, N_K)
    return full.reshape(B * H, N_Q, N_K)


def their_gradients(module: nn.MultiheadAttention, output: Tensor, inputs: list):
    """In our order: inputs, then weight and bias of W_q, W_k, W_v, W_o."""
    parameters = [module.in_proj_weight, module.in_proj_bias]
    parameters += [module.out_proj.weight, module.out_proj.bias]
    *of_inputs, weight, bias, out_weight, out_bias = gradients(
        output, inputs + parameters
    )
    split = zip(weight.chunk(3), bias.chunk(3), strict=True)
    return [*of_inputs, *(g for pair in split for g in pair), out_weight, out_bias]


@every_dtype
@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("name", [n for n in MASKS if n not in ("no key at all",)])
def test_equals_pytorchs_module(
    name: str, need_weights: bool, dtype: torch.dtype
) -> None:
    mask = MASKS[name]
    if mask is not None and not mask.bool().any(-1).all():
        mask = mask.bool() | (torch.arange(N_K) == 3)  # no empty row: NaN there
    ours, theirs = both(dtype)
    inputs = tokens(dtype)
    output, attn_weights = ours(*inputs, mask, need_weights=need_weights)
    wanted, their_weights = theirs(
        *inputs,
        attn_mask=their_mask(mask),
        need_weights=need_weights,
        average_attn_weights=False,
    )
    assert output.dtype == dtype and output.shape == (B, N_Q, D_MODEL)
    assert error(output, wanted) <= VALUES[dtype]
    if need_weights:
        assert error(attn_weights, their_weights) <= VALUES[dtype]
    else:
        assert attn_weights is None
    layers = ours.W_q, ours.W_k, ours.W_v, ours.W_o
    parameters = [p for layer in layers for p in (layer.weight, layer.bias)]
    got = gradients(output, inputs + parameters)
    want = their_gradients(theirs, wanted, inputs)
    # The bias of W_k has gradient 0 but for rounding: a scale of its own means nothing.
    scale = max(w.abs().max().item() for w in want)
    for index, (g, w) in enumerate(zip(got, want, strict=True)):
        floor = scale if index == 6 else w.abs().max().item()
        difference = (g - w).abs().max().item()
        assert difference <= GRADIENTS[dtype] * floor, f"gradient {index}"


def test_padding_as_key_padding_mask() -> None:
    ours, theirs = both(torch.float64)
    inputs = tokens(torch.float64)
    output, _ = ours(*inputs, PADDING)
    hidden = to_multihead_attention_mask(PADDING)[:, 0, 0]
    wanted, _ = theirs(*inputs, key_padding_mask=hidden)
    assert error(output, wanted) <= 1e-12


@pytest.mark.parametrize("need_weights", [True, False])
def test_empty_rows_are_zero_with_finite_gradients(need_weights: bool) -> None:
    ours, _ = both()
    inputs = tokens()
    mask = create_causal_mask(N_Q, 2)
    inputs = [inputs[0], *(x[:, :2].detach().requires_grad_() for x in inputs[1:])]
    output, attn_weights = ours(*inputs, mask, need_weights=need_weights)
    assert torch.equal(output[:, :3], ours.W_o.bias.expand(B, 3, D_MODEL))
    if need_weights:
        assert (attn_weights[:, :, :3] == 0).all()
    for gradient in gradients(output, inputs + list(ours.parameters())):
        assert gradient.isfinite().all()


def test_pytorchs_module_gives_nan_where_a_row_is_empty_and_we_do_not() -> None:
    """The documented difference: NaN whenever it returns weights, also backwards."""
    ours, theirs = both()
    inputs = tokens()
    mask = torch.ones(N_Q, N_K, dtype=torch.bool)
    mask[2] = False
    hidden = to_multihead_attention_mask(mask)
    wanted, their_weights = theirs(*inputs, attn_mask=hidden, need_weights=True)
    assert wanted[:, 2].isnan().all() and their_weights[:, 2].isnan().all()
    assert all(g.isnan().any() for g in gradients(wanted, inputs))
    output, attn_weights = ours(*inputs, mask)
    assert output.isfinite().all() and (attn_weights[:, :, 2] == 0).all()
    assert all(g.isfinite().all() for g in gradients(output, inputs))
    others = [0, 1, 3, 4]
    assert error(output[:, others], wanted[:, others]) <= 1e-6
    fused, _ = theirs(*inputs, attn_mask=hidden, need_weights=False)
    assert error(output, fused) <= 1e-6


@every_dtype
@pytest.mark.parametrize("need_weights", [True, False])
def test_the_last_token_changes_nothing_before_it(
    need_weights: bool, dtype: torch.dtype
) -> None:
    mha, _ = both(dtype)
    x = torch.randn(B, N_K, D_MODEL, dtype=dtype)
    y = x.clone()
    y[:, -1] = 19.0
    mask = create_causal_mask(N_K)
    for context in (torch.enable_grad, torch.no_grad):
        with context():
            before, _ = mha(x, x, x, mask, need_weights=need_weights)
            after, _ = mha(y, y, y, mask, need_weights=need_weights)
        assert torch.equal(before[:, :-1], after[:, :-1])
        assert not torch.equal(before[:, -1], after[:, -1])


@pytest.mark.parametrize("need_weights", [True, False])
def test_one_query_at_a_time_with_all_old_keys(need_weights: bool) -> None:
    mha, _ = both(torch.float64)
    x = torch.randn(B, 8, D_MODEL, dtype=torch.float64)
    whole, _ = mha(x, x, x, create_causal_mask(8), need_weights=need_weights)
    mask = create_causal_mask(1, 8)
    last, _ = mha(x[:, -1:], x, x, mask, need_weights=need_weights)
    assert error(last, whole[:, -1:]) <= 1e-12


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_a_padded_batch_equals_its_sentences(causal: bool, need_weights: bool) -> None:
    mha, _ = both(torch.float64)
    lengths = [2, 7, 5]
    x = torch.randn(3, 7, D_MODEL, dtype=torch.float64)
    mask = padding_mask(lengths, 7)
    if causal:
        mask = combine_masks(create_causal_mask(7), mask)
    batch, _ = mha(x, x, x, mask, need_weights=need_weights)
    for sentence, length, row in zip(x, lengths, batch, strict=True):
        alone = sentence[None, :length]
        own = create_causal_mask(length) if causal else None
        wanted, _ = mha(alone, alone, alone, own, need_weights=need_weights)
        assert error(row[:length], wanted[0]) <= 1e-12


def test_without_a_mask_order_does_not_matter() -> None:
    mha, _ = both(torch.float64)
    x = torch.randn(B, N_K, D_MODEL, dtype=torch.float64)
    order = torch.randperm(N_K)
    straight, _ = mha(x, x, x)
    shuffled, _ = mha(x[:, order], x[:, order], x[:, order])
    assert error(shuffled, straight[:, order]) <= 1e-12


def test_split_and_merge() -> None:
    mha = MultiHeadAttention(D_MODEL, H)
    x = torch.randn(B, N_Q, D_MODEL)
    heads = mha.split_heads(x)
    assert heads.shape == (B, H, N_Q, D_K)
    assert torch.equal(heads[1, 2, 3], x[1, 3, 22:33])
    assert torch.equal(mha.merge_heads(heads), x)


@pytest.mark.parametrize("size", [1, 2])
def test_smallest_sizes(size: int) -> None:
    x = torch.randn(1, 1, size)
    output, attn_weights = MultiHeadAttention(size, size)(x, x, x)
    assert output.shape == x.shape and attn_weights.shape == (1, size, 1, 1)
    Q, K, V = (torch.randn(3, 1, *s) for s in ((7, 13), (11, 13), (11, 17)))
    output, attn_weights = scaled_dot_product_attention(Q, K, V)
    assert output.shape == (3, 1, 7, 17) and attn_weights.shape == (3, 1, 7, 11)


# What is refused


@pytest.mark.parametrize(("d_model", "heads"), [(10, 3), (8, 0), (0, 1), (3, 5)])
def test_d_model_must_be_divisible(d_model: int, heads: int) -> None:
    with pytest.raises(ValueError, match=f"{d_model}.*not divisible.*{heads}"):
        MultiHeadAttention(d_model, heads)


@pytest.mark.parametrize(
    ("shapes", "essence"),
    [
        (((2, 5, 11), (2, 7, 11), (2, 7, 13)), r"4-D.*\(2, 5, 11\).*x\[None, None\]"),
        (((2, 3, 5, 11), (2, 3, 7, 9), (2, 3, 7, 13)), "d_k.*5, 11.*7, 9"),
        (((2, 3, 5, 11), (2, 3, 7, 11), (2, 3, 6, 13)), "n_k.*7, 11.*6, 13"),
        (((2, 3, 5, 11), (1, 3, 7, 11), (1, 3, 7, 13)), r"batch.*\(1, 3, 7, 11\)"),
        (((2, 3, 5, 11), (2, 1, 7, 11), (2, 1, 7, 13)), r"heads.*\(2, 1, 7, 11\)"),
    ],
)
def test_shapes_that_do_not_fit(shapes: tuple, essence: str) -> None:
    with pytest.raises(ValueError, match=essence):
        scaled_dot_product_attention(*(torch.ones(s) for s in shapes))


def test_whole_numbers_are_refused() -> None:
    x = torch.ones(2, 3, 5, 7, dtype=torch.int64)
    with pytest.raises(ValueError, match=r"floating point.*int64.*\.float\(\)"):
        scaled_dot_product_attention(x, x, x)


@pytest.mark.parametrize("need_weights", [True, False])
def test_widths_and_axes_of_the_module(need_weights: bool) -> None:
    mha = MultiHeadAttention(D_MODEL, H)
    x, narrow = torch.ones(2, 5, D_MODEL), torch.ones(2, 5, 31)
    with pytest.raises(ValueError, match=r"key.*\(2, 5, 31\).*d_model = 33"):
        mha(x, narrow, x, need_weights=need_weights)
    with pytest.raises(ValueError, match=r"query.*\(5, 33\).*batch, tokens"):
        mha(x[0], x, x, need_weights=need_weights)
    with pytest.raises(ValueError, match="n_k"):
        mha(x, x, x[:, :4], need_weights=need_weights)
    with pytest.raises(ValueError, match="batch"):
        mha(x, x[:1], x[:1], need_weights=need_weights)


@pytest.mark.parametrize(
    ("mask", "remedy"),
    [
        (torch.zeros(N_Q, N_K).masked_fill(~CAUSAL, float("-inf")), "mask == 0"),
        (torch.zeros(N_Q, N_K), r"mask\.bool\(\)"),
        (torch.ones(B, N_K), "padding_mask"),
        (torch.ones(N_K), r"mask\[None, :\]"),
        (torch.ones(B, N_Q, N_K), r"mask\[:, None\]"),
        (torch.ones(N_Q, N_K + 1), "create_causal_mask"),
        (torch.ones(B, 1, 1, N_Q), r"\(2, 3, 5, 7\)"),
    ],
)
@pytest.mark.parametrize("need_weights", [True, False])
def test_masks_that_would_be_misread(
    mask: Tensor, remedy: str, need_weights: bool
) -> None:
    with pytest.raises(ValueError, match=remedy):
        scaled_dot_product_attention(*qkv(), mask)
    with pytest.raises(ValueError, match=remedy):
        both()[0](*tokens(), mask, need_weights=need_weights)


@pytest.mark.parametrize(
    "options",
    [
        {"bias": False},
        {"kdim": 7, "vdim": 5},
        {"add_bias_kv": True},
        {"add_zero_attn": True},
        {"num_heads": 11},
        {"embed_dim": 30},
    ],
)
def test_modules_that_cannot_be_copied(options: dict) -> None:
    sizes = {"embed_dim": D_MODEL, "num_heads": H}
    other = nn.MultiheadAttention(**(sizes | options))
    with pytest.raises(ValueError, match=r"\(33, 3\)"):
        MultiHeadAttention(D_MODEL, H).copy_weights_from(other)


def test_copied_weights_are_copies() -> None:
    ours, theirs = both()
    before = [p.detach().clone() for p in theirs.parameters()]
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.zero_()
    assert all(
        torch.equal(p, b) for p, b in zip(theirs.parameters(), before, strict=True)
    )


def of_kinds(*kinds: torch.dtype) -> list[torch.Tensor]:
    sizes = ((2, 3, 5, 11), (2, 3, 7, 11), (2, 3, 7, 13))
    return [torch.ones(size, dtype=kind) for size, kind in zip(sizes, kinds)]


F32, F64, BF16 = torch.float32, torch.float64, torch.bfloat16


@pytest.mark.parametrize("kinds", [(F64, F32, F32), (F32, F32, F64), (BF16, F32, F32)])
def test_dtypes_that_do_not_fit(kinds: tuple) -> None:
    with pytest.raises(ValueError, match=rf"one dtype.*{kinds[0]}.*\.to\(dtype\)"):
        scaled_dot_product_attention(*of_kinds(*kinds))


def test_autocast_brings_dtypes_together() -> None:
    mha, x = MultiHeadAttention(8, 2), torch.ones(2, 3, 8)
    with torch.autocast("cpu", BF16):
        output, _ = scaled_dot_product_attention(*of_kinds(BF16, F32, F32))
        assert mha(x, x, x)[0].dtype == mha(x.bfloat16(), x, x)[0].dtype == BF16
    assert output.dtype == BF16


@pytest.mark.parametrize("need_weights", [True, False])
def test_the_module_and_its_input_have_one_dtype(need_weights: bool) -> None:
    mha, x = MultiHeadAttention(8, 2), torch.ones(2, 3, 8)
    essence = r"key is .*float32; convert.*key\.to\("
    for other in (x.double(), x.long(), x.half()):
        with pytest.raises(ValueError, match=essence):
            mha(x, other, other, need_weights=need_weights)


@pytest.mark.parametrize("thing", [None, [[[[1.0]]]], "cat", 1.0])
def test_what_is_no_tensor(thing: object) -> None:
    x = torch.ones(1, 1, 1, 1)
    mha, kind = MultiHeadAttention(1, 1), type(thing).__name__
    with pytest.raises(TypeError, match=f"K must be a tensor, got {kind}"):
        scaled_dot_product_attention(x, thing, x)
    with pytest.raises(TypeError, match=f"value must be a tensor, got {kind}"):
        mha(x[0], x[0], thing)


@pytest.mark.parametrize("sizes", [(8.0, 2), (8, 2.0), ("8", 2), (True, 1), (8, None)])
def test_sizes_are_whole_numbers(sizes: tuple) -> None:
    with pytest.raises(ValueError, match="(d_model|num_heads) must be a whole number"):
        MultiHeadAttention(*sizes)


def test_shapes_without_numbers_can_be_planned() -> None:
    mha = MultiHeadAttention(8, 2).to("meta")
    x = torch.ones(2, 5, 8, device="meta")
    for mask in (create_causal_mask(5), torch.ones(5, 5, device="meta")):
        output, attn_weights = mha(x, x, x, mask)
        assert (output.shape, attn_weights.shape) == ((2, 5, 8), (2, 2, 5, 5))


@pytest.mark.parametrize("empty", [0, 2, 3])
def test_no_tokens_at_all(empty: int) -> None:
    Q, K, V = of_kinds(F32, F32, F32)
    if empty == 0:
        Q, K, V = Q[:0], K[:0], V[:0]
    elif empty == 2:
        Q = Q[:, :, :0]
    else:
        K, V = K[:, :, :0], V[:, :, :0]
    mask = torch.ones(Q.shape[2], K.shape[2], dtype=torch.bool)
    output, attn_weights = scaled_dot_product_attention(Q, K, V, mask)
    assert output.shape == (*Q.shape[:3], 13)
    assert attn_weights.shape == (*Q.shape[:3], K.shape[2])
    assert (output == (1.0 if empty == 2 else 0.0)).all()


@pytest.mark.parametrize("context", [torch.no_grad, torch.inference_mode])
def test_the_same_numbers_in_every_mode(context) -> None:
    mha, x = MultiHeadAttention(8, 2), torch.randn(2, 5, 8)
    mask, settings = create_causal_mask(5), torch.get_default_dtype()
    wanted = mha(x, x, x, mask)[0]
    state = torch.get_rng_state()
    with context():
        assert torch.equal(mha(x, x, x, mask)[0], wanted)
    try:
        torch.set_default_dtype(F64)
        assert torch.equal(mha(x, x, x, mask)[0], wanted)
    finally:
        torch.set_default_dtype(settings)
    assert torch.equal(mha.eval()(x, x, x, mask)[0], wanted), "there is no dropout"
    assert torch.equal(torch.get_rng_state(), state)
