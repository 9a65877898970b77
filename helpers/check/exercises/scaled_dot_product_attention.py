"""scaled_dot_product_attention(Q, K, V, mask=None) -> (output, weights)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .. import behaviours as behave
from ..diagnosis import numbers
from ..program import Program
from ..space import Case, Departure, Exercise, Values
from ._attention import HELPERS, INSIDE, WITHOUT, tidy
from ._draw import coins
from ._fit import divisor, fitted, named

LINES = INSIDE | {
    "returned": (
        "(o, weights)",
        {
            "(weights, o)": "returns-swapped",
            "(o, s)": "returns-scores",
            "(o, raw)": "returns-scores",
            "(o, s if seen is None else s.masked_fill(~seen, -INF))": "returns-scores",
            "(o,)": "returns-output-only",
            "(weights,)": "returns-weights-only",
            "(o, weights.mean(1))": "weights-averaged-over-heads",
            "(o, weights.sum(1))": "weights-averaged-over-heads",
            "(o, weights.mT)": "returned-weights-transposed",
            "(o, s.softmax(-1))": "returns-unmasked-weights",
            "(o, o)": "returns-output-twice",
            "(o, unscaled(raw, seen, soft))": "returns-unscaled-weights",
            "(o, weights.log())": "returns-log-weights",
            "(o, weights[:, 0])": "returns-head-0-weights",
            "(o, weights, s)": "returns-three",
            "elementwise(Q, K, V)": "elementwise-product",
        },
    )
}


Tensors = tuple[Tensor, ...]


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide, then masks of every kind."""
    g = torch.Generator().manual_seed(9973 + seed)

    def qkv(
        b: int = 2,
        h: int = 3,
        n_q: int = 5,
        n_k: int = 7,
        d_k: int = 11,
        d_v: int = 13,
    ) -> Tensors:
        def normal(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=g)

        return normal(b, h, n_q, d_k), normal(b, h, n_k, d_k), normal(b, h, n_k, d_v)

    def whole(*shape: int) -> Tensor:
        return torch.randint(-1, 2, shape, generator=g).float()

    plain, square = qkv(), qkv(n_q=5, n_k=5, d_k=7, d_v=7)
    tril = torch.ones(5, 5, dtype=torch.bool).tril()
    lengths = torch.tensor([4, 7])
    pads = (torch.arange(7) < lengths[:, None])[:, None, None]
    pads5 = (torch.arange(5) < torch.tensor([[3], [4]]))[:, None, None]
    some, each = coins(g, 2, 1, 5, 7), coins(g, 2, 3, 5, 5)
    empty = some.clone()
    empty[0, 0, 2] = False
    low = (qkv()[0] * 0.1 - 3, plain[1] + 3, plain[2])
    shared, beams = qkv(4, 4, 4, 4, 4, 4), qkv(b=5, h=2, n_q=5, n_k=5, d_k=7, d_v=7)
    twins = qkv(3, 3, 3, 3, 3, 3)
    twin_pads = (torch.arange(3) < torch.tensor([[2], [3], [1]]))[:, None, None]
    m = "a mask"
    crossed = whole(2, 3, 5, 4), whole(2, 3, 7, 4), plain[2]
    loud = plain[0] * 0.1 + 3, plain[1].clone(), plain[2]
    loud[1][:, :, 2] = 6.0  # scores about 60, far above all others
    quiet = torch.arange(7).expand(5, 7) != 2
    strided = tuple(t.transpose(1, 2).contiguous().transpose(1, 2) for t in plain)

    def case(
        name: str,
        about: str,
        tensors: Tensors,
        mask: Tensor | None = None,
        *tags: str,
        tol: float = 2e-4,
    ) -> Case:
        tags = ((m,) if mask is not None else ()) + tags
        return Case(name, about, (*tensors, mask), frozenset(tags), tol)

    b, h = "all sizes equal", "a 4-D mask for every query"
    return [
        case("plain", "without a mask", plain),
        case("square", "without a mask, n_q = n_k", square),
        case("one-query", "a single query, no mask", qkv(n_q=1)),
        case("wide", "d_k = 64, no mask", qkv(d_k=64, d_v=5)),
        case("coinciding", "batch = heads = n = d = 3, no mask", twins, None, b),
        case("causal", "a causal mask (n_q, n_k)", square, tril, "a 2-D mask"),
        case("padding", "a padding mask (batch, 1, 1, n_k)", plain, pads, "padding"),
        case("padding-square", "a padding mask, n_q = n_k", square, pads5, "padding"),
        case("per-sample", "a mask (batch, 1, n_q, n_k)", plain, some, h),
        case("per-head", "a mask of its own for every head", square, each, h),
        case(
            "int-mask",
            "an integer mask of 0 and 1",
            plain,
            some.long(),
            "a mask of integers or floats",
            "an integer mask",
        ),
        case(
            "float-mask",
            "a float mask of 0.0 and 1.0",
            plain,
            some.float(),
            "a mask of integers or floats",
            "a float mask",
        ),
        case(
            "batch-is-n",
            "a mask (n_q, n_k) when batch = n_q",
            beams,
            coins(g, 5, 5),
            "a 2-D mask",
        ),
        case(
            "heads-are-n",
            "a mask (n_q, n_k) when every size is 4",
            shared,
            coins(g, 4, 4),
            "a 2-D mask",
            b,
        ),
        case(
            "twins-padded",
            "a padding mask when every size is 3",
            twins,
            twin_pads,
            "padding",
            b,
        ),
        case(
            "empty-row",
            "a query that may see no key",
            plain,
            empty,
            "a query that may see no key",
        ),
        case(
            "low-scores",
            "very negative scores and a mask",
            low,
            some,
            "very negative scores",
        ),
        case("zero-scores", "scores that are exactly 0", crossed, some, "scores of 0"),
        case(
            "loud-hidden",
            "a hidden key whose score is 60 above the others",
            loud,
            quiet,
            "a 2-D mask",
            "a hidden key with a very large score",
        ),
        case(
            "strided",
            "Q, K and V as a split leaves them in memory",
            strided,
            None,
            "tensors that are not contiguous",
        ),
        case(
            "all-single",
            "one sample, one head, one query",
            qkv(b=1, h=1, n_q=1),
            None,
            "axes of size 1",
        ),
        case(
            "big-scores",
            "scores far above 710",
            (plain[0] * 150, *plain[1:]),
            None,
            "very large scores",
            tol=5e-3,
        ),
    ]


def fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """A scale or a fill that is a number."""
    unmasked = named(cases, seen, "plain", "wide")
    return fitted(unmasked, named(cases, seen, "per-sample", "per-head"))


def unscaled(raw: torch.Tensor, seen: torch.Tensor | None, soft: Any) -> torch.Tensor:
    """The weights of scores that are not divided."""
    if seen is None:
        return soft(raw)
    w = soft(raw.masked_fill(~seen, -math.inf))
    return tidy(w, ~seen.any(-1, True))


def elementwise(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> Values:
    """Each query meets the one key that stands where it stands."""
    w = ((Q * K).sum(-1) / math.sqrt(Q.shape[-1])).softmax(-1)
    return w.unsqueeze(-1) * V, w


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Sizes, and what the weights show."""
    q, k, v, mask = case.args
    root_d = f"{math.sqrt(q.shape[-1]):.3g}"
    out: dict[str, Any] = dict(zip(("batch", "heads", "n_q", "d_k"), q.shape))
    out |= {"n_k": k.shape[-2], "d_v": v.shape[-1], "root_d": root_d}
    out["d_model"] = q.shape[1] * q.shape[-1]
    w = values[min(1, len(values) - 1)]
    if len(values) > 1 and (c := divisor(case, values)):
        out["divisor"] = f"{c:.3g}"
    out |= {"got": tuple(w.shape), "hidden": "nothing", "matrix_sum": numbers(w.sum())}
    if w.dim() == 4 and w.shape[-2:] == (q.shape[-2], k.shape[-2]):
        out["matrix_sum"] = numbers(w[0, 0].sum())
        if mask is not None:
            hidden = w[(mask == 0).expand(w.shape)]
            out["hidden"] = numbers(hidden.abs().max()) if hidden.numel() else "0"
    return out


HELP = {**HELPERS, "unscaled": unscaled, "elementwise": elementwise}
EXERCISES = [
    Exercise(
        name="scaled_dot_product_attention",
        parts=("output", "weights"),
        compute=Program("Q K V mask", LINES, WITHOUT, **HELP),
        cases=cases,
        facts=facts,
        fit=fit,
        also_right=({"rows": "w.nan_to_num(0.0, INF, -INF)"},),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("per-sample"),
            behave.gradients("per-sample", names=("Q", "K", "V")),
            behave.precisions("per-sample", "plain"),
        ),
        symptoms=(
            behave.overflows("plain", "big-scores"),
            behave.samples_independent,
            behave.empty_row_not_zero,
            behave.confined,
            behave.rows_sum_to_one,
            behave.not_finite,
            behave.masked_weight,
        ),
        remarks=(behave.empty_row_gradient("empty-row"),),
        call=lambda answer, q, k, v, mask: (
            answer(q, k, v) if mask is None else answer(q, k, v, mask)
        ),
    )
]
