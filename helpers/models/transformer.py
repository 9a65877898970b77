"""The Transformer whole: layers of attention, residuals, norms and MLPs.

Values and gradients agree with PyTorch's `nn.TransformerEncoderLayer`, its decoder
layer and `nn.Transformer`; `copy_weights_from` makes the two comparable.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention

NORMS = ("pre", "post", "none")
Part = Callable[[Tensor], Tensor]


class Sublayer(nn.Module):
    """A part with its residual and its norm around it.

    pre: x + part(norm(x));  post: norm(x + part(x));  none: x + part(x)

    Args:
        d_model: width of a token.
        norm: "pre", "post" or "none".
        residual: False leaves "x +" out.

    Raises:
        ValueError: if norm is another word.
    """

    def __init__(self, d_model: int, norm: str = "pre", residual: bool = True) -> None:
        super().__init__()
        if norm not in NORMS:
            raise ValueError(f"norm must be one of {NORMS}; got {norm!r}")
        self.place, self.residual = norm, residual
        self.norm = nn.Identity() if norm == "none" else nn.LayerNorm(d_model)

    def forward(self, x: Tensor, part: Part) -> Tensor:
        """(B, T, d_model) → (B, T, d_model)."""
        if self.place == "post":
            return self.norm(x + part(x) if self.residual else part(x))
        change = part(self.norm(x))
        return x + change if self.residual else change


class FeedForward(nn.Module):
    """The MLP, which works on every token alone: down(activation(up(x))).

    Args:
        d_model: width of a token.
        hidden: width between the two layers.
        activation: between them.
    """

    def __init__(self, d_model: int, hidden: int, activation: Part = F.relu) -> None:
        super().__init__()
        self.up = nn.Linear(d_model, hidden)
        self.down = nn.Linear(hidden, d_model)
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        """(..., d_model) → (..., d_model)."""
        return self.down(self.activation(self.up(x)))

    def copy_weights_from(self, up: nn.Linear, down: nn.Linear) -> None:
        """Copy the parameters of PyTorch's linear1 and linear2."""
        self.up.load_state_dict(up.state_dict())
        self.down.load_state_dict(down.state_dict())


class EncoderLayer(nn.Module):
    """Self-attention between the tokens, then an MLP within each.

    With a causal mask it is the layer of a decoder-only language model.

    Args:
        d_model: width of a token.
        num_heads: number of heads.
        hidden: width of the MLP; 0 leaves the MLP out.
        norm: "pre", "post" or "none".
        activation: of the MLP.
        residual: False leaves both sums out.
        attention: False leaves the attention out.

    Source: Vaswani et al. (2017), section 3.1 (post); Xiong et al. (2020) (pre).

    >>> import torch
    >>> EncoderLayer(d_model=12, num_heads=3, hidden=48)(torch.ones(2, 5, 12)).shape
    torch.Size([2, 5, 12])
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        hidden: int,
        norm: str = "pre",
        activation: Part = F.relu,
        residual: bool = True,
        attention: bool = True,
    ) -> None:
        super().__init__()
        self.attention = self.mlp = None
        if attention:
            self.attention = MultiHeadAttention(d_model, num_heads)
            self.around_attention = Sublayer(d_model, norm, residual)
        if hidden:
            self.mlp = FeedForward(d_model, hidden, activation)
            self.around_mlp = Sublayer(d_model, norm, residual)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, T, d_model) → (B, T, d_model); mask as in MultiHeadAttention."""
        if self.attention is not None:
            x = self.around_attention(x, lambda h: attend(self.attention, h, h, mask))
        if self.mlp is not None:
            x = self.around_mlp(x, self.mlp)
        return x

    def copy_weights_from(self, other: nn.TransformerEncoderLayer) -> EncoderLayer:
        """Copy PyTorch's parameters; returns self. The norms' places are not copied."""
        self.attention.copy_weights_from(other.self_attn)
        self.mlp.copy_weights_from(other.linear1, other.linear2)
        self.around_attention.norm.load_state_dict(other.norm1.state_dict())
        self.around_mlp.norm.load_state_dict(other.norm2.state_dict())
        return self


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention to the memory, MLP.

    The memory is not normed here: the encoder's last norm has done that.

    Args:
        d_model: width of a token.
        num_heads: number of heads.
        hidden: width of the MLP.
        norm: "pre" or "post".
    """

    def __init__(
        self, d_model: int, num_heads: int, hidden: int, norm: str = "pre"
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.cross = MultiHeadAttention(d_model, num_heads)
        self.mlp = FeedForward(d_model, hidden)
        self.around = nn.ModuleList(Sublayer(d_model, norm) for _ in range(3))

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """x (B, n_q, d_model), memory (B, n_k, d_model) → (B, n_q, d_model)."""
        own, other, mlp = self.around
        x = own(x, lambda h: attend(self.attention, h, h, mask))
        x = other(x, lambda h: attend(self.cross, h, memory, memory_mask))
        return mlp(x, self.mlp)

    def copy_weights_from(self, other: nn.TransformerDecoderLayer) -> DecoderLayer:
        """Copy PyTorch's parameters; returns self."""
        self.attention.copy_weights_from(other.self_attn)
        self.cross.copy_weights_from(other.multihead_attn)
        self.mlp.copy_weights_from(other.linear1, other.linear2)
        norms = (other.norm1, other.norm2, other.norm3)
        for sublayer, norm in zip(self.around, norms, strict=True):
            sublayer.norm.load_state_dict(norm.state_dict())
        return self


class Transformer(nn.Module):
    """Encoder and decoder, each with a last norm, between embeddings and logits.

    Args:
        d_model: width of a token.
        num_heads: number of heads.
        hidden: width of the MLPs.
        num_layers: layers of the encoder, and as many of the decoder.
        norm: "pre" or "post".

    Source: Vaswani et al. (2017), figure 1; PyTorch adds the last norms.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        hidden: int,
        num_layers: int,
        norm: str = "pre",
    ) -> None:
        super().__init__()
        sizes = (d_model, num_heads, hidden, norm)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.encoder_norm = nn.LayerNorm(d_model)
        self.decoder_norm = nn.LayerNorm(d_model)

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        source_mask: Tensor | None = None,
        target_mask: Tensor | None = None,
    ) -> Tensor:
        """source (B, n_k, d_model), target (B, n_q, d_model) → (B, n_q, d_model)."""
        for layer in self.encoder:
            source = layer(source, source_mask)
        memory = self.encoder_norm(source)
        for layer in self.decoder:
            target = layer(target, memory, target_mask, source_mask)
        return self.decoder_norm(target)

    def copy_weights_from(self, other: nn.Transformer) -> Transformer:
        """Copy PyTorch's parameters; returns self."""
        ours = [*self.encoder, *self.decoder]
        theirs = [*other.encoder.layers, *other.decoder.layers]
        for mine, its in zip(ours, theirs, strict=True):
            mine.copy_weights_from(its)
        self.encoder_norm.load_state_dict(other.encoder.norm.state_dict())
        self.decoder_norm.load_state_dict(other.decoder.norm.state_dict())
        return self


def attend(
    mha: MultiHeadAttention, query: Tensor, key: Tensor, mask: Tensor | None
) -> Tensor:
    """Only the output of attention, by PyTorch's fused kernel."""
    return mha(query, key, key, mask, need_weights=False)[0]
