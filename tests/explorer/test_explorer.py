"""What the explorer sends is what the tensors hold; bad input gets one sentence."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Callable
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import Tensor, nn
from traitlets import TraitError

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.explorer import AttentionExplorer, explorer
from helpers.masks import create_causal_mask, padding_mask, to_multihead_attention_mask

L, H, N_Q, N_K, D_K, D_V = 2, 3, 5, 7, 11, 13
VIEW = "application/vnd.jupyter.widget-view+json"
QUERIES = "the cat saw the cat".split()
KEYS = "il gatto vide il gatto e fuggì".split()


def weights(*shape: int) -> Tensor:
    return torch.softmax(torch.randn(*shape), dim=-1)


def qkv(dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor, Tensor]:
    sizes = ((N_Q, D_K), (N_K, D_K), (N_K, D_V))
    return tuple(torch.randn(H, n, d).to(dtype) for n, d in sizes)


def sent(shown: AttentionExplorer, name: str) -> np.ndarray:
    """What the page reads from the bytes."""
    about = shown._facts["arrays"][name]
    numbers = np.frombuffer(getattr(shown, name), dtype="<" + about["type"])
    return numbers.reshape(about["shape"])


KINDS: dict[str, Callable[[Tensor], Any]] = {
    "float32": lambda x: x,
    "float64": lambda x: x.double() / 3,
    "bfloat16": lambda x: x.bfloat16(),
    "float16": lambda x: x.half(),
    "with a gradient": lambda x: x.clone().requires_grad_(),
    "array": lambda x: x.numpy(),
    "nested list": lambda x: x.tolist(),
    "list of layers": list,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_numbers_arrives_exactly(kind: str) -> None:
    given = KINDS[kind](weights(L, H, N_Q, N_K))
    shown = AttentionExplorer(given, QUERIES, KEYS)
    expected = given if not isinstance(given, list) else np.array(given, dtype=float)
    if isinstance(expected, Tensor):
        expected = expected.detach().double().numpy()
    np.testing.assert_array_equal(shown.weights, expected)
    np.testing.assert_array_equal(sent(shown, "_weights"), expected)
    assert shown._facts["sizes"] == [L, H, N_Q, N_K]


@pytest.mark.parametrize("shape", [(N_Q, N_K), (H, N_Q, N_K), (L, 1, H, N_Q, N_K)])
def test_missing_axes_are_one_head_and_one_layer(shape: tuple[int, ...]) -> None:
    given = weights(*shape)
    shown = AttentionExplorer(given, QUERIES, KEYS)
    layers, heads = (L, H) if len(shape) == 5 else (1, H if len(shape) == 3 else 1)
    expected = given.reshape(layers, heads, N_Q, N_K).numpy()
    np.testing.assert_array_equal(shown.weights, expected)


MASKS = {
    "none": None,
    "causal": create_causal_mask(N_Q, N_K),
    "padding": padding_mask([4], N_K),
    "per head, as 0/1": (torch.rand(1, H, N_Q, N_K) > 0.4).float(),
    "nothing allowed in row 2": torch.arange(N_Q)[:, None].expand(N_Q, N_K) != 2,
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("which", MASKS)
def test_from_qkv_sends_what_attention_computes(which: str, dtype: torch.dtype) -> None:
    mask, (Q, K, V) = MASKS[which], qkv(dtype)
    expected = scaled_dot_product_attention(Q[None], K[None], V[None], mask)[1]
    for batch in (False, True):
        given = [x[None] if batch else x for x in (Q, K, V)]
        shown = AttentionExplorer.from_qkv(*given, QUERIES, KEYS, mask)
        np.testing.assert_array_equal(sent(shown, "_weights"), expected.double())
        for name, x in (("_q", Q), ("_k", K), ("_v", V)):
            np.testing.assert_array_equal(sent(shown, name), x[None].double())
        allowed = torch.ones(1, H, N_Q, N_K) if mask is None else mask
        np.testing.assert_array_equal(
            np.broadcast_to(sent(shown, "_mask"), (1, H, N_Q, N_K)),
            allowed.expand(1, H, N_Q, N_K),
        )
    if which == "nothing allowed in row 2":
        assert "3 of 15 rows sum to 0" in shown._facts["notes"][0]
        assert "query 2, saw" in shown._facts["notes"][0]


def test_layers_with_arithmetic_are_stacked() -> None:
    layers = [(*qkv(), create_causal_mask(N_Q, N_K)) for _ in range(L)]
    shown = AttentionExplorer.from_layers(layers, QUERIES, KEYS, layer=1, head=2)
    assert (shown.layer, shown.head) == (1, 2)
    for number, (Q, K, V, mask) in enumerate(layers):
        one = scaled_dot_product_attention(Q[None], K[None], V[None], mask)[1]
        np.testing.assert_array_equal(shown.weights[number], one[0])
        np.testing.assert_array_equal(sent(shown, "_v")[number], V)


def test_one_head_of_arrays_without_a_head_axis() -> None:
    Q, K, V = (x[0].numpy() for x in qkv())
    shown = AttentionExplorer.from_qkv(Q, K, V, QUERIES, KEYS)
    scores = Q.astype(float) @ K.astype(float).T / np.sqrt(D_K)
    expected = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    np.testing.assert_allclose(shown.weights[0, 0], expected, rtol=1e-5)


@pytest.mark.parametrize("cross", [False, True])
def test_our_module(cross: bool) -> None:
    mha = MultiHeadAttention(12, H)
    x, y = torch.randn(1, N_Q, 12), torch.randn(1, N_K, 12)
    mask = create_causal_mask(N_Q, N_K if cross else N_Q)
    inputs, keys = ((x, y), KEYS) if cross else ((x,), None)
    shown = AttentionExplorer.from_module(
        mha, *inputs, tokens=QUERIES, key_tokens=keys, mask=mask, head=1
    )
    expected = mha(x, inputs[-1], inputs[-1], mask)[1]
    np.testing.assert_array_equal(shown.weights, expected.detach().double())
    assert shown.head == 1
    unbatched = AttentionExplorer.from_module(
        mha, *(t[0] for t in inputs), tokens=QUERIES, key_tokens=keys, mask=mask
    )
    np.testing.assert_allclose(unbatched.weights, shown.weights, rtol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        {"batch_first": True},
        {"batch_first": False},
        {"batch_first": True, "bias": False, "dropout": 0.5},
        {"batch_first": True, "kdim": 17, "vdim": 19},
    ],
    ids=str,
)
def test_pytorchs_module(options: dict[str, Any]) -> None:
    mha = nn.MultiheadAttention(12, H, **options)
    query = torch.randn(N_Q, 12)
    key = torch.randn(N_K, options.get("kdim", 12))
    value = torch.randn(N_K, options.get("vdim", 12))
    mask = create_causal_mask(N_Q, N_K)
    hide = to_multihead_attention_mask(mask)
    expected = mha.eval()(
        query, key, value, attn_mask=hide, average_attn_weights=False
    )[1]
    mha.train()
    batched = [x[None] if mha.batch_first else x[:, None] for x in (query, key, value)]
    for inputs in ((query, key, value), batched):
        shown = AttentionExplorer.from_module(
            mha, *inputs, tokens=QUERIES, key_tokens=KEYS, mask=mask
        )
        np.testing.assert_allclose(
            shown.weights[0], expected.detach(), rtol=1e-5, atol=1e-7
        )


def test_nothing_is_left_changed() -> None:
    mha = nn.MultiheadAttention(12, H, dropout=0.5, batch_first=True).train()
    before = {name: x.clone() for name, x in mha.state_dict().items()}
    x = torch.randn(N_Q, 12, requires_grad=True)
    state, parameters = torch.get_rng_state(), dict(matplotlib.rcParams)
    numpy_state = np.random.get_state()[1].copy()
    figures = plt.get_fignums()
    shown = AttentionExplorer.from_module(mha, x, tokens=QUERIES)
    shown._repr_mimebundle_()
    assert torch.equal(torch.get_rng_state(), state)
    assert (np.random.get_state()[1] == numpy_state).all()
    assert dict(matplotlib.rcParams) == parameters
    assert plt.get_fignums() == figures
    assert mha.training and x.grad is None and torch.is_grad_enabled()
    assert all(torch.equal(before[name], y) for name, y in mha.state_dict().items())
    assert all(p.grad is None and p.requires_grad for p in mha.parameters())
    assert not mha._forward_hooks


def test_the_selection_can_be_read_and_set() -> None:
    shown = AttentionExplorer(weights(L, H, N_Q, N_K), QUERIES, KEYS, layer=-1)
    assert (shown.layer, shown.head, shown.query, shown.key) == (L - 1, 0, None, None)
    shown.head, shown.query, shown.key = -1, 4, 6
    assert (shown.head, shown.query, shown.key) == (H - 1, 4, 6)
    assert {"layer", "head", "query", "key"} <= set(shown.get_state())
    for name, bad in (("layer", L), ("head", H), ("query", N_Q), ("key", -N_K - 1)):
        with pytest.raises(
            TraitError, match=f"{name} = {bad} is out of range: it goes"
        ):
            setattr(shown, name, bad)
    shown.query = None
    assert shown.query is None and shown.tokens == QUERIES and shown.key_tokens == KEYS


def test_repeated_and_hostile_tokens_stay_positions_and_text() -> None:
    tokens = ["", " ", "a\nb", "<img src=x onerror=alert(1)>", "$$"]
    shown = AttentionExplorer(weights(5, 5), tokens)
    labels = ["''", "' '", "a\\nb", "<img src=x onerror=alert(1)>", "$$"]
    assert shown._facts["tokens"] == labels and shown.tokens == tokens
    again = AttentionExplorer(weights(5, 5), QUERIES)
    assert again._facts["tokens"] == QUERIES


def test_without_a_kernel_a_picture_and_a_sentence_remain() -> None:
    given = weights(L, H, N_Q, N_Q)
    shown = AttentionExplorer(given, QUERIES)
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png", VIEW}
    sentence = "Attention explorer: 2 layers × 3 heads, 5 tokens."
    assert bundle["text/plain"] == (
        f"{sentence} Run this cell in JupyterLab to open it."
    )
    assert repr(shown) == sentence and shown.model_id not in bundle["text/plain"]
    assert not re.search("0x[0-9a-f]+", bundle["text/plain"])
    png = base64.b64decode(bundle["image/png"])
    assert png.startswith(b"\x89PNG") and len(png) < 100_000
    same = AttentionExplorer(given, QUERIES)._repr_mimebundle_()
    assert same["image/png"] == bundle["image/png"]
    shown.head = 2
    assert shown._repr_mimebundle_()["image/png"] != bundle["image/png"]


@pytest.mark.parametrize(
    ("shape", "tokens", "words"),
    [
        ((1, 1, 1, 1), ["a"], "1 layer × 1 head, 1 token."),
        ((L, H, N_Q, N_K), QUERIES, "2 layers × 3 heads, 5 query tokens × 7 key tok"),
    ],
)
def test_the_sentence_counts(shape: Any, tokens: list[str], words: str) -> None:
    keys = KEYS if len(tokens) > 1 else None
    assert words in repr(AttentionExplorer(weights(*shape), tokens, keys))


def test_what_is_no_row_of_weights_is_said() -> None:
    given = weights(H, N_Q, N_Q)

    def notes(change: Callable[[Tensor], None]) -> str:
        other = given.clone()
        change(other)
        return " ".join(AttentionExplorer(other[None], QUERIES)._facts["notes"])

    (note,) = AttentionExplorer(given, QUERIES)._facts["notes"]
    assert note.startswith("The 3 maps are read as heads. If they are samples")
    assert notes(lambda w: None) == ""
    assert (
        "1 of 15 rows holds NaN, drawn in grey (query 3, the, in layer 0, head 1)"
        in (notes(lambda w: w[1, 3, 0].fill_(float("nan"))))
    )
    assert "1 of 15 rows sums to 0" in notes(lambda w: w[2, 4].zero_())
    assert "5 of 15 rows do not sum to 1, but to 0.50 … 0.50 (first: query 0" in (
        notes(lambda w: w[2].mul_(0.5))
    )
    assert "Are they scores, before the softmax?" in notes(lambda w: w.sub_(2))
    assert notes(lambda w: w.copy_(w.bfloat16())) == ""


def test_what_does_not_fit_into_the_page_is_left_out_and_said(monkeypatch) -> None:
    monkeypatch.setattr(explorer, "MOST_BYTES", 4 * H * N_K * 2)
    given = weights(H, N_Q, N_K)
    shown = AttentionExplorer(given, QUERIES, KEYS)
    np.testing.assert_array_equal(sent(shown, "_weights")[0], given[:, :2])
    assert "queries 0 to 1 of 5" in shown._facts["left_out"]
    assert "weights[..., 2:, :] with tokens[2:]" in shown._facts["left_out"]
    np.testing.assert_array_equal(shown.weights[0], given)


def module(**options: Any) -> nn.MultiheadAttention:
    return nn.MultiheadAttention(12, H, **options)


def of(mha: nn.Module, *shape: int) -> AttentionExplorer:
    return AttentionExplorer.from_module(mha, torch.randn(*shape), tokens=QUERIES)


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "too few tokens": (
        lambda: AttentionExplorer(weights(H, N_Q, N_Q), QUERIES[:3]),
        "n_q = 5 queries and n_k = 5 keys, but there are 3 tokens and no key_tokens",
    ),
    "no key tokens": (
        lambda: AttentionExplorer(weights(H, N_Q, N_K), QUERIES),
        "so the tokens name the keys too",
    ),
    "swapped": (
        lambda: AttentionExplorer(weights(H, N_Q, N_K), KEYS, QUERIES),
        "7 tokens and 5 key_tokens; tokens name the rows",
    ),
    "one string": (
        lambda: AttentionExplorer(weights(5, 5), "the cat saw the cat"),
        r"got one string; \.split\(\) makes a list",
    ),
    "1-D": (lambda: AttentionExplorer(weights(5), QUERIES), r"got shape \(5,\)"),
    "no head": (
        lambda: AttentionExplorer(torch.ones(0, 5, 5), QUERIES),
        r"none of them 0; got shape \(0, 5, 5\)",
    ),
    "a batch in a list of layers": (
        lambda: AttentionExplorer([weights(3, H, 5, 5)] * 2, QUERIES),
        r"hold 3 samples in axis 1: choose one, for example weights\[:, 0\]",
    ),
    "no numbers": (lambda: AttentionExplorer("map", ["a"]), "got str"),
    "no such head": (
        lambda: AttentionExplorer(weights(H, 5, 5), QUERIES, head=3),
        "head = 3 is out of range: it goes from 0 to 2",
    ),
    "a batch of Q": (
        lambda: AttentionExplorer.from_qkv(*(torch.ones(2, H, 5, 4),) * 3, QUERIES),
        r"Q of shape \(2, 3, 5, 4\) holds 2 samples.*for example Q\[0\]",
    ),
    "1-D Q": (
        lambda: AttentionExplorer.from_qkv(*(torch.ones(4),) * 3, QUERIES),
        r"Q must be \(heads, tokens, features\)",
    ),
    "widths of Q and K": (
        lambda: AttentionExplorer.from_qkv(
            torch.ones(5, 3), torch.ones(5, 4), torch.ones(5, 4), QUERIES
        ),
        "Q and K must be equally wide",
    ),
    "an additive mask": (
        lambda: AttentionExplorer.from_qkv(
            *qkv(), QUERIES, KEYS, torch.zeros(N_Q, N_K)
        ),
        "float tensor of zeros",
    ),
    "layers that differ": (
        lambda: AttentionExplorer.from_layers([qkv(), (torch.ones(5, 3),) * 3], KEYS),
        "of the same shapes in all of them",
    ),
    "no layer": (lambda: AttentionExplorer.from_layers([], KEYS), "at least one layer"),
    "a batch": (lambda: of(MultiHeadAttention(12, H), 4, 5, 12), "holds 4 samples.*ry"),
    "batch second": (
        lambda: of(module(), 1, 5, 12),
        r"holds 5 samples \(this module has batch_first=False\).*query\[:, 0\]",
    ),
    "half a head": (
        lambda: AttentionExplorer(weights(H, 5, 5), QUERIES, head=0.5),
        "head must be one whole number.*0.5",
    ),
    "a head as text": (
        lambda: AttentionExplorer(weights(H, 5, 5), QUERIES, head="1"),
        "head must be one whole number.*'1'",
    ),
    "a set of tokens": (
        lambda: AttentionExplorer(weights(4, 4), set(QUERIES)),
        "one per position; got set",
    ),
    "no tokens": (
        lambda: AttentionExplorer(weights(5, 5), None),
        "one per position; got NoneType",
    ),
    "complex": (lambda: AttentionExplorer(torch.eye(5).cfloat(), QUERIES), "numbers"),
    "two dtypes": (
        lambda: AttentionExplorer.from_qkv(
            torch.ones(5, 3).double(), *(torch.ones(5, 3),) * 2, QUERIES
        ),
        "one dtype.*float64",
    ),
    "another dtype": (
        lambda: AttentionExplorer.from_module(
            module(), torch.ones(5, 12).double(), tokens=QUERIES
        ),
        "query is torch.float64.*float32",
    ),
    "width": (lambda: of(module(), 5, 11), r"\(tokens, 12\) is needed"),
    "extra key": (lambda: of(module(add_bias_kv=True), 5, 12), "there is no token"),
    "another module": (lambda: of(nn.Linear(12, 12), 5, 12), "not a Linear; give from"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_sentence(case: str) -> None:
    call, words = BAD[case]
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_infinite_numbers_and_other_layouts_are_shown() -> None:
    given = torch.tensor([[torch.inf, -torch.inf, 0.0]] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = AttentionExplorer(given, "abc".split() * 3)
        shown._repr_mimebundle_()
    assert "not attention weights" in shown._facts["notes"][0]
    assert AttentionExplorer(torch.eye(3).to_sparse(), range(3)).tokens == list("012")
