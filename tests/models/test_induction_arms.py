"""The long runs of lesson 14: the record is whole, and its code still gives it."""

from __future__ import annotations

import pytest

from helpers.models.induction_arms import (
    ARMS,
    EVERY,
    RATES,
    SEEDS,
    STEPS,
    arms_on_record,
    run_arm,
)


def test_every_arm_rate_and_seed_is_on_record_once() -> None:
    runs = arms_on_record()
    found = sorted((run["arm"], run["lr"], run["seed"]) for run in runs)
    assert found == sorted((a, r, s) for a in ARMS for r in RATES for s in SEEDS)
    assert all(len(run["curve"]) == STEPS // EVERY + 1 for run in runs)


@pytest.mark.parametrize("arm", ["one layer", "one layer, 4 heads and an MLP"])
def test_the_first_steps_come_out_as_recorded(arm: str) -> None:
    """The curve at steps 0, 100 and 200; another CPU may differ in an answer or two."""
    (known,) = (
        run
        for run in arms_on_record()
        if (run["arm"], run["lr"], run["seed"]) == (arm, RATES[0], SEEDS[0])
    )
    again = run_arm(arm, RATES[0], SEEDS[0], steps=200)
    assert again["parameters"] == known["parameters"]
    assert again["curve"] == pytest.approx(known["curve"][:3], abs=0.03)
