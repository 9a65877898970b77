"""What any right answer does, whatever its numbers: each check is a few lines.

A behaviour is `(trial) -> Finding | None`. `behaviours` of an exercise always run;
`symptoms` run only when no combination of mistakes reproduces the numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from . import guard
from .diagnosis import number, numbers
from .space import Case, Exercise, Finding, Values, as_values, same

Behaviour = Callable[["Trial"], Finding | None]


@dataclass
class Trial:
    """One answer under examination: what it gave on each case, and how to call it."""

    exercise: Exercise
    answer: Any
    cases: Sequence[Case]
    outcomes: Sequence[guard.Outcome]
    seen: Sequence[Values | None]
    failing: Sequence[int] = ()
    choices: Mapping[str, Any] = field(default_factory=dict)  # that explain the numbers

    @property
    def result(self) -> Any:
        """What the first call returned, as the learner returned it."""
        return self.outcomes[0].value

    def case(self, name: str) -> int:
        """The number of the case with this name."""
        return next(i for i, c in enumerate(self.cases) if c.name == name)

    def call(self, args: Sequence[Any], salt: int = 0) -> guard.Outcome:
        """Call the answer once more, guarded."""
        return guard.run(
            lambda *a: self.exercise.call(self.answer, *a),
            args,
            salt=salt,
            by=self.answer,
        )

    def values(self, outcome: guard.Outcome) -> Values | None:
        """The returned tensors, or None."""
        if outcome.trouble is not None:
            return None
        try:
            return (self.exercise.unpack or as_values)(outcome.value)
        except (TypeError, ValueError, RuntimeError, AttributeError):
            return None

    def right(self, case: Case, choices: Mapping[str, Any] | None = None) -> Values:
        """What the exercise's choices give on a case."""
        chosen = self.exercise.base() if choices is None else choices
        return self.exercise.compute(case, chosen, {})


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


def gradients(name: str, names: tuple[str, ...]) -> Behaviour:
    """A loss on the first result reaches every argument in `names`."""

    def check(trial: Trial) -> Finding | None:
        case = trial.cases[trial.case(name)]
        if trial.seen[trial.case(name)] is None:
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


def _backward(result: Any, args: Sequence[Any], names: Sequence[str]) -> list:
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


def _gradient_verdict(got, want, names, case, wrong_values) -> Finding | None:
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


def _in_precision(trial, case, args, kind, tol) -> Finding | None:
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
    for i in trial.failing:
        got, case = trial.seen[i], trial.cases[i]
        want = trial.right(case)
        if got is None or [g.shape for g in got] != [w.shape for w in want]:
            return None
        for a, b in zip(got, want, strict=True):
            off = ((a - b).abs() > case.tol).flatten(2).any(-1)
            wrong["sample"] |= {j for j in range(len(off)) if off[j].any()}
            wrong["head"] |= {j for j in range(off.shape[1]) if off[:, j].any()}
    for axis, places in wrong.items():
        if len(places) == 1:
            return Finding("wrong-in-one-place", {"axis": axis, "place": min(places)})
    return None


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
