"""rotate(x, places) -> x with its pairs of features turned, as rotary positions do."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import torch
from torch import Tensor

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise


def neighbours(x: Tensor) -> tuple[Tensor, Tensor]:
    """Features 0, 2, 4 …, and 1, 3, 5 …"""
    return x[..., 0::2], x[..., 1::2]


def halves(x: Tensor) -> tuple[Tensor, Tensor]:
    """The left and the right half of the features."""
    return x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]


def interleaved(a: Tensor, b: Tensor) -> Tensor:
    """The features of a and b in turn."""
    return torch.stack([a, b], dim=-1).flatten(-2)


def side_by_side(a: Tensor, b: Tensor) -> Tensor:
    """The features of a, then those of b."""
    return torch.cat([a, b], dim=-1)


by_neighbours = SimpleNamespace(split=neighbours, join=interleaved)
by_halves = SimpleNamespace(split=halves, join=side_by_side)
neighbours_to_halves = SimpleNamespace(split=neighbours, join=side_by_side)

LINES = {
    "d": ("x.shape[-1]", {}),
    "evens": (
        "torch.arange(0, d, 2).double()",
        {"torch.arange(d // 2).double()": "rotate-index-halved"},
    ),
    "rates": (
        "10_000.0 ** (-evens / d)",
        {
            "10_000.0 ** (evens / d)": "rotate-exponent-positive",
            "(10_000.0 ** (-evens / d)).flip(0)": "rotate-rates-reversed",
            "torch.ones_like(evens)": "rotate-one-rate",
            "1 / (evens + 1)": "rotate-no-base",
        },
    ),
    "at": (
        "places.double()",
        {
            "places.double() + 1": "rotate-places-from-one",
            "torch.arange(len(places)).double()": "rotate-places-ignored",
            "places.double() - places[0]": "rotate-places-ignored",
        },
    ),
    "angles": (
        "at[:, None] * rates",
        {
            "-at[:, None] * rates": "rotate-other-direction",
            "2 * math.pi * at[:, None] * rates": "rotate-in-turns",
        },
    ),
    "cos": ("angles.cos()", {}),
    "sin": ("angles.sin()", {}),
    "pairs": (
        "by_neighbours",
        {
            "by_halves": "rotate-halves",
            "neighbours_to_halves": "rotate-joined-as-halves",
        },
    ),
    "a": ("pairs.split(x)[0]", {}),
    "b": ("pairs.split(x)[1]", {}),
    "first": ("a * cos - b * sin", {"a * cos + b * sin": "rotate-sign-lost"}),
    "second": (
        "a * sin + b * cos",
        {
            "b * cos - a * sin": "rotate-sign-lost",
            "a * sin - b * cos": "rotate-mirrored",
        },
    ),
    "turned": (
        "pairs.join(first, second)",
        {
            "x + pairs.join(first, second)": "rotate-added",
            "pairs.join(a * cos, b * sin)": "rotate-only-scaled",
            "x": "rotate-nothing",
        },
    ),
    "returned": ("turned.float()", {}),
}
KNOWN = {
    "by_neighbours": by_neighbours,
    "by_halves": by_halves,
    "neighbours_to_halves": neighbours_to_halves,
}


def cases(seed: int) -> Sequence[Case]:
    """Places from 0, from elsewhere, with gaps; with and without batch and heads."""
    g = torch.Generator().manual_seed(9_101 + seed)

    def case(
        name: str, about: str, shape: Sequence[int], places: Tensor, *tags: str
    ) -> Case:
        x = torch.randn(*shape, generator=g)
        return Case(name, about, (x, places), frozenset(tags), 1e-3)

    later = "places that do not start at 0"
    return [
        case("plain", "7 tokens of width 6", (2, 3, 7, 6), torch.arange(7)),
        case("later", "places 11 to 15", (3, 2, 5, 10), torch.arange(11, 16), later),
        case("gaps", "places with gaps", (2, 3, 14), torch.tensor([2, 3, 17]), later),
        case("flat", "one head, no batch", (6, 6), torch.arange(6)),
        case("pair", "two features", (1, 2, 5, 2), torch.arange(5)),
    ]


EXERCISES = [
    Exercise(
        name="rotate",
        parts=("turned",),
        compute=Program("x places", LINES, **KNOWN),
        cases=cases,
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain")),
        symptoms=(behave.not_finite,),
    )
]
