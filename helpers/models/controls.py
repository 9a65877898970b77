"""Controls for lessons 01, 09, 11 and 13: did the losers get their chance?

Each arm changes something about a run of the lesson: more steps, another learning rate,
another start, more width. They take minutes, so their results are on record here, and
`python -m tools.controls` repeats them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from helpers.models.memory import memory_right, train_memory
from helpers.models.places import LONGEST, right_by_query, train_places
from helpers.models.sequence import (
    needle_accuracy,
    stream_accuracy,
    train_needle,
    train_stream,
)
from helpers.models.sharing import sharing_right, train_sharing
from helpers.tasks.pairs import pairs_batch
from helpers.tasks.places import back_batch

SEEDS = (301, 302)
DISTANCE = 32
NEEDLE: Mapping[str, Mapping[str, Any]] = {
    "LSTM, 900 steps": {"kind": "lstm", "steps": 900},
    "LSTM, 900 steps, learning rate × 2": {"kind": "lstm", "steps": 900, "lr": 1e-2},
    "LSTM, 3000 steps": {"kind": "lstm", "steps": 3000},
    "RNN, 900 steps": {"kind": "rnn", "steps": 900},
    "RNN, 900 steps, learning rate × 2": {"kind": "rnn", "steps": 900, "lr": 1e-2},
}
"""Arm -> options of train_needle, at distance 32."""
STREAM: Mapping[str, Mapping[str, Any]] = {
    "as above": {},
    "forget bias 5": {"forget_bias": 5.0},
    "learning rate × 1/2": {"lr": 2.5e-3},
    "learning rate × 2": {"lr": 1e-2},
    "state × 2": {"times_wider": 2},
    "steps × 4": {"steps": 2400},
    "the last three together": {"lr": 1e-2, "times_wider": 2, "steps": 2400},
}
"""Arm -> options of train_stream, for the LSTM."""
MEMORY: Mapping[str, Mapping[str, Any]] = {
    "400 steps": {},
    "1200 steps": {"steps": 1200},
    "learning rate × 3": {"lr": 0.03},
}
"""Arm -> options of train_memory, for the plain sum with d_k = 8."""
PLACES: Mapping[str, Mapping[str, Any]] = {
    "rotation, 400 steps": {"scheme": "rotation"},
    "rotation, 1600 steps": {"scheme": "rotation", "steps": 1600},
    "rotation, 1600 steps, learning rate × 3": {
        "scheme": "rotation",
        "steps": 1600,
        "lr": 1e-2,
    },
    "distances, 400 steps": {"scheme": "distances"},
    "distances, 1600 steps": {"scheme": "distances", "steps": 1600},
}
"""Arm -> options of train_places, for the task "back"."""
SHARING: Mapping[str, Mapping[str, Any]] = {
    "1 key head, 800 steps": {"key_heads": 1},
    "1 key head, 2400 steps": {"key_heads": 1, "steps": 2400},
    "1 key head, 2400 steps, learning rate × 1/2": {
        "key_heads": 1,
        "steps": 2400,
        "lr": 5e-3,
    },
    "2 key heads, 800 steps": {"key_heads": 2},
    "2 key heads, 2400 steps": {"key_heads": 2, "steps": 2400},
}
"""Arm -> options of train_sharing, for the task "keys" and d_k = 4."""
RECORD = Path(__file__).with_name("sequence_controls.json")


def needle_control(arm: str, seed: int) -> list[float]:
    """The share recalled at distance 32, after the training that the arm names."""
    options = dict(NEEDLE[arm])
    model = train_needle(options.pop("kind"), DISTANCE, seed, **options)
    return [needle_accuracy(model, DISTANCE, seed)]


def stream_control(arm: str, seed: int) -> list[float]:
    """The shares recalled of the newest and of the oldest pairs."""
    shares = stream_accuracy(train_stream("lstm", seed, **STREAM[arm]), seed)
    return [shares[0], shares[-1]]


def memory_control(arm: str, seed: int) -> list[float]:
    """The share of right answers with 57 to 64 pairs in the state."""
    test = pairs_batch(torch.Generator().manual_seed(seed + 1), batch=500)
    model = train_memory("plain", 8, seed, **MEMORY[arm])
    return [memory_right(model, test)[:, -8:].mean().item()]


def places_control(arm: str, seed: int) -> list[float]:
    """The share of the last eight of 128 tokens that find the letter three back."""
    test = back_batch(torch.Generator().manual_seed(seed + 1), LONGEST, 300)
    model = train_places("back", seed=seed, **PLACES[arm])
    return [right_by_query(model, test)[-8:].mean().item()]


def sharing_control(arm: str, seed: int) -> list[float]:
    """The share of right answers, over the four sets of keys."""
    model = train_sharing("keys", 4, seed, **SHARING[arm])
    return [sharing_right(model, "keys", seed + 1).mean().item()]


def recorded(task: str) -> dict[str, list[list[float]]]:
    """What is on record.

    Args:
        task: "needle", "stream", "memory", "places", "sharing", or one of
            `helpers.interpret.controls`: "map", "told".

    Returns:
        arm -> for each of SEEDS what the control of that name returned.

    >>> list(recorded("needle"))[0]
    'LSTM, 900 steps'
    """
    return json.loads(RECORD.read_text(encoding="utf-8"))[task]
