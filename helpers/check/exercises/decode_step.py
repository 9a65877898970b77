"""decode_step(x, cache, params) -> (output, cache): one causal head, step by step.

The learner's function is run over whole sequences, in chunks; what the cache is made of
is its own affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Choices, Exercise, Finding, Values
from . import _decoding as run

LINES = {
    "t": ("x.shape[1]", {}),
    "calls": ("cache.calls if cache else 0", {}),
    "past": ("cache.K.shape[1] if cache else 0", {}),
    "pos": (
        "p.pos[past : past + t]",
        {
            "p.pos[:t]": "decode-position-zero",
            "p.pos[past + (past > 0) :][:t]": "decode-position-off-by-one",
            "p.pos[past + 1 :][:t]": "decode-position-off-by-one",
            "p.pos[past + t :][:t]": "decode-position-after-chunk",
            "p.pos[max(past - 1, 0) :][:t]": "decode-position-off-by-one",
            "p.pos[past + t - 1]": "decode-position-last-for-all",
            "p.pos[past]": "decode-position-first-for-all",
            "p.pos[0]": "decode-position-zero",
            "p.pos[calls:][:t]": "decode-position-counts-calls",
            "p.pos[calls]": "decode-position-counts-calls",
            "p.pos[2 * past :][:t]": "decode-position-advanced-twice",
            "0 * p.pos[:t]": "decode-no-position",
            "2 * p.pos[past : past + t]": "decode-position-added-twice",
            "p.pos[past : past + t].flip(0)": "decode-position-backwards",
            "p.pos[past : past + t] * (not calls)": "decode-position-first-call-only",
            "p.pos[past : past + t] * (calls > 0)": "decode-position-later-calls-only",
        },
    ),
    "h": ("x + pos", {"x * pos": "decode-position-multiplied"}),
    "into": (
        "(h, h, h)",
        {
            "(h, x, x)": "decode-position-of-queries-only",
            "(x, h, x)": "decode-position-of-keys-only",
            "(h, h, x)": "decode-position-not-in-values",
            "(x, x, h)": "decode-position-of-values-only",
        },
    ),
    "W": (
        "(p.Wq, p.Wk, p.Wv)",
        {
            "(p.Wq, p.Wv, p.Wk)": "decode-matrices-mixed",
            "(p.Wk, p.Wq, p.Wv)": "decode-matrices-mixed",
            "(p.Wq, p.Wq, p.Wv)": "decode-matrices-mixed",
            "(p.Wk, p.Wk, p.Wv)": "decode-matrices-mixed",
            "(p.Wq, p.Wk, p.Wk)": "decode-matrices-mixed",
            "(p.Wv, p.Wk, p.Wv)": "decode-matrices-mixed",
            "(p.Wq, p.Wv, p.Wv)": "decode-matrices-mixed",
            "(p.Wq, p.Wq, p.Wq)": "decode-matrices-mixed",
            "(p.Wq, p.Wk, eye)": "decode-not-projected",
            "(p.Wq, eye, p.Wv)": "decode-not-projected",
            "(eye, p.Wk, p.Wv)": "decode-not-projected",
            "(eye, eye, eye)": "decode-not-projected",
            "(p.Wq.T, p.Wk.T, p.Wv.T)": "decode-matrices-transposed",
        },
    ),
    "made": (
        "[a @ w for a, w in zip(into, W)]",
        {"[x @ w + pos for w in W]": "decode-position-after-projecting"},
    ),
    "q": ("made[0]", {}),
    "new": ("(made[1], made[2])", {}),
    "inputs": ("cache and cache.inputs", {}),
    "old": (
        "cache and (cache.K, cache.V)",
        {
            "cache and (cache.V, cache.K)": "decode-cache-swapped",
            "cache and (cache.K, 0 * cache.V)": "decode-keys-cached-only",
            "cache and projected(inputs['plain'], p)": (
                "decode-inputs-cached-without-positions"
            ),
            "cache and projected(inputs['placed'] + p.pos[:past], p)": (
                "decode-positions-added-again"
            ),
            "cache and projected(inputs['heaped'] + p.pos[:past], p)": (
                "decode-positions-added-again"
            ),
            "cache and (cache.K @ p.Wk, cache.V @ p.Wv)": (
                "decode-cache-projected-again"
            ),
            "cache and (cache.K, cache.V.flip(0))": "decode-samples-mixed",
            "cache and (cache.K.flip(0), cache.V)": "decode-samples-mixed",
            "cache and (cache.K.flip(0), cache.V.flip(0))": "decode-samples-mixed",
            "cache and tuple(a[:1].expand_as(a) for a in (cache.K, cache.V))": (
                "decode-samples-mixed"
            ),
            "cache and tuple(a.mean(0, True).expand_as(a) for a in cache[:2])": (
                "decode-samples-mixed"
            ),
            "cache and (cache.K.mean(1, True), cache.V.mean(1, True))": (
                "decode-cache-averaged"
            ),
        },
    ),
    "KV": (
        "joined(old, new)",
        {
            "new": "decode-cache-overwritten",
            "joined(new, old)": "decode-cache-in-front",
            "(joined(old, new)[0], joined(old, stale(old, new))[1])": (
                "decode-keys-cached-only"
            ),
            "(joined(old, stale(old, new))[0], joined(old, new)[1])": (
                "decode-values-cached-only"
            ),
            "joined(joined(old, new), new)": "decode-appended-twice",
        },
    ),
    "n": ("KV[0].shape[1]", {}),
    "seen": (
        "lower(t, n, n - t)",
        {
            "lower(t, n, 0)": "decode-mask-top-left",
            "lower(t, n, n)": "decode-no-mask",
            "lower(t, n, n if calls else 0)": "decode-mask-first-call-only",
            "lower(t, n, n - t if calls else n)": "decode-mask-later-calls-only",
            "lower(t, n, n - t - (calls > 0))": "decode-self-excluded",
            "lower(t, n, n - t - 1)": "decode-self-excluded",
            "lower(t, n, n - t) & ~lower(t, n, n - t - 1)": "decode-itself-only",
            "lower(t, n, n - t + 1)": "decode-mask-one-more",
            "lower(t, n, n - t) & (torch.arange(n) >= n - t)": "decode-cache-not-seen",
            "(torch.arange(n) < n - t).expand(t, n) if calls else lower(t, n, 0)": (
                "decode-chunk-not-seen"
            ),
            "~lower(t, n, n - t)": "decode-mask-inverted",
        },
    ),
    "d": ("q.shape[-1]", {}),
    "scale": (
        "math.sqrt(d)",
        {
            "1.0": "no-scale",
            "d": "scale-d-k",
            "1 / math.sqrt(d)": "scale-multiplied",
            "math.sqrt(n)": "scale-root-n-k",
        },
    ),
    "s": ("q @ KV[0].mT / scale", {}),
    "w": (
        "s.masked_fill(~seen, -INF).softmax(-1).nan_to_num()",
        {
            "s.masked_fill(~seen, -INF).softmax(-2).nan_to_num()": (
                "decode-softmax-over-queries"
            ),
            "s.masked_fill(~seen, 0.0)": "decode-no-softmax",
            "s.softmax(-1) * seen": "decode-mask-after-softmax",
            "(s * seen).softmax(-1)": "decode-hidden-scores-zero",
            "(s + seen).softmax(-1)": "decode-mask-added",
            **{
                f"s.masked_fill(~seen, {fill}).softmax(-1)": "decode-fill-too-high"
                for fill in (-1.0, -5.0, -10.0, -20.0)
            },
        },
    ),
    "out": (
        "w @ KV[1]",
        {
            "(w @ KV[1])[:, -1:]": "decode-last-output-only",
            "w @ KV[1] + x": "decode-x-added",
            "(w @ KV[1])[:, None]": "decode-axis-added",
        },
    ),
    "read": ("t + (cache.tokens if cache else 0)", {}),
    "memory": ("remembered(inputs, x, h, p)", {}),
    "kept": ("Kept(*KV, read, calls + 1, memory)", {}),
    "handed": (
        "kept",
        {
            "cache or kept": "decode-old-cache-returned",
            "cache and cache._replace(tokens=read) or kept": (
                "decode-old-cache-returned"
            ),
            "None": "decode-cache-never-returned",
            "kept if cache else kept._replace(K=0 * KV[0], V=0 * KV[1])": (
                "decode-first-call-lost"
            ),
            "kept if cache else kept._replace(K=KV[0][:, :0], V=KV[1][:, :0])": (
                "decode-first-call-lost"
            ),
            "keep(kept, joined(KV, new))": "decode-appended-twice",
            "keep(kept, (joined(old, (q, q))[0], KV[1]))": "decode-queries-cached",
            "keep(kept, (KV[0], joined(old, new[:1] * 2)[1]))": (
                "decode-keys-cached-as-values"
            ),
            "keep(kept, (joined(old, new[1:] * 2)[0], KV[1]))": (
                "decode-values-cached-as-keys"
            ),
            "keep(kept, joined(old, last(new, 1)))": "decode-last-of-chunk-only",
            "keep(kept, joined(old, (new[0][:, :1], new[1][:, :1])))": (
                "decode-last-of-chunk-only"
            ),
            "keep(kept, new)": "decode-cache-overwritten",
            **{f"keep(kept, last(KV, {n}))": "decode-cache-window" for n in (2, 3, 4)},
        },
    ),
    "returned": ("(out, handed)", {}),
}
KNOWN = ("Kept", "joined", "last", "stale", "keep", "lower", "projected", "remembered")
STEP = Program(
    "x cache p",
    LINES,
    eye=torch.eye(run.WIDTH),
    **{name: getattr(run, name) for name in KNOWN},
)


def compute(case: Case, choices: Choices, memo: dict[Any, Any]) -> Values:
    """The outputs of all steps; a step is computed once for each cache it may meet."""
    X, chunks, p = case.args
    outputs, cache, start = [], None, 0
    for i, t in enumerate(chunks):
        met = memo.setdefault((i, id(cache)), {})
        given = Case("", "", (X[:, start : start + t], cache, p))
        out, cache = STEP(given, choices, met)
        outputs.append(out)
        start += t
    return run.side_by_side(outputs)


def imitating(choices: Choices) -> Any:
    """An answer that makes these choices."""

    def departing(x: torch.Tensor, cache: Any, params: run.Params) -> Any:
        return STEP(Case("", "", (x, cache, params)), choices, {})

    return departing


def begins(answer: Any) -> Finding | None:
    """A first call with 3 tokens and one with 1 return pairs, and fit together."""
    X, _, p = cases(0)[0].args
    outcome = run.begun(torch.cat([X, X], 1), (3, 1), p, answer)
    return run.a_pair(outcome, "3 tokens, then 1") or run.joins_tokens(outcome)


def cases(seed: int) -> Sequence[Case]:
    """One sequence, cut in several ways; without positions; with large scores."""
    g = torch.Generator().manual_seed(2917 + seed)
    D = run.WIDTH
    Wq, Wk, Wv = (torch.randn(D, D, generator=g) * 0.35 for _ in range(3))
    pos = torch.randn(2048, D, generator=g)
    X = torch.randn(3, 7, D, generator=g)
    p, bare = run.Params(Wq, Wk, Wv, pos), run.Params(Wq, Wk, Wv, 0 * pos)
    h = X + pos[:7]
    scores = (h @ Wq) @ (h @ Wk).mT / D**0.5
    steep = p._replace(Wq=Wq * 70 / scores.abs().max())

    def case(name: str, chunks: Sequence[int], *tags: str, p: Any = p) -> Case:
        n = sum(chunks)
        about = f"{n} tokens in chunks of {run.told(chunks)}"
        if set(chunks) == {1}:
            about = f"{n} token{'s' * (n > 1)}, one per call"
        about += "".join(f", {tag}" for tag in tags if p is not ordinary)
        tol = 2e-3 if p is steep else 2e-4
        return Case(name, about, (X[:, :n], tuple(chunks), p), frozenset(tags), tol)

    ordinary = p
    first, several = "a first call", "several tokens per call"
    return [
        case("pair", [1, 1]),
        case("first", [1], first),
        case("three", [1, 1, 1]),
        case("prefill", [4], first, several),
        case("more", [3, 1, 1], several),
        case("chunks", [2, 3, 2], several, "a later chunk of several"),
        case("grows", [1, 2, 3], several, "a later chunk of several"),
        case("seven", [1] * 7),
        case("bare", [2, 1, 1], "no positions", p=bare),
        case("steep", [4, 2], "scores up to 70 in size", p=steep),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers that the sentences may mention."""
    chunks = case.args[1]
    return {"t": chunks[-1], "n": sum(chunks), "calls": len(chunks)}


EXERCISES = [
    Exercise(
        name="decode_step",
        parts=("output",),
        space=LINES,
        compute=compute,
        cases=cases,
        facts=facts,
        also_right=({"past": "cache.tokens if cache else 0"},),
        argument_names=("x of all calls", "tokens per call", "params"),
        call=run.decoded,
        imitate=imitating,
        unpack=run.unpack,
        looks=(begins,),
        behaviours=(
            run.x_untouched,
            behave.arguments_untouched,
            run.calls_agree_in_turn("three"),
            run.samples_apart,
        ),
        symptoms=(run.first_wrong_token, behave.not_finite),
    )
]
