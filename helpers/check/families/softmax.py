"""softmax(x, dim), and the ways to miss it that attention shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..diagnosis import numbers
from ..space import Case, Choices, Exercise, Finding, Values

INF = float("inf")


def normalised(
    s: torch.Tensor, how: str, keep: torch.Tensor | None = None, dim: int = -1
) -> torch.Tensor:
    """Scores to weights in the way named by `how`; "keys" (along `dim`) is right."""
    over = {"keys": dim, "queries": -2, "heads": 1, "batch": 0}
    if how in over:
        return torch.softmax(s, over[how])
    if how == "double":
        return torch.softmax(torch.softmax(s, dim).nan_to_num(0.0), dim)
    if how == "matrix":
        return torch.softmax(s.flatten(-2), -1).view_as(s)
    if how == "everything":
        return torch.softmax(s.flatten(), -1).view_as(s)
    if how == "sigmoid":
        return torch.sigmoid(s)
    if how == "exp":
        return s.exp()
    if how == "log":
        return torch.log_softmax(s, dim)
    if how == "negated":
        return torch.softmax(-s, dim)
    if how == "argmax":
        best = s.argmax(dim, keepdim=True)
        return torch.zeros_like(s).scatter_(dim, best, 1.0)
    if how == "plus one":
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / (1 + e.sum(dim, keepdim=True))
    if how == "one added":
        e = s.exp()
        return e / (1 + e.sum(dim, keepdim=True))
    if how in ("no max", "no max masked", "no max zeroed"):
        e = s.exp()
        total = e.sum(dim, keepdim=True)
        return e / (total.clamp_min(1e-30) if how.endswith("masked") else total)
    if how == "global max":
        e = (s - s.max()).exp()
        return e / e.sum(dim, keepdim=True)
    if how == "global max zeroed":
        return normalised(s, "global max", keep, dim).nan_to_num(0.0)
    if how.startswith("eps"):
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / (e.sum(dim, keepdim=True) + float(how[4:]))
    if how == "min":
        e = (s - s.amin(dim, keepdim=True)).exp()
        return e / e.sum(dim, keepdim=True)
    if how in ("base 2", "base 10"):
        x = s * torch.tensor(float(how[5:])).log()
        return torch.softmax(x, dim)
    if how in ("1 decimal", "2 decimals"):
        return torch.round(torch.softmax(s, dim), decimals=int(how[0]))
    if how in ("half", "bfloat"):
        kind = torch.float16 if how == "half" else torch.bfloat16
        return torch.softmax(s.to(kind), dim).to(s.dtype)
    if how.startswith("exp over"):
        e = (s - s.amax(-1, keepdim=True)).exp()
        axes = -2 if how.endswith("queries") else (-2, -1)
        return e / e.sum(axes, keepdim=True)
    if how in ("none -inf", "raw -inf"):
        return s if how == "none -inf" else s / s.sum(dim, keepdim=True)
    return _without_exp(s if keep is None else s.masked_fill(~keep, 0.0), how, dim)


def _without_exp(s: torch.Tensor, how: str, dim: int) -> torch.Tensor:
    if how == "none":
        return s
    if how == "relu raw":
        return s.relu()
    if how == "tanh":
        return s.tanh()
    if how == "min-max":
        low, high = s.amin(dim, keepdim=True), s.amax(dim, keepdim=True)
        return (s - low) / (high - low)
    if how == "by max":
        return s / s.amax(dim, keepdim=True)
    if how == "l2":
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / e.norm(dim=dim, keepdim=True)
    if how == "relu zeroed":
        return _without_exp(s, "relu", dim).nan_to_num(0.0)
    positive = {
        "raw": s,
        "relu": s.relu(),
        "abs": s.abs(),
        "square": s * s,
        "softplus": torch.nn.functional.softplus(s),
    }[how]
    return positive / positive.sum(dim, keepdim=True)


SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "formula": (
        "keys",
        {
            "no max": "no-max-subtraction",
            "global max": "global-max-subtraction",
            "base 2": "softmax-base-2",
            "base 10": "softmax-base-2",
            "plus one": "softmax-plus-one",
            "one added": "softmax-plus-one",
            "raw": "normalised-without-exp",
            "abs": "normalised-without-exp",
            "square": "normalised-without-exp",
            "sigmoid": "sigmoid-not-softmax",
            "exp": "exp-not-normalised",
            "exp shifted": "exp-not-normalised",
            "log": "log-softmax",
            "double": "double-softmax",
            "negated": "softmax-of-minus-scores",
            "argmax": "hard-argmax",
            "relu": "relu-not-softmax",
            "softplus": "softplus-not-softmax",
            "min": "min-subtracted",
            "l2": "softmax-l2-normalised",
            "by max": "divided-by-max",
            "exp by max": "divided-by-max",
            "exp by mean": "divided-by-mean",
            "min-max": "min-max-not-softmax",
            "none": "no-softmax",
            "1 decimal": "weights-rounded",
            "2 decimals": "weights-rounded",
            "half": "softmax-in-half-precision",
            "bfloat": "softmax-in-half-precision",
            "max divided": "max-divided-out",
            "minus mean": "no-max-subtraction",
            "max after exp": "max-subtracted-after-exp",
            "tanh": "tanh-not-softmax",
        },
    ),
    "axis": (
        "dim",
        {
            "last": "dim-ignored",
            "first": "dim-ignored",
            "second": "dim-ignored",
            "all": "softmax-over-everything",
            "sum over all": "sum-over-everything",
            "sum over last": "dim-ignored",
            "no keepdim": "keepdim-forgotten",
            "no keepdim in max": "keepdim-forgotten",
            "no keepdim at all": "keepdim-forgotten",
            "another": "other-dim",
        },
    ),
    "result": (
        "weights",
        {
            "transposed": "output-transposed",
            "twice": "returns-two",
            "times n": "divided-by-mean",
            "eps": "eps-too-large",
            "eps small": "eps-too-large",
            "flat": "result-flattened",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The right softmax when `c` is the right choices; otherwise as `c` departs."""
    x, dim = case.args
    w = _weights(x, dim, c["formula"], c["axis"])
    if c["result"].startswith("eps"):
        e = (x - x.amax(dim, keepdim=True)).exp()
        w = e / (e.sum(dim, keepdim=True) + (1e-1 if c["result"] == "eps" else 1e-2))
    if c["result"] == "transposed":
        return (w.transpose(-2, -1),)
    return {
        "twice": (w, x),
        "flat": (w.flatten(),),
        "times n": (w * x.shape[dim],),
    }.get(c["result"], (w,))


def _weights(x: torch.Tensor, dim: int, how: str, axis: str) -> torch.Tensor:
    if axis == "all":
        return (
            normalised(x.flatten(), how, None, -1).view_as(x)
            if how in ("keys", "no max", "raw")
            else _formula(x.flatten(), how, -1).view_as(x)
        )
    if axis in ("last", "first", "second", "another"):
        n = x.dim()
        dim = {
            "last": -1,
            "first": 0,
            "second": min(1, n - 1),
            "another": (dim + 1) % n,
        }[axis]
        return _formula(x, how, dim)
    if axis == "dim":
        return _formula(x, how, dim)
    top = x.amax(dim, keepdim=axis in ("no keepdim", "sum over all", "sum over last"))
    e = (x - top).exp()
    if axis == "sum over all":
        return e / e.sum()
    if axis == "sum over last":
        return e / e.sum(-1, keepdim=True)
    return e / e.sum(dim, keepdim=axis == "no keepdim in max")


def _formula(x: torch.Tensor, how: str, dim: int) -> torch.Tensor:
    top = x.amax(dim, keepdim=True)
    if how == "exp shifted":
        return (x - top).exp()
    if how == "exp by max":
        return x.exp() / x.exp().amax(dim, keepdim=True)
    if how == "exp by mean":
        e = (x - top).exp()
        return e / e.mean(dim, keepdim=True)
    if how == "max divided":
        e = (x / top).exp()
        return e / e.sum(dim, keepdim=True)
    if how == "minus mean":
        e = (x - x.mean(dim, keepdim=True)).exp()
        return e / e.sum(dim, keepdim=True)
    if how == "max after exp":
        e = x.exp() - x.exp().amax(dim, keepdim=True)
        return e / e.sum(dim, keepdim=True)
    return normalised(x, how, None, dim)


def cases(seed: int) -> Sequence[Case]:
    """Every dim of small tensors, then large, low and hidden numbers."""
    g = torch.Generator().manual_seed(7919 + seed)
    flat, cube = torch.randn(3, 5, generator=g), torch.randn(2, 3, 7, generator=g)
    hidden = flat.clone()
    hidden[0, :2] = hidden[1, 4] = -INF
    spread = flat + torch.tensor([0.0, 300.0, -300.0])[:, None]
    other = "a dim other than the last"
    big, low = "large numbers", "very negative numbers"

    def case(name, about, x, dim, *tags):
        return Case(name, about, (x, dim), frozenset(tags), 1e-4)

    return [
        case("rows", "a 3×5 tensor, dim=-1", flat, -1),
        case("cube", "a 2×3×7 tensor, dim=2", cube, 2),
        case("columns", "a 3×5 tensor, dim=0", flat, 0, other),
        case("middle", "a 2×3×7 tensor, dim=1", cube, 1, other),
        case("cube-first", "a 2×3×7 tensor, dim=0", cube, 0, other),
        case("negative-dim", "a 2×3×7 tensor, dim=-2", cube, -2, other),
        case("square", "a 4×4 tensor, dim=-1", torch.randn(4, 4, generator=g), -1),
        case(
            "square-columns",
            "a 4×4 tensor, dim=0",
            torch.randn(4, 4, generator=g),
            0,
            other,
        ),
        case("vector", "a vector of 5 numbers", flat[0], -1, "a 1-D tensor"),
        case(
            "four",
            "a 2×3×4×5 tensor",
            torch.randn(2, 3, 4, 5, generator=g),
            -1,
            "a 4-D tensor",
        ),
        case("large", "numbers in the hundreds", flat * 300, -1, big),
        case("low", "numbers around -500", flat - 500, -1, low),
        case("spread", "rows that lie 300 apart", spread, -1, "rows far apart", big),
        case("hidden", "a few entries -inf", hidden, -1, "entries that are -inf"),
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    x, dim = case.args
    w = values[0]
    out: dict[str, Any] = {"dim": dim, "n": x.shape[dim], "got": tuple(w.shape)}
    if w.shape == x.shape:
        out |= {
            "row_sum": numbers(w.sum(dim).flatten()[0]),
            "total": numbers(w.sum()),
            "least": numbers(w.min()),
            "most": numbers(w.max()),
            "last_sum": numbers(w.sum(-1).flatten()[0]),
        }
    return out


def own_softmax(trial: behave.Trial) -> Finding | None:
    """A remark: the answer hands the work to PyTorch's softmax."""
    code = getattr(trial.answer, "__code__", None)
    names = code.co_names if code else (getattr(trial.answer, "__name__", ""),)
    own = next((n for n in names if "softmax" in n and not n.startswith("my")), None)
    return Finding("calls-the-real-one", {"own": own}) if own else None


EXERCISES = [
    Exercise(
        name="softmax",
        parts=("weights",),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("x", "dim"),
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("cube"),
            behave.gradients("cube", names=("x",)),
            behave.precisions("cube"),
        ),
        symptoms=(
            behave.overflows("rows", "large"),
            behave.not_finite,
            behave.sums_along_dim,
        ),
        remarks=(own_softmax,),
    )
]
