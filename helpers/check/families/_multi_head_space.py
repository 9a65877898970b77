"""Multi-head attention with its choices as parameters.

What happens between the heads is taken from `_attention_space`; here are projections,
split, merge, W_o and what stands around them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch.nn import functional as F

from ..space import Case, Choices, Values, same
from . import _attention_space as inner

INPUTS = {
    ("query", "query", "query"): "key-and-value-ignored",
    ("query", "key", "key"): "value-ignored",
    ("query", "key", "query"): "v-from-query",
    ("key", "key", "value"): "q-from-key",
    ("query", "query", "value"): "k-from-query",
    ("query", "value", "value"): "k-from-value",
    ("query", "value", "key"): "key-and-value-swapped",
    ("key", "query", "value"): "query-and-key-swapped",
    ("value", "key", "query"): "query-and-value-swapped",
    ("key", "key", "key"): "only-key-used",
    ("value", "value", "value"): "only-value-used",
    ("value", "key", "value"): "q-from-value",
    ("key", "query", "query"): "inputs-swapped-key-first",
    ("query", "query", "key"): "k-from-query",
    ("key", "value", "query"): "inputs-rotated",
    ("value", "query", "key"): "inputs-rotated",
}
MATRICES = {
    "qqq": "one-projection-for-all",
    "kkk": "one-projection-for-all",
    "vvv": "one-projection-for-all",
    "qvk": "w-k-w-v-swapped",
    "kqv": "w-q-w-k-swapped",
    "vkq": "w-q-w-v-swapped",
    "qqv": "w-q-used-for-k",
    "kkv": "w-k-used-for-q",
    "qkk": "w-k-used-for-v",
    "qkq": "w-q-used-for-v",
    "qvv": "w-v-used-for-k",
    "vkv": "w-v-used-for-q",
    "kvq": "projections-rotated",
    "vqk": "projections-rotated",
    "okv": "w-o-used-as-projection",
    "qov": "w-o-used-as-projection",
    "qko": "w-o-used-as-projection",
    "---": "projections-missing",
    "-kv": "w-q-missing",
    "q-v": "w-k-missing",
    "qk-": "w-v-missing",
}

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "scale": (
        "root d_k",
        {
            "root d_model": "scale-root-d-model",
            "none": "no-scale",
            "d_k": "scale-d-k",
            "root heads": "scale-root-heads",
            "d_model": "scale-d-model",
            "times root d_k": "scale-multiplied",
            "root n_k": "scale-root-n-k",
            "root n_q": "scale-root-n-q",
            "heads": "scale-heads",
            "root batch": "scale-root-batch",
            "fourth root": "scale-fourth-root",
            "after softmax": "scale-after-softmax",
        },
    ),
    "splits": (
        "blocks",
        {
            "view": "split-by-view",
            "interleaved": "split-interleaved",
            "head 0": "head-0-for-all",
            "head 0 and its mask": "head-0-for-all",
            "last head": "last-head-for-all",
            "head 0 of K and V": "head-0-k-and-v-for-all",
            "one head": "heads-never-split",
            "one head, root d_k": "heads-never-split",
            "one head, 3-D": "heads-never-split",
            "one head, 3-D, root d_k": "heads-never-split",
            "no transpose": "attention-over-heads",
            "batch mixed": "split-mixes-samples",
            "features reversed": "split-features-reversed",
        },
    ),
    "merges": (
        "BTHd",
        {
            "BHTd": "merge-by-view",
            "BTdH": "merge-interleaved",
            "BHdT": "merge-turns-tokens-and-features",
            "BdTH": "merge-turns-tokens-and-features",
            "TBHd": "merge-mixes-samples",
            "HBTd": "merge-mixes-samples",
            "HTBd": "merge-mixes-samples",
            "THBd": "merge-mixes-samples",
            "reversed": "merge-heads-reversed",
            "mean repeated": "merge-averages-heads",
            "sum repeated": "merge-sums-heads",
            "first repeated": "merge-one-head-only",
            "first, others zero": "merge-one-head-only",
        },
    ),
    "layout": (
        "batch first",
        {"tokens first": "tokens-before-batch", "turned once": "tokens-before-batch"},
    ),
    "inputs": (("query", "key", "value"), INPUTS),
    "matrices": ("qkv", MATRICES),
    "projects": (
        "whole",
        {
            "slices": "projections-of-slices",
            "transposed": "projections-not-transposed",
            "twice": "projections-twice",
            "relu": "projections-relu",
            "relu v": "projections-relu",
            "tanh": "projections-relu",
        },
    ),
    "biases": (
        "all",
        {
            "none": "biases-missing",
            "none in q, k, v": "projection-biases-missing",
            "none in q": "projection-biases-missing",
            "none in v": "projection-biases-missing",
            "none in o": "w-o-bias-missing",
        },
    ),
    "output": (
        "W_o",
        {
            "missing": "w-o-missing",
            "twice": "w-o-twice",
            "bias per head": "w-o-bias-per-head",
            "transposed": "w-o-not-transposed",
            "W_v": "w-o-replaced",
            "W_q": "w-o-replaced",
            "W_k": "w-o-replaced",
            "on values": "w-o-before-attention",
            "blocks": "w-o-per-head",
            "only bias": "w-o-bias-only",
            "relu": "output-activation",
            "tanh": "output-activation",
            "softmax": "softmax-of-output",
        },
    ),
    "around": (
        "nothing",
        {
            "residual": "residual-inside",
            "residual value": "residual-inside",
            "residual Q": "residual-inside",
            "residual before W_o": "residual-inside",
            "layer norm": "layer-norm-inside",
            "norm of inputs": "layer-norm-inside",
            "norm of Q and K": "q-and-k-normalised",
            "norm of heads": "layer-norm-inside",
            "residual and norm": "residual-and-norm-inside",
            "scaled": "output-scaled",
            "scaled up": "output-scaled",
            "over heads": "output-divided-by-heads",
        },
    ),
    "reads mask": (
        "as given",
        {
            "ignored": "mask-ignored",
            "inverted": "mask-inverted",
            "transposed": "mask-transposed",
            "padding": "mask-2d-taken-as-padding",
            "repeated": "mask-of-other-sample",
            "first sample": "mask-of-first-sample",
            "first head": "mask-of-first-head",
            "only 2-D": "mask-only-2d-used",
            "only 4-D": "mask-only-4d-used",
            "head 0 only": "mask-on-head-0-only",
            "causal too": "always-causal",
            "causal too, right": "always-causal",
            "causal, fixed": "causal-buffer-of-fixed-size",
            "causal instead": "causal-instead-of-mask",
            "first query": "mask-of-first-query",
            "last query": "mask-of-last-query",
            "queries too": "mask-on-queries-too",
        },
    ),
    "applies mask": (
        "before softmax",
        {
            "multiplied": "mask-multiplied",
            "after softmax": "mask-after-softmax",
            "added": "mask-added",
            "-inf into weights": "minus-inf-into-weights",
            "values": "mask-on-values",
            "keys and values": "mask-on-keys-and-values",
            "output rows": "mask-on-output",
            "1 - m * -1e9": "mask-brackets",
            "inf times zero": "mask-inf-times-zero",
        },
    ),
    "fill": (
        -math.inf,
        {
            0.0: "fill-zero",
            math.inf: "fill-plus-inf",
            1e-9: "fill-tiny",
            1e9: "fill-plus-large",
        },
    ),
    "softmax": (
        "keys",
        {
            "queries": "softmax-over-queries",
            "heads": "softmax-over-heads",
            "batch": "softmax-over-batch",
            "matrix": "softmax-over-matrix",
            "double": "double-softmax",
            "sigmoid": "sigmoid-not-softmax",
            "none": "no-softmax",
            "none -inf": "no-softmax",
            "log": "log-softmax",
            "argmax": "hard-argmax",
            "exp": "exp-not-normalised",
            "relu": "relu-not-softmax",
            "raw": "normalised-without-exp",
        },
    ),
    "product": (
        "QK",
        {
            "KQ": "q-k-swapped",
            "QQ": "q-used-as-k",
            "KK": "k-used-as-q",
            "cosine": "cosine-similarity",
            "K reshaped": "k-reshaped",
        },
    ),
    "values": ("V", {"K": "k-used-as-v", "Q": "q-used-as-v"}),
    "sum": (
        "weights V",
        {"transposed": "weights-transposed", "mean": "mean-not-sum"},
    ),
    "returns": (
        "output, weights",
        {
            "output": "returns-output-only",
            "weights, output": "returns-swapped",
            "weights averaged": "weights-averaged-over-heads",
            "weights summed": "weights-averaged-over-heads",
            "head 0 weights": "returns-head-0-weights",
            "weights over heads": "weights-divided-by-heads",
            "scores": "returns-scores",
            "raw scores": "returns-scores",
            "unmasked weights": "returns-unmasked-weights",
            "weights transposed": "returned-weights-transposed",
            "heads": "returns-heads",
            "output, None": "returns-output-only",
            "weights": "returns-weights-only",
            "three": "returns-three",
        },
    ),
}
INNER = {"empty row": "zero"}  # a choice of attention that is not examined here


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The right multi-head attention, or as `c` departs."""
    query, _, value, mask, heads, params = case.args
    (q, k, v), second = projections(case, c, memo)
    raw, scores, w = weights(q, k, v, mask, c, second, heads)
    o = found(q, k, v, w, mask, c, second, heads)
    merged = merge(o, c, heads)
    out = w_o(merged, c, params, heads)
    out = surrounded(out, merged, q, query, value, c, params, heads)
    if c["layout"] == "tokens first":
        out = out.transpose(0, 1)
    return returned(out, w, merged, scores, raw, c)


def glance(case: Case, c: Choices, memo: dict[Any, Any], seen: Values) -> bool:
    """Could `c` have given these weights? (The output is not computed.)"""
    if c["returns"] != "output, weights" or len(seen) != 2 or "3-D" in c["splits"]:
        return True
    _, _, _, mask, heads, _ = case.args
    try:
        (q, k, v), second = projections(case, c, memo)
        w = weights(q, k, v, mask, c, second, heads)[2]
    except RuntimeError:
        return True
    key = ("glance", *(c[name] for name in ATTENDS))
    if key not in second:
        second[key] = same(w, seen[1], case.tol)
    return second[key]


STAGE = ("inputs", "matrices", "projects", "biases", "splits", "layout")
ATTENDS = (
    "scale",
    "reads mask",
    "applies mask",
    "fill",
    "softmax",
    "product",
    "splits",
)


def projections(case: Case, c: Choices, memo) -> tuple[tuple[torch.Tensor, ...], dict]:
    """Q, K and V, and the memo of what follows from them."""
    first = tuple(c[name] for name in STAGE)
    first += (c["around"] in _BEFORE and c["around"], c["output"] == "on values")
    if first not in memo:
        memo[first] = projected(case, c, memo), {}
    return memo[first]


def weights(q, k, v, mask, c, memo, heads) -> tuple[torch.Tensor, ...]:
    """Raw scores, scores, weights."""
    key = tuple(c[name] for name in ATTENDS)
    if key not in memo:
        chosen, mask = inside(q, mask, c, heads, k)
        memo[key] = inner.weights_of(q, k, v, mask, chosen, memo)
    return memo[key]


def found(q, k, v, w, mask, c, memo, heads) -> torch.Tensor:
    """What each head found: its weights times its values."""
    key = ("found", *(c[name] for name in (*ATTENDS, "values", "sum")))
    if key not in memo:
        chosen, mask = inside(q, mask, c, heads, k)
        if c["applies mask"] in ("values", "keys and values") and mask is not None:
            v = v * inner.seen_keys(inner.keep_of(mask, chosen, q, k), q, k)
        memo[key] = inner.output_of(q, k, v, w, mask, chosen)
    return memo[key]


def inside(q, mask, c: Choices, heads: int, k) -> tuple[dict[str, Any], Any]:
    """The choices and the mask as `_attention_space` knows them."""
    chosen, how = dict(c) | INNER, c["reads mask"]
    if c["scale"] == "d_model":
        chosen["scale"] = float(q.shape[1] * q.shape[-1])
    if c["splits"].endswith("root d_k") and c["scale"] == "root d_k":
        chosen["scale"] = math.sqrt(q.shape[-1] / heads)
    n_q, n_k = q.shape[-2], k.shape[-2]
    causal = {
        "causal too, right": lambda: torch.ones(n_q, n_k).tril(n_k - n_q) > 0,
        "causal, fixed": lambda: torch.ones(5, 5).tril().expand(n_q, n_k) > 0,
    }.get(how)
    if causal:
        tril = causal()
        return chosen, tril if mask is None else tril & (mask != 0)
    if mask is None:
        return chosen, None
    ignored = {"only 2-D": mask.dim() == 4, "only 4-D": mask.dim() < 4}
    if ignored.get(how):
        return chosen, None
    if how == "head 0 only":
        mask = (mask != 0) | (torch.arange(heads) > 0).view(1, -1, 1, 1)
    if c["splits"] == "head 0 and its mask" and mask.dim() == 4:
        mask = mask[:, :1]
    return chosen, mask


_BEFORE = ("norm of inputs", "norm of Q and K")


def projected(case: Case, c: Choices, memo) -> tuple[torch.Tensor, ...]:
    """Q, K and V, split into heads: (B, H, T, d_k)."""
    query, key, value, _, heads, params = case.args
    given = {"query": query, "key": key, "value": value}
    if c["around"] == "norm of inputs":
        given = {n: F.layer_norm(t, t.shape[-1:]) for n, t in given.items()}
    if c["layout"] != "batch first":
        given = {n: t.transpose(0, 1) for n, t in given.items()}
    how = c["splits"]
    out = []
    for place, name, letter in zip("qkv", c["inputs"], c["matrices"], strict=True):
        key = (
            place,
            name,
            letter,
            how,
            *(c[n] for n in ("projects", "biases", "layout")),
        )
        key += (c["around"] == "norm of inputs",)
        if key not in memo:
            x = linear(given[name], place, letter, c, params, heads)
            memo[key] = split(x, how, heads, place)
        out.append(memo[key])
    if c["around"] == "norm of Q and K":
        out[:2] = (F.layer_norm(t, t.shape[-1:]) for t in out[:2])
    if c["output"] == "on values":
        v = F.linear(join(out[2]), *params["W_o"])
        out[2] = split(v, how, heads, "v")
    return tuple(out)


def linear(x, place: str, letter: str, c: Choices, params, heads: int) -> torch.Tensor:
    """One of the three projections."""
    if letter == "-":
        return x
    weight, bias = params[f"W_{letter}"]
    without = {"none": "qkv", "none in q, k, v": "qkv", "none in q": "q"}
    if place in without.get(c["biases"], c["biases"][-1:]):
        bias = None
    how = c["projects"]
    if how == "slices":
        weight = blocks_only(weight, heads)
    elif how == "transposed":
        weight = weight.T
    x = F.linear(x, weight, bias)
    if how == "twice":
        x = F.linear(x, weight, bias)
    if how == "relu" or (how == "relu v" and place == "v"):
        return x.relu()
    return x.tanh() if how == "tanh" else x


def blocks_only(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """The blocks on the diagonal; 0 elsewhere."""
    d = weight.shape[0] // heads
    place = torch.arange(weight.shape[0]) // d
    return weight * (place[:, None] == place)


def split(x: torch.Tensor, how: str, heads: int, place: str) -> torch.Tensor:
    b, t, wide = x.shape
    d = wide // heads
    if how.startswith("one head"):
        return x[:, None]
    if how == "view":
        return x.reshape(b, heads, t, d)
    if how == "interleaved":
        return x.reshape(b, t, d, heads).permute(0, 3, 1, 2)
    apart = x.reshape(b, t, heads, d)
    if how == "no transpose":
        return apart
    if how == "batch mixed":
        return apart.permute(2, 0, 1, 3).reshape(b, heads, t, d)
    apart = apart.transpose(1, 2)
    first = how in ("head 0", "head 0 and its mask")
    if first or (how == "head 0 of K and V" and place != "q"):
        return apart[:, :1].expand(b, heads, t, d)
    if how == "last head":
        return apart[:, -1:].expand(b, heads, t, d)
    return apart.flip(3) if how == "features reversed" else apart


def join(o: torch.Tensor) -> torch.Tensor:
    return o.transpose(1, 2).flatten(2)


def merge(o: torch.Tensor, c: Choices, heads: int) -> torch.Tensor:
    """(B, H, T, d_k) → (B, T, d_model)."""
    how = c["merges"]
    if c["splits"] == "no transpose":
        return o.flatten(2)
    if c["splits"].startswith("one head"):
        return o[:, 0]
    if how == "BTHd":
        return join(o)
    if how.endswith("repeated"):
        o = {
            "mean repeated": lambda: o.mean(1, keepdim=True),
            "sum repeated": lambda: o.sum(1, keepdim=True),
            "first repeated": lambda: o[:, :1],
        }[how]().expand_as(o)
        return join(o)
    if how == "reversed":
        return join(o.flip(1))
    if how == "first, others zero":
        return join(o * (torch.arange(heads) == 0).view(1, -1, 1, 1))
    b, h, t, d = o.shape
    order = tuple("BHTd".index(axis) for axis in how)
    return o.permute(*order).reshape(b, t, h * d)


def w_o(merged, c: Choices, params, heads: int) -> torch.Tensor:
    """The last matrix."""
    weight, bias = params["W_o"]
    if c["around"] == "norm of heads":
        merged = F.layer_norm(merged, merged.shape[-1:])
    if c["biases"] in ("none", "none in o"):
        bias = torch.zeros_like(bias)
    how = c["output"]
    if how in ("missing", "on values"):
        return merged
    if how in ("W_q", "W_k", "W_v"):
        return F.linear(merged, *params[how])
    if how == "only bias":
        return merged + bias
    if how == "bias per head":
        return F.linear(merged, weight, bias * heads)
    if how == "transposed":
        return F.linear(merged, weight.T, bias)
    if how == "blocks":
        return F.linear(merged, blocks_only(weight, heads), bias)
    out = F.linear(merged, weight, bias)
    if how == "twice":
        return F.linear(out, weight, bias)
    if how in ("relu", "tanh"):
        return getattr(out, how)()
    return torch.softmax(out, -1) if how == "softmax" else out


def surrounded(out, merged, q, query, value, c, params, heads) -> torch.Tensor:
    """What does not belong into the class."""
    how = c["around"]
    if how == "nothing" or how in _BEFORE or how == "norm of heads":
        return out
    if how == "residual before W_o":
        return out + F.linear(query, params["W_o"][0])
    if how == "layer norm":
        return F.layer_norm(out, out.shape[-1:])
    if how == "residual and norm":
        return F.layer_norm(out + query, out.shape[-1:])
    return {
        "residual": lambda: out + query,
        "residual value": lambda: out + value,
        "residual Q": lambda: out + join(q),
        "scaled": lambda: out / math.sqrt(out.shape[-1]),
        "scaled up": lambda: out * math.sqrt(out.shape[-1]),
        "over heads": lambda: out / heads,
    }[how]()


def returned(out, w, merged, scores, raw, c) -> Values:
    if "3-D" in c["splits"] and w.shape[1] == 1:
        w = w[:, 0]
    how = c["returns"]
    if how == "output, weights":
        return out, w
    return {
        "output": lambda: (out,),
        "output, None": lambda: (out, torch.tensor(math.nan)),
        "weights": lambda: (w,),
        "weights, output": lambda: (w, out),
        "weights averaged": lambda: (out, w.mean(1)),
        "weights summed": lambda: (out, w.sum(1)),
        "head 0 weights": lambda: (out, w[:, 0]),
        "weights over heads": lambda: (out, w / w.shape[1]),
        "scores": lambda: (out, scores),
        "raw scores": lambda: (out, raw),
        "unmasked weights": lambda: (out, torch.softmax(scores, -1)),
        "weights transposed": lambda: (out, w.transpose(-2, -1)),
        "heads": lambda: (merged, w),
        "three": lambda: (out, w, scores),
    }[how]()
