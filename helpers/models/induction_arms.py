"""Who learns the puzzle of induction, given 2500 steps and two learning rates?

Each kind of model in ARMS is trained with each rate of RATES from each seed of SEEDS.
That takes a quarter of an hour, so what came out is on record beside this file, and
lesson 14 reads it from there. To measure it again and put it on record:

    python -m helpers.models.induction_arms

One run, without touching the record, is `run_arm("one layer", lr=0.003, seed=101)`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from helpers.models.induction import (
    FAST_ADAM,
    InductionNet,
    induction_accuracy,
    induction_answers,
    induction_loss,
)
from helpers.tasks.induction import induction_batch
from helpers.training import build, count_parameters, train

ARMS: dict[str, dict[str, Any]] = {
    "two layers": {"layers": 2},
    "one layer": {"layers": 1},
    "one layer, 3 × as wide": {"layers": 1, "d_model": 96},
    "one layer, 4 heads and an MLP": {"layers": 1, "num_heads": 4, "mlp": 256},
    "two, no positions": {"layers": 2, "positions": "none"},
    "three, no positions": {"layers": 3, "positions": "none"},
}
RATES = (0.003, 0.001)
SEEDS = (101, 1101)
STEPS, EVERY = 2500, 100
RECORD = Path(__file__).with_suffix(".json")


def run_arm(arm: str, lr: float, seed: int, steps: int = STEPS) -> dict[str, Any]:
    """Train one kind of model once, and measure it on new sequences.

    Args:
        arm: a name in ARMS.
        lr: the learning rate of Adam, the same at every step.
        seed: of the parameters and of the sequences.
        steps: training steps, of 64 sequences each.

    Returns:
        arm, lr, seed; parameters: how many; curve: the share of right answers among 500
        sequences, every 100 steps and at the end; right: that among 2000 others at the
        end; early, late: that where the answer is at positions 1 to 6, 13 to 18.
    """
    model = build(lambda: InductionNet(**ARMS[arm]), seed)
    watched = _new_sequences(seed + 4, 500)

    def watch(step: int, model: InductionNet, batch: Any) -> float | None:
        return None if step % EVERY else induction_accuracy(model, watched)

    settings = {"steps": steps, "lr": lr, "seed": seed, "optimizer": FAST_ADAM}
    seen = train(model, induction_batch, induction_loss, watch=watch, **settings)
    curve = [*seen[::EVERY], induction_accuracy(model, watched)]
    test = _new_sequences(seed + 1, 2000)
    hits = (induction_answers(model, test) == test.answer).double()
    return {
        "arm": arm,
        "lr": lr,
        "seed": seed,
        "parameters": count_parameters(model),
        "curve": [round(share, 3) for share in curve],
        "right": round(hits.mean().item(), 4),
        "early": round(hits[test.where <= 6].mean().item(), 4),
        "late": round(hits[test.where >= 13].mean().item(), 4),
    }


def arms_on_record() -> list[dict[str, Any]]:
    """All runs as `run_arm` returned them: every arm, rate and seed once.

    >>> len(arms_on_record()) == len(ARMS) * len(RATES) * len(SEEDS)
    True
    """
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _new_sequences(seed: int, count: int) -> Any:
    return induction_batch(torch.Generator().manual_seed(seed), count)


def main() -> None:
    """Run everything, and write the record."""
    runs = []
    for seed in SEEDS:
        for arm in ARMS:
            for lr in RATES:
                runs.append(run_arm(arm, lr, seed))
                print(f"{arm}, rate {lr}, seed {seed}: {runs[-1]['right']:.3f} right")
                _write(runs)


def _write(runs: list[dict[str, Any]]) -> None:
    lines = ",\n ".join(json.dumps(run, ensure_ascii=False) for run in runs)
    RECORD.write_text(f"[{lines}]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
