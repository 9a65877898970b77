"""The learner's class: is it one that weights can be copied into, and the copying."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from .. import guard
from ..space import Finding

NAMES = ("W_q", "W_k", "W_v", "W_o")
Params = Mapping[str, tuple[Tensor, Tensor]]


def call(
    answer: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    heads: int,
    params: Params,
) -> Any:
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


def load(layer: Any, weight: Tensor, bias: Tensor) -> None:
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
    if isinstance(answer, type) and (name := misspelt(answer)):
        return Finding("forward-misspelt", {"name": name})
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
        if ids(getattr(model, one)) & ids(getattr(model, other)):
            return Finding("layers-shared", {"one": one, "other": other})
    return None


def misspelt(answer: type) -> str | None:
    """A method whose name is nearly `forward`, if there is no `forward`."""
    bases = [c for c in answer.__mro__ if c not in (object, nn.Module)]
    methods = [name for c in bases for name, f in vars(c).items() if callable(f)]
    if "forward" in methods:
        return None
    near = difflib.get_close_matches("forward", methods, cutoff=0.75)
    return near[0] if near else None


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
    if isinstance(layer, Tensor):
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
    if not isinstance(getattr(layer, "weight", None), Tensor):
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


def ids(layer: Any) -> set[int]:
    if isinstance(layer, list | tuple | nn.ModuleList):
        return {i for part in layer for i in ids(part)}
    return {id(t) for t in (layer.weight, layer.bias) if t is not None}
