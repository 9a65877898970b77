"""Controls for lesson 07: are its two verdicts a matter of too little training?

Like those in `helpers.models.controls`, they are on record, and
`python -m tools.controls` repeats them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from helpers.interpret.coref_explanations import explain
from helpers.interpret.erasing import kept_by
from helpers.models.coref import coref_answers, train_coref
from helpers.models.shortcut import train_told
from helpers.tasks.coref import draw_sentences, pad_sentences
from helpers.tasks.shortcut import cue_sentences

MAP: Mapping[str, Mapping[str, Any]] = {
    "600 steps": {"steps": 600, "lr": 4e-3},
    "1800 steps": {"steps": 1800, "lr": 4e-3},
    "1800 steps, learning rate × 1/2": {"steps": 1800, "lr": 2e-3},
}
"""Arm -> options of train_coref, for the coreference model."""
TOLD: Mapping[str, Mapping[str, Any]] = {
    "500 steps": {},
    "1500 steps": {"steps": 1500},
    "1500 steps, learning rate × 1/2": {"steps": 1500, "lr": 2e-3},
}
"""Arm -> options of train_told, for the shortcut model."""


def map_control(arm: str, seed: int) -> list[float]:
    """What the two words of map 2 keep of the answer's probability; chance is 0.25."""
    drawn = draw_sentences(torch.Generator().manual_seed(seed + 3), 300, held_out=True)
    new = [sentence for sentence in drawn if sentence.genders_differ][:150]
    batch, model = pad_sentences(new), train_coref(seed, **MAP[arm])
    return [kept_by(model, batch, {"map 2": explain(model, batch)["map 2"]})["map 2"]]


def told_control(arm: str, seed: int) -> list[float]:
    """The share right where the thing lies; chance is 1/3."""
    g = torch.Generator().manual_seed(seed + 6)
    drawn = cue_sentences(g, 300, "lies", held_out=True)
    lies = pad_sentences([s for s in drawn if s.genders_differ][:150])
    model = train_told(seed, shortcut=True, **TOLD[arm])
    return [(coref_answers(model, lies) == lies.pronoun).float().mean().item()]
