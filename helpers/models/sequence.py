"""Four ways to read a sequence, equal in parameters: RNN, GRU, LSTM and attention.

All see the same tokens (embeddings side by side) and answer at every token.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.masks import create_causal_mask
from helpers.tasks import needle, stream
from helpers.training import build, train

# kind → (width of a token, width of the state); chosen so that the numbers of
# parameters agree to 10 %
NEEDLE_WIDTHS = {
    "rnn": (32, 46),
    "gru": (24, 26),
    "lstm": (24, 22),
    "attention": (36, 36),
}
STREAM_WIDTHS = {
    "rnn": (48, 80),
    "gru": (48, 40),
    "lstm": (48, 34),
    "attention": (60, 60),
}


class SequenceNet(nn.Module):
    """Embeddings side by side, one layer that reads the sequence, logits of the value.

    Args:
        kind: "rnn", "gru", "lstm" or "attention".
        sizes: how many ids each input has.
        width: width of a token; split evenly over the inputs.
        state: width of the state of a recurrent layer.
        num_values: number of answers.
        forget_bias: bias with which the forget gate of an LSTM starts. 1 is usual;
            the larger, the more the gate is open.
    """

    def __init__(
        self,
        kind: str,
        sizes: Sequence[int],
        width: int,
        state: int,
        num_values: int,
        forget_bias: float = 1.0,
    ) -> None:
        super().__init__()
        self.kind = kind
        each = width // len(sizes)
        self.embeddings = nn.ModuleList(nn.Embedding(size, each) for size in sizes)
        if kind == "attention":
            self.W_q = nn.Linear(width, width)
            self.W_k = nn.Linear(width, width)
            self.W_v = nn.Linear(width, width)
        else:
            layer = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}[kind]
            self.cell = layer(width, state, batch_first=True)
        self.out = nn.Linear(state, num_values)
        if kind == "lstm":
            # PyTorch stacks the gates in this order: input, forget, cell, output.
            with torch.no_grad():
                self.cell.bias_ih_l0[state : 2 * state] += forget_bias

    def embed(self, inputs: Sequence[Tensor]) -> Tensor:
        """(B, T, width): the tokens, from each input (B, T)."""
        pairs = zip(self.embeddings, inputs, strict=True)
        return torch.cat([embedding(ids) for embedding, ids in pairs], dim=-1)

    def read(self, x: Tensor, last: bool = False) -> Tensor:
        """From tokens to logits.

        Args:
            x: (B, T, width).
            last: True answers at the last token only.

        Returns:
            (B, T, num_values), or (B, num_values) with last.
        """
        if self.kind != "attention":
            states = self.cell(x)[0]
            return self.out(states[:, -1] if last else states)
        output = scaled_dot_product_attention(*self._project(x, last))[0]
        return self.out(output[:, 0, 0] if last else output[:, 0])

    def forward(self, inputs: Sequence[Tensor], last: bool = False) -> Tensor:
        """Embed and read."""
        return self.read(self.embed(inputs), last)

    def attn_weights(self, inputs: Sequence[Tensor], last: bool = False) -> Tensor:
        """(B, 1, T, T), or (B, 1, 1, T) with last; for attention only."""
        return scaled_dot_product_attention(*self._project(self.embed(inputs), last))[1]

    def _project(
        self, x: Tensor, last: bool
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
        query = x[:, -1:] if last else x
        Q, K, V = self.W_q(query), self.W_k(x), self.W_v(x)
        mask = None if last else create_causal_mask(x.shape[1])
        return Q[:, None], K[:, None], V[:, None], mask


def needle_model(kind: str, seed: int, forget_bias: float = 1.0) -> SequenceNet:
    """An untrained model for the needle task, with about 4,500 parameters."""
    widths = NEEDLE_WIDTHS[kind]
    sizes, values = needle.INPUT_SIZES, needle.NUM_VALUES
    return build(lambda: SequenceNet(kind, sizes, *widths, values, forget_bias), seed)


def train_needle(
    kind: str,
    distance: int,
    seed: int,
    forget_bias: float = 1.0,
    steps: int = 300,
    lr: float = 5e-3,
) -> SequenceNet:
    """A model trained from scratch at one distance.

    Args:
        kind: see SequenceNet, as forget_bias.
        distance: number of noise tokens between the pair and the question.
        seed: of the initial parameters and of the sequences.
        forget_bias: for the LSTM only.
        steps: steps of 64 sequences each.
        lr: the learning rate, the same in every step.
    """
    model = needle_model(kind, seed, forget_bias)

    def loss(model: nn.Module, batch: Any) -> Tensor:
        return F.cross_entropy(model(batch.inputs, last=True), batch.answer)

    train(
        model,
        lambda generator: needle.needle_batch(generator, distance),
        loss,
        steps=steps,
        lr=lr,
        seed=seed,
        clip=1.0,
        label=f"{kind}, distance {distance}",
    )
    return model


@torch.no_grad()
def needle_accuracy(model: SequenceNet, distance: int, seed: int) -> float:
    """Share of 1,000 new sequences whose value is recalled."""
    generator = torch.Generator().manual_seed(seed + 1)
    batch = needle.needle_batch(generator, distance, 1000)
    guess = model(batch.inputs, last=True).argmax(dim=-1)
    return (guess == batch.answer).float().mean().item()


def gradient_by_distance(model: SequenceNet, seed: int, distance: int = 128) -> Tensor:
    """How strongly the loss at the end still reaches each token, in float64.

    In float32 the norms of an RNN would be exactly 0 from about 60 tokens on: their
    squares are smaller than any float32.

    Args:
        model: any model for the needle task; it is copied, not changed.
        seed: of the 64 sequences over which the norms are averaged.
        distance: number of noise tokens.

    Returns:
        (distance + 2,) mean norm of ∂loss/∂token; index 0 is the last token, index
        distance + 1 the first.
    """
    generator = torch.Generator().manual_seed(seed)
    batch = needle.needle_batch(generator, distance)
    model = copy.deepcopy(model).double()
    x = model.embed(batch.inputs).detach().requires_grad_()
    logits = model.read(x, last=True)
    F.cross_entropy(logits, batch.answer, reduction="sum").backward()
    return x.grad.norm(dim=-1).mean(dim=0).flip(0)


def train_stream(
    kind: str,
    seed: int,
    steps: int = 600,
    lr: float = 5e-3,
    forget_bias: float = 1.0,
    times_wider: int = 1,
) -> SequenceNet:
    """A model trained from scratch on the stream task.

    Args:
        kind: see SequenceNet, as forget_bias.
        seed: of the initial parameters and of the sequences.
        steps: steps of 32 sequences each.
        lr: the highest learning rate.
        forget_bias: for the LSTM only.
        times_wider: by how much the state of a recurrent layer is wider than usual.
            At 1 the models have about 12,500 parameters each.
    """
    width, state = STREAM_WIDTHS[kind]
    if kind == "attention" and times_wider != 1:
        raise ValueError("times_wider is for recurrent layers, not for attention")
    widths = (width, state * times_wider)
    sizes, values = stream.INPUT_SIZES, stream.NUM_VALUES
    model = build(lambda: SequenceNet(kind, sizes, *widths, values, forget_bias), seed)

    def loss(model: nn.Module, batch: Any) -> Tensor:
        logits = model(batch.inputs)
        return F.cross_entropy(logits.flatten(0, 1), batch.answer.flatten())

    train(
        model,
        stream.stream_batch,
        loss,
        steps=steps,
        lr=lr,
        seed=seed,
        decay=True,
        clip=1.0,
        label=f"{kind}, stream",
    )
    return model


AGES = ((0, 0), (1, 1), (2, 3), (4, 7), (8, 15), (16, 31))
"""The bins of `stream_accuracy`: first and last age, both included."""


@torch.no_grad()
def stream_accuracy(model: SequenceNet, seed: int) -> list[float]:
    """Share of values recalled in 1,000 new sequences, for each bin of AGES."""
    generator = torch.Generator().manual_seed(seed + 1)
    batch = stream.stream_batch(generator, 1000)
    right = (model(batch.inputs).argmax(dim=-1) == batch.answer).float()
    return [
        right[(batch.age >= low) & (batch.age <= high)].mean().item()
        for low, high in AGES
    ]
