"""The layers are PyTorch's, in values and gradients; each part can be left out."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.masks import combine_masks, create_causal_mask, padding_mask
from helpers.models.pytorch_pair import pytorch_pair, shake
from helpers.models.transformer import DecoderLayer, EncoderLayer, Sublayer

B, N, M, D, H, HIDDEN = 5, 11, 13, 28, 7, 44
SIZES = {"dropout": 0.0, "batch_first": True}


def rows(count: int, seed: int, dtype: torch.dtype) -> Tensor:
    g = torch.Generator().manual_seed(seed)
    return torch.randn(B, count, D, generator=g).to(dtype).requires_grad_()


def agree(got: Tensor, due: Tensor, inputs: list[Tensor], tol: float) -> None:
    """Outputs and the gradients of the inputs, relative to the largest entry."""
    weights = torch.linspace(-1, 1, due.numel(), dtype=due.dtype).view_as(due)
    pairs = [(got, due)]
    grads = [
        torch.autograd.grad((out * weights).sum(), inputs, retain_graph=True)
        for out in (got, due)
    ]
    pairs += list(zip(*grads, strict=True))
    for a, b in pairs:
        assert (a - b).abs().max() <= tol * b.abs().max()


EXACT = pytest.mark.parametrize(
    ("dtype", "tol"), [(torch.float32, 5e-6), (torch.float64, 1e-12)]
)


@EXACT
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", [F.relu, F.gelu])
def test_encoder_layer(norm, activation, dtype, tol) -> None:
    first = norm == "pre"
    torch.manual_seed(3)
    theirs = nn.TransformerEncoderLayer(
        D, H, HIDDEN, activation=activation, norm_first=first, **SIZES
    )
    theirs = shake(theirs, 3).to(dtype)
    ours = EncoderLayer(D, H, HIDDEN, norm, activation).to(dtype)
    ours.copy_weights_from(theirs)
    x, mask = rows(M, 5, dtype), padding_mask(torch.tensor([13, 9, 4, 13, 1]), M)
    due = theirs(x, src_key_padding_mask=~mask[:, 0, 0])
    agree(ours(x, mask), due, [x], tol)


@EXACT
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_decoder_layer(norm, dtype, tol) -> None:
    torch.manual_seed(7)
    theirs = nn.TransformerDecoderLayer(D, H, HIDDEN, norm_first=norm == "pre", **SIZES)
    theirs = shake(theirs, 7).to(dtype)
    ours = DecoderLayer(D, H, HIDDEN, norm).to(dtype).copy_weights_from(theirs)
    y, memory = rows(N, 1, dtype), rows(M, 2, dtype)
    pad = padding_mask(torch.tensor([13, 9, 4, 13, 1]), M)
    short = padding_mask(torch.tensor([11, 11, 6, 3, 11]), N)
    causal = create_causal_mask(N)
    due = theirs(
        y,
        memory,
        tgt_mask=~causal,
        tgt_key_padding_mask=~short[:, 0, 0],
        memory_key_padding_mask=~pad[:, 0, 0],
    )
    got = ours(y, memory, combine_masks(causal, short), pad)
    agree(got, due, [y, memory], tol)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_whole_and_the_gradients_of_its_parameters(norm) -> None:
    theirs, ours = pytorch_pair(norm, seed=11)
    x, y = rows(M, 1, torch.float64), rows(N, 2, torch.float64)
    pad = padding_mask(torch.tensor([13, 9, 4, 13, 1]), M)
    causal, hidden = create_causal_mask(N), ~pad[:, 0, 0]
    options = {"src_key_padding_mask": hidden, "memory_key_padding_mask": hidden}
    due = theirs(x, y, tgt_mask=~causal, **options)
    got = ours(x, y, pad, causal)
    agree(got, due, [x, y], 1e-12)
    due.square().sum().backward(), got.square().sum().backward()
    layer, other = ours.decoder[0], theirs.decoder.layers[0]
    for a, b in (
        (layer.cross.W_o.weight, other.multihead_attn.out_proj.weight),
        (layer.mlp.up.bias, other.linear1.bias),
        (layer.around[1].norm.weight, other.norm2.weight),
        (ours.encoder_norm.bias, theirs.encoder.norm.bias),
    ):
        assert (a.grad - b.grad).abs().max() <= 1e-11 * b.grad.abs().max()
    assert sum(p.numel() for p in ours.parameters()) == sum(
        p.numel() for p in theirs.parameters()
    )


def test_a_pair_that_is_not_shaken_is_as_pytorch_starts() -> None:
    theirs, _ = pytorch_pair("pre", seed=2, by=0.0)
    assert torch.equal(theirs.decoder.norm.weight, torch.ones(D).double())


def test_each_part_can_be_left_out() -> None:
    x = rows(N, 4, torch.float32)
    bare = EncoderLayer(D, H, 0, attention=False)
    assert torch.equal(bare(x), x) and not list(bare.parameters())
    layer = EncoderLayer(D, H, 0, norm="none", residual=False)
    assert torch.equal(layer(x), layer.attention(x, x, x, need_weights=False)[0])
    names = {n.split(".")[0] for n, _ in layer.named_parameters()}
    assert names == {"attention"}


def test_the_places_of_the_norm() -> None:
    x = rows(N, 4, torch.float32)
    double = lambda h: 2 * h  # noqa: E731
    normed = F.layer_norm(x, (D,))
    assert torch.allclose(Sublayer(D, "pre")(x, double), x + 2 * normed)
    assert torch.allclose(Sublayer(D, "post")(x, double), normed, atol=1e-5)
    assert torch.allclose(Sublayer(D, "none")(x, double), 3 * x)
    with pytest.raises(ValueError, match="norm must be one of"):
        Sublayer(D, "both")
