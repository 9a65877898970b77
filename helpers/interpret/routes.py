"""Activation patching: a part of one run is put into another, and the answer watched.

Two runs differ in one word. Block 2 of the second run gets a part of what it got in the
first. If that moves the answer, the part carries what the word had to say.

Source: Vig et al. (2020), Investigating gender bias in language models; Meng et al.
(2022), Locating and editing factual associations.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from helpers.interpret.explanations import recording
from helpers.tasks.coref import CorefBatch

ROUTES = ("query", "keys and values")


@contextmanager
def patched(module: nn.Module, *inputs: Tensor | None) -> Iterator[None]:
    """Inside: the module gets these inputs in place of its first ones; None keeps one.

    Args:
        module: part of a model.
        inputs: of the shapes that it would have got.
    """

    def swap(_: nn.Module, args: tuple) -> tuple:
        changed = (a if new is None else new for a, new in zip(args, inputs))
        return (*changed, *args[len(inputs) :])

    handle = module.register_forward_pre_hook(swap)
    try:
        yield
    finally:
        handle.remove()


@torch.no_grad()
def position_effects(model: nn.Module, batch: CorefBatch, other: CorefBatch) -> Tensor:
    """(B, T): how much the answer moves if block 2 reads one position from other runs.

    Half the sum of the absolute differences of the probabilities, so from 0 to 1.

    Args:
        model: a CorefNet.
        batch: B sentences of up to T words.
        other: the same sentences with another word somewhere.
    """
    before, (_, own) = _read(model, batch)
    _, (_, new) = _read(model, other)
    found = torch.zeros(batch.tokens.shape)
    for place in range(found.shape[1]):
        mixed = own.clone()
        mixed[:, place] = new[:, place]
        found[:, place] = _moved(model, batch, before, (None, mixed, mixed))
    return found


@torch.no_grad()
def route_effects(
    model: nn.Module, batch: CorefBatch, other: CorefBatch
) -> dict[str, float]:
    """Through which input of block 2 does a changed word act on the answer?

    Args:
        model: a CorefNet.
        batch, other: as for `position_effects`.

    Returns:
        route → the mean move of the answer if this input alone comes from the other
        runs.
    """
    before, _ = _read(model, batch)
    _, (query, read) = _read(model, other)
    inputs = dict(zip(ROUTES, ((query, None, None), (None, read, read))))
    return {
        route: _moved(model, batch, before, new).mean().item()
        for route, new in inputs.items()
    }


def _read(model: nn.Module, batch: CorefBatch) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """The probabilities (B, 3), and what block 2 asks with and reads, (B, T, d)."""
    with recording(model.far) as calls:
        said = model(batch).pronoun.softmax(dim=-1)
    query, key, _, *_ = calls[0].args
    return said, (query, key)


def _moved(
    model: nn.Module,
    batch: CorefBatch,
    before: Tensor,
    inputs: tuple[Tensor | None, ...],
) -> Tensor:
    with patched(model.far, *inputs):
        after = model(batch).pronoun.softmax(dim=-1)
    return 0.5 * (after - before).abs().sum(dim=-1)
