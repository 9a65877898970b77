"""scaled_dot_product_attention(Q, K, V, mask=None) -> (output, weights)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..space import Case, Departure, Exercise, Values
from ._attention_space import SPACE, compute


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide, then masks of every kind."""
    g = torch.Generator().manual_seed(9973 + seed)

    def qkv(b=2, h=3, n_q=5, n_k=7, d_k=11, d_v=13):
        def normal(*shape):
            return torch.randn(*shape, generator=g)

        return normal(b, h, n_q, d_k), normal(b, h, n_k, d_k), normal(b, h, n_k, d_v)

    def coins(*shape):
        keep = torch.rand(*shape, generator=g) > 0.4
        keep[..., 0] |= ~keep.any(-1)
        keep[..., -1] &= keep[..., :-1].sum(-1) == 0  # something is hidden everywhere
        return keep

    plain, square = qkv(), qkv(n_q=5, n_k=5, d_k=7, d_v=7)
    tril = torch.ones(5, 5, dtype=torch.bool).tril()
    lengths = torch.tensor([4, 7])
    pads = (torch.arange(7) < lengths[:, None])[:, None, None]
    pads5 = (torch.arange(5) < torch.tensor([[3], [4]]))[:, None, None]
    some, each = coins(2, 1, 5, 7), coins(2, 3, 5, 5)
    empty = some.clone()
    empty[0, 0, 2] = False
    low = (qkv()[0] * 0.1 - 3, plain[1] + 3, plain[2])
    shared, beams = qkv(4, 4, 4, 4, 4, 4), qkv(b=5, h=2, n_q=5, n_k=5, d_k=7, d_v=7)
    twins = qkv(3, 3, 3, 3, 3, 3)
    twin_pads = (torch.arange(3) < torch.tensor([[2], [3], [1]]))[:, None, None]
    m = "a mask"

    def case(name, about, tensors, mask=None, *tags, tol=2e-4):
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
            coins(5, 5),
            "a 2-D mask",
        ),
        case(
            "heads-are-n",
            "a mask (n_q, n_k) when every size is 4",
            shared,
            coins(4, 4),
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
        case(
            "big-scores",
            "scores far above 88",
            (plain[0] * 60, *plain[1:]),
            None,
            "very large scores",
            tol=5e-3,
        ),
    ]


def fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """Departures with a number read off the learner's weights: a scale, a fill."""
    got = {
        c.name: (c, v)
        for c, v in zip(cases, seen, strict=True)
        if v is not None and len(v) == 2
    }
    found: list[Departure] = []
    scales = [divisor(*got[n]) for n in ("plain", "wide") if n in got]
    if len(scales) == 2 and all(scales) and abs(scales[0] / scales[1] - 1) < 1e-2:
        found.append(
            Departure(
                "scale-hard-coded", "scale", scales[0], {"divisor": f"{scales[0]:.3g}"}
            )
        )
    if len(scales) == 2 and all(scales):
        factors = [c / math.sqrt(d) for c, d in zip(scales, (11, 64), strict=True)]
        if abs(factors[0] / factors[1] - 1) < 1e-2 and abs(factors[0] - 1) > 2e-2:
            found.append(
                Departure(
                    "scale-times-constant",
                    "scale",
                    ("root d_k and", factors[0]),
                    {"factor": f"{factors[0]:.3g}"},
                )
            )
    fills = [fill_of(*got[n]) for n in ("per-sample", "per-head") if n in got]
    if len(fills) == 2 and None not in fills:
        a, b = fills
        roots = [
            math.sqrt(got[n][0].args[0].shape[-1]) for n in ("per-sample", "per-head")
        ]
        if abs(a - b) < 0.02:
            found.append(Departure("fill-too-small", "fill", a, {"fill": f"{a:.3g}"}))
        elif abs(a * roots[0] - b * roots[1]) < 0.05:
            found.append(
                Departure(
                    "fill-before-scale",
                    "fill",
                    ("before scale", a * roots[0]),
                    {"fill": f"{a * roots[0]:.3g}"},
                )
            )
    return found


def divisor(case: Case, values: Values) -> float | None:
    """c, if the weights are softmax(Q·K / c)."""
    q, k, _, _ = case.args
    raw, w = q @ k.transpose(-2, -1), values[1]
    if w.shape != raw.shape or not bool((w > 1e-12).all()):
        return None
    x, y = raw - raw.mean(-1, keepdim=True), w.log()
    y = y - y.mean(-1, keepdim=True)
    slope = float((x * y).sum() / (x * x).sum())
    return 1 / slope if abs(slope) > 1e-6 and same_line(x, y, slope) else None


def same_line(x: torch.Tensor, y: torch.Tensor, slope: float) -> bool:
    """Do the points lie on one line through 0?"""
    return float((y - slope * x).abs().max()) < 0.02


def fill_of(case: Case, values: Values) -> float | None:
    """The finite score that stands where the mask forbids, read off the weights."""
    q, k, _, mask = case.args
    w = values[1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if w.shape != scores.shape or not bool((w > 0).all()):
        return None
    keep = (mask != 0).expand(w.shape)
    logs = w.log()
    shift = ((logs - scores) * keep).sum(-1, keepdim=True) / keep.sum(-1, keepdim=True)
    found = (logs - shift)[~keep]
    return float(found.mean()) if float(found.std()) < 0.02 else None


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention, read off the learner's results."""
    q, k, v, mask = case.args
    out: dict[str, Any] = {
        "batch": q.shape[0],
        "heads": q.shape[1],
        "n_q": q.shape[-2],
        "n_k": k.shape[-2],
        "d_k": q.shape[-1],
        "d_v": v.shape[-1],
        "root_d": f"{math.sqrt(q.shape[-1]):.3g}",
        "d_model": q.shape[1] * q.shape[-1],
    }
    if len(values) > 1 and (c := divisor(case, values)):
        out["divisor"] = f"{c:.3g}"
    w = values[1] if len(values) > 1 else values[0]
    out["got"] = tuple(w.shape)
    if w.dim() == 4 and w.shape[-2:] == (q.shape[-2], k.shape[-2]):
        out |= {
            "row_sum": numbers(w[0, 0, 0].sum()),
            "least": numbers(w.min()),
            "column_sum": numbers(w[0, 0, :, 0].sum()),
            "most": numbers(w.max()),
            "matrix_sum": numbers(w[0, 0].sum()),
        }
        if mask is not None:
            hidden = w[(mask == 0).expand(w.shape)]
            out["hidden"] = numbers(hidden.abs().max()) if hidden.numel() else "0"
    return out


EXERCISES = [
    Exercise(
        name="scaled_dot_product_attention",
        parts=("output", "weights"),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        fit=fit,
        also_right=({"empty row": "always zero"},),
        argument_names=("Q", "K", "V", "mask"),
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
