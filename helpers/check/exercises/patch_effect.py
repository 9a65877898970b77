"""patch_effect(run, clean, other, layer, position, readout) -> a share.

The networks are made up: small, of random matrices, with an attention of one head.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise, one_number

D, DEPTH = 7, 5


class Network:
    """Call it with the vectors that enter a layer; it returns the last ones."""

    def __init__(self, generator: torch.Generator) -> None:
        shape = (DEPTH, 3, D, D)
        self.matrices = torch.randn(shape, generator=generator).double() * D**-0.5

    def __call__(self, x: Tensor, layer: int) -> Tensor:
        """Run this layer and those after it."""
        for number in range(int(layer), DEPTH):
            x = self.step(x, number)
        return x

    def __repr__(self) -> str:
        return f"a network of {DEPTH} layers"

    def step(self, x: Tensor, number: int) -> Tensor:
        """One layer."""
        asks, offers, values = self.matrices[number].to(x.dtype)
        weights = ((x @ asks) @ (2 * x @ offers).mT).softmax(-1)
        return torch.tanh(0.8 * x + 1.5 * weights @ x @ values)

    def states(self, x: Tensor) -> Tensor:
        """(DEPTH + 1, T, D): what goes in, and what each layer makes."""
        found = [x]
        for number in range(DEPTH):
            found.append(self.step(found[-1], number))
        return torch.stack(found)


def put(x: Tensor, where: int | slice, vectors: Tensor) -> Tensor:
    """x, with the vectors of another run at one position, or at all of them."""
    x = x.clone()
    x[where] = vectors[where]
    return x


LINES = {
    "runs": ("(clean, other)", {"(other, clean)": "patch-runs-exchanged"}),
    "at": (
        "layer",
        {
            "min(layer + 1, len(clean) - 1)": "patch-layer-off-by-one",
            "max(layer - 1, 0)": "patch-layer-off-by-one",
        },
    ),
    "pair": (
        "(runs[0][at], runs[1][at])",
        {
            "(runs[1][at], runs[0][at])": "patch-into-the-other-run",
            "(runs[0][at], torch.zeros_like(runs[0][at]))": "patch-with-zeros",
            "(runs[0][at], runs[0][at] + runs[1][at])": "patch-added",
            "(runs[0][at], runs[1][0])": "patch-vector-of-layer-0",
            "(runs[0][at], runs[1][-1])": "patch-last-vector",
        },
    ),
    "where": (
        "position",
        {
            "position - 1": "patch-position-off-by-one",
            "position + 1": "patch-position-off-by-one",
            "slice(None)": "patch-whole-layer",
            "readout": "patch-at-the-readout",
        },
    ),
    "patched": ("put(pair[0], where, pair[1])", {}),
    "start": (
        "at",
        {"at + 1": "patch-layer-skipped", "0": "patch-run-from-layer-0"},
    ),
    "ends": (
        "(run(patched, start), runs[0][-1], runs[1][-1])",
        {
            "(patched, runs[0][at], runs[1][at])": "patch-not-run-on",
            "(patched, runs[0][-1], runs[1][-1])": "patch-not-run-on",
            "(run(patched, start), pair[0], pair[1])": "patch-compared-in-the-layer",
        },
    ),
    "vectors": (
        "[end[readout] for end in ends]",
        {
            "[end[position] for end in ends]": "patch-read-where-patched",
            "[end.flatten() for end in ends]": "patch-read-everywhere",
            "[end.mean(0) for end in ends]": "patch-read-everywhere",
        },
    ),
    "moved": (
        "vectors[0] - vectors[1]",
        {
            "vectors[2] - vectors[0]": "patch-share-left",
            "vectors[0]": "patch-clean-not-subtracted",
        },
    ),
    "turn": (
        "vectors[2] - vectors[1]",
        {
            "vectors[1] - vectors[2]": "patch-sign-turned",
            "vectors[2]": "patch-clean-not-subtracted",
        },
    ),
    "effect": (
        "moved @ turn / (turn @ turn)",
        {
            "moved.norm() / turn.norm()": "patch-length-only",
            "moved @ moved / (turn @ turn)": "patch-length-only",
            "1 - (turn - moved).norm() / turn.norm()": "patch-distance-left",
            "F.cosine_similarity(moved, turn, dim=0)": "patch-direction-only",
            "F.cosine_similarity(vectors[0], vectors[2], dim=0)": "patch-likeness",
            "moved @ turn": "patch-not-divided",
            "moved @ turn / turn.norm()": "patch-divided-by-the-length",
            "moved @ turn / (moved @ moved)": "patch-divided-by-the-move",
            "(moved / turn).mean()": "patch-mean-of-quotients",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Early and late layers, the readout itself and other positions, two lengths."""
    found = []
    for number, (tokens, layer, position, readout) in enumerate(
        (
            (6, 2, 3, 4),
            (6, 3, 4, 4),
            (8, 1, 6, 3),
            (8, 2, 3, 3),
            (6, 4, 2, 3),
            (8, 3, 5, 2),
        )
    ):
        generator = torch.Generator().manual_seed(100 * seed + number)
        network = Network(generator)
        x = torch.randn(tokens, D, generator=generator).double()
        changed = x.clone()
        changed[-2] = torch.randn(D, generator=generator).double()
        about = f"layer {layer}, position {position}, read at position {readout}"
        states = network.states(x), network.states(changed)
        args = (network, *states, layer, position, readout)
        found.append(Case(f"patch{number}", about, args, tol=1e-6))
    return found


EXERCISES = [
    Exercise(
        name="patch_effect",
        parts=("effect",),
        compute=Program("run clean other layer position readout", LINES, put=put),
        cases=cases,
        unpack=one_number,
        behaviours=(behave.arguments_untouched,),
    )
]
