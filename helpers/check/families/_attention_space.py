"""Scaled dot-product attention with its choices as parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch

from ..space import Case, Choices, Values
from ._normalised import normalised

INF = float("inf")

SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "scale": (
        "root d_k",
        {
            "none": "no-scale",
            "d_k": "scale-d-k",
            "root d_model": "scale-root-d-model",
            "root heads": "scale-root-heads",
            "times root d_k": "scale-multiplied",
            "root n_k": "scale-root-n-k",
            "root n_q": "scale-root-n-q",
            "root d_v": "scale-root-d-v",
            "root batch": "scale-root-batch",
            "fourth root": "scale-fourth-root",
            "n_k": "scale-n-k",
            "times d_k": "scale-multiplied",
            "d_k squared": "scale-d-k",
            "whole root": "scale-whole-root",
            "standardised": "scores-standardised",
            "after softmax": "scale-after-softmax",
            "heads": "scale-heads",
            "half d_k": "scale-half-d-k",
            8.0: "scale-hard-coded",
            64.0: "scale-hard-coded",
        },
    ),
    "reads mask": (
        "as given",
        {
            "ignored": "mask-ignored",
            "inverted": "mask-inverted",
            "transposed": "mask-transposed",
            "padding": "mask-2d-taken-as-padding",
            "unsqueezed": "mask-unsqueezed-again",
            "first sample": "mask-of-first-sample",
            "first head": "mask-of-first-head",
            "first query": "mask-of-first-query",
            "last query": "mask-of-last-query",
            "any query": "mask-any-query",
            "queries too": "mask-on-queries-too",
            "outer": "mask-on-queries-too",
            "causal too": "always-causal",
            "causal instead": "causal-instead-of-mask",
            "nothing allowed": "everything-masked",
            "self too": "mask-self-always-allowed",
            "not self": "mask-self-forbidden",
            "reshaped": "mask-reshaped",
            "flipped": "mask-flipped",
            "shifted": "mask-shifted",
            "last sample": "mask-of-last-sample",
            "repeated": "mask-of-other-sample",
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
            "keys": "mask-on-keys-and-values",
            "output rows": "mask-on-output",
            "1 - m * -1e9": "mask-brackets",
            "1 - m * -1e9 zeroed": "mask-brackets",
            "subtracted": "mask-subtracted",
            "inf times zero": "mask-inf-times-zero",
            "added before scale": "mask-added",
            "-1e9 into weights": "minus-inf-into-weights",
        },
    ),
    "fill": (
        -INF,
        {
            0.0: "fill-zero",
            INF: "fill-plus-inf",
            "inf zeroed": "fill-plus-inf",
            1e9: "fill-plus-large",
            1e-9: "fill-tiny",
            "min": "fill-min-score",
            "row min": "fill-min-score",
            "nan": "fill-nan",
        },
    ),
    "empty row": (
        "zero",
        {
            "nan": "nan-for-empty-row",
            "uniform": "uniform-for-empty-row",
            "unmasked": "unmasked-for-empty-row",
            "first key": "first-key-for-empty-row",
            "weights only": "empty-row-output-only",
        },
    ),
    "softmax": (
        "keys",
        {
            "queries": "softmax-over-queries",
            "heads": "softmax-over-heads",
            "batch": "softmax-over-batch",
            "matrix": "softmax-over-matrix",
            "everything": "softmax-over-everything",
            "double": "double-softmax",
            "sigmoid": "sigmoid-not-softmax",
            "raw": "normalised-without-exp",
            "raw -inf": "normalised-without-exp",
            "exp": "exp-not-normalised",
            "log": "log-softmax",
            "argmax": "hard-argmax",
            "none": "no-softmax",
            "none -inf": "no-softmax",
            "base 2": "softmax-base-2",
            "plus one": "softmax-plus-one",
            "relu": "relu-not-softmax",
            "relu zeroed": "relu-not-softmax",
            "relu raw": "relu-not-softmax",
            "negated": "softmax-of-minus-scores",
            "abs": "normalised-without-exp",
            "square": "normalised-without-exp",
            "l2": "softmax-l2-normalised",
            "by max": "divided-by-max",
            "tanh": "tanh-not-softmax",
            "softplus": "softplus-not-softmax",
            "min-max": "min-max-not-softmax",
            "1 decimal": "weights-rounded",
            "2 decimals": "weights-rounded",
            "no max": "no-max-subtraction",
            "no max masked": "no-max-subtraction",
            "no max zeroed": "no-max-subtraction",
            "global max": "global-max-subtraction",
            "global max zeroed": "global-max-subtraction",
            "eps 0.1": "eps-too-large",
            "eps 0.01": "eps-too-large",
            "eps 0.001": "eps-too-large",
            "half": "softmax-in-half-precision",
            "bfloat": "softmax-in-half-precision",
            "exp over queries": "softmax-over-queries",
            "exp over matrix": "softmax-over-matrix",
        },
    ),
    "product": (
        "QK",
        {
            "KQ": "q-k-swapped",
            "QQ": "q-used-as-k",
            "KK": "k-used-as-q",
            "QV": "v-used-as-k",
            "K reshaped": "k-reshaped",
            "K as it is": "k-not-transposed",
            "axes reversed": "all-axes-reversed",
            "elementwise": "elementwise-product",
            "cosine": "cosine-similarity",
            "cosine, scaled": "cosine-similarity",
            "negated": "scores-negated",
            "absolute": "scores-absolute",
            "distance": "distance-not-product",
            "squared distance": "distance-not-product",
            "transposed": "scores-transposed",
            "head summed": "heads-summed",
            "K head 0": "head-0-only",
            "Q head 0": "head-0-only",
            "K sample 0": "sample-0-only",
        },
    ),
    "values": (
        "V",
        {
            "K": "k-used-as-v",
            "Q": "q-used-as-v",
            "V head 0": "head-0-only",
            "V sample 0": "sample-0-only",
            "V softmaxed": "v-changed-first",
            "V normalised": "v-changed-first",
            "V flipped": "v-flipped",
        },
    ),
    "sum": (
        "weights V",
        {
            "transposed": "weights-transposed",
            "mean": "mean-not-sum",
            "plain mean": "weights-unused",
            "plain sum": "weights-unused",
            "scaled": "output-scaled",
            "scaled up": "output-scaled",
            "plus V": "output-plus-v",
            "plus Q": "output-plus-q",
            "heads merged": "output-heads-merged",
            "heads merged raw": "output-heads-merged",
            "output transposed": "output-transposed",
            "softmax": "softmax-of-output",
            "best key": "best-value-only",
            "heads summed": "output-heads-summed",
            "heads averaged": "output-heads-summed",
        },
    ),
    "returns": (
        "output, weights",
        {
            "weights, output": "returns-swapped",
            "scores": "returns-scores",
            "raw scores": "returns-scores",
            "masked scores": "returns-scores",
            "output": "returns-output-only",
            "weights": "returns-weights-only",
            "weights averaged": "weights-averaged-over-heads",
            "weights summed": "weights-averaged-over-heads",
            "weights transposed": "returned-weights-transposed",
            "unmasked weights": "returns-unmasked-weights",
            "output, output": "returns-output-twice",
            "unscaled weights": "returns-unscaled-weights",
            "log weights": "returns-log-weights",
            "head 0 weights": "returns-head-0-weights",
            "three": "returns-three",
        },
    ),
}


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """The right attention when `c` is the right choices; otherwise as `c` departs."""
    q, k, v, mask = case.args
    if c["product"] == "elementwise":
        s = (q * k).sum(-1) / math.sqrt(q.shape[-1])
        w = torch.softmax(s, -1)
        return w.unsqueeze(-1) * v, w
    key = tuple(
        c[name]
        for name in (
            "product",
            "scale",
            "reads mask",
            "applies mask",
            "fill",
            "empty row",
            "softmax",
        )
    )
    if key not in memo:
        memo[key] = weights_of(q, k, v, mask, c, memo)
    raw, scores, w = memo[key]
    if c["applies mask"] in ("values", "keys and values") and mask is not None:
        v = v * seen_keys(keep_of(mask, c, q, k), q, k)
    key += (c["values"], c["sum"])
    if key not in memo:
        memo[key] = output_of(q, k, v, w, mask, c)
    return returned(memo[key], w, scores, raw, mask, c, case, memo)


def weights_of(q, k, v, mask, c, memo) -> tuple[torch.Tensor, ...]:
    """Raw scores, scaled scores and weights."""
    keep = None if mask is None else keep_of(mask, c, q, k)
    if c["reads mask"] == "causal too":
        tril = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
        keep = tril if keep is None else keep & tril
    how = c["applies mask"]
    if keep is not None and how in ("keys and values", "keys"):
        k = k * seen_keys(keep, q, k)
    key = (
        "scores",
        c["product"],
        c["scale"],
        how in ("keys and values", "keys"),
        c["reads mask"],
    )
    if key not in memo:
        raw = product(q, k, v, c["product"])
        memo[key] = raw, scaled(raw, q, k, v, c["scale"])
    raw, scores = memo[key]
    s = scores
    if keep is not None:
        if how == "before softmax":
            s = filled(raw, scores, keep, c, q, k, v)
        elif how in ("multiplied", "added", "subtracted"):
            m = keep.to(s.dtype)
            s = s * m if how == "multiplied" else s + m if how == "added" else s - m
        elif how == "added before scale":
            s = scaled(raw + keep.to(s.dtype), q, k, v, c["scale"])
        elif how.startswith("1 - m"):
            s = s + (1 - keep.to(s.dtype) * -1e9)
        elif how == "inf times zero":
            s = s + (1 - keep.to(s.dtype)) * -INF
    w = normalised(s, c["softmax"], keep if how == "before softmax" else None)
    if c["scale"] == "after softmax":
        w = w / math.sqrt(q.shape[-1])
    if keep is not None:
        w = after_softmax(w, scores, keep, how, c)
    return raw, scores, w


def keep_of(mask: torch.Tensor, c: Choices, q, k) -> torch.Tensor:
    """The mask as the choice "reads mask" understands it: True = may attend."""
    keep, how = mask != 0, c["reads mask"]
    if how == "ignored":
        return torch.ones(1, dtype=torch.bool)
    if how == "inverted":
        return ~keep
    if how == "transposed":
        return keep.transpose(-2, -1)
    if how == "padding":
        return keep[:, None, None, :] if keep.dim() == 2 else keep
    if how == "unsqueezed":
        return keep.unsqueeze(1)
    if how == "first sample":
        return keep[:1] if keep.dim() == 4 else keep
    if how == "last sample":
        return keep[-1:] if keep.dim() == 4 else keep
    if how == "first head":
        return keep[:, :1] if keep.dim() == 4 else keep
    if how == "first query":
        return keep[..., :1, :]
    if how == "last query":
        return keep[..., -1:, :]
    if how == "any query":
        return keep.any(-2, keepdim=True)
    if how == "queries too" and keep.shape[-2] == 1 and keep.shape[-1] == q.shape[-2]:
        return keep & keep.transpose(-2, -1)
    if how == "outer":
        return keep & keep.transpose(-2, -1)
    if how == "causal instead":
        return torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
    if how == "nothing allowed":
        return torch.zeros_like(keep)
    if how in ("self too", "not self"):
        eye = torch.eye(q.shape[-2], k.shape[-2], dtype=torch.bool)
        return keep | eye if how == "self too" else keep & ~eye
    if how == "reshaped":
        return keep.reshape(*keep.shape[:-2], keep.shape[-1], keep.shape[-2])
    if how == "repeated":
        full = keep.expand(*q.shape[:-1], k.shape[-2])
        return full.transpose(0, 1).reshape(full.shape)
    if how == "flipped":
        return keep.flip(-1)
    if how == "shifted":
        return keep.roll(1, -1)
    return keep


def seen_keys(keep, q, k) -> torch.Tensor:
    """1 for keys that some query may see, as a column beside K or V."""
    full = keep.expand(*q.shape[:-1], k.shape[-2])
    return full.any(-2).unsqueeze(-1).to(k.dtype)


def product(q, k, v, how: str) -> torch.Tensor:
    if how == "axes reversed":
        return q @ k.permute(*range(k.dim() - 1, -1, -1))
    if how == "K reshaped":
        return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    if how == "K as it is":
        return q @ k
    if how.startswith("cosine"):
        q, k = (torch.nn.functional.normalize(t, dim=-1) for t in (q, k))
        scale = 1 if how.endswith("scaled") else math.sqrt(q.shape[-1])
        return q @ k.transpose(-2, -1) * scale
    if how.endswith("distance"):
        d = torch.cdist(q, k)
        return -(d if how == "distance" else d * d)
    left = k if how in ("KQ", "KK") else q
    right = {"KQ": q, "QQ": q, "QV": v}.get(how, k)
    if how == "K head 0":
        right = right[:, :1]
    if how == "Q head 0":
        left = left[:, :1]
    if how == "K sample 0":
        right = right[:1]
    raw = left @ right.transpose(-2, -1)
    if how == "transposed":
        return raw.transpose(-2, -1)
    if how == "head summed":
        return raw.sum(1, keepdim=True)
    return -raw if how == "negated" else raw.abs() if how == "absolute" else raw


def scaled(raw, q, k, v, how: Any) -> torch.Tensor:
    d, n_k, heads = q.shape[-1], k.shape[-2], q.shape[1]
    if isinstance(how, float):
        return raw / how
    if isinstance(how, tuple):  # ("root d_k and", factor)
        return raw / (math.sqrt(d) * how[1])
    if how == "standardised":
        return (raw - raw.mean(-1, keepdim=True)) / raw.std(-1, keepdim=True)
    return (
        raw
        / {
            "none": 1.0,
            "d_k": d,
            "root d_k": math.sqrt(d),
            "after softmax": 1.0,
            "times root d_k": 1 / math.sqrt(d),
            "times d_k": 1 / d,
            "d_k squared": d * d,
            "root d_model": math.sqrt(heads * d),
            "root heads": math.sqrt(heads),
            "heads": heads,
            "root batch": math.sqrt(q.shape[0]),
            "root n_k": math.sqrt(n_k),
            "root n_q": math.sqrt(q.shape[-2]),
            "n_k": n_k,
            "root d_v": math.sqrt(v.shape[-1]),
            "fourth root": d**0.25,
            "whole root": math.isqrt(d),
            "half d_k": d / 2,
        }[how]
    )


def filled(raw, scores, keep, c, q, k, v) -> torch.Tensor:
    fill = c["fill"]
    if isinstance(fill, tuple):  # ("before scale", value)
        return scaled(raw.masked_fill(~keep, fill[1]), q, k, v, c["scale"])
    if fill == "min":
        return scores.masked_fill(~keep, float(scores.min()))
    if fill == "row min":
        return torch.where(keep, scores, scores.amin(-1, keepdim=True))
    special = {"nan": float("nan"), "inf zeroed": INF}
    return scores.masked_fill(~keep, special.get(fill, fill))


def after_softmax(w, scores, keep, how, c) -> torch.Tensor:
    if how == "after softmax":
        w = w * keep.to(w.dtype)
    elif how == "-inf into weights":
        return w.masked_fill(~keep, -INF)
    elif how == "-1e9 into weights":
        return w.masked_fill(~keep, -1e9)
    if how == "inf times zero" or c["fill"] in (INF, "nan") or c["softmax"] == "raw":
        return w
    nothing = ~keep.any(-1, keepdim=True)
    if c["empty row"] == "zero":
        w = w.nan_to_num(0.0, posinf=INF, neginf=-INF)
    if how == "before softmax" and c["empty row"] not in ("zero", "nan"):
        instead = {
            "uniform": torch.full_like(w, 1 / w.shape[-1]),
            "unmasked": torch.softmax(scores, -1),
            "first key": torch.zeros_like(w).index_fill(-1, torch.tensor(0), 1.0),
        }.get(c["empty row"], w * 0)
        w = torch.where(nothing, instead, w)
    if how.endswith("zeroed") or c["empty row"] == "always zero":
        w = w.masked_fill(nothing, 0.0)
    return w


def output_of(q, k, v, w, mask, c) -> torch.Tensor:
    v = {
        "K": k,
        "Q": q,
        "V head 0": v[:, :1],
        "V sample 0": v[:1],
        "V flipped": v.flip(-2),
    }.get(c["values"], v)
    if c["values"] == "V softmaxed":
        v = torch.softmax(v, -1)
    elif c["values"] == "V normalised":
        v = torch.nn.functional.normalize(v, dim=-1)
    how = c["sum"]
    if how == "transposed":
        return w.transpose(-2, -1) @ v
    if how == "plain mean":
        return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])
    if how == "plain sum":
        return v.sum(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])
    if how == "best key":
        w = torch.nn.functional.one_hot(w.argmax(-1), w.shape[-1]).to(v.dtype)
    o = w @ v
    if c["applies mask"] == "output rows" and mask is not None:
        keep = keep_of(mask, c, q, k)
        if keep.shape[-1] == q.shape[-2]:
            o = o * keep.expand(*w.shape).any(-2).unsqueeze(-1)
    if c["empty row"] == "weights only" and mask is not None:
        empty = ~keep_of(mask, c, q, k).any(-1, keepdim=True)
        o = torch.where(empty, v.mean(-2, keepdim=True), o)
    if how == "heads merged":
        return o.transpose(1, 2).flatten(2)
    if how == "heads merged raw":
        return o.reshape(o.shape[0], o.shape[2], -1)
    if how == "output transposed":
        return o.transpose(-2, -1)
    if how.startswith("heads"):
        return o.sum(1) if how == "heads summed" else o.mean(1)
    return {
        "mean": o / w.shape[-1],
        "scaled": o / math.sqrt(q.shape[-1]),
        "scaled up": o * math.sqrt(q.shape[-1]),
        "softmax": torch.softmax(o, -1),
    }.get(how, o + v if how == "plus V" else o + q if how == "plus Q" else o)


def returned(o, w, scores, raw, mask, c, case, memo) -> Values:
    how = c["returns"]
    if how == "output, weights":
        return o, w
    if how in ("unmasked weights", "unscaled weights", "masked scores"):
        q, k, v, _ = case.args
        if how == "masked scores":
            return o, scores if mask is None else scores.masked_fill(
                ~keep_of(mask, c, q, k), -INF
            )
        if how == "unmasked weights":
            return o, torch.softmax(scores, -1)
        other = dict(c) | {"scale": "none"}
        return o, weights_of(q, k, v, mask, other, memo)[2]
    return {
        "weights, output": lambda: (w, o),
        "scores": lambda: (o, scores),
        "raw scores": lambda: (o, raw),
        "output": lambda: (o,),
        "weights": lambda: (w,),
        "weights averaged": lambda: (o, w.mean(1)),
        "weights summed": lambda: (o, w.sum(1)),
        "weights transposed": lambda: (o, w.transpose(-2, -1)),
        "output, output": lambda: (o, o),
        "log weights": lambda: (o, w.log()),
        "head 0 weights": lambda: (o, w[:, 0]),
        "three": lambda: (o, w, scores),
    }[how]()
