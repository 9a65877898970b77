"""The notebook's world around a learner's code: plain inside, put back afterwards."""

from __future__ import annotations

import contextlib
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

PLAIN: dict[str, Any] = {"grad": True, "threads": 1, "dtype": torch.float32}
PLAIN |= {"autocast on cpu": False, "autocast on cuda": False, "anomaly": False}
"""What a checked answer runs in, whatever the notebook has set."""

STATES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "torch's random numbers": (torch.get_rng_state, torch.set_rng_state),
    "Python's random numbers": (random.getstate, random.setstate),
    "grad": (torch.is_grad_enabled, torch.set_grad_enabled),
    "threads": (torch.get_num_threads, torch.set_num_threads),
    "dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "anomaly": (torch.is_anomaly_enabled, torch.set_anomaly_enabled),
    "deterministic": (
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
    ),
    "precision": (
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
    ),
    "recursion": (sys.getrecursionlimit, sys.setrecursionlimit),
    "search path": (lambda: list(sys.path), lambda path: sys.path.__init__(path)),
}
for _device in ("cpu", "cuda"):
    STATES[f"autocast on {_device}"] = (
        lambda device=_device: torch.is_autocast_enabled(device),
        lambda on, device=_device: torch.set_autocast_enabled(device, on),
    )


@contextlib.contextmanager
def untouched_world() -> Iterator[None]:
    """Restore on leaving what code can change for all: see STATES and below."""
    states = STATES | _of_numpy()
    found = {name: read() for name, (read, _) in states.items()}
    with contextlib.ExitStack() as stack:
        stack.callback(_put_back, states, found)
        stack.enter_context(_device_and_folder())
        stack.enter_context(_pictures())
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if torch.is_inference_mode_enabled():
            stack.enter_context(torch.inference_mode(False))
        _put_back(states, PLAIN)
        yield


def _put_back(states: dict[str, tuple], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        read, write = states[name]
        now = read()
        if isinstance(value, torch.Tensor) or "random" in name or now != value:
            write(value)


def _of_numpy() -> dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]]:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return {}
    return {
        "numpy's random numbers": (numpy.random.get_state, numpy.random.set_state),
        "numpy's warnings": (numpy.geterr, lambda kept: numpy.seterr(**kept)),
        "numpy's digits": (
            numpy.get_printoptions,
            lambda kept: numpy.set_printoptions(**kept),
        ),
    }


@contextlib.contextmanager
def _device_and_folder() -> Iterator[None]:
    """New tensors on the CPU inside; device, folder and environment as before after."""
    device, environment = torch.get_default_device(), dict(os.environ)
    try:
        folder = os.getcwd()
    except OSError:  # it was deleted
        folder = None
    try:
        with torch.device("cpu") if device.type != "cpu" else contextlib.nullcontext():
            yield
    finally:
        if torch.get_default_device() != device:
            torch.set_default_device(None if device.type == "cpu" else device)
        if folder is not None:
            os.chdir(folder)
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)


@contextlib.contextmanager
def _pictures() -> Iterator[None]:
    """No figure is left open, no setting of matplotlib is left changed."""
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is None:
        yield
        return
    before = plt.get_fignums()
    active = plt.gcf().number if before else None
    with plt.rc_context():
        try:
            yield
        finally:
            for number in set(plt.get_fignums()) - set(before):
                plt.close(number)
            if active is not None and plt.fignum_exists(active):
                plt.figure(active)
