"""What streaming attention does when no line explains it, and what it may not do."""

from __future__ import annotations

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..space import Finding
from ._streaming import Widest

CAUSES = {
    "falling": "stream-overflow-falling",
    "rising": "stream-overflow-rising",
    "large": "stream-no-max",
    "low": "stream-underflow-low",
    "spread": "stream-underflow-spread",
}


def not_finite_far_apart(trial: Trial) -> Finding | None:
    """Right on plain numbers, but NaN or infinite where scores lie far apart."""
    broken = _broken(trial)
    failing = {trial.cases[i].name for i in trial.failing}
    if not broken or not failing <= set(CAUSES):
        return None
    first = next(name for name in CAUSES if name in broken)
    mistake = "stream-no-max" if {"rising", "falling"} <= set(broken) else CAUSES[first]
    kind = "NaN" if broken[first].isnan().any() else "infinite"
    shown = {trial.cases[trial.case(n)].about: numbers(broken[n]) for n in broken}
    return Finding(mistake, {"bad": kind}, shown)


def _broken(trial: Trial) -> dict[str, torch.Tensor]:
    """The outputs that are not finite, by case."""
    outputs = {c.name: v[0] for c, v in zip(trial.cases, trial.seen) if v is not None}
    return {n: o for n, o in outputs.items() if not torch.isfinite(o).all()}


def nan_from_the_start(trial: Trial) -> Finding | None:
    """NaN everywhere, even if all keys are in one block."""
    broken = _broken(trial)
    if len(broken) < len(trial.cases) or not all(
        bool(o.isnan().all()) for n, o in broken.items() if n not in CAUSES
    ):
        return None
    shown = {"case": trial.cases[trial.case("whole")].about}
    shown["your output"] = numbers(broken["whole"])
    return Finding("stream-nan-from-the-start", {}, shown)


def coarse(trial: Trial) -> Finding | None:
    """The right numbers, but rounded to half precision on the way."""
    worst = 0.0
    for case, got in zip(trial.cases, trial.seen):
        want = trial.right(case)[0]
        if got is None or len(got) != 1 or got[0].shape != want.shape:
            return None
        if case.name not in CAUSES:
            worst = max(worst, float((got[0] - want).abs().max()))
    if not trial.failing or not 0 < worst <= 0.06:  # NaN too
        return None
    kind = _short_format(trial.seen[trial.failing[0]][0].float())
    facts = {"off": number(worst), "kind": kind or "a short format"}
    return Finding("stream-low-precision", facts)


def _short_format(got: torch.Tensor) -> str | None:
    """The short format that holds these very numbers."""
    kinds = {"bfloat16": torch.bfloat16, "float16": torch.float16}
    return next(
        (k for k, t in kinds.items() if torch.equal(got.to(t).float(), got)), None
    )


def in_a_short_format(trial: Trial) -> Finding | None:
    """`coarse`, on an ordinary case and so nearly right that no search finds more."""
    first = trial.failing[0] if trial.failing else None
    if first is None or not trial.seen[first] or trial.cases[first].name in CAUSES:
        return None
    got, want = trial.seen[first][0].float(), trial.right(trial.cases[first])[0]
    near = got.shape == want.shape and float((got - want).abs().max()) < 0.01
    return coarse(trial) if near or _short_format(got) else None


in_a_short_format.settles = True


def each_row_by_ratio(trial: Trial) -> Finding | None:
    """Each row is the right one times a number: l alone is wrong."""
    i = trial.failing[0]
    got, want = trial.seen[i], trial.right(trial.cases[i])
    if not got or got[0].shape != want[0].shape:
        return None
    ratio = got[0] / want[0]
    middle = ratio.median(-1, keepdim=True).values
    if not bool(((ratio - middle).abs() <= 1e-3 * middle.abs()).all()):
        return None
    rows = middle.flatten()
    facts = {"ratio": number(rows[0])}
    return Finding(
        "stream-rows-scaled", facts, {"yours / right, by row": numbers(rows)}
    )


def narrow_tables(trial: Trial) -> Finding | None:
    """No table of scores is wider than a block."""
    if trial.failing:
        return None
    n_q, n_k, block = 11, 64, 4
    g = torch.Generator().manual_seed(3)
    Q, K, V = (torch.randn(1, 1, n, 2, generator=g) for n in (n_q, n_k, n_k))
    with Widest(n_q, n_k) as watch:
        trial.call((Q, K, V, block))
    shown = {"case": f"{n_q} queries, {n_k} keys in blocks of {block}"}
    if watch.size >= n_q * n_k or watch.width == n_k:
        facts = {"n_q": n_q, "n_k": n_k, "block": block}
        return Finding("stream-whole-matrix", facts, shown)
    if watch.width > block:
        facts = {"width": watch.width, "block": block}
        return Finding("stream-wide-table", facts, shown)
    return None


def gradient(trial: Trial) -> Finding | None:
    """A remark: a loss on the output reaches Q, K and V."""
    return behave.gradients("rest", names=("Q", "K", "V"))(trial)


def other_width(trial: Trial) -> Finding | None:
    """A remark: values of another width than the keys'."""
    Q, K, V, block = trial.cases[trial.case("rest")].args
    args = (Q, K, torch.cat([V, V], -1)[..., :-3], block)
    got = trial.values(trial.call(args))
    right = got and got[0].shape == (*Q.shape[:-1], args[2].shape[-1])
    return None if right else Finding("stream-width-fixed")
