"""create_causal_mask(seq_len) -> (seq_len, seq_len)."""

from __future__ import annotations

from collections.abc import Sequence

from ..program import Program
from ..space import Case, Departure, Values
from ._masks import SEES, VALUES, mask_exercise, unpack_square

LINES = {
    "n_k": (
        "seq_len",
        {
            "seq_len - 1": "causal-size-one-less",
            "seq_len + 1": "causal-size-one-more",
        },
    ),
    "i": ("torch.arange(n_k)[:, None]", {}),
    "j": ("torch.arange(n_k)", {}),
    "keep": SEES,
    "x": (
        VALUES[0],
        {
            **VALUES[1],
            "(j + 1) * keep": "causal-counts",
            "(i - j) * keep": "causal-distances",
        },
    ),
    "returned": (
        "x",
        {
            "x[:1]": "causal-one-row",
            "x[-1:]": "causal-one-row",
            "x.flatten()": "causal-flat",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """A few tokens, two, another number, a single one."""

    def case(n: int, *tags: str) -> Case:
        return Case(f"n{n}", f"seq_len = {n}", (n,), frozenset(tags), 1e-6)

    return [case(5), case(2), case(7 + seed % 3), case(1, "a single token")]


def fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """One size whatever seq_len is."""
    shapes = {tuple(v[0].shape) for v in seen if v is not None and len(v)}
    if len(shapes) != 1 or any(v is None for v in seen):
        return []
    (shape,) = shapes
    if len(shape) != 2 or shape[0] != shape[1] or not 0 < shape[0] < 500:
        return []
    return [Departure("causal-size-fixed", "n_k", str(shape[0]), {"size": shape[0]})]


EXERCISES = [
    mask_exercise(
        "create_causal_mask",
        "n5",
        compute=Program("seq_len", LINES),
        cases=cases,
        facts=lambda case, values: {"n": case.args[0]},
        fit=fit,
        unpack=unpack_square,
    )
]
