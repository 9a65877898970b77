"""MultiHeadAttention: the class, examined with weights copied into it.

A right class makes layers W_q, W_k, W_v and W_o (`nn.Linear`). For every case one is
built, gets the case's weights and biases, is put into eval mode and called. What else a
class could be is looked at first (`layers_fit`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from .. import behaviours as behave
from .. import guard
from ..behaviours import Trial
from ..diagnosis import numbers
from ..space import Case, Departure, Exercise, Finding, Values, same
from . import attention
from ._multi_head_space import SPACE, compute, glance, projected

NAMES = ("W_q", "W_k", "W_v", "W_o")
Params = Mapping[str, tuple[torch.Tensor, torch.Tensor]]


def cases(seed: int) -> Sequence[Case]:
    """A prime for every axis, then sizes that coincide, then masks of every kind."""
    g = torch.Generator().manual_seed(7001 + seed)

    def normal(*shape):
        return torch.randn(*shape, generator=g)

    def coins(*shape):
        keep = torch.rand(*shape, generator=g) > 0.4
        keep[..., 0] |= ~keep.any(-1)
        keep[..., -1] &= keep[..., :-1].sum(-1) == 0  # something is hidden everywhere
        return keep

    def params(d):
        def layer():
            return normal(d, d) * 1.2 / d**0.5, normal(d) * 0.4

        return {name: layer() for name in NAMES}

    def inputs(b=2, n_q=5, n_k=7, d=21):
        return normal(b, n_q, d), normal(b, n_k, d), normal(b, n_k, d)

    def padded(n_k, *lengths):
        return (torch.arange(n_k) < torch.tensor(lengths)[:, None])[:, None, None]

    plain, square, large = inputs(), inputs(n_k=5), params(21)
    self_, tril = (square[0],) * 3, torch.ones(5, 5, dtype=torch.bool).tril()
    some = coins(2, 1, 5, 7)
    m, s = "a mask", "sizes that coincide"

    def case(name, about, tensors, mask=None, *tags, heads=3, weights=large):
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
            coins(5, 5),
            "a 2-D mask",
        ),
        case("padding", "a padding mask (batch, 1, 1, n_k)", plain, padded(7, 4, 6)),
        case("padding-square", "padding, n_q = n_k", square, padded(5, 3, 4)),
        case("per-sample", "a mask (batch, 1, n_q, n_k)", plain, some),
        case("per-head", "a mask of its own for every head", square, coins(2, 3, 5, 5)),
        case(
            "int-mask",
            "an integer mask of 0 and 1",
            plain,
            some.long(),
            "an integer mask",
        ),
    ]


# ------------------------------------------------------------ building the class
def call(answer, query, key, value, mask, heads: int, params: Params) -> Any:
    """Build the class, copy the weights in, call it in eval mode."""
    model = built(answer, heads, params)
    forward = model if callable(model) else model.forward
    if mask is None:
        return forward(query, key, value)
    return forward(query, key, value, mask)


def built(answer: Any, heads: int, params: Params) -> Any:
    """The learner's module with these weights."""
    model = answer(params["W_q"][0].shape[0], heads)
    if model is ... or model is None:
        return lambda *args: model
    with torch.no_grad():
        if hasattr(model, "load_qkv"):  # one fused layer that can be filled in
            model.load_qkv(*(t.clone() for n in NAMES[:3] for t in params[n]))
            load(model.W_o, *params["W_o"])
        else:
            for name in NAMES:
                load(getattr(model, name), *params[name])
    if isinstance(model, nn.Module):
        model.eval()
    return model


def load(layer: Any, weight: torch.Tensor, bias: torch.Tensor) -> None:
    """Copy into a Linear, or into a list of them that share the rows."""
    if isinstance(layer, list | tuple | nn.ModuleList):
        rows = weight.shape[0] // len(layer)
        for part, w, b in zip(layer, weight.split(rows), bias.split(rows), strict=True):
            load(part, w, b)
        return
    layer.weight.copy_(weight)
    if layer.bias is not None:
        layer.bias.copy_(bias)


def layers_fit(answer: Any) -> Finding | None:
    """The class has the four layers, in shapes that weights can be copied into."""
    if isinstance(answer, nn.Module):
        return Finding("instance-not-class", {"type": type(answer).__name__})
    forward = getattr(answer, "forward", None)
    if isinstance(answer, type) and forward and guard.is_stub(forward):
        return None  # `forward` is not written yet
    made = guard.run(lambda: answer(12, 3), (), by=answer)
    model = made.value
    if made.trouble is not None or model is None or model is ...:
        return None
    if not isinstance(answer, type) and not hasattr(model, "forward"):
        return Finding("no-class", {"type": type(model).__name__})
    fused = hasattr(model, "load_qkv")
    missing = [n for n in NAMES[3 * fused :] if not hasattr(model, n)]
    if missing:
        return Finding("layers-missing", _named(missing), {"it has": _layers(model)})
    for name in NAMES[3 * fused :]:
        if finding := _fits(model, name):
            return finding
    for one, other in itertools.combinations(NAMES[3 * fused :], 2):
        if _ids(getattr(model, one)) & _ids(getattr(model, other)):
            return Finding("layers-shared", {"one": one, "other": other})
    return None


def _named(missing: list[str]) -> dict[str, str]:
    return {"missing": ", ".join(missing)}


def _layers(model: Any) -> str:
    kinds = {n: type(m).__name__ for n, m in getattr(model, "_modules", {}).items()}
    kinds |= {n: "Parameter" for n in getattr(model, "_parameters", {})}
    kinds |= {n: type(v).__name__ for n, v in vars(model).items() if n.startswith("W")}
    text = ", ".join(f"{name} ({kind})" for name, kind in kinds.items())
    return text or "no layers and no parameters"


def _fits(model: Any, name: str) -> Finding | None:
    layer, d, d_k = getattr(model, name), 12, 4
    if isinstance(layer, torch.Tensor):
        plain = not isinstance(layer, nn.Parameter)
        kind = "plain tensor" if plain else "Parameter"
        facts = {"name": name, "kind": kind}
        return Finding("weights-plain-tensors" if plain else "layers-not-linear", facts)
    if isinstance(layer, list | tuple | nn.ModuleList) and len(layer):
        weights = [getattr(part, "weight", torch.empty(0)) for part in layer]
        if [tuple(w.shape) for w in weights] == [(d_k, d)] * 3 and name != "W_o":
            return None
        got = tuple(weights[0].shape)
        return Finding("layers-in-a-list", {"name": name, "got": got})
    if not isinstance(getattr(layer, "weight", None), torch.Tensor):
        facts = {"name": name, "kind": type(layer).__name__}
        return Finding("layers-not-linear", facts)
    shape = tuple(layer.weight.shape)
    if shape == (d, d):
        return None
    kind = {
        (d_k, d_k): "projections-of-slices",
        (d_k, d): "projection-of-one-head",
        (d * 3, d): "projection-per-head-too-wide",
        (d, d * 3): "projection-per-head-too-wide",
        (d, d_k): "w-o-of-one-head",
        (3, 12): "projection-to-num-heads",
    }.get(shape, "projection-misshapen")
    facts = {"name": name, "got": shape, "want": (d, d), "d_k": d_k}
    sizes = {"case": "d_model = 12, num_heads = 3", f"{name}.weight": str(shape)}
    return Finding(kind, facts, sizes)


# ----------------------------------------------------------------- behaviours
def registered(trial: Trial) -> Finding | None:
    """The layers are parameters that an optimiser would find, and the only ones."""
    model = _fresh(trial, 12, 3)
    if model is None:
        return None
    own = list(model.named_parameters()) if isinstance(model, nn.Module) else []
    found = {id(p) for _, p in own}
    names = NAMES[3 * hasattr(model, "load_qkv") :]
    lost = [n for n in names if not _ids(getattr(model, n)) <= found]
    if lost:
        facts = {"lost": ", ".join(lost)}
        shown = {"parameters that the module lists": str(len(found))}
        return Finding("parameters-not-registered", facts, shown)
    count = sum(p.numel() for _, p in own)
    if count > 4 * 12 * 12 + 48:
        known = {i for n in names for i in _ids(getattr(model, n))}
        extra = ", ".join(n for n, p in own if id(p) not in known)
        if len(names) == len(NAMES):
            shown = {"case": "d_model = 12, num_heads = 3", "extra": extra}
            return Finding("extra-parameters", {"count": count, "extra": extra}, shown)
    return None


def _ids(layer: Any) -> set[int]:
    if isinstance(layer, list | tuple | nn.ModuleList):
        return {i for part in layer for i in _ids(part)}
    return {id(t) for t in (layer.weight, layer.bias) if t is not None}


def _fresh(trial: Trial, d: int, heads: int) -> Any:
    return guard.run(lambda: trial.answer(d, heads), (), by=trial.answer).value


def remembers_nothing(trial: Trial) -> Finding | None:
    """One module, called with other inputs in between, gives the same again."""
    first, other = trial.cases[trial.case("plain")], trial.cases[trial.case("square")]
    causal = trial.cases[trial.case("causal")]

    def calls(*args: Any) -> Any:
        model = built(trial.answer, *args[4:])
        before = *model(*args[:3]), *model(*other.args[:3])
        model(*causal.args[:4])
        return before, (*model(*other.args[:3]), *model(*args[:3]))

    outcome = guard.run(calls, first.args, by=trial.answer)
    if trial.failing or outcome.trouble is not None:
        return None
    a, b = (trial.exercise.unpack or _tensors)(outcome.value)
    again = [*b[2:], *b[:2]]
    for x, y, case in zip(a, again, (first, first, other, other), strict=True):
        if not same(x, y, first.tol):
            shown = {"first call": numbers(x.flatten()), "again": numbers(y.flatten())}
            return Finding("remembers-between-calls", {}, {"case": case.about} | shown)
    return None


def _tensors(pair: Any) -> list[list[torch.Tensor]]:
    return [[t.detach() for t in result] for result in pair]


def weights_learn(trial: Trial) -> Finding | None:
    """A loss on the output reaches the weights of every layer."""
    case = trial.cases[trial.case("plain")]
    if trial.failing:
        return None

    def grads(*args: Any) -> dict[str, bool]:
        model = built(trial.answer, *args[4:])
        out = model(*args[:3])[0]
        towards = torch.randn(out.shape, generator=torch.Generator().manual_seed(3))
        (out * towards).sum().backward()
        names = NAMES[3 * hasattr(model, "load_qkv") :]
        return {n: all(_learns(part) for part in _parts(model, n)) for n in names}

    got = guard.run(grads, case.args, by=trial.answer)
    if got.trouble is not None:
        return None
    lost = [n for n, learns in got.value.items() if not learns]
    if not lost:
        return None
    return Finding("layer-gets-no-gradient", {"lost": " and ".join(lost)})


def _parts(model: Any, name: str) -> list[Any]:
    layer = getattr(model, name)
    return list(layer) if isinstance(layer, list | tuple | nn.ModuleList) else [layer]


def _learns(layer: Any) -> bool:
    return layer.weight.grad is not None and bool((layer.weight.grad != 0).any())


def empty_row(trial: Trial) -> Finding | None:
    """A remark: what a query that may see no key gets."""
    case = trial.cases[trial.case("per-sample")]
    mask = case.args[3].clone()
    mask[0, 0, 2] = False
    got = trial.values(trial.call((*case.args[:3], mask, *case.args[4:])))
    if got is None or all(bool(torch.isfinite(t).all()) for t in got):
        return None
    return Finding("nan-for-empty-row", {}, {})


def fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """A scale or a fill read off the weights, as in attention itself."""
    found: list[Departure] = []
    got = {
        c.name: (_as_attention(c), v)
        for c, v in zip(cases, seen, strict=True)
        if v is not None and len(v) == 2
    }
    scales = [attention.divisor(*got[n]) for n in ("plain", "other-sizes") if n in got]
    if len(scales) == 2 and all(scales):
        a, b = scales
        if abs(a / b - 1) < 1e-2:
            facts = {"divisor": f"{a:.3g}"}
            found.append(Departure("scale-hard-coded", "scale", a, facts))
        factor = a / 7**0.5
        if abs(factor / (b / 5**0.5) - 1) < 1e-2 and abs(factor - 1) > 2e-2:
            value, facts = ("root d_k and", factor), {"factor": f"{factor:.3g}"}
            found.append(Departure("scale-times-constant", "scale", value, facts))
    fills = [attention.fill_of(*got[n]) for n in ("per-sample", "per-head") if n in got]
    if len(fills) == 2 and None not in fills and abs(fills[0] - fills[1]) < 0.02:
        value, facts = fills[0], {"fill": f"{fills[0]:.3g}"}
        found.append(Departure("fill-too-small", "fill", value, facts))
    return found


def _as_attention(case: Case) -> Case:
    """What the heads of the right class see of a case."""
    right = {name: value for name, (value, _) in SPACE.items()}
    q, k, v = projected(case, right, {})
    return Case(case.name, case.about, (q, k, v, case.args[3]))


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    query, key, _, mask, heads, _ = case.args
    b, n_q, d = query.shape
    q, k = query.new_zeros(b, heads, n_q, d // heads), key[:, None, :, : d // heads]
    try:
        found = attention.facts(Case("", "", (q, k, k, mask)), values)
    except RuntimeError:  # weights of another shape, which the mask does not fit
        found = attention.facts(Case("", "", (q, k, k, None)), values)
    weights = values[1] if len(values) > 1 else values[0]
    return dict(found) | {"heads": heads, "d_model": d, "got": tuple(weights.shape)}


EXERCISES = [
    Exercise(
        name="MultiHeadAttention",
        parts=("output", "weights"),
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        fit=fit,
        glance=glance,
        argument_names=("query", "key", "value", "mask", "num_heads"),
        looks=(layers_fit,),
        call=call,
        behaviours=(
            behave.arguments_untouched,
            behave.calls_agree("per-sample"),
            remembers_nothing,
            behave.gradients("per-sample", names=("query", "key", "value")),
            weights_learn,
            registered,
        ),
        symptoms=(
            behave.samples_independent,
            behave.rows_sum_to_one,
            behave.not_finite,
        ),
        remarks=(empty_row,),
    )
]
