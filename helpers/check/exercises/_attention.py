"""Attention as lines: what stands between Q, K, V, mask and (output, weights).

Scores, softmax, mask and sum are here, each with its wrong forms; multi-head attention
uses the same lines on what its projections give.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch.nn.functional import normalize

INF = math.inf


def zero(s: torch.Tensor) -> torch.Tensor:
    """Forbidden scores as 0."""
    return s.masked_fill(s == -INF, 0.0)


def powers(s: torch.Tensor) -> torch.Tensor:
    """The exponentials, after the maximum of each row is subtracted."""
    return (s - s.amax(-1, True)).exp()


def shares(s: torch.Tensor) -> torch.Tensor:
    """Divided by the sum of the row."""
    return s / s.sum(-1, keepdim=True)


def cosine(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Products of unit vectors."""
    return normalize(q, dim=-1) @ normalize(k, dim=-1).mT


def reshape(x: torch.Tensor) -> torch.Tensor:
    """The last two sizes exchanged without a transposition."""
    return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])


def stretch(s: torch.Tensor) -> torch.Tensor:
    """From 0 to 1 (min-max)."""
    low = s.amin(-1, True)
    return (s - low) / (s.amax(-1, True) - low)


def tidy(w: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
    """Rows without a key as 0, unless other rows are broken too."""
    rest = w.masked_fill(empty, 0.0)
    return w if bool(rest.isnan().any()) else rest


def over_batch(m: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """A mask repeated as if heads came before samples."""
    return m.expand(shape).transpose(0, 1).reshape(shape)


HELPERS: Mapping[str, Any] = {
    f.__name__: f
    for f in (
        zero,
        powers,
        shares,
        cosine,
        normalize,
        reshape,
        stretch,
        tidy,
        over_batch,
    )
}
"""What the expressions call."""

MASKS = {
    "m": ("None if mask is None else mask != 0", {}),
    "keep": (
        "m",
        {
            "m | True": "mask-ignored",
            "~m": "mask-inverted",
            "m.mT": "mask-transposed",
            "m[:, None, None, :] if m.dim() == 2 else m": "mask-2d-taken-as-padding",
            "m.unsqueeze(1)": "mask-unsqueezed-again",
            "m[:1] if m.dim() == 4 else m": "mask-of-first-sample",
            "m[:, :1] if m.dim() == 4 else m": "mask-of-first-head",
            "m[..., :1, :]": "mask-of-first-query",
            "m[..., -1:, :]": "mask-of-last-query",
            "m.any(-2, True)": "mask-any-query",
            "m & m.mT if m.shape[-2] == 1 and m.shape[-1] == n_q else m": (
                "mask-on-queries-too"
            ),
            "m & m.mT": "mask-on-queries-too",
            "tril": "causal-instead-of-mask",
            "m & False": "everything-masked",
            "m | eye": "mask-self-always-allowed",
            "m & ~eye": "mask-self-forbidden",
            "reshape(m)": "mask-reshaped",
            "m.flip(-1)": "mask-flipped",
            "m.roll(1, -1)": "mask-shifted",
            "m[-1:] if m.dim() == 4 else m": "mask-of-last-sample",
            "over_batch(m, (*Q.shape[:-1], n_k))": "mask-of-other-sample",
        },
    ),
    "seen": ("keep", {"tril if keep is None else keep & tril": "always-causal"}),
    "on": (
        "'scores'",
        {
            "'values'": "mask-on-values",
            "'keys and values'": "mask-on-keys-and-values",
            "'keys'": "mask-on-keys-and-values",
            "'output'": "mask-on-output",
        },
    ),
    "used": (
        "lambda: seen.expand(*Q.shape[:-1], n_k).any(-2).unsqueeze(-1).float()",
        {},
    ),
    "empty": ("~seen.any(-1, True)", {}),
}
SCORES = {
    "k": ("K * used() if 'keys' in on else K", {}),
    "raw": (
        "Q @ k.mT",
        {
            "k @ Q.mT": "q-k-swapped",
            "Q @ Q.mT": "q-used-as-k",
            "k @ k.mT": "k-used-as-q",
            "Q @ V.mT": "v-used-as-k",
            "Q @ reshape(k)": "k-reshaped",
            "Q @ k": "k-not-transposed",
            "Q @ k.permute(3, 2, 1, 0)": "all-axes-reversed",
            "cosine(Q, k) * math.sqrt(d)": "cosine-similarity",
            "cosine(Q, k)": "cosine-similarity",
            "-(Q @ k.mT)": "scores-negated",
            "(Q @ k.mT).abs()": "scores-absolute",
            "-torch.cdist(Q, k)": "distance-not-product",
            "-torch.cdist(Q, k) ** 2": "distance-not-product",
            "(Q @ k.mT).mT": "scores-transposed",
            "(Q @ k.mT).sum(1, keepdim=True)": "heads-summed",
            "Q @ k[:, :1].mT": "head-0-only",
            "Q[:, :1] @ k.mT": "head-0-only",
            "Q @ k[:1].mT": "sample-0-only",
        },
    ),
    "scaled": (
        "lambda raw: raw / math.sqrt(d)",
        {
            "lambda raw: raw": "no-scale",
            "lambda raw: raw / d": "scale-d-k",
            "lambda raw: raw / math.sqrt(Q.shape[1] * d)": "scale-root-d-model",
            "lambda raw: raw / math.sqrt(Q.shape[1])": "scale-root-heads",
            "lambda raw: raw * math.sqrt(d)": "scale-multiplied",
            "lambda raw: raw / math.sqrt(n_k)": "scale-root-n-k",
            "lambda raw: raw / math.sqrt(n_q)": "scale-root-n-q",
            "lambda raw: raw / math.sqrt(V.shape[-1])": "scale-root-d-v",
            "lambda raw: raw / math.sqrt(Q.shape[0])": "scale-root-batch",
            "lambda raw: raw / d ** 0.25": "scale-fourth-root",
            "lambda raw: raw / n_k": "scale-n-k",
            "lambda raw: raw * d": "scale-multiplied",
            "lambda raw: raw / d ** 2": "scale-d-k",
            "lambda raw: raw / math.isqrt(d)": "scale-whole-root",
            "lambda raw: (raw - raw.mean(-1, True)) / raw.std(-1, keepdim=True)": (
                "scores-standardised"
            ),
            "lambda raw: raw / Q.shape[1]": "scale-heads",
            "lambda raw: raw * 2 / d": "scale-half-d-k",
            "lambda raw: raw / 8.0": "scale-hard-coded",
            "lambda raw: raw / 64.0": "scale-hard-coded",
            "lambda raw, later=True: raw": "scale-after-softmax",
        },
    ),
    "s": ("scaled(raw)", {}),
}
SOFTMAX = {
    "soft": (
        "lambda s: s.softmax(-1)",
        {
            "lambda s: s.softmax(-2)": "softmax-over-queries",
            "lambda s: s.softmax(1)": "softmax-over-heads",
            "lambda s: s.softmax(0)": "softmax-over-batch",
            "lambda s: s.flatten(-2).softmax(-1).view_as(s)": "softmax-over-matrix",
            "lambda s: s.flatten().softmax(-1).view_as(s)": "softmax-over-everything",
            "lambda s: s.softmax(-1).nan_to_num(0.0).softmax(-1)": "double-softmax",
            "lambda s: s.sigmoid()": "sigmoid-not-softmax",
            "lambda s: shares(zero(s))": "normalised-without-exp",
            "lambda s: shares(s)": "normalised-without-exp",
            "lambda s: s.exp()": "exp-not-normalised",
            "lambda s: s.log_softmax(-1)": "log-softmax",
            "lambda s: torch.zeros_like(s).scatter(-1, s.argmax(-1, True), 1.0)": (
                "hard-argmax"
            ),
            "lambda s: zero(s)": "no-softmax",
            "lambda s: s": "no-softmax",
            "lambda s: (s * math.log(2)).softmax(-1)": "softmax-base-2",
            "lambda s: powers(s) / (1 + powers(s).sum(-1, True))": "softmax-plus-one",
            "lambda s: shares(zero(s).relu())": "relu-not-softmax",
            "lambda s: shares(zero(s).relu()).nan_to_num(0.0)": "relu-not-softmax",
            "lambda s: zero(s).relu()": "relu-not-softmax",
            "lambda s: (-s).softmax(-1)": "softmax-of-minus-scores",
            "lambda s: shares(zero(s).abs())": "normalised-without-exp",
            "lambda s: shares(zero(s) ** 2)": "normalised-without-exp",
            "lambda s: normalize(powers(zero(s)), dim=-1)": "softmax-l2-normalised",
            "lambda s: zero(s) / zero(s).amax(-1, True)": "divided-by-max",
            "lambda s: zero(s).tanh()": "tanh-not-softmax",
            "lambda s: shares(F.softplus(zero(s)))": "softplus-not-softmax",
            "lambda s: stretch(zero(s))": "min-max-not-softmax",
            "lambda s: s.softmax(-1).round(decimals=1)": "weights-rounded",
            "lambda s: s.softmax(-1).round(decimals=2)": "weights-rounded",
            "lambda s: shares(s.exp())": "no-max-subtraction",
            "lambda s: s.exp() / s.exp().sum(-1, True).clamp_min(1e-30)": (
                "no-max-subtraction"
            ),
            "lambda s: shares((s - s.max()).exp())": "global-max-subtraction",
            "lambda s: shares((s - s.max()).exp()).nan_to_num(0.0)": (
                "global-max-subtraction"
            ),
            "lambda s: powers(s) / (0.1 + powers(s).sum(-1, True))": "eps-too-large",
            "lambda s: powers(s) / (0.01 + powers(s).sum(-1, True))": "eps-too-large",
            "lambda s: powers(s) / (0.001 + powers(s).sum(-1, True))": "eps-too-large",
            "lambda s: s.half().softmax(-1).float()": "softmax-in-half-precision",
            "lambda s: s.bfloat16().softmax(-1).float()": "softmax-in-half-precision",
            "lambda s: powers(s) / powers(s).sum(-2, True)": "softmax-over-queries",
            "lambda s: powers(s) / powers(s).sum((-2, -1), True)": (
                "softmax-over-matrix"
            ),
        },
    ),
    "w": (
        "soft(s.masked_fill(~seen, -INF) if on == 'scores' else s)",
        {
            "soft(s * seen)": "mask-multiplied",
            "soft((s * seen).masked_fill(s * seen == 0, -INF))": "zero-scores-hidden",
            "soft(s) * seen": "mask-after-softmax",
            "soft(s + seen)": "mask-added",
            "soft(s).masked_fill(~seen, -INF)": "minus-inf-into-weights",
            "soft(s).masked_fill(~seen, -1e9)": "minus-inf-into-weights",
            "soft(s + (1 - seen.float() * -1e9))": "mask-brackets",
            "soft(s + (1 - seen.float() * -1e9)).masked_fill(empty, 0.0)": (
                "mask-brackets"
            ),
            "soft(s - seen.float())": "mask-subtracted",
            "soft(s + (~seen).float() * -INF)": "mask-inf-times-zero",
            "soft(scaled(raw + seen))": "mask-added",
            "soft(s.masked_fill(~seen, 0.0))": "fill-zero",
            "soft(s.masked_fill(~seen, INF))": "fill-plus-inf",
            "soft(s.masked_fill(~seen, INF)).nan_to_num(0.0)": "fill-plus-inf",
            "soft(s.masked_fill(~seen, 1e9))": "fill-plus-large",
            "soft(s.masked_fill(~seen, 1e-9))": "fill-tiny",
            "soft(s.masked_fill(~seen, float(s.min())))": "fill-min-score",
            "soft(torch.where(seen, s, s.amin(-1, True)))": "fill-min-score",
            "soft(s.masked_fill(~seen, math.nan))": "fill-nan",
        },
    ),
    "rows": (
        "tidy(w, empty)",
        {
            "w": "nan-for-empty-row",
            "torch.where(empty, 1 / n_k, w)": "uniform-for-empty-row",
            "tidy(w, empty | empty.any(-2, True))": "empty-row-empties-others",
            "torch.where(empty, soft(s), w)": "unmasked-for-empty-row",
            "torch.where(empty, (torch.arange(n_k) == 0).float(), w)": (
                "first-key-for-empty-row"
            ),
        },
    ),
    "weights": ("rows / math.sqrt(d) if scaled.__defaults__ else rows", {}),
}
SUM = {
    "v": (
        "V * used() if 'values' in on else V",
        {
            "K": "k-used-as-v",
            "Q": "q-used-as-v",
            "V[:, :1]": "head-0-only",
            "V[:1]": "sample-0-only",
            "V.softmax(-1)": "v-changed-first",
            "normalize(V, dim=-1)": "v-changed-first",
            "V.flip(-2)": "v-flipped",
        },
    ),
    "sum": (
        "weights @ v",
        {
            "weights.mT @ v": "weights-transposed",
            "weights @ v / n_k": "mean-not-sum",
            "weights.mean(1, True) @ v": "heads-averaged-before-sum",
            "weights.sum(1, True) @ v": "heads-averaged-before-sum",
            "weights[..., -1:] @ v[..., -1:, :]": "one-key-only",
            "weights[..., :1] @ v[..., :1, :]": "one-key-only",
            "weights[..., 1:] @ v[..., 1:, :]": "one-key-left-out",
            "weights[..., :-1] @ v[..., :-1, :]": "one-key-left-out",
            "v.mean(-2, True).expand(*Q.shape[:-1], v.shape[-1])": "weights-unused",
            "v.sum(-2, True).expand(*Q.shape[:-1], v.shape[-1])": "weights-unused",
            "weights @ v / math.sqrt(d)": "output-scaled",
            "weights @ v * math.sqrt(d)": "output-scaled",
            "weights @ v + v": "output-plus-v",
            "weights @ v + Q": "output-plus-q",
            "(weights @ v).transpose(1, 2).flatten(2)": "output-heads-merged",
            "(weights @ v).reshape(len(Q), n_q, -1)": "output-heads-merged",
            "(weights @ v).mT": "output-transposed",
            "(weights @ v).softmax(-1)": "softmax-of-output",
            "F.one_hot(weights.argmax(-1), n_k).float() @ v": "best-value-only",
            "(weights @ v).sum(1)": "output-heads-summed",
            "(weights @ v).mean(1)": "output-heads-summed",
            "torch.where(empty, v.mean(-2, True), weights @ v)": (
                "empty-row-output-only"
            ),
        },
    ),
    "o": ("sum * used() if on == 'output' and n_q == n_k else sum", {}),
}
SIZES = {
    "d": ("Q.shape[-1]", {}),
    "n_q": ("Q.shape[-2]", {}),
    "n_k": ("K.shape[-2]", {}),
    "tril": ("torch.ones(n_q, n_k).tril().bool()", {}),
    "eye": ("torch.eye(n_q, n_k).bool()", {}),
}
INSIDE = SIZES | MASKS | SCORES | SOFTMAX | SUM
"""From Q, K, V and mask to `o` and `weights`."""
WITHOUT = {
    "m": {"keep": "None"},
    "seen": {
        "used": "lambda: 1.0",
        "k": "K",
        "w": "soft(s)",
        "empty": "torch.zeros(1).bool()",
        "rows": "w",
        "o": "sum",
    },
}
"""The lines while there is no mask."""
