"""rolling_cache_step(K, V, k, v, sinks, window) -> K, V and the keys' positions."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise


def kept(n: int, sinks: int, window: int) -> Tensor:
    """The places of the first `sinks` and the last `window` of n tokens, each once."""
    place = torch.arange(n)
    return place[(place < sinks) | (place >= n - max(window, 0))]


def sliced(n: int, sinks: int, window: int) -> Tensor:
    """The same by slices, which overlap while the cache is not full."""
    place = torch.arange(n)
    return torch.cat([place[:sinks], place[-window:]])


def one_out(n: int, sinks: int, window: int) -> Tensor:
    """All places, or all but the oldest after the sinks."""
    place = torch.arange(n)
    return place if n <= sinks + window else place[place != sinks]


def recent_first(n: int, sinks: int, window: int) -> Tensor:
    """The right places, with the first tokens at the end."""
    place = kept(n, sinks, window)
    return torch.cat([place[sinks:], place[:sinks]])


LINES = {
    "both": (
        "(torch.cat([K, k], 2), torch.cat([V, v], 2))",
        {
            "(torch.cat([k, K], 2), torch.cat([v, V], 2))": "roll-newest-in-front",
            "(K, V)": "roll-token-not-added",
        },
    ),
    "keys": ("both[0]", {}),
    "values": ("both[1]", {}),
    "n": ("keys.shape[2]", {}),
    "places": (
        "kept(n, sinks, window)",
        {
            "kept(n, 0, window)": "roll-no-sink",
            "kept(n, 0, sinks + window)": "roll-no-sink",
            "kept(n, sinks, window - sinks)": "roll-sink-in-window",
            "kept(n, sinks, window + 1)": "roll-evicts-too-late",
            "kept(n, sinks, window - 1)": "roll-window-one-short",
            "sliced(n, sinks, window)": "roll-keys-twice",
            "torch.arange(n)[: sinks + window]": "roll-newest-dropped",
            "torch.arange(n)": "roll-nothing-evicted",
            "one_out(n, sinks, window)": "roll-one-evicted-only",
            "recent_first(n, sinks, window)": "roll-recent-first",
        },
    ),
    "new_K": ("keys[:, :, places]", {"keys": "roll-keys-not-evicted"}),
    "new_V": ("values[:, :, places]", {"values": "roll-values-not-evicted"}),
    "positions": (
        "torch.arange(len(places))",
        {
            "places": "roll-positions-of-the-text",
            "torch.arange(len(places)).flip(0)": "roll-positions-backwards",
            "torch.arange(len(places)) + 1": "roll-positions-from-one",
            "torch.arange(n)[-len(places) :]": "roll-positions-shifted",
            "torch.arange(n)": "roll-positions-of-all",
        },
    ),
    "returned": (
        "(new_K, new_V, positions)",
        {
            "(new_V, new_K, positions)": "roll-returns-swapped",
            "(new_K, new_V)": "roll-positions-missing",
        },
    ),
}
PROGRAM = Program(
    "K V k v sinks window",
    LINES,
    kept=kept,
    sliced=sliced,
    one_out=one_out,
    recent_first=recent_first,
)


def cases(seed: int) -> Sequence[Case]:
    """Caches that are full, nearly full, empty, and overfull after a prompt."""
    g = torch.Generator().manual_seed(12_101 + seed)

    def case(
        name: str, about: str, n: int, sinks: int, window: int, *tags: str
    ) -> Case:
        K, k = (
            torch.randn(2, 3, n, 5, generator=g),
            torch.randn(2, 3, 1, 5, generator=g),
        )
        V, v = (
            torch.randn(2, 3, n, 7, generator=g),
            torch.randn(2, 3, 1, 7, generator=g),
        )
        about = f"{about}: {n} keys, {sinks} sinks, a window of {window}"
        return Case(name, about, (K, V, k, v, sinks, window), frozenset(tags))

    full, room, prompt = "a full cache", "room left", "more keys than fit"
    return [
        case("full", full, 6, 2, 4),
        case("no sink", full, 5, 0, 5, "no sinks"),
        case("last room", room, 5, 2, 4, room),
        case("few", room, 3, 2, 4, room),
        case("one", room, 1, 2, 4, room),
        case("empty", "an empty cache", 0, 2, 4, room, "an empty cache"),
        case("prompt", prompt, 11, 2, 4, prompt),
        case("wide", full, 8, 3, 5),
    ]


EXERCISES = [
    Exercise(
        name="rolling_cache_step",
        parts=("keys", "values", "positions"),
        compute=PROGRAM,
        cases=cases,
        facts=lambda case, values: {"n": case.args[0].shape[2]},
        behaviours=(behave.arguments_untouched, behave.calls_agree("full")),
        symptoms=(behave.not_finite,),
    )
]
