"""Controls for lesson 12: did what failed get its chance?

Relay: the same stack is trained to answer at one distance only, with more steps and
another rate. Sink: nulls beside a first token, and more training. The runs take
minutes, so their results are on record here; `python -m tools.controls` repeats them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from helpers.models.relay import right_at, train_relay
from helpers.models.resting import right_in_stream, train_resting
from helpers.tasks.flag import last_asked_batch
from helpers.tasks.requests import WINDOW, request_batch
from helpers.windows import create_window_mask

SEEDS = (1203, 1204)
RELAY: Mapping[str, Mapping[str, Any]] = {
    "2 layers, farthest only": {"layers": 2},
    "4 layers, farthest only": {"layers": 4},
    "4 layers, farthest only, 900 steps": {"layers": 4, "steps": 900},
    "4 layers, farthest only, 900 steps, learning rate × 2/5": {
        "layers": 4,
        "steps": 900,
        "lr": 2e-3,
    },
    "4 layers, last token only, all distances": {"layers": 4, "nearest": 1},
}
"""Arm -> number of layers with windows of 5, nearest flag, options of train_relay."""
SINK: Mapping[str, Mapping[str, Any]] = {
    "as above": {},
    "1800 steps": {"steps": 1800},
    "null with score 0": {"null": "zero"},
    "null with score 0, 1800 steps": {"null": "zero", "steps": 1800},
    "null with score 0, learning rate × 1/2": {"null": "zero", "lr": 5e-3},
    "null with learned score": {"null": "learned"},
}
"""Arm -> options of train_resting."""
RECORD = Path(__file__).with_name("window_controls.json")


def relay_control(arm: str, seed: int) -> list[float]:
    """The share of flags named by the last token at the farthest distance."""
    options = dict(RELAY[arm])
    layers = options.pop("layers")
    farthest = 4 * layers
    nearest = options.pop("nearest", farthest)
    model = train_relay(
        [5] * layers,
        seed,
        draw=lambda g: last_asked_batch(g, nearest, farthest),
        **options,
    )
    return [right_at(model, farthest, seed + 1)]


def sink_control(arm: str, seed: int) -> list[float]:
    """Shares of quiet tokens right once BOS is evicted, and while it is kept."""
    model = train_resting(seed, **SINK[arm])
    test = request_batch(torch.Generator().manual_seed(seed + 1), 200, n=80)
    evicted = right_in_stream(model, test, create_window_mask(80, WINDOW))
    kept = right_in_stream(model, test, create_window_mask(80, WINDOW - 1, sinks=1))
    return [evicted[0], kept[0]]


def recorded(task: str) -> dict[str, list[list[float]]]:
    """What is on record.

    Args:
        task: "relay" or "sink".

    Returns:
        arm -> for each of SEEDS what `relay_control` or `sink_control` returned.
    """
    return json.loads(RECORD.read_text(encoding="utf-8"))[task]
