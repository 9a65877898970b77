"""find_the_noun: a pair (W_q, W_k), made by hand, judged by what it finds.

Nothing is compared with one right answer: any two matrices that do the job are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..behaviours import Trial
from ..diagnosis import number
from ..judged import asked, judged
from ..space import Case, Finding

FEATURES = ("animal", "thing", "verb", "pronoun")
WORDS = {
    "dog": (1, 0, 0, 0),
    "ball": (0, 1, 0, 0),
    "chased": (0, 0, 1, 0),
    "caught": (0, 0, 1, 0),
    "it": (0, 0, 0, 1),
}
SENTENCE = ("the", "dog", "chased", "the", "ball", "and", "caught", "it")
JOBS = {"it": "ball", "caught": "dog"}
ENOUGH = 0.9


@dataclass(frozen=True)
class Row:
    """One word's look-up: its scores and weights over the sentence."""

    query: str
    scores: torch.Tensor
    weights: torch.Tensor

    @property
    def wanted(self) -> str:
        """The word that it should find."""
        return JOBS[self.query]

    @property
    def winner(self) -> str:
        """The word with the largest weight; of equals another than the wanted one."""
        best = (self.weights >= self.weights.max() - 1e-6).nonzero().flatten().tolist()
        words = [SENTENCE[i] for i in best]
        return next((word for word in words if word != self.wanted), words[0])

    @property
    def right(self) -> bool:
        """Enough weight on the wanted word."""
        return bool(self.on(self.wanted) >= ENOUGH)

    def on(self, word: str) -> torch.Tensor:
        """The weight on a word."""
        return self.weights[SENTENCE.index(word)]


def sentence() -> torch.Tensor:
    """The features of the sentence's words: (8, 4)."""
    rows = [WORDS.get(word, (0,) * len(FEATURES)) for word in SENTENCE]
    return torch.tensor(rows, dtype=torch.float32)


def rows(W_q: torch.Tensor, W_k: torch.Tensor) -> list[Row]:
    """The look-ups of the words that have a job, without √d_k."""
    x = sentence()
    scores = (x @ W_q) @ (x @ W_k).T
    weights = scores.softmax(-1)
    places = {query: SENTENCE.index(query) for query in JOBS}
    return [Row(query, scores[i], weights[i]) for query, i in places.items()]


def does_the_job(trial: Trial) -> Finding | None:
    """Each word with a job puts at least 0.9 on the word that it should find."""
    pair = _matrices(trial.result)
    if pair is None:
        kind = f"a value of type {type(trial.result).__name__}"
        if isinstance(trial.result, list | tuple):
            kind = (
                f"a {type(trial.result).__name__} of {len(trial.result)}, but not of "
            )
            kind += "two matrices"
        return Finding("not-two-matrices", {"got": kind})
    for name, matrix in zip(("W_q", "W_k"), pair, strict=True):
        if finding := _misshapen(name, matrix):
            return finding
    W_q, W_k = pair
    if W_q.shape[1] != W_k.shape[1]:
        return Finding(
            "widths-differ", {"wide_q": W_q.shape[1], "wide_k": W_k.shape[1]}
        )
    return _verdict(W_q, W_k)


def _verdict(W_q: torch.Tensor, W_k: torch.Tensor) -> Finding | None:
    found = rows(W_q, W_k)
    wrong = [row for row in found if not row.right]
    if not wrong:
        return None
    row = next((r for r in wrong if not r.scores.isfinite().all()), wrong[0])
    if not row.scores.isfinite().all():
        largest = number(max(W_q.abs().max(), W_k.abs().max()))
        facts = {"query": f"'{row.query}'", "largest": largest}
        return Finding("scores-too-large", facts, _shown(found))
    best_other = row.scores[[word != row.wanted for word in SENTENCE]].max()
    score = row.scores[SENTENCE.index(row.wanted)]
    facts = {
        "query": f"'{row.query}'",
        "wanted": f"'{row.wanted}'",
        "winner": f"'{row.winner}'",
        "weight": _weight(row.on(row.winner)),
        "got": _weight(row.on(row.wanted)),
        "score": number(score),
        "gap": number(score - best_other),
        "before": "".join(
            f"'{r.query}' finds '{r.wanted}', as it should. " for r in found if r.right
        ),
    }
    return Finding(_mistake(row, W_q, W_k), facts, _shown(found))


def _shown(found: Sequence[Row]) -> dict[str, str]:
    return {
        f"weights of '{r.query}'": "  ".join(
            f"{word} {_weight(weight)}"
            for word, weight in zip(SENTENCE, r.weights.tolist(), strict=True)
        )
        for r in found
    }


def _weight(weight: float | torch.Tensor) -> str:
    """Two digits; three where they decide."""
    close = abs(weight - ENOUGH) < 0.02
    return f"{weight:.3f}" if close else f"{weight:.2f}"


def _mistake(row: Row, W_q: torch.Tensor, W_k: torch.Tensor) -> str:
    if all(r.right for r in rows(W_k, W_q)):
        return "roles-swapped"
    if all(r.right for r in rows(-W_q, W_k)):
        return "sign-flipped"
    others = dict(zip(JOBS, reversed(JOBS.values()), strict=True))
    if all(r.on(others[r.query]) > 0.5 for r in rows(W_q, W_k)):
        return "jobs-exchanged"
    if row.scores.max() - row.scores.min() < 1e-6:
        return "row-is-flat"
    if row.winner == row.wanted:
        return "too-weak"
    if row.on(row.wanted) >= row.weights.max() - 1e-6:
        return "tie"
    if row.winner == row.query:
        return "finds-itself"
    return "another-word-wins"


def _matrices(value: Any) -> tuple[torch.Tensor, torch.Tensor] | None:
    if hasattr(value, "__array__") and len(getattr(value, "shape", ())) == 3:
        value = tuple(value)
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    try:
        first, second = (torch.as_tensor(m).detach().float() for m in value)
    except (TypeError, ValueError, RuntimeError):
        return None
    return first, second


def _misshapen(name: str, matrix: torch.Tensor) -> Finding | None:
    shape, features = tuple(matrix.shape), len(FEATURES)
    facts = {"name": name, "got": shape, "features": features}
    if matrix.dim() == 2 and shape[0] == features and shape[1] > 0:
        odd = matrix[~matrix.isfinite()]
        if not len(odd):
            return None
        facts = {"name": name, "count": len(odd), "total": matrix.numel()}
        return Finding("matrix-not-finite", facts | {"bad": number(odd[0])})
    if matrix.dim() == 2 and shape[0] == len(SENTENCE):
        return Finding("matrix-of-words", facts | {"rows": shape[0]})
    if matrix.dim() == 2 and shape[1] == features:
        return Finding("matrices-transposed", facts)
    return Finding("matrix-misshapen", facts)


EXERCISES = [
    judged(
        "find_the_noun",
        " ".join(SENTENCE),
        does_the_job,
        praise=(
            "'it' finds the ball and 'caught' finds the dog, each with a weight of at "
            "least 0.9. Any two matrices that do this are right."
        ),
        cases=lambda seed: [Case("sentence", " ".join(SENTENCE), (sentence(),))],
        argument_names=("x",),
        call=asked,
        value=True,
    )
]
