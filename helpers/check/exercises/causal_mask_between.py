"""causal_mask_between(n_q, n_k) -> (n_q, n_k); the queries stand last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..program import Program
from ..space import Case, Values
from ._masks import SEES, VALUES, mask_exercise, unpack_square

LINES = {
    "rows": ("n_q", {"n_k": "between-square"}),
    "columns": ("n_k", {"n_q": "between-square"}),
    "old": (
        "n_k - n_q",
        {
            "0": "between-top-left",
            "n_k - n_q - 1": "between-one-too-early",
            "n_k - n_q + 1": "between-one-too-late",
            "n_q - n_k": "between-offset-negated",
            "n_q": "between-offset-n-q",
            "n_k": "between-hides-nothing",
            "(n_k - n_q) // 2": "between-offset-halved",
        },
    ),
    "i": (
        "torch.arange(rows)[:, None] + (old if rows == n_q and columns == n_k else 0)",
        {},
    ),
    "j": ("torch.arange(columns)", {}),
    "keep": (
        SEES[0],
        {
            **SEES[1],
            "(j <= i) & (j >= n_k - n_q)": "between-cache-hidden",
            "(j <= i) & (j > i - n_q)": "between-window-of-n-q",
            "(j <= i.max()).expand(rows, -1)": "between-last-row-for-all",
        },
    ),
    "x": VALUES,
    "returned": (
        "x",
        {
            "x.T": "between-transposed",
            "x[:, n_k - n_q:]": "between-cache-cut-off",
            "x.T.reshape(n_q, n_k)": "between-reshaped",
            "torch.ones(n_k, n_q).tril(n_q - n_k)": "between-arguments-swapped",
            "x.roll(n_q - n_k, 1)": "between-cache-on-the-wrong-side",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Fewer queries than keys, a single query, as many."""

    def case(n_q: int, n_k: int, *tags: str) -> Case:
        about = f"{n_q} queries, {n_k} keys"
        return Case(f"{n_q}of{n_k}", about, (n_q, n_k), frozenset(tags), 1e-6)

    return [
        case(2, 5),
        case(3, 7 + seed % 3),
        case(3, 4),
        case(1, 5, "a single query"),
        case(4, 4, "as many queries as keys"),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """The number of old keys."""
    n_q, n_k = case.args
    return {"old": n_k - n_q}


EXERCISES = [
    mask_exercise(
        "causal_mask_between",
        "2of5",
        compute=Program("n_q n_k", LINES),
        cases=cases,
        facts=facts,
        unpack=unpack_square,
    )
]
