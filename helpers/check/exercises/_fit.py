"""A scale and a fill, read off the learner's weights."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..space import Case, Departure, Values

Seen = tuple[Case, Values]
"""A case whose arguments are Q, K, V and mask, and what came back on it."""


def fitted(unmasked: Sequence[Seen], masked: Sequence[Seen]) -> list[Departure]:
    """Departures with a number in them, which two cases of other sizes agree on."""
    return _scales(unmasked) + _fills(masked)


def _scales(cases: Sequence[Seen]) -> list[Departure]:
    divisors = [divisor(*seen) for seen in cases]
    if len(cases) < 2 or not all(divisors):
        return []
    found: list[Departure] = []
    first, second = divisors
    factors = [c / root(case) for c, (case, _) in zip(divisors, cases, strict=True)]
    if abs(first / second - 1) < 1e-2:
        how, facts = f"lambda raw: raw / {first!r}", {"divisor": f"{first:.3g}"}
        found.append(Departure("scale-hard-coded", "scaled", how, facts))
    if abs(factors[0] / factors[1] - 1) < 1e-2 and abs(factors[0] - 1) > 2e-2:
        how = f"lambda raw: raw / math.sqrt(d) / {factors[0]!r}"
        facts = {"factor": f"{factors[0]:.3g}"}
        found.append(Departure("scale-times-constant", "scaled", how, facts))
    return found


def _fills(cases: Sequence[Seen]) -> list[Departure]:
    fills = [fill_of(*seen) for seen in cases]
    if len(cases) < 2 or None in fills:
        return []
    (a, b), (root_a, root_b) = fills, [root(case) for case, _ in cases]
    if abs(a - b) < 0.02:
        how = f"soft(s.masked_fill(~seen, {a!r}))"
        return [Departure("fill-too-small", "w", how, {"fill": f"{a:.3g}"})]
    fill = a * root_a
    if abs(fill - b * root_b) < 0.05:
        how = f"soft(scaled(raw.masked_fill(~seen, {fill!r})))"
        return [Departure("fill-before-scale", "w", how, {"fill": f"{fill:.3g}"})]
    return []


def root(case: Case) -> float:
    """√d_k."""
    return math.sqrt(case.args[0].shape[-1])


def divisor(case: Case, values: Values) -> float | None:
    """c, if the weights are softmax(Q·K / c)."""
    q, k, *_ = case.args
    raw, w = q @ k.transpose(-2, -1), values[1]
    if w.shape != raw.shape or not bool((w > 1e-12).all()):
        return None
    x, y = raw - raw.mean(-1, keepdim=True), w.log()
    y = y - y.mean(-1, keepdim=True)
    slope = float((x * y).sum() / (x * x).sum())
    on_one_line = float((y - slope * x).abs().max()) < 0.02
    return 1 / slope if abs(slope) > 1e-6 and on_one_line else None


def fill_of(case: Case, values: Values) -> float | None:
    """The finite score that stands where the mask forbids."""
    q, k, _, mask = case.args
    w = values[1]
    scores = q @ k.transpose(-2, -1) / root(case)
    if w.shape != scores.shape or not bool((w > 0).all()):
        return None
    keep = (mask != 0).expand(w.shape)
    logs = w.log()
    shift = ((logs - scores) * keep).sum(-1, keepdim=True) / keep.sum(-1, keepdim=True)
    found = (logs - shift)[~keep]
    return float(found.mean()) if float(found.std()) < 0.02 else None


def named(
    cases: Sequence[Case], seen: Sequence[Values | None], *names: str
) -> list[Seen]:
    """The cases of these names on which two results came back."""
    got = {c.name: (c, v) for c, v in zip(cases, seen, strict=True) if v is not None}
    return [got[n] for n in names if n in got and len(got[n][1]) == 2]
