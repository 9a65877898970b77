"""streaming_attention(Q, K, V, block) -> output, by an online softmax."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number, numbers
from ..space import Case, Choices, Exercise, Finding, Values

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "rescale": (
        "both",
        {
            "l only": "stream-o-not-rescaled",
            "o only": "stream-l-not-rescaled",
            "none": "stream-nothing-rescaled",
            "inverted": "stream-factor-inverted",
            "o inverted": "stream-o-factor-inverted",
            "l inverted": "stream-l-factor-inverted",
            "after adding": "stream-rescaled-after-adding",
            "o after adding": "stream-rescaled-after-adding",
            "l after adding": "stream-rescaled-after-adding",
            "twice": "stream-rescaled-twice",
            "o twice": "stream-rescaled-twice",
            "no exp": "stream-factor-without-exp",
        },
    ),
    "maximum": (
        "running",
        {
            "block": "stream-block-max",
            "first": "stream-first-max",
            "scalar": "stream-one-max-for-all-rows",
            "scalar a head": "stream-one-max-for-all-rows",
            "minimum": "stream-minimum",
            "from zero": "stream-max-from-zero",
            "absolute": "stream-max-of-absolute",
            "none": "stream-no-max",
            "not stored": "stream-max-not-stored",
        },
    ),
    "exponent": (
        "new max",
        {
            "old max": "stream-old-max-in-exponent",
            "block max": "stream-block-max-in-exponent",
            "no max": "stream-no-max-in-exponent",
        },
    ),
    "division": (
        "end",
        {
            "none": "stream-no-division",
            "each": "stream-divided-each-block",
            "each and end": "stream-divided-each-block",
            "mean of blocks": "stream-mean-of-blocks",
            "mean by length": "stream-mean-of-blocks",
            "sum of blocks": "stream-sum-of-blocks",
            "merged by max": "stream-merged-by-max",
            "merged by sums": "stream-merged-by-own-sums",
            "l + 1": "stream-l-from-one",
            "by n_k": "stream-divided-by-n",
            "by m": "stream-divided-by-max",
            "twice": "stream-divided-twice",
            "multiplied": "stream-multiplied-by-l",
            "values in block": "stream-normalised-in-block-too",
            "softmax in block": "stream-normalised-in-block-too",
        },
    ),
    "blocks": (
        "all",
        {
            "no tail": "stream-tail-lost",
            "first": "stream-first-block-only",
            "last": "stream-last-block-only",
            "first missing": "stream-first-block-missing",
            "last missing": "stream-last-block-missing",
            "first twice": "stream-first-block-twice",
            "own block": "stream-block-diagonal",
            "as long as Q": "stream-range-over-queries",
            "padded": "stream-tail-padded",
            "last full": "stream-last-block-overlaps",
            "overlapping": "stream-blocks-overlap",
            "gaps": "stream-blocks-have-gaps",
            "ending early": "stream-blocks-end-early",
            "last key missing": "stream-last-key-missing",
            "V of first": "stream-v-not-sliced",
            "V of whole blocks": "stream-tail-lost",
            "V shifted": "stream-v-not-sliced",
        },
    ),
    "sums": (
        "accumulated",
        {
            "l of last": "stream-l-overwritten",
            "o of last": "stream-o-overwritten",
            "l of first": "stream-l-overwritten",
            "l largest": "stream-l-not-summed",
            "l counts": "stream-l-not-summed",
            "l means": "stream-l-not-summed",
            "l from one": "stream-l-from-one",
        },
    ),
    "scale": (
        "root d",
        {
            "none": "no-scale",
            "d": "scale-d-k",
            "multiplied": "scale-multiplied",
            "root n_k": "scale-root-n-k",
            "root block": "stream-scale-root-block",
            "root d_v": "scale-root-d-v",
            "root n_q": "scale-root-n-q",
            "root heads": "scale-root-heads",
            "n_k": "scale-n-k",
            "after max": "stream-max-without-scale",
        },
    ),
    "values": ("V", {"K": "k-used-as-v", "Q": "q-used-as-v"}),
    "roles": (
        "Q K",
        {"K Q": "q-k-swapped", "K K": "k-used-as-q", "Q Q": "q-used-as-k"},
    ),
    "base": ("e", {"2": "softmax-base-2"}),
    "causal": ("no", {"yes": "always-causal", "bottom right": "always-causal"}),
    "returns": (
        "output",
        {
            "with l": "returns-two",
            "with m": "returns-two",
            "with weights": "returns-two",
            "transposed": "output-transposed",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The output of the stream, as the choices have it."""
    Q, K, V, block = case.args
    V = {"V": V, "K": K, "Q": Q}[c["values"]]
    Q, K = ({"Q": Q, "K": K}[name] for name in c["roles"].split())
    if c["blocks"] == "padded":
        rest = -K.shape[-2] % block
        K, V = (torch.nn.functional.pad(x, (0, 0, 0, rest)) for x in (K, V))
    if c["blocks"] == "own block":
        parts = [
            _stream(*(x[..., a : a + block, :] for x in (Q, K, V)), block, c, {})
            for a in range(0, Q.shape[-2], block)
        ]
        o, l, m = (torch.cat(part, -2) for part in zip(*parts, strict=True))
    else:
        o, l, m = _stream(Q, K, V, block, c, memo)
    return {
        "output": (o,),
        "with l": (o, l),
        "with m": (o, m),
        "with weights": (o, _scores(Q, K, V, block, c, {}).softmax(-1)),
        "transposed": (o.transpose(-2, -1),),
    }[c["returns"]]


def _stream(Q, K, V, block: int, c: Choices, memo: dict[Any, Any]) -> Values:
    """(output, l, m) by one pass over the blocks of keys."""
    s_all = _scores(Q, K, V, block, c, memo)
    exp = torch.exp2 if c["base"] == "2" else torch.exp
    n_k, division, sums = K.shape[-2], c["division"], c["sums"]
    if not n_k:
        return Q.new_zeros(*Q.shape[:-1], V.shape[-1]), Q[..., :1] * 0, Q[..., :1] * 0
    o = Q.new_zeros(*Q.shape[:-1], V.shape[-1])
    m = torch.full_like(Q[..., :1], -math.inf)
    l = torch.ones_like(m) if sums == "l from one" else torch.zeros_like(m)
    spans = _spans(c["blocks"], Q.shape[-2], n_k, block)
    for step, (a, b) in enumerate(spans):
        s, v = s_all[..., a:b], _values(c["blocks"], V, a, b, block)
        top = s.amax(-1, keepdim=True)
        new = _maximum(c["maximum"], m, top, s, step)
        if c["scale"] == "after max":
            new = new * math.sqrt(Q.shape[-1])
        p = exp(s - _subtracted(c["exponent"], m, new, top))
        if division == "softmax in block":
            p = torch.softmax(s, -1)
        to_o, to_l = _factors(c["rescale"], exp, m, new, step)
        added = p @ v
        if division == "values in block":
            added = torch.softmax(s, -1) @ v
        if division in _OF_BLOCKS:
            added = torch.softmax(s, -1) @ v * _OF_BLOCKS[division](s, top)
            to_o = 1.0
        o = added if sums == "o of last" else o * to_o + added
        share = {
            "l largest": lambda p=p: p.amax(-1, keepdim=True),
            "l means": lambda p=p: p.mean(-1, keepdim=True),
            "l counts": lambda p=p: torch.full_like(p[..., :1], p.shape[-1]),
        }.get(sums, lambda p=p: p.sum(-1, keepdim=True))()
        if sums == "l of last" or (sums == "l of first" and not step):
            l = share
        elif sums != "l of first":
            l = (l * to_l if sums != "l from one" or step else l) + share
        if "after adding" in c["rescale"] and step:
            later = exp(m - new)
            o = o * later if c["rescale"] != "l after adding" else o
            l = l * later if c["rescale"] != "o after adding" else l
        if division in ("each", "each and end"):
            o = o / l
        m = new if c["maximum"] != "not stored" or not step else m
    return _divided(division, o, l, m, spans, s_all), l, m


# o of one block, in units that differ
_OF_BLOCKS: Mapping[str, Callable[..., Any]] = {
    "mean of blocks": lambda s, top: 1.0,
    "mean by length": lambda s, top: s.shape[-1],
    "sum of blocks": lambda s, top: 1.0,
    "merged by max": lambda s, top: top.exp(),
    "merged by sums": lambda s, top: (s - top).exp().sum(-1, keepdim=True),
}


def _divided(how: str, o, l, m, spans, s_all) -> torch.Tensor:
    n_k = s_all.shape[-1]

    def total(weight: Callable[..., Any]) -> Any:
        parts = (s_all[..., a:b] for a, b in spans)
        return sum(weight(s, s.amax(-1, keepdim=True)) for s in parts)

    return {
        "none": lambda: o,
        "each": lambda: o,
        "sum of blocks": lambda: o,
        "mean of blocks": lambda: o / len(spans),
        "mean by length": lambda: o / n_k,
        "merged by max": lambda: o / total(_OF_BLOCKS[how]),
        "merged by sums": lambda: o / total(_OF_BLOCKS[how]),
        "by n_k": lambda: o / n_k,
        "l + 1": lambda: o / (l + 1),
        "by m": lambda: o / m,
        "twice": lambda: o / l / l,
        "multiplied": lambda: o * l,
    }.get(how, lambda: o / l)()


def _scores(Q, K, V, block: int, c: Choices, memo: dict[Any, Any]) -> torch.Tensor:
    key = "scores", c["scale"], c["causal"], c["roles"], c["blocks"] == "padded"
    if key in memo:
        return memo[key]
    n_q, n_k, d = Q.shape[-2], K.shape[-2], Q.shape[-1]
    by = {
        "none": 1.0,
        "d": d,
        "multiplied": 1 / math.sqrt(d),
        "root n_k": math.sqrt(n_k),
        "root block": math.sqrt(block),
        "root d_v": math.sqrt(V.shape[-1]),
        "root n_q": math.sqrt(n_q),
        "root heads": math.sqrt(Q.shape[1]),
        "n_k": n_k,
    }.get(c["scale"], math.sqrt(d))
    s = Q @ K.transpose(-2, -1) / by
    if c["causal"] != "no":
        shift = n_k - n_q if c["causal"] == "bottom right" else 0
        seen = torch.ones(n_q, n_k, dtype=torch.bool).tril(shift)
        s = s.masked_fill(~seen, -1e9)
    memo[key] = s
    return s


def _spans(how: str, n_q: int, n_k: int, block: int) -> list[tuple[int, int]]:
    starts = list(range(0, n_k, block))
    starts = {
        "no tail": lambda: [a for a in starts if a + block <= n_k],
        "first": lambda: starts[:1],
        "last": lambda: starts[-1:],
        "first missing": lambda: starts[1:],
        "last missing": lambda: starts[:-1],
        "first twice": lambda: starts[:1] + starts,
        "as long as Q": lambda: list(range(0, min(n_q, n_k), block)),
        "gaps": lambda: list(range(0, n_k, block + 1)),
    }.get(how, lambda: starts)()
    wider = {"overlapping": 1}.get(how, 0)
    spans = [(a, min(a + block + wider, n_k)) for a in starts]
    if how == "ending early":
        spans = [(a, min(a + block - 1, n_k)) for a in starts]
    if how == "last key missing":
        spans = [(a, min(b, n_k - 1)) for a, b in spans if a < n_k - 1]
    if how == "last full":
        spans[-1] = max(n_k - block, 0), n_k
    return spans


def _values(how: str, V: torch.Tensor, a: int, b: int, block: int) -> torch.Tensor:
    if how == "V of first":
        return V[..., : b - a, :]
    if how == "V shifted":
        return V.roll(-1, -2)[..., a:b, :]
    if how == "V of whole blocks" and b - a < block:
        return V[..., a:b, :] * 0
    return V[..., a:b, :]


def _maximum(how: str, m, top, s, step: int) -> torch.Tensor:
    return {
        "block": lambda: top,
        "first": lambda: m if step else top,
        "scalar": lambda: torch.maximum(m, s.max()),
        "scalar a head": lambda: torch.maximum(m, s.amax((-2, -1), keepdim=True)),
        "minimum": lambda: torch.minimum(m, top) if step else top,
        "absolute": lambda: torch.maximum(m, s.abs().amax(-1, keepdim=True)),
        "from zero": lambda: torch.maximum(m.clamp_min(0.0), top),
        "none": lambda: torch.zeros_like(m),
    }.get(how, lambda: torch.maximum(m, top))()


def _subtracted(how: str, m, new, top) -> torch.Tensor:
    return {
        "old max": lambda: torch.where(m == -math.inf, new, m),
        "block max": lambda: top,
        "no max": lambda: torch.zeros_like(m),
    }.get(how, lambda: new)()


def _factors(how: str, exp: Callable, m, new, step: int) -> tuple[Any, Any]:
    """By what o and l are multiplied before a block is added."""
    if not step:
        return 0.0, 0.0
    c = exp(m - new)
    return {
        "l only": lambda: (1.0, c),
        "o only": lambda: (c, 1.0),
        "none": lambda: (1.0, 1.0),
        "inverted": lambda: (exp(new - m),) * 2,
        "o inverted": lambda: (exp(new - m), c),
        "l inverted": lambda: (c, exp(new - m)),
        "after adding": lambda: (1.0, 1.0),
        "o after adding": lambda: (1.0, c),
        "l after adding": lambda: (c, 1.0),
        "twice": lambda: (c * c, c * c),
        "o twice": lambda: (c * c, c),
        "no exp": lambda: (m - new, m - new),
    }.get(how, lambda: (c, c))()


def cases(seed: int) -> Sequence[Case]:
    """Blocks that fit and that leave a rest; then rows of scores that lie far apart."""
    g = torch.Generator().manual_seed(8191 + seed)

    def drawn(B: int, H: int, n_q: int, n_k: int, d: int, d_v: int) -> list:
        sizes = (B, H, n_q, d), (B, H, n_k, d), (B, H, n_k, d_v)
        return [torch.randn(*size, generator=g) * 1.3 for size in sizes]

    def case(name: str, about: str, args: Any, *tags: str, tol: float = 2e-4) -> Case:
        return Case(name, about, tuple(args), frozenset(tags), tol)

    rest = "a last block that is not full"
    far = "scores that differ by hundreds"
    one, V = torch.ones(2, 2, 3, 4), drawn(2, 2, 3, 10, 4, 5)[2]
    ramp = torch.linspace(-1, 1, 10).view(1, 1, 10, 1).expand(2, 2, 10, 4)
    noise = 0.1 * torch.randn(2, 2, 10, 4, generator=g)
    flat = 6 * torch.ones(2, 2, 10, 4) + noise
    spread = torch.cat([10 * one[..., :1, :], -10 * one[..., :2, :]], -2)
    return [
        case("plain", "10 keys in blocks of 5", [*drawn(2, 3, 5, 10, 7, 11), 5]),
        case("thirds", "9 keys in blocks of 3", [*drawn(2, 2, 3, 9, 5, 2), 3]),
        case("rest", "7 keys in blocks of 3", [*drawn(2, 3, 5, 7, 11, 2), 3], rest),
        case("single", "5 keys in blocks of 1", [*drawn(2, 2, 3, 5, 4, 7), 1]),
        case(
            "whole",
            "one block wider than the 7 keys",
            [*drawn(2, 2, 3, 7, 4, 5), 16],
            "a block wider than all keys",
        ),
        case("square", "6 queries, 6 keys, 6 features", [*drawn(2, 6, 6, 6, 6, 6), 4]),
        case("more", "4 queries, 13 keys", [*drawn(1, 2, 4, 13, 3, 5), 4]),
        case("falling", "scores that fall by hundreds", [one, -99 * ramp, V, 4], far),
        case("rising", "scores that rise by hundreds", [one, 99 * ramp, V, 4], far),
        case(
            "low",
            "scores that are all below -100",
            [-10 * one, flat, V, 4],
            "very negative scores only",
        ),
        case(
            "spread",
            "rows of scores that lie 200 apart",
            [spread, flat, V, 4],
            "rows that lie far apart",
        ),
    ]


def facts(case: Case, values: Values) -> Mapping[str, Any]:
    """Numbers the sentences may mention."""
    Q, K, V, block = case.args
    n_k = K.shape[-2]
    return {
        "n_q": Q.shape[-2],
        "n_k": n_k,
        "d_k": Q.shape[-1],
        "root_d": f"{math.sqrt(Q.shape[-1]):.3g}",
        "d_v": V.shape[-1],
        "heads": Q.shape[1],
        "block": block,
        "blocks": math.ceil(n_k / block),
        "rest": n_k % block,
        "got": tuple(values[0].shape) if values else "?",
    }


CAUSES = {
    "falling": "stream-overflow-falling",
    "rising": "stream-overflow-rising",
    "low": "stream-underflow-low",
    "spread": "stream-underflow-spread",
}


def not_finite_far_apart(trial: Trial) -> Finding | None:
    """Right on plain numbers, but NaN or infinite where scores lie far apart."""
    broken = {
        trial.cases[i].name: trial.seen[i][0]
        for i in trial.failing
        if trial.seen[i] is not None and not torch.isfinite(trial.seen[i][0]).all()
    }
    failing = {trial.cases[i].name for i in trial.failing}
    if not broken or not failing <= set(CAUSES):
        return None
    first = next(name for name in CAUSES if name in broken)
    mistake = "stream-no-max" if {"rising", "falling"} <= set(broken) else CAUSES[first]
    bad = broken[first]
    kind = "NaN" if bad.isnan().any() else "infinite"
    shown = {trial.cases[trial.case(n)].about: numbers(broken[n]) for n in broken}
    return Finding(mistake, {"bad": kind}, shown)


def coarse(trial: Trial) -> Finding | None:
    """The right numbers, but rounded to half precision on the way."""
    worst = 0.0
    for case, got in zip(trial.cases, trial.seen, strict=True):
        want = trial.right(case)[0]
        if got is None or got[0].shape != want.shape:
            return None
        if case.name not in CAUSES:
            worst = max(worst, float((got[0] - want).abs().max()))
    if not 0 < worst <= 0.06:  # NaN too
        return None
    got = trial.seen[trial.failing[0]][0].float()
    kinds = {"bfloat16": torch.bfloat16, "float16": torch.float16}
    kind = next((k for k, t in kinds.items() if torch.equal(got.to(t).float(), got)), 0)
    facts = {"off": number(worst), "kind": kind or "a short format"}
    return Finding("stream-low-precision", facts)


def each_row_by_ratio(trial: Trial) -> Finding | None:
    """Each row is the right one times a number: l alone is wrong."""
    i = trial.failing[0]
    got, want = trial.seen[i], trial.right(trial.cases[i])
    if got is None or got[0].shape != want[0].shape:
        return None
    ratio = got[0] / want[0]
    middle = ratio.median(-1, keepdim=True).values
    if not bool(((ratio - middle).abs() <= 1e-3 * middle.abs()).all()):
        return None
    rows = middle.flatten()
    return Finding(
        "stream-rows-scaled",
        {"ratio": number(rows[0])},
        {"yours / due, a row": numbers(rows)},
    )


def gradient(trial: Trial) -> Finding | None:
    """A loss on the output reaches Q, K and V (see `in_place` for one exception)."""
    found = _gradients(trial)
    return None if found and found.mistake == "in-place-breaks-gradient" else found


def in_place(trial: Trial) -> Finding | None:
    """A remark: accumulators that are overwritten cannot be trained through."""
    found = _gradients(trial)
    return found if found and found.mistake == "in-place-breaks-gradient" else None


_gradients = behave.gradients("rest", names=("Q", "K", "V"))


class _Largest(TorchFunctionMode):
    """Watches the size of all tensors that are made."""

    size = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        made = func(*args, **(kwargs or {}))
        for tensor in made if isinstance(made, tuple | list) else (made,):
            if isinstance(tensor, torch.Tensor):
                self.size = max(self.size, tensor.numel())
        return made


def whole_matrix(trial: Trial) -> Finding | None:
    """A remark: the whole score matrix was made at once."""
    g = torch.Generator().manual_seed(3)
    Q, K, V = (torch.randn(1, 1, n, 2, generator=g) for n in (32, 64, 64))
    with _Largest() as watch:
        trial.call((Q, K, V, 4))
    if watch.size < 32 * 64:
        return None
    return Finding("stream-whole-matrix", {"size": watch.size, "due": 32 * 4})


EXERCISES = [
    Exercise(
        name="streaming_attention",
        parts=("output",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("Q", "K", "V", "block"),
        behaviours=(behave.arguments_untouched, behave.calls_agree("plain"), gradient),
        symptoms=(
            not_finite_far_apart,
            coarse,
            each_row_by_ratio,
            behave.not_finite,
        ),
        remarks=(whole_matrix, in_place),
    )
]
