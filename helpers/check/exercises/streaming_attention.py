"""streaming_attention(Q, K, V, block) -> output, by an online softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise, Values
from . import _streaming as loop
from . import _streaming_judges as judge

LINES = {
    "qkv": (
        "(Q, K, V)",
        {
            "(Q, K, K)": "k-used-as-v",
            "(Q, K, Q)": "q-used-as-v",
            "(K, Q, V)": "q-k-swapped",
            "(K, K, V)": "k-used-as-q",
            "(Q, Q, V)": "q-used-as-k",
        },
    ),
    "whole": ("qkv", {"fill_up(qkv, block)": "stream-tail-padded"}),
    "q": ("whole[0]", {}),
    "k": ("whole[1]", {}),
    "v": ("whole[2]", {}),
    "n": ("k.shape[-2]", {}),
    "d": ("Q.shape[-1]", {}),
    "scale": (
        "math.sqrt(d)",
        {
            "1.0": "no-scale",
            "d": "scale-d-k",
            "1 / math.sqrt(d)": "scale-multiplied",
            "math.sqrt(n)": "scale-root-n-k",
            "math.sqrt(block)": "stream-scale-root-block",
            "math.sqrt(Q.shape[-2])": "scale-root-n-q",
            "math.sqrt(Q.shape[1])": "scale-root-heads",
            "n": "scale-n-k",
        },
    ),
    "s": (
        "q @ k.mT / scale",
        {
            "hide_future(q @ k.mT / scale, 0)": "always-causal",
            "hide_future(q @ k.mT / scale, n - Q.shape[-2])": "always-causal",
        },
    ),
    "cuts": ("cut(n, block)", {}),
    "spans": (
        "cuts",
        {
            "[(a, b) for a, b in cuts if b - a == block]": "stream-tail-lost",
            "cuts[:1]": "stream-first-block-only",
            "cuts[-1:]": "stream-last-block-only",
            "cuts[1:]": "stream-first-block-missing",
            "cuts[:-1]": "stream-last-block-missing",
            "cuts[:1] + cuts": "stream-first-block-twice",
            "[(a, b) for a, b in cuts if a < Q.shape[-2]]": "stream-range-over-queries",
            "cuts[:-1] + [(max(n - block, 0), n)]": "stream-last-block-overlaps",
            "[(a, min(b + 1, n)) for a, b in cuts]": "stream-blocks-overlap",
            "[(a, min(a + block, n)) for a in range(0, n, block + 1)]": (
                "stream-blocks-have-gaps"
            ),
            "[(a, min(a + block - 1, n)) for a, b in cuts]": "stream-blocks-end-early",
            "[(a, min(b, n - 1)) for a, b in cuts if a < n - 1]": (
                "stream-last-key-missing"
            ),
        },
    ),
    "parts": ("[s[..., a:b] for a, b in spans]", {}),
    "values": (
        "[v[..., a:b, :] for a, b in spans]",
        {
            "[v[..., : b - a, :] for a, b in spans]": "stream-v-not-sliced",
            "[v[..., a:b, :] * (b - a == block) for a, b in spans]": "stream-tail-lost",
            "[v.roll(-1, -2)[..., a:b, :] for a, b in spans]": "stream-v-not-sliced",
        },
    ),
    "exp": ("torch.exp", {"torch.exp2": "softmax-base-2"}),
    "new": (
        "lambda m, top, i: torch.maximum(m, top)",
        {
            "lambda m, top, i: top + 0 * m.nan_to_num()": "stream-block-max",
            "lambda m, top, i: m if i else top": "stream-first-max",
            "lambda m, top, i: torch.minimum(m, top) if i else top": "stream-minimum",
            "lambda m, top, i: torch.maximum(m.clamp_min(0.0), top)": (
                "stream-max-from-zero"
            ),
            "lambda m, top, i: torch.zeros_like(m)": "stream-no-max",
        },
    ),
    "top": (
        "lambda s: s.amax(-1, True)",
        {
            "lambda s: s.max()": "stream-one-max-for-all-rows",
            "lambda s: s.amax((-2, -1), True)": "stream-one-max-for-all-rows",
            "lambda s: s.abs().amax(-1, True)": "stream-max-of-absolute",
            "lambda s: s.amax(-1, True) * math.sqrt(d)": "stream-max-without-scale",
        },
    ),
    "p": (
        "lambda s, m, new, top: exp(s - new)",
        {
            "lambda s, m, new, top: exp(s - torch.where(m == -INF, new, m))": (
                "stream-old-max-in-exponent"
            ),
            "lambda s, m, new, top: exp(s - top)": "stream-block-max-in-exponent",
            "lambda s, m, new, top: exp(s)": "stream-no-max-in-exponent",
            "lambda s, m, new, top: s.softmax(-1)": "stream-normalised-in-block-too",
        },
    ),
    "added": (
        "lambda p, s, v: p @ v",
        {"lambda p, s, v: s.softmax(-1) @ v": "stream-normalised-in-block-too"},
    ),
    "share": (
        "lambda p: p.sum(-1, True)",
        {
            "lambda p: p.amax(-1, True)": "stream-l-not-summed",
            "lambda p: torch.full_like(p[..., :1], p.shape[-1])": "stream-l-not-summed",
            "lambda p: p.mean(-1, True)": "stream-l-not-summed",
        },
    ),
    "c": ("lambda m, new: exp(m - new)", {}),
    "factors": (
        "lambda m, new, i: (c(m, new), c(m, new))",
        {
            "lambda m, new, i: (1.0, c(m, new))": "stream-o-not-rescaled",
            "lambda m, new, i: (c(m, new), 1.0)": "stream-l-not-rescaled",
            "lambda m, new, i: (1.0, 1.0)": "stream-nothing-rescaled",
            "lambda m, new, i: (c(new, m), c(new, m)) if i else (0, 0)": (
                "stream-factor-inverted"
            ),
            "lambda m, new, i: (c(new, m), c(m, new)) if i else (0, 0)": (
                "stream-o-factor-inverted"
            ),
            "lambda m, new, i: (c(m, new), c(new, m)) if i else (0, 0)": (
                "stream-l-factor-inverted"
            ),
            "lambda m, new, i: (c(m, new) ** 2, c(m, new) ** 2)": (
                "stream-rescaled-twice"
            ),
            "lambda m, new, i: (c(m, new) ** 2, c(m, new))": "stream-rescaled-twice",
            "lambda m, new, i: (m - new, m - new) if i else (0, 0)": (
                "stream-factor-without-exp"
            ),
        },
    ),
    "each": (
        "lambda o, l, f, a, w, i: ((o * f[0] + a) / (l * f[1] + w), l * f[1] + w)",
        {},
    ),
    "update": (
        "lambda o, l, f, a, w, i: (o * f[0] + a, l * f[1] + w)",
        {
            "lambda o, l, f, a, w, i: (a, l * f[1] + w)": "stream-o-overwritten",
            "lambda o, l, f, a, w, i: (o * f[0] + a, w)": "stream-l-overwritten",
            "lambda o, l, f, a, w, i: (o * f[0] + a, l if i else w)": (
                "stream-l-overwritten"
            ),
            "lambda o, l, f, a, w, i: (o * f[0] + a, (l * f[1] if i else 1.0) + w)": (
                "stream-l-from-one"
            ),
            "lambda o, l, f, a, w, i: "
            "((o + a) * f[0], (l + w) * f[1]) if i else (a, w)": (
                "stream-rescaled-after-adding"
            ),
            "lambda o, l, f, a, w, i: ((o + a) * f[0] if i else a, l * f[1] + w)": (
                "stream-rescaled-after-adding"
            ),
            "lambda o, l, f, a, w, i: (o * f[0] + a, (l + w) * f[1] if i else w)": (
                "stream-rescaled-after-adding"
            ),
            "each": "stream-divided-each-block",
        },
    ),
    "stored": (
        "lambda m, new, i: new",
        {"lambda m, new, i: m if i else new": "stream-max-not-stored"},
    ),
    "empty": ("Q.new_zeros(*q.shape[:-1], v.shape[-1])", {}),
    "olm": (
        "streamed(parts, values, empty, top, new, p, added, share, factors, update,"
        " stored)",
        {},
    ),
    "o": ("olm[0]", {}),
    "l": ("olm[1]", {}),
    "alone": ("lambda: [s.softmax(-1) @ v for s, v in zip(parts, values)]", {}),
    "output": (
        "o / l",
        {
            "streamed(parts, values, empty, top, new, p, added, share, factors, each,"
            " stored)[0]": "stream-divided-each-block",
            "o": "stream-no-division",
            "o / l / l": "stream-divided-twice",
            "o * l": "stream-multiplied-by-l",
            "o / (l + 1)": "stream-l-from-one",
            "o / n": "stream-divided-by-n",
            "o / olm[2]": "stream-divided-by-max",
            "sum(alone())": "stream-sum-of-blocks",
            "sum(alone()) / len(spans)": "stream-mean-of-blocks",
            "merged(alone(), [b - a for a, b in spans])": "stream-mean-of-blocks",
            "merged(alone(), [s.amax(-1, True).exp() for s in parts])": (
                "stream-merged-by-max"
            ),
            "merged(alone(), [p(s, 0, x := s.amax(-1, True), x).sum(-1, True)"
            " for s in parts])": "stream-merged-by-own-sums",
            "torch.cat([s[..., a : a + block, a : a + block].softmax(-1)"
            " @ v[..., a : a + block, :] for a in range(0, q.shape[-2], block)], -2)": (
                "stream-block-diagonal"
            ),
        },
    ),
    "returned": (
        "output",
        {
            "(output, l)": "returns-two",
            "(output, olm[2])": "returns-two",
            "(output, s.softmax(-1))": "returns-two",
            "output.mT": "output-transposed",
        },
    ),
}
KNOWN = ("cut", "fill_up", "hide_future", "merged", "streamed")


def cases(seed: int) -> Sequence[Case]:
    """Blocks that fit and that leave a rest; then rows of scores that lie far apart."""
    g = torch.Generator().manual_seed(8191 + seed)

    def drawn(B: int, H: int, n_q: int, n_k: int, d: int) -> list:
        sizes = (B, H, n_q, d), (B, H, n_k, d), (B, H, n_k, d)
        return [torch.randn(*size, generator=g) * 1.3 for size in sizes]

    def case(name: str, about: str, args: Any, *tags: str, tol: float = 2e-4) -> Case:
        return Case(name, about, tuple(args), frozenset(tags), tol)

    rest, far = "a last block that is not full", "scores that differ by thousands"
    one, V = torch.ones(2, 2, 3, 4), drawn(2, 2, 3, 10, 4)[2]
    ramp = torch.linspace(-2000, 500, 10).view(1, 1, 10, 1).expand(2, 2, 10, 4)
    noise = torch.randn(2, 2, 10, 4, generator=g)
    spread = torch.cat([40 * one[..., :1, :], -40 * one[..., :2, :]], -2)
    flat = 6 * torch.ones_like(noise)
    large = (67 * one[..., :2], 1 + 0.01 * noise[..., :2], V[..., :2], 4)
    low = (-100 * one, flat + 0.01 * noise, V, 4)
    return [
        case("plain", "10 keys in blocks of 5", [*drawn(2, 3, 5, 10, 7), 5]),
        case("thirds", "9 keys in blocks of 3", [*drawn(2, 2, 3, 9, 5), 3]),
        case("rest", "7 keys in blocks of 3", [*drawn(2, 3, 5, 7, 11), 3], rest),
        case("single", "5 keys in blocks of 1", [*drawn(2, 2, 3, 5, 4), 1]),
        case(
            "whole",
            "one block wider than the 7 keys",
            [*drawn(2, 2, 3, 7, 4), 16],
            "a block wider than all keys",
        ),
        case("square", "6 queries, 6 keys, 6 features", [*drawn(2, 6, 6, 6, 6), 4]),
        case("more", "4 queries, 13 keys", [*drawn(3, 2, 4, 13, 3), 4]),
        case(
            "one", "a single query", [*drawn(1, 2, 1, 8, 3), 4], "an axis of length 1"
        ),
        case(
            "falling", "scores that fall by thousands", [one, ramp.flip(-2), V, 4], far
        ),
        case("rising", "scores that rise by thousands", [one, ramp, V, 4], far),
        case("large", "scores around 95", large, "large scores", tol=2e-3),
        case("low", "scores around -1200", low, "very negative scores only", tol=2e-3),
        case(
            "spread",
            "rows of scores that lie 960 apart",
            (spread, flat + 0.03 * noise, V, 4),
            "rows that lie far apart",
            tol=2e-3,
        ),
    ]


def facts(case: Case, values: Values) -> dict[str, int]:
    """Numbers that the sentences may mention."""
    Q, K, _, block = case.args
    n_k = K.shape[-2]
    blocks = len(loop.cut(n_k, block))
    return {"n_q": Q.shape[-2], "n_k": n_k, "heads": Q.shape[1], "blocks": blocks}


def may_fit(case: Case, choices: object, memo: object, got: Values) -> bool:
    """Nothing but NaN on a plain case is no line's doing: see `nan_from_the_start`."""
    return bool(case.tags or not got) or not got[0].isnan().all()


EXERCISES = [
    Exercise(
        name="streaming_attention",
        parts=("output",),
        compute=Program(
            "Q K V block", LINES, **{name: getattr(loop, name) for name in KNOWN}
        ),
        cases=cases,
        facts=facts,
        glance=may_fit,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("plain"),
            judge.in_a_short_format,
            judge.narrow_tables,
        ),
        symptoms=(
            judge.nan_from_the_start,
            judge.not_finite_far_apart,
            judge.coarse,
            judge.each_row_by_ratio,
            behave.not_finite,
        ),
        remarks=(judge.gradient, judge.other_width),
    )
]
