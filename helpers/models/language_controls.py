"""Controls for lesson 10: a part left out, two rates, three times the steps.

They take an hour, so their results are on record here, and
`python -m tools.controls` repeats them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from helpers.models.language import log2_chances, train_language
from helpers.ngram import NGram
from helpers.tasks.alice import ALPHABET, encode, kinds_of_character, read_alice

SEEDS = (1011, 1012, 1013)
PARTS: Mapping[str, Mapping[str, Any]] = {
    "whole": {},
    "no residual": {"residual": False},
    "no attention": {"attention": False},
    "no positions": {"positions": False},
    "no MLP": {"hidden": 0},
    "no norm": {"norm": "none"},
    "post-norm": {"norm": "post"},
    "1 head": {"num_heads": 1},
    "1 layer, wider": {"num_layers": 1, "d_model": 68},
    "6 layers, no residual": {"num_layers": 6, "d_model": 28, "residual": False},
}
"""Arm -> options of LanguageModel."""
STEPS, RATES = (600, 1800), (3e-3, 1e-2)
LARGE = {"d_model": 64, "context": 64, "lr": 5e-3}
LARGER: Mapping[str, Mapping[str, Any]] = {
    "2400 steps": {**LARGE, "steps": 2400},
    "7200 steps": {**LARGE, "steps": 7200},
    "7200 steps, rate × 1/2": {**LARGE, "steps": 7200, "lr": 2.5e-3},
}
"""Arm -> options of train_language: a wider model that sees more and trains longer."""
MEASURES = ("test", "tune", "first letters", "other letters", "marks", "mixed")
"""What is on record of each run, in bits for each character.

The first is of chapter 12, the second of chapter 11, then come three kinds of character
of chapter 12. The last is chapter 12 once more, mixed with the Kneser–Ney model of
order 6; the share of each is chosen on chapter 11.
"""
RECORD = Path(__file__).with_name("language_controls.json")


def arms() -> dict[str, dict[str, Any]]:
    """Name of a run -> options of train_language."""
    found = {
        f"{part}, {steps} steps, rate {rate}": {**parts, "steps": steps, "lr": rate}
        for part, parts in PARTS.items()
        for steps in STEPS
        for rate in RATES
    }
    return found | {name: dict(options) for name, options in LARGER.items()}


def language_control(arm: str, seed: int) -> list[float]:
    """Train one arm and measure it: MEASURES, in bits."""
    train, tune, test = map(encode, read_alice())
    model = train_language(train, seed, **arms()[arm])
    rival = kneser_ney()
    own, other = [], []
    for data in (test, tune):
        own.append(log2_chances(model, data, model.context).numpy())
        other.append(np.log2(rival.chances(data)[1:]))
    kinds = kinds_of_character(read_alice().test)
    parts = [-own[0][kinds[1:] == kind].mean() for kind in (0, 1, 2)]
    share = best_share(own[1], other[1])
    both = mixed(own[0], other[0], share)
    return [float(x) for x in (-own[0].mean(), -own[1].mean(), *parts, -both.mean())]


@functools.cache
def kneser_ney(order: int = 6) -> NGram:
    """The rival, from the same text."""
    return NGram(encode(read_alice().train), order, len(ALPHABET))


def mixed(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """log2 of share · p + (1 - share) · q, from log2 p and log2 q."""
    return np.log2(share * 2.0**one + (1 - share) * 2.0**other)


def best_share(one: np.ndarray, other: np.ndarray) -> float:
    """The share of the first, in steps of 0.05, with which the two predict best."""
    shares = torch.linspace(0, 1, 21).tolist()
    return max(shares, key=lambda share: mixed(one, other, share).mean())


def recorded() -> dict[str, list[list[float]]]:
    """Name of a run -> for each of SEEDS what `language_control` returned."""
    return json.loads(RECORD.read_text(encoding="utf-8"))["language"]


def at_best_rate(part: str, steps: int) -> np.ndarray:
    """What is on record of an arm, at the rate that is better on chapter 11.

    Args:
        part: a key of PARTS.
        steps: one of STEPS.

    Returns:
        (seeds, MEASURES).
    """
    runs = recorded()
    found = [np.array(runs[f"{part}, {steps} steps, rate {rate}"]) for rate in RATES]
    return min(found, key=lambda values: values[:, MEASURES.index("tune")].mean())
