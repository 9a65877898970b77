"""How time is taken, on a clock of our own: no test waits for a real one."""

from __future__ import annotations

import time

import pytest
import torch

from helpers.measure import one_thread, seconds, seconds_in_turn, time_ratio


@pytest.fixture
def clock(monkeypatch):
    """A clock that calls advance themselves: clock.now += seconds."""

    class Clock:
        now = 0.0

    monkeypatch.setattr(time, "process_time", lambda: Clock.now)
    monkeypatch.setattr(time, "perf_counter", lambda: Clock.now)
    return Clock


def lasting(clock, *durations):
    """A call that lasts so long, then so long, …; the last duration for ever."""
    left = list(durations)

    def call():
        call.times += 1
        clock.now += left.pop(0) if len(left) > 1 else left[0]

    call.times = 0
    return call


def test_the_warm_up_does_not_count_and_the_median_does(clock):
    # warm-up, trial, then five measurements, one of them disturbed
    call = lasting(clock, 99, 1, 1, 50, 1.25, 1.5, 2)
    assert seconds(call, runs=5, least=0.5) == 1.5
    assert call.times == 7


def test_a_short_call_is_repeated(clock):
    call = lasting(clock, 0.125)
    assert seconds(call, runs=3, least=1.0) == 0.125
    assert call.times == 2 + 3 * 8


def test_calls_are_measured_in_turn_and_in_changing_order(clock):
    order = []

    def named(name, duration):
        def call():
            order.append(name)
            clock.now += duration

        return call

    calls = [named("a", 1), named("b", 2), named("c", 4)]
    assert seconds_in_turn(calls, runs=3, least=0.1) == [1, 2, 4]
    assert "".join(order) == "aabbcc" + "abc" + "cba" + "abc"


def test_a_ratio_is_that_of_neighbours(clock):
    # the machine slows down fourfold; each pair is hit alike
    ours = lasting(clock, 3, 3, 3, 12, 12)
    theirs = lasting(clock, 2, 2, 2, 8, 8)
    assert time_ratio(ours, theirs, runs=3, least=0.1) == 1.5


def test_on_a_device_it_waits_before_and_after(clock, monkeypatch):
    order = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: order.append("wait"))
    monkeypatch.setattr(time, "process_time", lambda: pytest.fail("the wrong clock"))

    def call():
        order.append("call")
        clock.now += 1

    assert seconds(call, runs=1, device="cuda:0") == 1
    assert order == ["wait", "call", "wait"] * 3


def test_one_thread_and_then_as_before():
    torch.set_num_threads(2)
    seen = []
    with one_thread():
        seen.append(torch.get_num_threads())
    with pytest.raises(RuntimeError), one_thread():
        raise RuntimeError
    assert seen + [torch.get_num_threads()] == [1, 2]


@pytest.mark.parametrize("runs", [0, -1])
def test_at_least_one_run(runs):
    with pytest.raises(ValueError, match="at least 1"):
        seconds(lambda: None, runs=runs)
    with pytest.raises(ValueError, match="at least 1"):
        time_ratio(lambda: None, lambda: None, runs=runs)
