"""previous_token_matrix: a 2 x 2 matrix, made by hand, judged by where the weights go.

Nothing is compared with one right answer: any matrix that does the job is right.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from helpers.masks import create_causal_mask
from helpers.models.induction_by_hand import HOURS, clock

from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..judged import asked, judged
from ..space import Case, Finding

LENGTH = 20
ENOUGH = 0.9


def weights(matrix: torch.Tensor, causal: bool = True) -> torch.Tensor:
    """The map: (20, 20) with the causal mask, or (24, 24), once round the clock."""
    hands = clock(LENGTH if causal else HOURS)
    scores = hands @ matrix @ hands.T
    if causal:
        scores = scores.masked_fill(~create_causal_mask(LENGTH), -torch.inf)
    return scores.softmax(-1)


def works(matrix: torch.Tensor) -> bool:
    """Every query but the first has at least 0.9 on the position before it."""
    return bool(weights(matrix).diagonal(-1).min() >= ENOUGH)


def does_the_job(trial: Trial) -> Finding | None:
    """The verdict on a matrix."""
    matrix = _matrix(trial.result)
    if matrix is None:
        kind = type(trial.result).__name__
        return Finding("previous-no-matrix", {"got": f"a {kind}"})
    shape = tuple(matrix.shape)
    if shape in ((LENGTH, LENGTH), (HOURS, HOURS)):
        return Finding("previous-is-a-map", {"got": shape})
    if shape != (2, 2):
        return Finding("previous-misshapen", {"got": shape})
    odd = matrix[~matrix.isfinite()]
    if len(odd):
        facts = {"name": "the matrix", "count": len(odd), "total": 4}
        return Finding("matrix-not-finite", facts | {"bad": number(odd[0])})
    if works(matrix):
        return None
    found = weights(matrix)
    t = 1 + int(found.diagonal(-1).argmin())
    row = found[t]
    facts = {
        "t": t,
        "before": t - 1,
        "winner": int(row.argmax()),
        "most": f"{row.max():.2f}",
        "got": f"{row[t - 1]:.2f}",
    }
    mistake, more = _mistake(matrix)
    top = row.topk(min(3, t + 1))
    shown = "  ".join(
        f"position {int(j)}: {w:.2f}"
        for w, j in zip(top.values, top.indices, strict=True)
    )
    evidence = {f"largest weights of query {t}": shown, "your matrix": numbers(matrix)}
    return Finding(mistake, facts | more, evidence)


def _mistake(matrix: torch.Tensor) -> tuple[str, dict[str, Any]]:
    ring = weights(matrix, causal=False)
    scores = clock(HOURS) @ matrix @ clock(HOURS).T
    size = float(scores.abs().max())
    if size == 0 or float((scores.max(1).values - scores.min(1).values).max()) < 1e-9:
        return "previous-flat", {}
    best = ring.argmax(1)
    hours = (best - torch.arange(HOURS)) % HOURS
    if bool((best == best[0]).all()):
        return "previous-one-place", {"place": int(best[0])}
    if bool((hours == hours[0]).all()) and not _between(scores):
        return _turned(matrix, int(hours[0]))
    if _is_turned(matrix, math.degrees(2 * math.pi / HOURS)):
        return "previous-degrees", {}
    if _between(scores):
        return "previous-half-an-hour", {}
    if _works_if_longer(matrix.T):
        return "previous-transposed", {}
    longest, shortest = torch.linalg.svdvals(matrix).tolist()
    if shortest < 1e-6 * longest:
        return "previous-on-a-line", {}
    if float(torch.linalg.det(matrix)) < 0:
        return "previous-mirrored", {}
    if longest > 1.01 * shortest:
        sizes = {"longest": number(longest), "shortest": number(shortest)}
        return "previous-uneven", sizes
    return "previous-another-place", {}


def _turned(matrix: torch.Tensor, hours: int) -> tuple[str, dict[str, Any]]:
    if hours == HOURS - 1:
        size = number(matrix.norm() / math.sqrt(2))
        return "previous-spread", {"size": size}
    if _is_turned(matrix, math.degrees(2 * math.pi / HOURS)):
        return "previous-degrees", {}
    if hours == 1:
        return "previous-is-next", {}
    if hours == 0:
        return "previous-is-itself", {}
    if hours == HOURS - 2:
        return "previous-two-back", {}
    if hours == HOURS // 2 - 1:
        return "previous-negated", {}
    if hours == HOURS // 2 or hours == HOURS // 2 + 1:
        return "previous-opposite", {"hours": hours}
    back = HOURS - hours if hours > HOURS // 2 else hours
    way = "back" if hours > HOURS // 2 else "ahead"
    return "previous-wrong-hour", {"hours": f"{back} hours {way}"}


def _between(scores: torch.Tensor) -> bool:
    """Two hours share the highest score, in every row."""
    top = scores.topk(2, dim=1).values
    gap = scores.max() - scores.min()
    return bool((top[:, 0] - top[:, 1] < 1e-6 * gap).all())


def _is_turned(matrix: torch.Tensor, angle: float) -> bool:
    """Is it a turn by this angle (in radians), either way, times a positive number?"""
    c, s = math.cos(angle), math.sin(angle)
    turn = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
    size = matrix.norm() / math.sqrt(2)
    return any(
        bool((matrix - size * way).abs().max() < 1e-3 * size) for way in (turn, turn.T)
    )


def _works_if_longer(matrix: torch.Tensor) -> bool:
    return any(works(matrix * factor) for factor in (1.0, 200.0))


def _matrix(value: Any) -> torch.Tensor | None:
    try:
        if isinstance(value, list | tuple) and isinstance(value[0], torch.Tensor):
            value = torch.stack(tuple(value))
        matrix = torch.as_tensor(value).detach().cpu()
        return None if matrix.is_complex() else matrix.double()
    except (TypeError, ValueError, RuntimeError, IndexError):
        return None


EXERCISES = [
    judged(
        "previous_token_matrix",
        f"{LENGTH} positions",
        does_the_job,
        praise=(
            "Each of the positions 1 to 19 puts at least 0.9 of its weight on the one "
            "before it. One 2 × 2 matrix does that for all of them. Any matrix that "
            "does is right."
        ),
        cases=lambda seed: [Case("clock", f"{LENGTH} positions", (clock(LENGTH),))],
        argument_names=("hands",),
        call=asked,
        value=True,
    )
]
