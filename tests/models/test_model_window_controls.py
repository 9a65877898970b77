"""The controls of lesson 12 that are on record."""

from __future__ import annotations

import inspect

import pytest

from helpers.models import window_controls as controls
from helpers.models.relay import train_relay
from helpers.models.resting import train_resting
from tools.controls import text

ARMS = {"relay": controls.RELAY, "sink": controls.SINK}


@pytest.mark.parametrize("task", list(ARMS))
def test_each_arm_is_on_record_with_each_seed(task):
    found = controls.recorded(task)
    assert list(found) == list(ARMS[task])
    assert all(len(runs) == len(controls.SEEDS) for runs in found.values())
    assert all(
        0 < share <= 1 for runs in found.values() for run in runs for share in run
    )


def test_every_option_is_one_of_the_training():
    own = {"layers", "nearest"}
    for arms, train in ((ARMS["relay"], train_relay), (ARMS["sink"], train_resting)):
        known = set(inspect.signature(train).parameters) | own
        assert all(set(options) <= known for options in arms.values())


def test_the_record_is_what_the_tool_writes():
    found = {task: controls.recorded(task) for task in ARMS}
    assert controls.RECORD.read_text(encoding="utf-8") == text(found)
