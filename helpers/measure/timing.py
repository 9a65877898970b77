"""Time of a call, measured so that it can be believed on a machine that is shared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

Call = Callable[[], Any]


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside: PyTorch computes with one thread. Afterwards: with as many as before."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def seconds(
    call: Call,
    *,
    runs: int = 5,
    least: float = 0.02,
    device: torch.device | str = "cpu",
) -> float:
    """Seconds that one call takes: the median of several runs, after a warm-up.

    On the CPU it is measured with one thread and in CPU time, in which other programs
    do not count. On a GPU it is wall time: the CPU only hands work over there, so we
    wait until the device is done, before and after.

    Args:
        call: takes no arguments; what it returns is dropped.
        runs: measurements, of which the median is taken.
        least: seconds that a measurement should last; a short call is repeated.
        device: where the call computes.

    Returns:
        seconds per call.

    Raises:
        ValueError: if runs is below 1.
    """
    return seconds_in_turn([call], runs=runs, least=least, device=device)[0]


def seconds_in_turn(
    calls: Sequence[Call],
    *,
    runs: int = 5,
    least: float = 0.02,
    device: torch.device | str = "cpu",
) -> list[float]:
    """Seconds of several calls that are to be compared: the median of each.

    Each round measures all of them, one after the other and in changing order, so that
    a slow phase of the machine affects all of them alike.

    Args:
        calls: take no arguments.
        runs, least, device: as in `seconds`.

    Returns:
        seconds per call, in the order of the calls.

    Raises:
        ValueError: if runs is below 1.
    """
    rounds = rounds_in_turn(calls, runs=runs, least=least, device=device)
    return [statistics.median(taken) for taken in zip(*rounds)]


def time_ratio(
    ours: Call,
    theirs: Call,
    *,
    runs: int = 5,
    least: float = 0.02,
    device: torch.device | str = "cpu",
) -> float:
    """How many times as long one call takes as another: the median over the rounds.

    Args:
        ours, theirs: take no arguments.
        runs, least, device: as in `seconds`.

    Returns:
        time of ours / time of theirs.

    Raises:
        ValueError: if runs is below 1.
    """
    rounds = rounds_in_turn([ours, theirs], runs=runs, least=least, device=device)
    return statistics.median(mine / other for mine, other in rounds)


def rounds_in_turn(
    calls: Sequence[Call],
    *,
    runs: int = 5,
    least: float = 0.02,
    device: torch.device | str = "cpu",
) -> list[list[float]]:
    """Seconds of several calls, round by round, for figures other than the median.

    Args:
        calls: take no arguments.
        runs, least, device: as in `seconds`.

    Returns:
        seconds per call: one list per round, in the order of the calls.

    Raises:
        ValueError: if runs is below 1.
    """
    if runs < 1:
        raise ValueError(f"runs is {runs}, but at least 1 measurement is needed")
    kind = torch.device(device).type
    rounds = []
    with one_thread():
        repeats = []
        for call in calls:
            _measure(call, 1, kind)  # warm-up
            once = _measure(call, 1, kind)
            repeats.append(max(1, round(least / max(once, 1e-7))))
        for turn in range(runs):
            taken = [0.0] * len(calls)
            order = range(len(calls))
            for i in order if turn % 2 == 0 else reversed(order):
                taken[i] = _measure(calls[i], repeats[i], kind)
            rounds.append(taken)
    return rounds


def _measure(call: Call, repeats: int, kind: str) -> float:
    clock = time.process_time if kind == "cpu" else time.perf_counter
    _synchronise(kind)
    start = clock()
    for _ in range(repeats):
        call()
    _synchronise(kind)
    return (clock() - start) / repeats


def _synchronise(kind: str) -> None:
    if kind != "cpu":
        getattr(torch, kind).synchronize()
