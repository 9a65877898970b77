"""ask_twice: five matrices, made by hand, for two look-ups in a row.

Nothing is compared with one right answer: any five matrices that do the job are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..behaviours import Trial
from ..judged import judged
from ..space import Finding

FEATURES = ("animal", "thing", "pronoun", "hungry", "round")
NAMES = ("W_q1", "W_k1", "W_v1", "W_q2", "W_k2")
FOUND = {"hungry": "dog", "round": "ball"}
OTHER = {"hungry": "ball", "round": "dog"}
ENOUGH = 0.9


@dataclass(frozen=True)
class Run:
    """Both look-ups of "it" in one sentence: weights over its nine words."""

    adjective: str
    words: tuple[str, ...]
    first: Tensor
    taken_in: Tensor
    scores: Tensor
    second: Tensor

    @property
    def right(self) -> float:
        """The weight on the right noun."""
        return self.on(FOUND[self.adjective])

    def on(self, word: str) -> float:
        """The weight on a word in the second look-up."""
        return self.second[self.words.index(word)].item()


def sentence(adjective: str) -> tuple[tuple[str, ...], Tensor]:
    """The nine words, and their features (9, 5)."""
    words = ("the", "dog", "chased", "the", "ball", "because", "it", "was", adjective)
    features = {"dog": 0, "ball": 1, "it": 2, "hungry": 3, "round": 4}
    x = torch.zeros(len(words), len(FEATURES))
    for row, word in enumerate(words):
        if word in features:
            x[row, features[word]] = 1
    return words, x


def run(adjective: str, matrices: list[Tensor]) -> Run:
    """Look twice; what is taken in is added to the features in between."""
    W_q1, W_k1, W_v1, W_q2, W_k2 = matrices
    words, x = sentence(adjective)
    it = words.index("it")
    weights = ((x @ W_q1) @ (x @ W_k1).T).softmax(-1)
    taken_in = weights @ (x @ W_v1)
    x = x + taken_in
    scores = (x @ W_q2) @ (x @ W_k2).T
    second = scores.softmax(-1)
    return Run(adjective, words, weights[it], taken_in[it], scores[it], second[it])


def does_the_job(trial: Trial) -> Finding | None:
    """In each sentence 'it' puts at least 0.9 on the noun that the adjective needs."""
    matrices = _matrices(trial.result)
    if matrices is None:
        return Finding("twice-not-five", {"got": _kind(trial.result)})
    for name, matrix in zip(NAMES, matrices, strict=True):
        if finding := _misshapen(name, matrix):
            return finding
    for number in ("1", "2"):
        wide = [m.shape[1] for n, m in zip(NAMES, matrices) if n in _pair(number)]
        if wide[0] != wide[1]:
            facts = {"number": number, "wide_q": wide[0], "wide_k": wide[1]}
            return Finding("twice-widths-differ", facts)
    runs = [run(adjective, matrices) for adjective in FOUND]
    wrong = [r for r in runs if not r.right >= ENOUGH]
    if not wrong:
        return None
    return _verdict(wrong[0], runs, matrices)


def _pair(number: str) -> tuple[str, str]:
    return f"W_q{number}", f"W_k{number}"


def _verdict(wrong: Run, runs: list[Run], matrices: list[Tensor]) -> Finding:
    best = wrong.words[int(wrong.second.argmax())]
    facts = {
        "adjective": f"'{wrong.adjective}'",
        "wanted": f"'{FOUND[wrong.adjective]}'",
        "got": f"{wrong.right:.2f}",
        "winner": f"'{best}'",
        "weight": f"{wrong.second.max():.2f}",
        "heard": f"{wrong.first[-1]:.2f}",
    }
    evidence = {
        f"weights of 'it', {when} look-up, {r.adjective}": "  ".join(
            f"{word} {weight:.2f}"
            for word, weight in zip(r.words, row.tolist(), strict=True)
        )
        for r in runs
        for when, row in (("first", r.first), ("second", r.second))
    }
    return Finding(_mistake(wrong, runs, matrices), facts, evidence)


def _mistake(wrong: Run, runs: list[Run], matrices: list[Tensor]) -> str:
    W_q1, W_k1, W_v1, W_q2, W_k2 = matrices
    if not all(r.scores.isfinite().all() and r.first.isfinite().all() for r in runs):
        return "twice-too-large"
    for name, changed in (
        ("twice-order-swapped", [W_q2, W_k2, W_v1, W_q1, W_k1]),
        ("twice-first-roles-swapped", [W_k1, W_q1, W_v1, W_q2, W_k2]),
        ("twice-second-roles-swapped", [W_q1, W_k1, W_v1, W_k2, W_q2]),
        ("twice-sign-flipped", [W_q1, W_k1, W_v1, -W_q2, W_k2]),
        ("twice-value-transposed", [W_q1, W_k1, W_v1.T, W_q2, W_k2]),
    ):
        if all(run(a, changed).right >= ENOUGH for a in FOUND):
            return name
    if all(r.on(OTHER[r.adjective]) > 0.5 for r in runs):
        return "twice-nouns-exchanged"
    if wrong.first[-1] < 0.5:
        return "twice-adjective-not-found"
    if torch.equal(wrong.taken_in, torch.zeros(len(FEATURES))):
        return "twice-nothing-handed-over"
    if wrong.scores.max() - wrong.scores.min() < 1e-6:
        return "twice-second-is-flat"
    if (runs[0].scores[:-1] - runs[1].scores[:-1]).abs().max() < 1e-6:
        return "twice-adjective-ignored"
    best = wrong.words[int(wrong.second.argmax())]
    if best == "it":
        return "twice-finds-itself"
    if best == FOUND[wrong.adjective]:
        return "twice-too-weak"
    return "twice-another-word"


def _matrices(value: Any) -> list[Tensor] | None:
    if not isinstance(value, list | tuple) or len(value) != len(NAMES):
        return None
    try:
        return [torch.as_tensor(m).detach().float() for m in value]
    except (TypeError, ValueError, RuntimeError):
        return None


def _kind(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)} values"
    return f"a value of type {type(value).__name__}"


def _misshapen(name: str, matrix: Tensor) -> Finding | None:
    rows, shape = len(FEATURES), tuple(matrix.shape)
    right = matrix.dim() == 2 and shape[0] == rows and shape[1] > 0
    if right and (name != "W_v1" or shape[1] == rows):
        return None
    due = "(5, 5)" if name == "W_v1" else "(5, d_k)"
    return Finding("twice-misshapen", {"name": name, "got": shape, "due": due})


EXERCISES = [
    judged(
        "ask_twice",
        "two look-ups for 'it', with 'hungry' and with 'round'",
        does_the_job,
        praise=(
            "In the second look-up 'it' finds the dog if it is hungry and the ball if "
            "it is round, each with a weight of at least 0.9. No single look-up can."
        ),
    )
]
