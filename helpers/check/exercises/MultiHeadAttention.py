"""MultiHeadAttention: the class, examined with weights copied into it.

A right class makes layers W_q, W_k, W_v and W_o (`nn.Linear`). For every case one is
built, gets the case's weights and biases, is put into eval mode and called. What else a
class could be is looked at first (`layers_fit`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from .. import behaviours as behave
from ..behaviours import Trial
from ..program import Program
from ..space import Case, Departure, Exercise, Finding, Values
from . import scaled_dot_product_attention as attention
from ._attention import WITHOUT
from ._draw import coins, padded
from ._fit import fitted, named
from ._layers import NAMES, Params, call, layers_fit
from ._learning import no_others, registered, remembers_nothing, weights_learn
from ._multi_head import HELPERS, LINES

Tensors = tuple[Tensor, ...]


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide, then masks of every kind."""
    g = torch.Generator().manual_seed(7001 + seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g)

    def params(d: int) -> Params:
        def layer() -> tuple[Tensor, Tensor]:
            return normal(d, d) * 1.2 / d**0.5, normal(d) * 0.4

        return {name: layer() for name in NAMES}

    def inputs(b: int = 2, n_q: int = 5, n_k: int = 7, d: int = 21) -> Tensors:
        return normal(b, n_q, d), normal(b, n_k, d), normal(b, n_k, d)

    plain, square, large = inputs(), inputs(n_k=5), params(21)
    self_, tril = (square[0],) * 3, torch.ones(5, 5, dtype=torch.bool).tril()
    some = coins(g, 2, 1, 5, 7)
    m, s = "a mask", "sizes that coincide"

    def case(
        name: str,
        about: str,
        tensors: Tensors,
        mask: Tensor | None = None,
        *tags: str,
        heads: int = 3,
        weights: Params = large,
    ) -> Case:
        tags = ((m,) if mask is not None else ()) + tags
        args = (*tensors, mask, heads, weights)
        return Case(name, about, args, frozenset(tags), 2e-4)

    return [
        case("plain", "5 queries, 7 keys, 3 heads of 7 features", plain),
        case("square", "as many queries as keys", square),
        case("self", "query = key = value", self_),
        case(
            "other-sizes",
            "3 samples, 4 queries, 6 keys, 2 heads of 5 features",
            inputs(3, 4, 6, 10),
            heads=2,
            weights=params(10),
        ),
        case(
            "one-head",
            "a single head",
            inputs(d=7),
            None,
            "a single head",
            heads=1,
            weights=params(7),
        ),
        case(
            "all-equal",
            "batch = heads = n = d_k = 3",
            inputs(3, 3, 3, 9),
            None,
            s,
            weights=params(9),
        ),
        case("causal", "a causal mask (n_q, n_k)", square, tril, "a 2-D mask"),
        case(
            "one-sample",
            "a single sample and a causal mask",
            tuple(t[:1] for t in self_),
            tril,
            "a 2-D mask",
        ),
        case(
            "batch-is-n",
            "a mask (n_q, n_k) when batch = n_q",
            inputs(b=5, n_k=5),
            coins(g, 5, 5),
            "a 2-D mask",
        ),
        case("padding", "a padding mask (batch, 1, 1, n_k)", plain, padded(7, 4, 6)),
        case("padding-square", "padding, n_q = n_k", square, padded(5, 3, 4)),
        case("per-sample", "a mask (batch, 1, n_q, n_k)", plain, some),
        case(
            "per-head", "a mask of its own for every head", square, coins(g, 2, 3, 5, 5)
        ),
        case(
            "int-mask",
            "an integer mask of 0 and 1",
            plain,
            some.long(),
            "an integer mask",
        ),
    ]


def empty_row(trial: Trial) -> Finding | None:
    """A remark: what a query that may see no key gets."""
    case = trial.cases[trial.case("per-sample")]
    mask = case.args[3].clone()
    mask[0, 0, 2] = False
    got = trial.values(trial.call((*case.args[:3], mask, *case.args[4:])))
    if got is None or all(bool(torch.isfinite(t).all()) for t in got):
        return None
    return Finding("nan-for-empty-row", {}, {})


COMPUTE = Program("query key value mask heads params", LINES, WITHOUT, **HELPERS)


def fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """A scale or a fill read off the weights, as in attention itself."""

    def heads(*names: str) -> list[tuple[Case, Values]]:
        return [(inside(c), v) for c, v in named(cases, seen, *names)]

    return fitted(heads("plain", "other-sizes"), heads("per-sample", "per-head"))


def inside(case: Case) -> Case:
    """What the heads of the right class see of a case."""
    names = COMPUTE.right(case)
    qkv = (names["Q"], names["K"], names["V"])
    return Case(case.name, case.about, (*qkv, case.args[3]))


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    d, heads = case.args[0].shape[-1], case.args[4]
    try:
        found = attention.facts(inside(case), values)
    except RuntimeError:  # weights of another shape, which the mask does not fit
        found = attention.facts(inside(replace(case, args=without_mask(case))), values)
    return dict(found) | {"heads": heads, "d_model": d}


def without_mask(case: Case) -> tuple[Any, ...]:
    """The arguments of a case, but for the mask."""
    return (*case.args[:3], None, *case.args[4:])


EXERCISES = [
    Exercise(
        name="MultiHeadAttention",
        parts=("output", "weights"),
        compute=COMPUTE,
        cases=cases,
        facts=facts,
        fit=fit,
        also_right=(
            {"rows": "w"},
            {"rows": "w.nan_to_num(0.0)"},
            {"rows": "torch.where(empty, 1 / n_k, w)"},
        ),
        argument_names=("query", "key", "value", "mask", "num_heads"),
        looks=(layers_fit,),
        call=call,
        behaviours=(
            behave.arguments_untouched,
            registered,
            no_others,
            behave.calls_agree("per-sample"),
            remembers_nothing,
            behave.gradients("per-sample", names=("query", "key", "value")),
            weights_learn,
        ),
        symptoms=(
            behave.samples_independent,
            behave.rows_sum_to_one,
            behave.not_finite,
        ),
        remarks=(empty_row,),
    )
]
