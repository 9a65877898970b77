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
from ..judged import asked
from ..space import Case, Choices, Exercise, Finding, Values

FEATURES = ("animal", "thing", "verb", "pronoun")
WORDS = {
    "dog": (1, 0, 0, 0),
    "ball": (0, 1, 0, 0),
    "chased": (0, 0, 1, 0),
    "caught": (0, 0, 1, 0),
    "it": (0, 0, 0, 1),
}
SENTENCE = ("the", "dog", "chased", "the", "ball", "and", "caught", "it")
JOBS = (("it", "ball"), ("caught", "dog"))
ENOUGH = 0.9


@dataclass(frozen=True)
class Row:
    """One word's look-up: its scores and weights over the sentence."""

    query: str
    wanted: str
    scores: torch.Tensor
    weights: torch.Tensor

    @property
    def target(self) -> int:
        """Where the wanted word stands."""
        return SENTENCE.index(self.wanted)

    @property
    def winner(self) -> int:
        """The position with the largest weight; of equals another than the target."""
        best = (self.weights >= self.weights.max() - 1e-6).nonzero().flatten().tolist()
        return next((i for i in best if i != self.target), best[0])

    @property
    def right(self) -> bool:
        """Enough weight on the wanted word."""
        return bool(self.weights[self.target] >= ENOUGH)


def sentence() -> torch.Tensor:
    """The features of the sentence's words: (8, 4)."""
    rows = [WORDS.get(word, (0,) * len(FEATURES)) for word in SENTENCE]
    return torch.tensor(rows, dtype=torch.float32)


def rows(W_q: torch.Tensor, W_k: torch.Tensor) -> list[Row]:
    """The look-ups of the words that have a job, without √d_k."""
    x = sentence()
    scores = (x @ W_q) @ (x @ W_k).T
    weights = scores.softmax(-1)
    found = []
    for query, wanted in JOBS:
        i = SENTENCE.index(query)
        found.append(Row(query, wanted, scores[i], weights[i]))
    return found


def does_the_job(trial: Trial) -> Finding | None:
    """Each word with a job puts at least 0.9 on the word that it should find."""
    value = trial.outcomes[0].value
    pair = _matrices(value)
    if pair is None:
        kind = type(value).__name__
        if isinstance(value, list | tuple):
            kind = f"a {kind} of {len(value)}, but not of two matrices"
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
    row = wrong[0]
    facts = {
        "query": f"'{row.query}'",
        "wanted": f"'{row.wanted}'",
        "winner": f"'{SENTENCE[row.winner]}'",
        "weight": f"{row.weights[row.winner]:.2f}",
        "got": f"{row.weights[row.target]:.2f}",
        "score": number(row.scores[row.target]),
        "before": "".join(
            f"'{r.query}' finds '{r.wanted}', as it should. " for r in found if r.right
        ),
    }
    others = torch.cat([row.scores[: row.target], row.scores[row.target + 1 :]])
    facts["gap"] = number(row.scores[row.target] - others.max())
    evidence = {
        f"weights of '{r.query}'": "  ".join(
            f"{word} {weight:.2f}"
            for word, weight in zip(SENTENCE, r.weights.tolist(), strict=True)
        )
        for r in found
    }
    return Finding(_mistake(row, W_q, W_k), facts, evidence)


def _mistake(row: Row, W_q: torch.Tensor, W_k: torch.Tensor) -> str:
    if all(r.right for r in rows(W_k, W_q)):
        return "roles-swapped"
    if all(r.right for r in rows(-W_q, W_k)):
        return "sign-flipped"
    if row.scores.max() - row.scores.min() < 1e-6:
        return "row-is-flat"
    if row.winner == row.target:
        return "too-weak"
    if row.weights[row.target] >= row.weights.max() - 1e-6:
        return "tie"
    if SENTENCE[row.winner] == row.query:
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
        if bool(torch.isfinite(matrix).all()):
            return None
        case = "the sentence"
        share = f"{float((~torch.isfinite(matrix)).float().mean()):.0%}"
        return Finding(
            "not-finite",
            {"bad": "NaN or infinite", "part": name, "case": case, "share": share},
        )
    if matrix.dim() == 2 and shape[0] == len(SENTENCE):
        return Finding("matrix-of-words", facts | {"rows": shape[0]})
    if matrix.dim() == 2 and shape[1] == features:
        return Finding("matrices-transposed", facts)
    return Finding("matrix-misshapen", facts)


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """Nothing to compare: `does_the_job` judges."""
    return (torch.zeros(1),)


def cases(seed: int) -> Sequence[Case]:
    """The one sentence."""
    return [Case("sentence", " ".join(SENTENCE), (sentence(),))]


EXERCISES = [
    Exercise(
        name="find_the_noun",
        parts=("matrices",),
        space={},
        compute=compute,
        cases=cases,
        argument_names=("x",),
        call=asked,
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(does_the_job,),
        value=True,
        praise=(
            "'it' finds the ball and 'caught' finds the dog, each with a weight of at "
            "least 0.9. Any two matrices that do this are right."
        ),
    )
]
