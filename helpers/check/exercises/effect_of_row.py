"""effect_of_row(decode, source_mask, row, target, counts) -> share of words lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import behaviours as behave
from ..program import Lines, Program
from ..space import Case, Departure, Exercise, Values, one_number

LINES: Lines = {
    "n_k": ("source_mask.shape[-1]", {}),
    "at": (
        "row",
        {"row[:1]": "effect-first-row-for-all", "row - 1": "effect-off-by-one"},
    ),
    "own": ("(torch.arange(n_k) == at[:, None])[:, None, None]", {}),
    "all_rows": (
        "source_mask",
        {"torch.ones_like(source_mask)": "effect-padding-before"},
    ),
    "seen": (
        "source_mask & ~own",
        {
            "~own": "effect-padding-shown",
            "own": "effect-only-row-kept",
            "source_mask & own": "effect-only-row-kept",
            "source_mask & ~own.any(0)": "effect-rows-of-all-hidden",
            "source_mask & (torch.arange(n_k) < at[:, None])[:, None, None]": (
                "effect-later-rows-hidden"
            ),
            "source_mask & False": "effect-all-hidden",
        },
    ),
    "first": ("decode(all_rows).argmax(-1)", {}),
    "then": ("decode(seen).argmax(-1)", {}),
    "due": ("target", {"first": "effect-change-not-error"}),
    "which": (
        "counts",
        {
            "torch.ones_like(counts)": "effect-all-words",
            "target != 0": "effect-all-words",
            "~counts": "effect-other-words",
        },
    ),
    "before": ("(first == due)[which].double().mean()", {}),
    "after": ("(then == due)[which].double().mean()", {}),
    "lost": (
        "before - after",
        {
            "after": "effect-share-after",
            "before": "effect-share-before",
            "after - before": "effect-sign",
            "1 - after": "effect-errors-after",
            "(before - after) / before": "effect-relative",
            "after / before": "effect-relative",
            "((first == due) ^ (then == due))[which].double().mean()": (
                "effect-gains-counted-as-lost"
            ),
            "(first != then)[which].double().mean()": "effect-change-not-error",
            "(before - after) * which.sum()": "effect-count",
            "(before - after) * which.sum() / which.numel()": "effect-all-as-divisor",
            "of_sentences(first == due, which) - of_sentences(then == due, which)": (
                "effect-mean-of-sentences"
            ),
            "100 * (before - after)": "effect-percent",
        },
    ),
    "returned": ("lost.float()", {}),
}


def of_sentences(hit: Tensor, which: Tensor) -> Tensor:
    """The mean of the sentences' own shares."""
    shares = [h[w].double().mean() for h, w in zip(hit, which) if bool(w.any())]
    return torch.stack(shares).mean()


class Decoder(nn.Module):
    """One cross-attention and an output layer; all but the mask is fixed.

    Args:
        n_q, lengths, n_k: French words; English words of each sentence; padded length.
        words: size of the vocabulary.
        g: where the numbers come from.
    """

    def __init__(
        self, n_q: int, lengths: Sequence[int], n_k: int, words: int, g: torch.Generator
    ) -> None:
        super().__init__()
        b = len(lengths)
        self.scores = 2 * torch.randn(b, 1, n_q, n_k, generator=g)
        self.values = torch.randn(b, 1, n_k, words, generator=g)
        self.own = 0.3 * torch.randn(b, n_q, words, generator=g)

    def forward(self, mask: Tensor | None = None) -> Tensor:
        """Logits (B, n_q, words), from a mask that broadcasts to (B, 1, n_q, n_k)."""
        scores = self.scores
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = scores.softmax(-1).nan_to_num(0.0)
        return (weights @ self.values)[:, 0] + self.own


def cases(seed: int) -> Sequence[Case]:
    """Sentences of several lengths; some words are wrong with all rows in view."""
    g = torch.Generator().manual_seed(9311 + seed)

    def drawn(
        n_q: int, n_k: int, lengths: Sequence[int], words: int, share: float
    ) -> tuple[Any, ...]:
        decode = Decoder(n_q, lengths, n_k, words, g).eval()
        ends = torch.tensor(lengths)
        mask = (torch.arange(n_k) < ends[:, None])[:, None, None]
        row = (torch.rand(len(lengths), generator=g) * ends).long()
        said = decode(mask).argmax(-1)
        other = torch.randint(1, words, said.shape, generator=g)
        wrong = torch.rand(said.shape, generator=g) < 0.3
        target = torch.where(wrong, other, said)
        counts = torch.rand(said.shape, generator=g) < share
        counts[0, 0] = True
        return decode, mask, row, target, counts

    several = frozenset(["sentences of several lengths"])
    return [
        Case("one length", "11 sentences of 5", drawn(7, 5, (5,) * 11, 19, 0.6)),
        Case(
            "padded",
            "sentences of 3 to 7 words, padded",
            drawn(5, 7, (7, 3, 5, 4, 6, 3, 7, 4, 3, 5, 4, 3, 6), 13, 0.5),
            several,
        ),
        Case(
            "longer",
            "a decoder longer than the encoder",
            drawn(17, 6, (6, 2, 4, 3, 5, 2, 4), 11, 0.4),
            several,
        ),
        Case("one sentence", "one sentence", drawn(29, 4, (4,), 23, 0.7)),
    ]


def fixed(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """The same number on every case."""
    found = {float(v[0]) if v and v[0].numel() == 1 else None for v in seen}
    value = found.pop()
    if found or value is None:
        return []
    same = f"torch.tensor({value})"
    return [Departure("same-for-any-argument", "returned", same, {"part": "answer"})]


EXERCISES = [
    Exercise(
        name="effect_of_row",
        parts=("answer",),
        compute=Program(
            "decode source_mask row target counts", LINES, of_sentences=of_sentences
        ),
        cases=cases,
        fit=fixed,
        unpack=one_number,
        behaviours=(behave.arguments_untouched, behave.calls_agree("padded")),
        symptoms=(behave.not_finite,),
        praise=(
            "One row is hidden in each sentence, and nothing else is changed: what is "
            "lost is what depended on that row."
        ),
    )
]
