"""What any right answer does, whatever its numbers: each check is a few lines.

A behaviour is `(trial) -> Finding | None`. `behaviours` of an exercise always run;
`symptoms` run only when no combination of mistakes reproduces the numbers.
"""

from __future__ import annotations

from typing import Any

import torch

from .diagnosis import number, numbers
from .gradients import empty_row_gradient as empty_row_gradient
from .gradients import gradients as gradients
from .space import Case, Finding, Values, same
from .trial import Behaviour, Trial


def arguments_untouched(trial: Trial) -> Finding | None:
    """The learner's function changes none of its arguments."""
    for case, outcome in zip(trial.cases, trial.outcomes, strict=True):
        for i in outcome.touched:
            name = trial.exercise.argument_names[i]
            before, after = case.args[i], outcome.arguments[i]
            facts, evidence = {"argument": name}, {"case": case.about}
            if isinstance(before, torch.Tensor):
                evidence[f"{name} before"] = numbers(before.flatten())
                evidence[f"{name} after"] = numbers(after.flatten())
            return Finding("changes-argument", facts, evidence)
    return None


def calls_agree(name: str) -> Behaviour:
    """Two calls with the same arguments return the same numbers."""

    def check(trial: Trial) -> Finding | None:
        i = trial.case(name)
        case, first = trial.cases[i], trial.seen[i]
        if first is None:
            return None
        again = trial.values(trial.call(case.args))
        other = trial.values(trial.call(case.args, salt=1))
        if again is None or other is None:
            return None
        differs = [not _agree(first, x, case.tol) for x in (again, other)]
        if not any(differs):
            return None
        evidence = {
            "case": case.about,
            "first call": numbers(first[-1].flatten()),
            "second call": numbers((again if differs[0] else other)[-1].flatten()),
        }
        if differs[0]:
            return Finding("remembers-between-calls", {}, evidence)
        share = _dropped(first, trial.right(case))
        if share is None:
            return Finding("random-each-call", {}, evidence)
        return Finding("dropout-on", {"share": f"{share:.0%}"}, evidence)

    check.settles = True  # numbers that change cannot be searched for
    return check


def _agree(a: Values, b: Values, tol: float) -> bool:
    return len(a) == len(b) and all(same(x, y, tol) for x, y in zip(a, b, strict=True))


def _dropped(got: Values, right: Values) -> float | None:
    """The share of zeros, if the rest is the right numbers times one constant."""
    for a, b in zip(got, right, strict=False):
        if a.shape == b.shape and bool(((a == 0) & (b != 0)).any()) and bool(a.any()):
            ratio = a[(a != 0) & (b != 0)] / b[(a != 0) & (b != 0)]
            if ratio.numel() and float(ratio.std()) < 1e-3 * float(ratio.abs().max()):
                return float(((a == 0) & (b != 0)).sum() / (b != 0).sum())
    return None


def overflows(plain: str, big: str) -> Behaviour:
    """Right on plain numbers, NaN or infinite on big ones."""

    def check(trial: Trial) -> Finding | None:
        i, j = trial.case(plain), trial.case(big)
        if i in trial.failing or j not in trial.failing or trial.seen[j] is None:
            return None
        if all(bool(torch.isfinite(v).all()) for v in trial.seen[j]):
            return None
        return Finding("no-max-subtraction", {}, {"case": trial.cases[j].about})

    return check


def precisions(*names: str) -> Behaviour:
    """float16, bfloat16 and float64 arguments work, if float32 does."""

    def check(trial: Trial) -> Finding | None:
        if trial.failing:
            return None
        for kind, tol in (
            (torch.float64, 1e-4),
            (torch.float16, 2e-2),
            (torch.bfloat16, 6e-2),
        ):
            for name in names:
                case = trial.cases[trial.case(name)]
                args = [
                    a.to(kind)
                    if isinstance(a, torch.Tensor) and a.is_floating_point()
                    else a
                    for a in case.args
                ]
                found = _in_precision(trial, case, args, str(kind)[6:], tol)
                if found:
                    return found
        return None

    return check


def _in_precision(
    trial: Trial, case: Case, args: list[Any], kind: str, tol: float
) -> Finding | None:
    outcome = trial.call(args)
    facts = {"kind": kind}
    if outcome.trouble is not None:
        text = outcome.trouble.text
        where = {
            "case": f"{case.about}, {kind}",
            "Python says": text,
            "line": f"{outcome.trouble.line}: {outcome.trouble.source}",
        }
        many = "overflow" in text or "out of range" in text
        mistake = "fill-overflows-half" if many else "other-precision-fails"
        return Finding(mistake, facts, where)
    got = trial.values(outcome)
    want = trial.right(case)
    if got is None or not _agree(
        tuple(g.double() for g in got), tuple(w.double() for w in want), tol
    ):
        return Finding(
            "other-precision-wrong", facts, {"case": f"{case.about}, {kind}"}
        )
    return None


def samples_independent(trial: Trial) -> Finding | None:
    """Changing sample 1 leaves sample 0 alone."""
    case = next((c for c in trial.cases if not c.tags), None)
    if case is None or not trial.failing:
        return None
    i = trial.cases.index(case)
    args = [a.clone() if isinstance(a, torch.Tensor) else a for a in case.args]
    for a in args:
        if isinstance(a, torch.Tensor) and a.shape[0] > 1:
            a[1:] = -a[1:]
    before, after = trial.seen[i], trial.values(trial.call(args))
    if before is None or after is None or not before[0].dim() or trial.choices:
        return None
    if before[0].shape != after[0].shape or same(before[0][0], after[0][0], case.tol):
        return None
    return Finding(
        "samples-mixed",
        {},
        {
            "output of sample 0": numbers(before[0][0].flatten()),
            "after changing sample 1": numbers(after[0][0].flatten()),
        },
    )


def rows_sum_to_one(trial: Trial) -> Finding | None:
    """The weights of a query sum to 1 (over the keys)."""
    for i in trial.failing:
        got = trial.seen[i]
        if got is None or len(got) != 2 or not torch.isfinite(got[1]).all():
            continue
        sums = got[1].double().sum(-1)
        right = trial.right(trial.cases[i])[1].sum(-1)
        if sums.shape != right.shape:
            continue
        gap = (sums - right).abs() * (right > 0.5)
        if float(gap.max()) > 1e-3:
            off = int(gap.flatten().argmax())
            facts = {"row_sum": number(sums.flatten()[off])}
            return Finding(
                "rows-not-one",
                facts,
                {"case": trial.cases[i].about, "sums of rows": numbers(sums.flatten())},
            )
    return None


def empty_row_not_zero(trial: Trial) -> Finding | None:
    """A query that may see no key has weights 0."""
    for i in trial.failing:
        got = trial.seen[i]
        if got is None or len(got) != 2 or not torch.isfinite(got[1]).all():
            continue
        empty = trial.right(trial.cases[i])[1].sum(-1) == 0
        if empty.any() and got[1].shape[:-1] == empty.shape:
            row = got[1][empty][0]
            if float(row.abs().max()) > 1e-6:
                shown = {"case": trial.cases[i].about, "its weights": numbers(row)}
                return Finding("empty-row-not-zero", {}, shown)
    return None


def confined(trial: Trial) -> Finding | None:
    """No head and no sample is wrong alone."""
    wrong: dict[str, set[int]] = {"head": set(), "sample": set()}
    behind: dict[str, set[int]] = {"head": set(), "sample": set()}
    for i in trial.failing:
        got, case = trial.seen[i], trial.cases[i]
        want = trial.right(case)
        if got is None or [g.shape for g in got] != [w.shape for w in want]:
            return None
        for a, b in zip(got, want, strict=True):
            off = ((a - b).abs() > case.tol).flatten(2).any(-1)
            for axis, spoilt in (("sample", off.any(1)), ("head", off.any(0))):
                places = spoilt.nonzero().flatten().tolist()
                wrong[axis] |= set(places)
                behind[axis] |= {j - len(spoilt) for j in places}
    for axis, places in wrong.items():
        if len(places) == 1:
            return Finding("wrong-in-one-place", {"axis": axis, "place": min(places)})
        if behind[axis] == {-1}:
            return Finding("wrong-in-one-place", {"axis": "the last", "place": axis})
    return None


confined.early = True  # true as it stands: no pair of mistakes is looked for


def sums_along_dim(trial: Trial) -> Finding | None:
    """The numbers along `dim` sum to 1."""
    for i in trial.failing:
        got, (x, dim) = trial.seen[i], trial.cases[i].args
        if got is not None and got[0].shape == x.shape:
            sums = got[0].sum(dim)
            known = bool(torch.isfinite(sums).all())
            if known and not same(sums, torch.ones_like(sums), 1e-3):
                return Finding(
                    "sums-not-one",
                    {"dim": dim},
                    {"case": trial.cases[i].about, "sums along dim": numbers(sums)},
                )
    return None


def not_finite(trial: Trial) -> Finding | None:
    """No NaN and no infinity where the right numbers are finite.

    It speaks only if the first wrong case has them: finite wrong numbers before that
    are another mistake.
    """
    first = next((i for i in trial.failing if trial.seen[i] is not None), None)
    if first is None:
        return None
    for part, got in enumerate(trial.seen[first]):
        if not torch.isfinite(got).all():
            bad = "NaN" if got.isnan().any() else "infinite"
            parts = trial.exercise.parts
            named = parts[part] if part < len(parts) else "result"
            return Finding(
                "not-finite",
                {
                    "bad": bad,
                    "part": named,
                    "case": trial.cases[first].about,
                    "share": f"{float((~torch.isfinite(got)).float().mean()):.0%}",
                },
            )
    return None


def masked_weight(trial: Trial) -> Finding | None:
    """Keys that the mask forbids have weight 0."""
    for i in trial.failing:
        got, mask = trial.seen[i], trial.cases[i].args[-1]
        if mask is None or got is None or len(got) != 2:
            continue
        want = trial.right(trial.cases[i])[1]
        if got[1].shape == want.shape:
            leak = got[1].masked_fill((mask != 0).expand(want.shape), 0).abs()
            if float(leak.max()) > 1e-4:
                return Finding(
                    "masked-keys-keep-weight",
                    {"hidden": number(leak.max())},
                    {"case": trial.cases[i].about},
                )
    return None
