"""One seeded training loop, and the settings under which its results repeat."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Inside: seeded, one thread, denormals flushed to zero. Afterwards: as before.

    One thread, because sums in another order round differently. Denormals (numbers
    below 1e-38) flushed, because a saturated softmax makes so many of them that
    training takes up to ten times as long.

    Args:
        seed: seeds PyTorch's and Python's global generators.
    """
    threads, flushed = torch.get_num_threads(), _denormals_are_flushed()
    python_state = random.getstate()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        random.seed(seed)
        torch.set_num_threads(1)
        torch.set_flush_denormal(True)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            torch.set_flush_denormal(flushed)
            random.setstate(python_state)


def build(make: Callable[[], Model], seed: int) -> Model:
    """A module whose initial parameters depend on the seed alone.

    Args:
        make: called without arguments, returns the module.
        seed: the seed of its parameters. The global generators are left as they were.
    """
    with repeatable(seed):
        return make()


def train(
    model: nn.Module,
    batch: Callable[[torch.Generator], Any],
    loss: Callable[[nn.Module, Any], Tensor],
    *,
    steps: int,
    lr: float,
    seed: int,
    parameters: Iterable[Any] | None = None,
    optimizer: type[torch.optim.Optimizer] = torch.optim.Adam,
    weight_decay: float = 0.0,
    decay: bool = False,
    clip: float | None = None,
    watch: Callable[[int, nn.Module, Any], Any] | None = None,
    until: Callable[[list[Any]], bool] | None = None,
    label: str = "training",
) -> list[Any]:
    """Train a small model in place; the same call gives the same parameters again.

    Args:
        model: the module to train; it is left in the mode it came in.
        batch: gets the loop's own `torch.Generator` and returns one batch.
        loss: gets the model and a batch, returns the loss, a scalar tensor.
        steps: number of steps.
        lr: the (highest) learning rate.
        seed: seeds the generator that batch gets.
        parameters: what the optimizer gets instead of `model.parameters()`; groups of
            parameters with learning rates of their own, for instance.
        optimizer: class of the optimizer.
        weight_decay: passed on to the optimizer.
        decay: True lets the learning rate rise over the first tenth of the steps and
            fall to zero over the rest, which makes the end result stable. (This is
            PyTorch's OneCycleLR, which moves the momentum, or Adam's beta1, as well.)
        clip: largest norm of the gradient, if any.
        watch: called in each step as watch(step, model, batch), after the backward pass
            and before the update, so that gradients can be looked at; its results are
            returned.
        until: gets what watch has returned so far, after each step; True ends the
            training early.
        label: shown beside the progress bar.

    Returns:
        What watch returned at each step, or the losses if there is no watch.
    """
    from tqdm.auto import tqdm

    groups = list(model.parameters() if parameters is None else parameters)
    optim = optimizer(groups, lr=lr, weight_decay=weight_decay)
    schedule = None
    if decay:
        rates = [group["lr"] for group in optim.param_groups]
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optim, rates, total_steps=steps, pct_start=0.1 if steps != 10 else 0.11
        )
    generator = torch.Generator().manual_seed(seed)
    hidden = bool(os.environ.get("TQDM_DISABLE"))
    seen = []
    with repeatable(seed):
        for step in tqdm(range(steps), desc=label, leave=False, disable=hidden):
            data = batch(generator)
            value = loss(model, data)
            optim.zero_grad()
            value.backward()
            if clip is not None:
                nn.utils.clip_grad_norm_(model.parameters(), clip)
            seen.append(value.item() if watch is None else watch(step, model, data))
            optim.step()
            if schedule is not None:
                schedule.step()
            if until is not None and until(seen):
                break
    return seen


def smooth(values: Iterable[float], keep: float = 0.9) -> list[float]:
    """Running mean that starts at 0: m ← keep · m + (1 - keep) · value."""
    mean, means = 0.0, []
    for value in values:
        mean = keep * mean + (1 - keep) * value
        means.append(mean)
    return means


def running_mean(values: Sequence[float], window: int) -> list[float]:
    """Mean of the last `window` values at each step; of all so far, while fewer.

    >>> running_mean([1, 3, 5, 7], window=2)
    [1.0, 2.0, 4.0, 6.0]
    """
    parts = (values[max(0, i + 1 - window) : i + 1] for i in range(len(values)))
    return [sum(part) / len(part) for part in parts]


def first_step_above(values: Iterable[float], level: float) -> float:
    """Index of the first value above a level; infinity if there is none."""
    return next((i for i, value in enumerate(values) if value > level), float("inf"))


def count_parameters(model: nn.Module) -> int:
    """Number of trainable numbers in a module."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def _denormals_are_flushed() -> bool:
    return torch.tensor([1e-30]).mul(1e-10).item() == 0.0
