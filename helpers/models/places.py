"""One causal attention layer, with the order of the tokens told in one of five ways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from helpers.attention import MultiHeadAttention
from helpers.positions import alibi_slopes, rotate
from helpers.tasks.places import SIZES, TASKS, PlacesBatch
from helpers.training import build, train

Scheme = Literal["table", "rotation", "bias", "distances", "none"]
SCHEMES: tuple[Scheme, ...] = ("table", "rotation", "bias", "distances", "none")
LENGTH = 16
"""Tokens of the longest sequence in training."""
LONGEST = 8 * LENGTH
"""Tokens of the longest sequence in tests."""


class PlacesNet(nn.Module):
    """x ← embedding (+ row of the table); x ← x + attention(x); logits are linear in x.

    Args:
        scheme: "table" adds a learned row per place; "rotation" turns queries and keys
            (`rotate`); "bias" subtracts slope times distance from the scores; in
            "distances" every head learns a number for each distance below LENGTH − 1,
            and one for all others; "none" tells nothing.
        tokens, answers: how many there are.
        slopes: of "bias", one for each of the two heads; by default `alibi_slopes(2)`.

    Raises:
        ValueError: if there is no such scheme.
    """

    def __init__(
        self,
        scheme: Scheme,
        tokens: int,
        answers: int,
        slopes: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        if scheme not in SCHEMES:
            raise ValueError(
                f"scheme must be one of {', '.join(SCHEMES)}; got {scheme!r}"
            )
        self.scheme = scheme
        self.embedding = nn.Embedding(tokens, 32)
        self.table = nn.Embedding(LONGEST, 32) if scheme == "table" else None
        self.mha = MultiHeadAttention(32, 2)
        self.read = nn.Linear(32, answers)
        given = alibi_slopes(2) if slopes is None else torch.tensor(slopes)
        self.register_buffer("slopes", given)
        learned = torch.zeros(2, LENGTH) if scheme == "distances" else None
        self.by_distance = None if learned is None else nn.Parameter(learned)

    def forward(
        self,
        tokens: Tensor,
        places: Tensor | None = None,
        window: int | None = None,
        log_n: bool = False,
        clamp: int | None = None,
        query_places: Tensor | None = None,
    ) -> Tensor:
        """Logits (B, n, answers).

        All but the tokens is for tests of a trained model; nothing of it is trained.

        Args:
            tokens: (B, n).
            places: (n,), what the tokens are told of their places; 0 to n − 1 if None.
            window: only so many keys are seen, the last ones.
            log_n: True multiplies the scores of a query that sees n > LENGTH keys by
                log n / log LENGTH.
            clamp: for "rotation": a larger distance is told to be this one.
            query_places: (n,), other places for the queries alone.
        """
        return self.read(
            self._attend(tokens, places, window, log_n, clamp, query_places)[0]
        )

    @torch.no_grad()
    def attn_weights(self, tokens: Tensor) -> Tensor:
        """(B, 2, n, n)."""
        return self._attend(tokens)[1]

    def _attend(
        self,
        tokens: Tensor,
        places: Tensor | None = None,
        window: int | None = None,
        log_n: bool = False,
        clamp: int | None = None,
        query_places: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        index = torch.arange(tokens.shape[1])
        places = index if places is None else places
        x = self.embedding(tokens)
        if self.table is not None:
            x = x + self.table(places)
        mha = self.mha
        Q, K, V = (mha.split_heads(W(x)) for W in (mha.W_q, mha.W_k, mha.W_v))
        asking = places if query_places is None else query_places
        scores = self._scores(Q, K, asking, places, clamp)
        ago = index[:, None] - index
        seen = (ago >= 0) & (ago < (window or len(index)))
        if log_n:
            longer = (index + 1.0).log() / math.log(LENGTH)
            scores = scores * longer.clamp(min=1.0)[:, None]
        weights = scores.masked_fill(~seen, float("-inf")).softmax(dim=-1)
        return x + mha.W_o(mha.merge_heads(weights @ V)), weights

    def _scores(
        self, Q: Tensor, K: Tensor, asking: Tensor, places: Tensor, clamp: int | None
    ) -> Tensor:
        distance = asking[:, None] - places
        scale = math.sqrt(Q.shape[-1])
        if self.scheme == "rotation":
            scores = rotate(Q, asking) @ rotate(K, places).mT
            if clamp is not None:
                far = rotate(Q, torch.full_like(places, clamp)) @ K.mT
                scores = torch.where(distance > clamp, far, scores)
            return scores / scale
        scores = Q @ K.mT / scale
        if self.scheme == "bias":
            scores = scores - self.slopes[:, None, None] * distance.abs()
        if self.by_distance is not None:
            scores = scores + self.by_distance[:, distance.long().clamp(0, LENGTH - 1)]
        return scores


def places_loss(model: nn.Module, batch: PlacesBatch, **told: Tensor) -> Tensor:
    """Cross-entropy of what is asked."""
    logits = model(batch.tokens, **told)
    return F.cross_entropy(
        logits.flatten(0, 1), batch.target.flatten(), ignore_index=-1
    )


def train_places(
    task: str,
    scheme: Scheme,
    seed: int,
    steps: int = 400,
    lr: float = 3e-3,
    slopes: Sequence[float] | None = None,
    random_places: bool = False,
) -> PlacesNet:
    """Train a PlacesNet on at most LENGTH tokens; about 1.5 seconds.

    Args:
        task: "back", "recall" (of 4 to LENGTH tokens) or "latest".
        scheme, slopes: as for PlacesNet.
        seed: of the initial parameters and of the sequences.
        steps: steps of 64 sequences each.
        lr: the highest learning rate.
        random_places: True draws the places, in order, out of all LONGEST for each
            batch (Ruoss et al., 2023).
    """
    make = TASKS[task]

    def drawn(g: torch.Generator) -> tuple[PlacesBatch, dict[str, Tensor]]:
        n = LENGTH
        if task == "recall":
            n = int(torch.randint(4, LENGTH + 1, (), generator=g))
        batch = make(g, n)
        if not random_places:
            return batch, {}
        return batch, {"places": torch.randperm(LONGEST, generator=g)[:n].sort().values}

    model = build(lambda: PlacesNet(scheme, *SIZES[task], slopes), seed)

    def loss(model: nn.Module, data: tuple[PlacesBatch, dict[str, Tensor]]) -> Tensor:
        return places_loss(model, data[0], **data[1])

    train(
        model,
        drawn,
        loss,
        steps=steps,
        lr=lr,
        seed=seed,
        decay=True,
        label=f"{task}, {scheme}",
    )
    return model


@torch.no_grad()
def right_by_query(model: nn.Module, batch: PlacesBatch, **told: object) -> Tensor:
    """(n,): the share of right answers at each place where one is asked, else NaN.

    Args:
        model: trained.
        batch: of the task it was trained on.
        told: options of PlacesNet's forward.
    """
    right = (model(batch.tokens, **told).argmax(dim=-1) == batch.target).float()
    asked = batch.target >= 0
    return (right * asked).sum(dim=0) / asked.sum(dim=0)
