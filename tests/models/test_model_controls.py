"""The controls that are on record."""

from __future__ import annotations

import inspect
import json

import pytest

from helpers.interpret import controls as maps
from helpers.models import controls
from helpers.models.coref import train_coref
from helpers.models.memory import train_memory
from helpers.models.places import train_places
from helpers.models.sequence import train_needle, train_stream
from helpers.models.sharing import train_sharing
from helpers.models.shortcut import train_told
from tools.controls import TASKS, differ, text


def recorded(home):
    return json.loads(home.RECORD.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TASKS)
def test_each_arm_is_on_record_with_each_seed(name):
    task = TASKS[name]
    found = recorded(task.home)[name]
    assert list(found) == list(task.arms)
    assert all(len(runs) == len(task.home.SEEDS) for runs in found.values())
    shares = [share for runs in found.values() for run in runs for share in run]
    assert all(share >= 0 for share in shares)


def test_every_option_is_one_of_the_training():
    for arms, train in (
        (controls.NEEDLE, train_needle),
        (controls.STREAM, train_stream),
        (controls.MEMORY, train_memory),
        (controls.PLACES, train_places),
        (controls.SHARING, train_sharing),
        (maps.MAP, train_coref),
        (maps.TOLD, train_told),
    ):
        known = set(inspect.signature(train).parameters)
        assert all(set(options) <= known for options in arms.values())


def test_the_record_is_what_the_tool_writes():
    for home in {task.home for task in TASKS.values()}:
        assert home.RECORD.read_text(encoding="utf-8") == text(recorded(home))


def test_a_share_that_moved_is_seen():
    assert differ([[0.2, 0.5]], [[0.2, 0.6]])
    assert not differ([[0.2, 0.5]], [[0.21, 0.49]])
