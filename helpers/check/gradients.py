"""Do gradients flow, as in any right answer?"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import torch

from . import guard
from .diagnosis import number
from .space import Case, Finding, same
from .trial import Behaviour, Trial

Gradients = Sequence[torch.Tensor | None]


def gradients(name: str, names: tuple[str, ...]) -> Behaviour:
    """A loss on the first result reaches every argument in `names`."""

    def check(trial: Trial) -> Finding | None:
        case = trial.cases[trial.case(name)]
        if not trial.seen[trial.case(name)]:
            return None
        leaves = [
            a.clone().requires_grad_()
            if isinstance(a, torch.Tensor) and a.is_floating_point() and i < len(names)
            else a
            for i, a in enumerate(case.args)
        ]

        def call(*args: Any) -> list[torch.Tensor | None]:
            return _backward(trial.exercise.call(trial.answer, *args), args, names)

        outcome = guard.run(call, leaves, by=trial.answer)
        if outcome.trouble is not None:
            return _gradient_trouble(outcome.trouble)
        probe = dataclasses.replace(case, args=tuple(guard.copied(a) for a in leaves))
        want = _backward(trial.right(probe, trial.choices or None), probe.args, names)
        return _gradient_verdict(outcome.value, want, names, case, bool(trial.failing))

    return check


def _backward(result: Any, args: Sequence[Any], names: Sequence[str]) -> Gradients:
    out = result[0] if isinstance(result, list | tuple) and result else result
    if isinstance(out, torch.Tensor) and out.requires_grad:
        g = torch.Generator().manual_seed(5)
        towards = torch.randn(out.shape, generator=g, device="cpu")
        (out.to_dense() * towards).nansum().backward()
    return [a.grad for a in args[: len(names)]]


def _gradient_trouble(trouble: guard.Trouble) -> Finding | None:
    where = {"line": f"{trouble.line}: {trouble.source}", "Python says": trouble.text}
    if "numpy" in trouble.text:
        return Finding("numpy-cuts-gradient", {}, where)
    if "in-place" in trouble.text or "inplace" in trouble.text:
        return Finding("in-place-breaks-gradient", {}, where)
    return Finding("gradient-raises", {"text": trouble.text}, where)


def _gradient_verdict(
    got: Gradients,
    want: Gradients,
    names: Sequence[str],
    case: Case,
    wrong_values: bool,
) -> Finding | None:
    reached = [g is not None and (wrong_values or bool((g != 0).any())) for g in got]
    due = [g is not None and bool((g != 0).any()) for g in want]
    lost = [n for n, r, d in zip(names, reached, due, strict=True) if d and not r]
    evidence = {"case": case.about} | {
        f"gradient of {n}": "none" if g is None else f"largest {number(g.abs().max())}"
        for n, g in zip(names, got, strict=True)
    }
    if lost:
        facts = {"lost": " and ".join(lost)}
        whole = len(lost) == sum(due)
        kinds = {
            ("Q", "K"): "scores-detached",
            ("V",): "v-detached",
            ("Q",): "q-detached",
            ("K",): "k-detached",
        }
        mistake = (
            "no-gradient" if whole else kinds.get(tuple(lost), "some-gradient-lost")
        )
        return Finding(mistake, facts, evidence)
    if wrong_values:
        return None
    off = [
        n
        for n, g, w in zip(names, got, want, strict=True)
        if w is not None and not same(g, w, 2e-3)
    ]
    return (
        Finding("gradient-differs", {"lost": " and ".join(off)}, evidence)
        if off
        else None
    )


def empty_row_gradient(name: str) -> Behaviour:
    """A query that may see no key leaves all gradients finite."""

    def check(trial: Trial) -> Finding | None:
        case = trial.cases[trial.case(name)]
        names = trial.exercise.argument_names[:3]
        leaves = [a.clone().requires_grad_() for a in case.args[:3]] + [case.args[3]]
        got = guard.run(
            lambda *args: _backward(
                trial.exercise.call(trial.answer, *args), args, names
            ),
            leaves,
        ).value
        bad = [
            n
            for n, g in zip(names, got or (), strict=False)
            if g is not None and not torch.isfinite(g).all()
        ]
        if not bad:
            return None
        return Finding(
            "nan-gradient-empty-row", {"lost": " and ".join(bad)}, {"case": case.about}
        )

    return check
