"""What a right class of layers does, whatever its numbers."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from .. import guard
from ..behaviours import Trial
from ..diagnosis import numbers
from ..space import Finding, same
from ._layers import NAMES, built, ids


def registered(trial: Trial) -> Finding | None:
    """The layers are parameters that an optimiser would find, and the only ones."""
    model = fresh(trial, 12, 3)
    if model is None:
        return None
    own = list(model.named_parameters()) if isinstance(model, nn.Module) else []
    found = {id(p) for _, p in own}
    names = NAMES[3 * hasattr(model, "load_qkv") :]
    lost = [n for n in names if not ids(getattr(model, n)) <= found]
    if lost:
        facts = {"lost": ", ".join(lost)}
        shown = {"parameters that the module lists": str(len(found))}
        return Finding("parameters-not-registered", facts, shown)
    return None


registered.leads = True  # the cause of much else


def no_others(trial: Trial) -> Finding | None:
    """There are no parameters but those of the four layers."""
    model = fresh(trial, 12, 3)
    if model is None:
        return None
    own = list(model.named_parameters()) if isinstance(model, nn.Module) else []
    names = NAMES[3 * hasattr(model, "load_qkv") :]
    count = sum(p.numel() for _, p in own)
    if count > 4 * 12 * 12 + 48:
        known = {i for n in names for i in ids(getattr(model, n))}
        extra = ", ".join(n for n, p in own if id(p) not in known)
        if len(names) == len(NAMES):
            shown = {"case": "d_model = 12, num_heads = 3", "extra": extra}
            return Finding("extra-parameters", {"count": count, "extra": extra}, shown)
    return None


def fresh(trial: Trial, d: int, heads: int) -> Any:
    return guard.run(lambda: trial.answer(d, heads), (), by=trial.answer).value


def remembers_nothing(trial: Trial) -> Finding | None:
    """One module, called with other inputs in between, gives the same again."""
    first, other = trial.cases[trial.case("plain")], trial.cases[trial.case("square")]
    causal = trial.cases[trial.case("causal")]

    def calls(*args: Any) -> Any:
        model = built(trial.answer, *args[4:])
        before = *model(*args[:3]), *model(*other.args[:3])
        model(*causal.args[:4])
        return before, (*model(*other.args[:3]), *model(*args[:3]))

    outcome = guard.run(calls, first.args, by=trial.answer)
    if trial.failing or outcome.trouble is not None:
        return None
    a, b = (trial.exercise.unpack or _tensors)(outcome.value)
    again = [*b[2:], *b[:2]]
    for x, y, case in zip(a, again, (first, first, other, other), strict=True):
        if not same(x, y, first.tol):
            shown = {"first call": numbers(x.flatten()), "again": numbers(y.flatten())}
            return Finding("remembers-between-calls", {}, {"case": case.about} | shown)
    return None


def _tensors(pair: Any) -> list[list[torch.Tensor]]:
    return [[t.detach() for t in result] for result in pair]


def weights_learn(trial: Trial) -> Finding | None:
    """A loss on the output reaches the weights of every layer."""
    case = trial.cases[trial.case("plain")]
    if trial.failing:
        return None

    def grads(*args: Any) -> dict[str, bool]:
        model = built(trial.answer, *args[4:])
        out = model(*args[:3])[0]
        towards = torch.randn(out.shape, generator=torch.Generator().manual_seed(3))
        (out * towards).sum().backward()
        names = NAMES[3 * hasattr(model, "load_qkv") :]
        return {n: all(_learns(part) for part in _parts(model, n)) for n in names}

    got = guard.run(grads, case.args, by=trial.answer)
    if got.trouble is not None:
        return None
    lost = [n for n, learns in got.value.items() if not learns]
    if not lost:
        return None
    return Finding("layer-gets-no-gradient", {"lost": " and ".join(lost)})


def _parts(model: Any, name: str) -> list[Any]:
    layer = getattr(model, name)
    return list(layer) if isinstance(layer, list | tuple | nn.ModuleList) else [layer]


def _learns(layer: Any) -> bool:
    return layer.weight.grad is not None and bool((layer.weight.grad != 0).any())
