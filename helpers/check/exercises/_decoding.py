"""Running decode_step over whole sequences, and what is asked of any cache."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .. import guard
from ..behaviours import Trial
from ..diagnosis import numbers
from ..space import Finding, Values, same

WIDTH = 6
Pair = tuple[Tensor, Tensor]


class Params(NamedTuple):
    """The three matrices (D, D) and the table of positions (max_len, D)."""

    Wq: Tensor
    Wk: Tensor
    Wv: Tensor
    pos: Tensor

    def __getitem__(self, key: Any) -> Any:
        """By name too, as in a dict."""
        return getattr(self, key) if isinstance(key, str) else tuple(self)[key]

    def __repr__(self) -> str:
        return f"of width {len(self.Wq)}"


class Kept(NamedTuple):
    """Our own cache: keys, values, what was counted, and the inputs so far."""

    K: Tensor
    V: Tensor
    tokens: int
    calls: int
    inputs: Mapping[str, Tensor]


def joined(old: Pair | None, new: Pair | None) -> Pair:
    """(keys, values) of both, along the tokens."""
    if old is None or new is None:
        return old or new
    return torch.cat([old[0], new[0]], 1), torch.cat([old[1], new[1]], 1)


def last(pair: Pair, n: int) -> Pair:
    """The newest n keys and values."""
    return pair[0][:, -n:], pair[1][:, -n:]


def stale(old: Pair | None, new: Pair) -> Pair:
    """As many as there are new ones, but all of them the newest old one."""
    if old is None:
        return new
    return old[0][:, -1:].expand_as(new[0]), old[1][:, -1:].expand_as(new[1])


def keep(kept: Kept, pair: Pair) -> Kept:
    """The cache with other keys and values."""
    return kept._replace(K=pair[0], V=pair[1])


def lower(t: int, n: int, shift: int) -> Tensor:
    """True where query i may see key j: j ≤ i + shift."""
    return torch.ones(t, n, dtype=torch.bool).tril(shift)


def projected(h: Tensor, p: Params) -> Pair:
    """Keys and values of tokens."""
    return h @ p.Wk, h @ p.Wv


def remembered(
    inputs: Mapping[str, Tensor] | None, x: Tensor, h: Tensor, p: Params
) -> Mapping[str, Tensor]:
    """The inputs so far: plain, with positions, with positions heaped up each call."""
    if inputs is None:
        return {"plain": x, "placed": h, "heaped": h}
    heaped = inputs["heaped"] + p.pos[: inputs["heaped"].shape[1]]
    return {
        "plain": torch.cat([inputs["plain"], x], 1),
        "placed": torch.cat([inputs["placed"], h], 1),
        "heaped": torch.cat([heaped, h], 1),
    }


# ------------------------------------------------------------------ running a learner's
@dataclass
class Decoded:
    """The outputs of one sequence's steps; or what came back in place of a pair."""

    outputs: list[Any]
    odd: Any = None
    at: int = 0
    changed: int | None = None


def decoded(answer: Callable[..., Any], X: Tensor, chunks: Any, p: Any) -> Any:
    """Run a whole sequence through the steps."""
    run, cache, start = Decoded([]), None, 0
    for i, t in enumerate(chunks):
        x = X[:, start : start + t].clone()
        result = answer(x, cache, p)
        if run.changed is None and not torch.equal(x, X[:, start : start + t]):
            run.changed = i
        if not i and (result is None or result is ...):
            return result
        pair = isinstance(result, list | tuple) and len(result) == 2
        if pair and result[0] is ...:
            return ...
        if not pair or not isinstance(result[0], Tensor):
            return Decoded(run.outputs, result, i)
        output, cache = result
        run.outputs.append(output)
        start += t
    return run


def interleaved(answer: Callable[..., Any], X: Tensor, Y: Tensor, p: Any) -> list:
    """The outputs for X, whose steps, of one token each, alternate with those for Y."""
    outputs, caches = [], [None, None]
    for t in range(X.shape[1]):
        for i, sequence in enumerate((X, Y)):
            output, caches[i] = answer(sequence[:, t : t + 1].clone(), caches[i], p)
            outputs += [output] * (not i)
    return outputs


def side_by_side(outputs: Sequence[Tensor]) -> Values:
    """The outputs of all steps along the tokens; the first alone if they do not fit."""
    outputs = [o.detach() for o in outputs]
    if len({o.dim() for o in outputs}) > 1 or outputs[0].dim() < 2:
        return (outputs[0],)
    try:
        return (torch.cat(outputs, 1),)
    except RuntimeError:
        return (outputs[0],)


def unpack(run: Any) -> Values:
    """The outputs of all steps, side by side."""
    if not isinstance(run, Decoded) or run.odd is not None or not run.outputs:
        return (torch.tensor(math.nan),)
    return side_by_side(run.outputs)


def told(chunks: Sequence[int]) -> str:
    """The sizes of the chunks."""
    return " + ".join(map(str, chunks))


# ------------------------------------------------------------- looks and behaviours
def begun(X: Tensor, chunks: Sequence[int], p: Params, answer: Any) -> guard.Outcome:
    """The first steps of a sequence, guarded."""
    return guard.run(lambda *args: decoded(answer, *args), (X, chunks, p), by=answer)


def a_pair(outcome: guard.Outcome, about: str) -> Finding | None:
    """Every step hands back (output, cache)."""
    run = outcome.value
    if not isinstance(run, Decoded) or run.odd is None:
        return None
    kind = type(run.odd).__name__
    if isinstance(run.odd, list | tuple):
        kind = f"{kind} of {len(run.odd)}"
        if len(run.odd) == 2:
            kind += f" that begins with a {type(run.odd[0]).__name__}"
    facts = {"type": kind, "call": run.at + 1}
    return Finding("decode-no-pair", facts, {"returned": kind, "case": about})


def joins_tokens(outcome: guard.Outcome) -> Finding | None:
    """What is kept and what is new are joined along the tokens: 3 tokens, then 1."""
    trouble = outcome.trouble
    if trouble is None:
        return None
    line = {"line": f"{trouble.line}: {trouble.source}", "Python says": trouble.text}
    told = re.search(
        r"must match except in dimension (\d)\. Expected size (\d) but got size (\d)",
        trouble.text,
    )
    if told and {told[2], told[3]} == {"3", "1"}:
        return Finding("decode-joined-on-another-axis", {"axis": told[1]}, line)
    product = re.search(r"be: \[\d+, (\d+)\] but got: \[\d+, (\d+)\]", trouble.text)
    if product and (product[1], product[2]) == ("4", "1"):
        return Finding("decode-values-not-cached", {}, line)
    if product and (product[1], product[2]) == ("1", "4"):
        return Finding("decode-keys-not-cached", {}, line)
    return None


def x_untouched(trial: Trial) -> Finding | None:
    """No step writes into its x."""
    for case, outcome in zip(trial.cases, trial.outcomes):
        run = outcome.value
        if isinstance(run, Decoded) and run.changed is not None:
            return Finding("changes-argument", {"argument": "x"}, {"case": case.about})
    return None


def samples_apart(trial: Trial) -> Finding | None:
    """Sample 0 comes out the same whatever the other samples are."""
    for i in trial.failing[:1]:
        (X, chunks, p), tol = trial.cases[i].args, trial.cases[i].tol
        others = torch.cat([X[:1], -X[1:]])
        calls = [trial.values(trial.call((x, chunks, p))) for x in (X, others)]
        if any(v is None or v[0].shape != X.shape for v in calls):
            return None
        again, after = (v[0][0] for v in calls)
        steady = same(again, trial.seen[i][0][0], tol)
        if steady and not same(again, after, tol):
            shown = {
                "sample 0": numbers(again[-1]),
                "after changing the others": numbers(after[-1]),
            }
            return Finding("decode-samples-mixed", {}, shown)
    return None


samples_apart.settles = True


def first_wrong_token(trial: Trial) -> Finding | None:
    """Which token is the first that comes out otherwise than in the whole sequence."""
    for i in trial.failing:
        case, got, want = trial.cases[i], trial.seen[i], trial.right(trial.cases[i])
        if got is None or got[0].shape != want[0].shape:
            continue
        off = ((got[0] - want[0]).abs().nan_to_num(9.0) > case.tol).any(-1)
        token = int(off.any(0).nonzero()[0])
        sample = int(off[:, token].nonzero()[0])
        ends = torch.tensor(case.args[1]).cumsum(0)
        call = int((ends <= token).sum()) + 1
        calls = "the first call" if call == 1 else f"call {call}"
        where = f"sample {sample}, token {token}"
        return Finding(
            "decode-first-wrong-token",
            {"token": token, "call": calls, "chunks": told(case.args[1])},
            {
                f"your output, {where}": numbers(got[0][sample, token]),
                f"the right output, {where}": numbers(want[0][sample, token]),
            },
        )
    return None


def calls_agree_in_turn(name: str) -> Callable[[Trial], Finding | None]:
    """A second sequence, after or in between, knows nothing of the first."""

    def check(trial: Trial) -> Finding | None:
        case, first = trial.cases[trial.case(name)], trial.seen[trial.case(name)]
        if first is None or first[0].dim() != 3:
            return None
        again = trial.values(trial.call(case.args))
        if not again or not same(again[0], first[0], case.tol):
            other = trial.values(trial.call(case.args))
            return _remembers(case.about, first, again or other)
        other = trial.values(trial.call(case.args, salt=1))
        if not other or not same(other[0], first[0], case.tol):
            return Finding("random-each-call", {}, {"case": case.about})
        return _in_turn(trial, case, first)

    check.settles = True  # numbers that change cannot be searched for
    return check


def _remembers(about: str, first: Values, again: Values | None) -> Finding:
    shown = {"case": about, "first sequence": numbers(first[0].flatten())}
    if again:
        shown["the same again"] = numbers(again[0].flatten())
    return Finding("decode-remembers", {}, shown)


def _in_turn(trial: Trial, case: Any, first: Values) -> Finding | None:
    X, chunks, p = case.args
    if set(chunks) != {1}:
        return None
    outcome = guard.run(
        lambda *args: interleaved(trial.answer, *args), (X, -X, p), by=trial.answer
    )
    if outcome.trouble is not None:
        shown = {"case": case.about, "Python says": outcome.trouble.text}
        return Finding("decode-sequences-mixed", {}, shown)
    turned = side_by_side(outcome.value)[0]
    if same(turned, first[0], case.tol):
        return None
    off = ((turned - first[0]).abs() > case.tol).any(-1).any(0).nonzero()
    t = int(off[0])
    shown = {
        "case": case.about,
        f"token {t}, one sequence alone": numbers(first[0][0, t]),
        f"token {t}, two in turn": numbers(turned[0, t]),
    }
    return Finding("decode-sequences-mixed", {}, shown)
