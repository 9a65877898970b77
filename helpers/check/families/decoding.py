"""decode_step(x, cache, params) -> (output, cache): one causal head, step by step.

The learner's function is run over whole sequences, in chunks; what the cache is made of
is its own affair.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..space import Case, Choices, Exercise, Finding, Values, same

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "position": (
        "past",
        {
            "zero": "decode-position-zero",
            "one more": "decode-position-off-by-one",
            "one more always": "decode-position-off-by-one",
            "end of chunk": "decode-position-after-chunk",
            "one less": "decode-position-off-by-one",
            "last": "decode-position-last-for-all",
            "first": "decode-position-first-for-all",
            "zero for all": "decode-position-zero",
            "calls": "decode-position-counts-calls",
            "calls, one for all": "decode-position-counts-calls",
            "advanced twice": "decode-position-advanced-twice",
            "none": "decode-no-position",
            "queries only": "decode-position-of-queries-only",
            "keys only": "decode-position-of-keys-only",
            "not values": "decode-position-not-in-values",
            "values only": "decode-position-of-values-only",
            "after projecting": "decode-position-after-projecting",
            "twice": "decode-position-added-twice",
            "multiplied": "decode-position-multiplied",
            "backwards": "decode-position-backwards",
            "first call only": "decode-position-first-call-only",
            "later calls only": "decode-position-later-calls-only",
        },
    ),
    "mask": (
        "bottom right",
        {
            "top left": "decode-mask-top-left",
            "none": "decode-no-mask",
            "first call only": "decode-mask-first-call-only",
            "later calls only": "decode-mask-later-calls-only",
            "without itself later": "decode-self-excluded",
            "without itself": "decode-self-excluded",
            "itself only": "decode-itself-only",
            "one more": "decode-mask-one-more",
            "chunk only": "decode-cache-not-seen",
            "past only": "decode-chunk-not-seen",
            "inverted": "mask-inverted",
            "from position": "decode-mask-top-left",
        },
    ),
    "cache": (
        "extended",
        {
            "overwritten": "decode-cache-overwritten",
            "overwritten, counted": "decode-cache-overwritten",
            "in front": "decode-cache-in-front",
            "swapped": "decode-cache-swapped",
            "keys only": "decode-keys-cached-only",
            "keys only, zeros": "decode-keys-cached-only",
            "values only": "decode-values-cached-only",
            "old returned": "decode-old-cache-returned",
            "old returned, counted": "decode-old-cache-returned",
            "never kept": "decode-cache-never-returned",
            "first call zero": "decode-first-call-lost",
            "first call gone": "decode-first-call-lost",
            "first call gone, counted": "decode-first-call-lost",
            "appended twice": "decode-appended-twice",
            "appended twice, by length": "decode-appended-twice",
            "twice before attending": "decode-appended-twice",
            "twice before attending, by length": "decode-appended-twice",
            "before projecting": "decode-inputs-cached-without-positions",
            "before projecting, again every time": "decode-positions-added-again",
            "before projecting, again": "decode-positions-added-again",
            "projected again": "decode-cache-projected-again",
            "queries for keys": "decode-queries-cached",
            "keys for values": "decode-keys-cached-as-values",
            "values for keys": "decode-values-cached-as-keys",
            "values of other samples": "decode-samples-mixed",
            "keys of other samples": "decode-samples-mixed",
            "both of other samples": "decode-samples-mixed",
            "of sample 0": "decode-samples-mixed",
            "mean of samples": "decode-samples-mixed",
            "last of chunk": "decode-last-of-chunk-only",
            "last of chunk, counted": "decode-last-of-chunk-only",
            "first of chunk, counted": "decode-last-of-chunk-only",
            "newest call kept": "decode-cache-overwritten",
            "newest call kept, counted": "decode-cache-overwritten",
            "averaged": "decode-cache-averaged",
            **{
                f"window of {n}{how}": "decode-cache-window"
                for n in (2, 3, 4)
                for how in (", counted", "")
            },
        },
    ),
    "scale": (
        "root d",
        {
            "none": "no-scale",
            "d": "scale-d-k",
            "multiplied": "scale-multiplied",
            "root n": "scale-root-n-k",
        },
    ),
    "matrices": (
        "Wq Wk Wv",
        {
            "Wq Wv Wk": "decode-matrices-mixed",
            "Wk Wq Wv": "decode-matrices-mixed",
            "Wq Wq Wv": "decode-matrices-mixed",
            "Wk Wk Wv": "decode-matrices-mixed",
            "Wq Wk Wk": "decode-matrices-mixed",
            "Wv Wk Wv": "decode-matrices-mixed",
            "Wq Wv Wv": "decode-matrices-mixed",
            "Wq Wq Wq": "decode-matrices-mixed",
            "Wq Wk x": "decode-not-projected",
            "Wq x Wv": "decode-not-projected",
            "x Wk Wv": "decode-not-projected",
            "x x x": "decode-not-projected",
            "transposed": "decode-matrices-transposed",
        },
    ),
    "softmax": ("keys", {"queries": "softmax-over-queries", "none": "no-softmax"}),
    "output": (
        "all",
        {
            "last": "decode-last-output-only",
            "plus x": "output-plus-q",
            "unsqueezed": "output-heads-merged",
        },
    ),
}


class Params(NamedTuple):
    """The three matrices (D, D) and the table of positions (max_len, D)."""

    Wq: torch.Tensor
    Wk: torch.Tensor
    Wv: torch.Tensor
    pos: torch.Tensor

    def __getitem__(self, key: Any) -> Any:
        """By name too, as in a dict."""
        return getattr(self, key) if isinstance(key, str) else tuple(self)[key]

    def __repr__(self) -> str:
        return f"of width {len(self.Wq)}"


@dataclass
class Kept:
    """Our own cache: keys, values, inputs, and what was counted."""

    K: torch.Tensor
    V: torch.Tensor
    X: torch.Tensor
    tokens: int
    calls: int


def step(
    x: torch.Tensor, cache: Kept | None, p: Params, c: Choices
) -> tuple[torch.Tensor, Kept | None]:
    """One step, as the choices have it."""
    t, how = x.shape[1], c["cache"]
    by_length = not how.endswith("counted") and "twice" not in how
    by_length = by_length or how.endswith("by length")
    past = 0
    if cache is not None:
        past = cache.K.shape[1] if by_length else cache.tokens
    q, k, v = _projected(x, past, cache, p, c)
    K, V, X = k, v, x
    if "again" in how:
        X = x + p.pos[past : past + t]
    if cache is not None and not how.startswith("overwritten"):
        K, V, X = _joined(how, cache, q, k, v, x, p)
    if how.startswith("twice before"):
        K, V = torch.cat([K, k], 1), torch.cat([V, v], 1)
    out = _attended(q, K, V, cache, c)
    tokens = t + (cache.tokens if cache else 0)
    kept = Kept(K, V, X, tokens, 1 + (cache.calls if cache else 0))
    return _output(c["output"], out, x), _kept(how, kept, cache, q, k, v)


def _projected(x, past: int, cache: Kept | None, p: Params, c: Choices) -> Values:
    t, where = x.shape[1], c["position"]
    names = c["matrices"]
    if names == "transposed":
        matrices = [W.T for W in p[:3]]
    else:
        matrices = [getattr(p, n, torch.eye(x.shape[-1])) for n in names.split()]
    calls = cache.calls if cache else 0
    first = {
        "zero": 0,
        "zero for all": 0,
        "one more": past + 1 if past else 0,
        "one more always": past + 1,
        "end of chunk": past + t,
        "one less": max(past - 1, 0),
        "last": past + t - 1,
        "calls": calls,
        "calls, one for all": calls,
        "advanced twice": 2 * past,
    }.get(where, past)
    pos = p.pos[first : first + t]
    if where in ("last", "first", "zero for all", "calls, one for all"):
        pos = p.pos[first : first + 1].expand(t, -1)
    if where == "backwards":
        pos = pos.flip(0)
    lost = {"first call only": calls > 0, "later calls only": calls == 0}
    if where == "none" or lost.get(where):
        pos = 0 * pos
    pos = {"twice": 2 * pos}.get(where, pos)
    h = x * pos if where == "multiplied" else x + pos
    hs = {
        "queries only": (h, x, x),
        "keys only": (x, h, x),
        "not values": (h, h, x),
        "values only": (x, x, h),
        "after projecting": (x, x, x),
    }.get(where, (h, h, h))
    made = [h @ W for h, W in zip(hs, matrices, strict=True)]
    if where == "after projecting":
        made = [a + pos for a in made]
    return tuple(made)


def _joined(how: str, cache: Kept, q, k, v, x, p: Params) -> Values:
    K, V = cache.K, cache.V
    X = torch.cat([cache.X, x], 1)
    if how.startswith("before projecting"):
        n, past = X.shape[1], cache.X.shape[1]
        again, new = "again" in how, x + p.pos[past:n]
        h = torch.cat([cache.X + again * p.pos[:past], new], 1)
        if not how.endswith("every time"):
            X = torch.cat([cache.X, new if again else x], 1)
        else:
            X = h
        return h @ p.Wk, h @ p.Wv, X
    if how == "projected again":
        return torch.cat([K @ p.Wk, k], 1), torch.cat([V @ p.Wv, v], 1), X
    if how == "averaged":
        K, V = K.mean(1, keepdim=True), V.mean(1, keepdim=True)
    if how == "in front":
        return torch.cat([k, K], 1), torch.cat([v, V], 1), X
    mixed = {
        "swapped": lambda: (V, K),
        "values of other samples": lambda: (K, V.flip(0)),
        "keys of other samples": lambda: (K.flip(0), V),
        "both of other samples": lambda: (K.flip(0), V.flip(0)),
        "of sample 0": lambda: (K[:1].expand_as(K), V[:1].expand_as(V)),
        "mean of samples": lambda: (
            K.mean(0, keepdim=True).expand_as(K),
            V.mean(0, keepdim=True).expand_as(V),
        ),
        "keys only, zeros": lambda: (K, torch.zeros_like(V)),
    }
    K, V = mixed.get(how, lambda: (K, V))()
    if how == "keys only":
        return torch.cat([K, k], 1), torch.cat([V, V[:, -1:].expand_as(v)], 1), X
    if how == "values only":
        return torch.cat([K, K[:, -1:].expand_as(k)], 1), torch.cat([V, v], 1), X
    return torch.cat([K, k], 1), torch.cat([V, v], 1), X


def _kept(how: str, new: Kept, old: Kept | None, q, k, v) -> Kept | None:
    t = k.shape[1]
    if how == "never kept" or (how == "first call gone" and old is None):
        return None
    if how.startswith("old returned") and old is not None:
        counted = new.tokens if how.endswith("counted") else old.tokens
        return Kept(old.K, old.V, old.X, counted, new.calls)
    if how == "first call zero" and old is None:
        new.K, new.V = torch.zeros_like(new.K), torch.zeros_like(new.V)
    elif how == "first call gone, counted" and old is None:
        new.K, new.V = new.K[:, :0], new.V[:, :0]
    elif how.startswith("appended twice"):
        new.K, new.V = torch.cat([new.K, k], 1), torch.cat([new.V, v], 1)
    elif how in ("queries for keys", "keys for values", "values for keys"):
        before = new.K.shape[1] - t
        if how == "queries for keys":
            new.K = torch.cat([new.K[:, :before], q], 1)
        elif how == "keys for values":
            new.V = torch.cat([new.V[:, :before], k], 1)
        else:
            new.K = torch.cat([new.K[:, :before], v], 1)
    elif how.startswith("last of chunk") or how == "first of chunk, counted":
        before, at = new.K.shape[1] - t, -t if how.startswith("first") else -1
        one = slice(new.K.shape[1] + at, new.K.shape[1] + at + 1)
        new.K = torch.cat([new.K[:, :before], new.K[:, one]], 1)
        new.V = torch.cat([new.V[:, :before], new.V[:, one]], 1)
    elif how.startswith("newest call"):
        new.K, new.V = k, v
    elif how.startswith("window"):
        size = int(how.split()[2].strip(","))
        new.K, new.V = new.K[:, -size:], new.V[:, -size:]
    return new


def _attended(q, K, V, cache: Kept | None, c: Choices) -> torch.Tensor:
    t, n, d = q.shape[1], K.shape[1], q.shape[-1]
    by = {"none": 1.0, "d": d, "multiplied": 1 / math.sqrt(d), "root n": math.sqrt(n)}
    s = q @ K.transpose(-2, -1) / by.get(c["scale"], math.sqrt(d))
    seen = _seen(c["mask"], t, n, cache)
    if c["softmax"] == "none":
        return s.masked_fill(~seen, 0.0) @ V
    axis = -2 if c["softmax"] == "queries" else -1
    w = s.masked_fill(~seen, -math.inf).softmax(axis)
    return w.nan_to_num() @ V


def _seen(how: str, t: int, n: int, cache: Kept | None) -> torch.Tensor:
    all_keys = torch.ones(t, n, dtype=torch.bool)
    right, later = all_keys.tril(n - t), cache is not None
    own = all_keys.triu(n - t)
    return {
        "top left": lambda: all_keys.tril(),
        "none": lambda: all_keys,
        "first call only": lambda: all_keys if later else right,
        "later calls only": lambda: right if later else all_keys,
        "without itself later": lambda: all_keys.tril(n - t - 1) if later else right,
        "without itself": lambda: all_keys.tril(n - t - 1),
        "itself only": lambda: right & own,
        "one more": lambda: all_keys.tril(n - t + 1),
        "chunk only": lambda: right & (torch.arange(n) >= n - t),
        "past only": lambda: all_keys & (torch.arange(n) < n - t) if later else right,
        "inverted": lambda: ~right,
        "from position": lambda: all_keys.tril(n - t) & all_keys.tril(),
    }.get(how, lambda: right)()


def _output(how: str, out: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return {
        "last": lambda: out[:, -1:],
        "plus x": lambda: out + x,
        "unsqueezed": lambda: out[:, None],
    }.get(how, lambda: out)()


# ------------------------------------------------------------------ running a learner's
@dataclass
class Decoded:
    """The outputs of one sequence's steps; or what came back in place of a pair."""

    outputs: list[Any]
    odd: Any = None
    at: int = 0
    changed: int | None = None


def decoded(answer: Callable[..., Any], X: torch.Tensor, chunks: Any, p: Any) -> Any:
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
        if not pair or not isinstance(result[0], torch.Tensor):
            if pair and result[0] is ...:
                return ...
            return Decoded(run.outputs, result, i)
        output, cache = result
        run.outputs.append(output)
        start += t
    return run


def unpack(run: Any) -> Values:
    """The outputs of all steps, side by side."""
    if not isinstance(run, Decoded) or run.odd is not None or not run.outputs:
        return (torch.tensor(math.nan),)
    outputs = [o.detach() for o in run.outputs]
    if len({o.dim() for o in outputs}) > 1 or outputs[0].dim() < 2:
        return (outputs[0],)
    try:
        return (torch.cat(outputs, 1),)
    except RuntimeError:
        return (outputs[0],)


def a_pair(answer: Any) -> Finding | None:
    """Every step hands back (output, cache)."""
    case = cases(0)[0]
    run = guard.run(lambda *args: decoded(answer, *args), case.args, by=answer).value
    if not isinstance(run, Decoded) or run.odd is None:
        return None
    kind = type(run.odd).__name__
    if isinstance(run.odd, list | tuple):
        kind = f"{kind} of {len(run.odd)}"
        if len(run.odd) == 2:
            kind += f" that begins with a {type(run.odd[0]).__name__}"
    facts = {"type": kind, "call": run.at + 1}
    return Finding("decode-no-pair", facts, {"returned": kind, "case": case.about})


def joins_tokens(answer: Any) -> Finding | None:
    """What is kept and what is new are joined along the tokens."""
    X, _, p = cases(0)[0].args
    chunks = 3, 1
    X = torch.cat([X, X], 1)
    trouble = guard.run(decoded_by(answer), (X, chunks, p), by=answer).trouble
    if trouble is None:
        return None
    told = re.search(
        r"must match except in dimension (\d)\. Expected size (\d) but got size (\d)",
        trouble.text,
    )
    if not told or {int(told[2]), int(told[3])} != set(chunks):
        return None
    line = f"{trouble.line}: {trouble.source}"
    return Finding("decode-joined-on-another-axis", {"axis": told[1]}, {"line": line})


def decoded_by(answer: Any) -> Callable[..., Any]:
    """`decoded`, for one answer."""
    return lambda *args: decoded(answer, *args)


def x_untouched(trial: Trial) -> Finding | None:
    """No step writes into its x."""
    for case, outcome in zip(trial.cases, trial.outcomes, strict=True):
        run = outcome.value
        if isinstance(run, Decoded) and run.changed is not None:
            return Finding("changes-argument", {"argument": "x"}, {"case": case.about})
    return None


def samples_apart(trial: Trial) -> Finding | None:
    """Sample 0 comes out the same whatever the other samples are."""
    for i in trial.failing:
        X, chunks, p = trial.cases[i].args
        before = trial.seen[i]
        other = torch.cat([X[:1], -X[1:]])
        after = trial.values(trial.call((other, chunks, p)))
        if before is None or after is None or before[0].shape != X.shape:
            continue
        if after[0].shape == X.shape and not same(
            before[0][0], after[0][0], trial.cases[i].tol
        ):
            return Finding(
                "decode-samples-mixed",
                {},
                {
                    "sample 0": numbers(before[0][0, -1]),
                    "after changing the others": numbers(after[0][0, -1]),
                },
            )
    return None


def first_wrong_token(trial: Trial) -> Finding | None:
    """Which token is the first that comes out otherwise than in the whole sequence."""
    for i in trial.failing:
        case, got, want = trial.cases[i], trial.seen[i], trial.right(trial.cases[i])
        if got is None or got[0].shape != want[0].shape:
            continue
        off = ((got[0] - want[0]).abs().nan_to_num(9.0) > case.tol).any(-1).any(0)
        token = int(off.nonzero()[0])
        ends = torch.tensor(case.args[1]).cumsum(0)
        call = int((ends <= token).sum()) + 1
        calls = "the first call" if call == 1 else f"call {call}"
        return Finding(
            "decode-first-wrong-token",
            {"token": token, "call": calls, "chunks": _said(case.args[1])},
            {
                f"your output, token {token}": numbers(got[0][0, token]),
                f"the right output, token {token}": numbers(want[0][0, token]),
            },
        )
    return None


def calls_agree_afterwards(trial: Trial) -> Finding | None:
    """A second sequence, begun without a cache, knows nothing of the first."""
    i = trial.case("pair")
    first = trial.seen[i]
    if first is None or first[0].dim() != 3:
        return None
    again = trial.values(trial.call(trial.cases[i].args))
    other = trial.values(trial.call(trial.cases[i].args, salt=1))
    tol = trial.cases[i].tol
    if again and other and same(again[0], first[0], tol):
        same_again = same(other[0], first[0], tol)
        return None if same_again else Finding("random-each-call", {}, {})
    evidence = {
        "case": trial.cases[i].about,
        "first sequence": numbers(first[0].flatten()),
    }
    if again:
        evidence["the same again"] = numbers(again[0].flatten())
    return Finding("decode-remembers", {}, evidence)


def _said(chunks: Sequence[int]) -> str:
    return " + ".join(map(str, chunks))


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The outputs of all steps, as the choices have them."""
    X, chunks, p = case.args
    run = decoded(imitating(c), X, chunks, p)
    sizes = [o.shape[1] for o in run.outputs]
    if c["output"] == "all" and sizes != list(chunks):
        raise ValueError("another number of outputs")
    return unpack(run)


def imitating(c: Choices) -> Callable[..., Any]:
    """An answer that makes these choices."""

    def departing(x: torch.Tensor, cache: Any, p: Params) -> Any:
        return step(x, cache, p, c)

    return departing


def cases(seed: int) -> Sequence[Case]:
    """One sequence, cut in several ways; then without positions, and a single one."""
    g = torch.Generator().manual_seed(2917 + seed)
    D = 6
    Wq, Wk, Wv = (torch.randn(D, D, generator=g) * 0.35 for _ in range(3))
    pos = torch.randn(2048, D, generator=g)
    X = torch.randn(3, 7, D, generator=g)
    p, bare = Params(Wq, Wk, Wv, pos), Params(Wq, Wk, Wv, 0 * pos)

    def case(name: str, chunks: Sequence[int], *tags: str, p: Params = p) -> Case:
        about = f"{sum(chunks)} tokens in chunks of {_said(chunks)}"
        if len(set(chunks)) == 1:
            about = f"{sum(chunks)} tokens, {chunks[0]} a call"
        if "no positions" in tags:
            about += ", without positions"
        args = (X[:, : sum(chunks)], tuple(chunks), p)
        return Case(name, about, args, frozenset(tags))

    return [
        case("pair", [1, 1]),
        case("first", [1], "a first call"),
        case("three", [1, 1, 1]),
        case("prefill", [4], "a first call", "several tokens a call"),
        case("more", [3, 1, 1], "several tokens a call"),
        case("chunks", [2, 3, 2], "several tokens a call", "a later chunk of several"),
        case("grows", [1, 2, 3], "several tokens a call", "a later chunk of several"),
        case("seven", [1] * 7),
        case("bare", [2, 1, 1], "no positions", p=bare),
    ]


def facts(case: Case, values: Values) -> Mapping[str, Any]:
    """Numbers the sentences may mention."""
    X, chunks, _ = case.args
    return {
        "chunks": _said(chunks),
        "t": chunks[-1],
        "n": sum(chunks),
        "past": sum(chunks[:-1]),
        "calls": len(chunks),
        "d_k": X.shape[-1],
        "root_d": number(math.sqrt(X.shape[-1])),
        "n_k": sum(chunks),
        "got": tuple(values[0].shape) if values else "?",
    }


EXERCISES = [
    Exercise(
        name="decode_step",
        parts=("output",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("x of all calls", "tokens a call", "params"),
        call=decoded,
        imitate=imitating,
        unpack=unpack,
        looks=(a_pair, joins_tokens),
        behaviours=(
            x_untouched,
            behave.arguments_untouched,
            calls_agree_afterwards,
        ),
        symptoms=(samples_apart, first_wrong_token, behave.not_finite),
    )
]
