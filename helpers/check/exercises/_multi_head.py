"""Multi-head attention as lines: projections, attention's own lines, merge and W_o.

A function-valued line with a marked argument (`lambda x, flat=1: …`) changes another
line too: `marks` reads the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch.nn import functional as F

from ..program import Lines
from . import _attention as attention


def marks(f: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a lambda's arguments."""
    return f.__code__.co_varnames


def apart(x: torch.Tensor, heads: int) -> torch.Tensor:
    """(B, T, d_model) → (B, T, H, d_k)."""
    return x.reshape(*x.shape[:2], heads, -1)


def one_head(x: torch.Tensor, heads: int, which: int) -> torch.Tensor:
    """The same features for every head."""
    own = apart(x, heads)[:, :, which].unsqueeze(1)
    return own.expand(-1, heads, -1, -1)


def mixed(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Split as if heads stood before samples."""
    own = apart(x, heads)
    return own.permute(2, 0, 1, 3).reshape(len(x), heads, *own.shape[1::2])


def join(o: torch.Tensor) -> torch.Tensor:
    """(B, H, T, d_k) → (B, T, d_model)."""
    return o.transpose(1, 2).flatten(2)


def ordered(o: torch.Tensor, axes: str) -> torch.Tensor:
    """The numbers read in another order of the axes B, H, T, d."""
    b, h, t, d = o.shape
    return o.permute(*map("BHTd".index, axes)).reshape(b, t, h * d)


def blocks(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """The blocks on the diagonal; 0 elsewhere."""
    head = torch.arange(len(weight)) // (len(weight) // heads)
    return weight * (head[:, None] == head)


def normal(x: torch.Tensor) -> torch.Tensor:
    """A layer norm without parameters."""
    return F.layer_norm(x, x.shape[-1:])


def only(lines: Lines, ids: Iterable[str], **more: Mapping[str, str]) -> Lines:
    """The departures with these ids, and more of some lines."""
    known = set(ids)
    return {
        line: (
            right,
            {e: m for e, m in wrong.items() if m in known} | more.get(line, {}),
        )
        for line, (right, wrong) in lines.items()
    }


HELPERS = attention.HELPERS | {
    f.__name__: f
    for f in (marks, apart, one_head, mixed, join, ordered, blocks, normal)
}
PROJECTIONS: Lines = {
    "given": (
        "(query, key, value)",
        {
            "(query, query, query)": "key-and-value-ignored",
            "(query, key, key)": "value-ignored",
            "(query, key, query)": "v-from-query",
            "(key, key, value)": "q-from-key",
            "(query, query, value)": "k-from-query",
            "(query, value, value)": "k-from-value",
            "(query, value, key)": "key-and-value-swapped",
            "(key, query, value)": "query-and-key-swapped",
            "(value, key, query)": "query-and-value-swapped",
            "(key, key, key)": "only-key-used",
            "(value, value, value)": "only-value-used",
            "(value, key, value)": "q-from-value",
            "(key, query, query)": "inputs-swapped-key-first",
            "(query, query, key)": "k-from-query",
            "(key, value, query)": "inputs-rotated",
            "(value, query, key)": "inputs-rotated",
        },
    ),
    "turn": (
        "lambda x: x",
        {
            "lambda x, back=1: x.transpose(0, 1)": "tokens-before-batch",
            "lambda x: x.transpose(0, 1)": "tokens-before-batch",
        },
    ),
    "inputs": (
        "[turn(x) for x in given]",
        {"[turn(normal(x)) for x in given]": "layer-norm-inside"},
    ),
    "uses": (
        "'qkv'",
        {
            "'qqq'": "one-projection-for-all",
            "'kkk'": "one-projection-for-all",
            "'vvv'": "one-projection-for-all",
            "'qvk'": "w-k-w-v-swapped",
            "'kqv'": "w-q-w-k-swapped",
            "'vkq'": "w-q-w-v-swapped",
            "'qqv'": "w-q-used-for-k",
            "'kkv'": "w-k-used-for-q",
            "'qkk'": "w-k-used-for-v",
            "'qkq'": "w-q-used-for-v",
            "'qvv'": "w-v-used-for-k",
            "'vkv'": "w-v-used-for-q",
            "'kvq'": "projections-rotated",
            "'vqk'": "projections-rotated",
            "'okv'": "w-o-used-as-projection",
            "'qov'": "w-o-used-as-projection",
            "'qko'": "w-o-used-as-projection",
            "'---'": "projections-missing",
            "'-kv'": "w-q-missing",
            "'q-v'": "w-k-missing",
            "'qk-'": "w-v-missing",
        },
    ),
    "biases": (
        "'qkvo'",
        {
            "''": "biases-missing",
            "'o'": "projection-biases-missing",
            "'kvo'": "projection-biases-missing",
            "'qko'": "projection-biases-missing",
            "'qkv'": "w-o-bias-missing",
        },
    ),
    "layer": (
        "F.linear",
        {
            "lambda x, w, b: F.linear(x, blocks(w, heads), b)": "projections-of-slices",
            "lambda x, w, b: F.linear(x, w.T, b)": "projections-not-transposed",
            "lambda x, w, b: F.linear(F.linear(x, w, b), w, b)": "projections-twice",
            "lambda x, w, b: F.linear(x, w, b).relu()": "projections-relu",
            "lambda x, w, b: F.linear(x, w, b).tanh()": "projections-relu",
        },
    ),
    "weight": ("lambda i: params['W_' + uses[i]][0]", {}),
    "bias": ("lambda i: params['W_' + uses[i]][1] if 'qkv'[i] in biases else None", {}),
    "project": (
        "lambda i: (inputs[i] if uses[i] == '-' else "
        "layer(inputs[i], weight(i), bias(i)))",
        {},
    ),
    "d_k": ("query.shape[-1] // heads", {}),
    "split": (
        "lambda x: apart(x, heads).transpose(1, 2)",
        {
            "lambda x: x.reshape(len(x), heads, -1, d_k)": "split-by-view",
            "lambda x: x.reshape(*x.shape[:2], d_k, heads).permute(0, 3, 1, 2)": (
                "split-interleaved"
            ),
            "lambda x: one_head(x, heads, 0)": "head-0-for-all",
            "lambda x, alone=1: one_head(x, heads, 0)": "head-0-for-all",
            "lambda x: one_head(x, heads, -1)": "last-head-for-all",
            "lambda x: x[:, None]": "heads-never-split",
            "lambda x, root=1: x[:, None]": "heads-never-split",
            "lambda x, flat=1: x[:, None]": "heads-never-split",
            "lambda x, root=1, flat=1: x[:, None]": "heads-never-split",
            "lambda x, across=1: apart(x, heads)": "attention-over-heads",
            "lambda x: mixed(x, heads)": "split-mixes-samples",
            "lambda x: apart(x, heads).transpose(1, 2).flip(3)": (
                "split-features-reversed"
            ),
        },
    ),
}
ATTEND = only(
    attention.INSIDE,
    """
    mask-ignored mask-inverted mask-transposed mask-2d-taken-as-padding
    mask-of-first-sample mask-of-first-head mask-of-first-query mask-of-last-query
    mask-of-other-sample mask-on-queries-too causal-instead-of-mask always-causal
    everything-masked mask-self-forbidden mask-on-values mask-on-keys-and-values
    mask-on-output mask-multiplied mask-after-softmax mask-added mask-brackets
    mask-inf-times-zero minus-inf-into-weights fill-zero fill-plus-inf fill-tiny
    fill-plus-large fill-min-score
    q-k-swapped q-used-as-k k-used-as-q cosine-similarity k-reshaped heads-summed
    no-scale scale-d-k scale-root-d-model scale-root-heads scale-multiplied
    scale-root-n-k scale-root-n-q scale-heads scale-root-batch scale-fourth-root
    scale-after-softmax
    softmax-over-queries softmax-over-heads softmax-over-batch softmax-over-matrix
    double-softmax sigmoid-not-softmax no-softmax log-softmax hard-argmax
    exp-not-normalised relu-not-softmax normalised-without-exp
    k-used-as-v q-used-as-v weights-transposed mean-not-sum weights-unused
    """.split(),
    keep={
        "m if m.dim() < 4 else None": "mask-only-2d-used",
        "m if m.dim() == 4 else None": "mask-only-4d-used",
        "m | (torch.arange(heads) > 0).view(1, -1, 1, 1)": "mask-on-head-0-only",
    },
    seen={
        "tril.tril(n_k - n_q) if keep is None else keep & tril.tril(n_k - n_q)": (
            "always-causal"
        ),
        "buffer(n_q, n_k) if keep is None else keep & buffer(n_q, n_k)": (
            "causal-buffer-of-fixed-size"
        ),
    },
    scaled={"lambda raw: raw / (d * heads)": "scale-d-model"},
)
HEADS: Lines = {
    "shared": (
        "lambda x: x",
        {"lambda x: x[:, :1].expand_as(x)": "head-0-k-and-v-for-all"},
    ),
    "sized": ("lambda x: x", {"normal": "q-and-k-normalised"}),
    "Q": ("sized(split(project(0)))", {}),
    "K": ("shared(sized(split(project(1))))", {}),
    "V": (
        "shared(split(project(2)))",
        {"shared(split(project(2).relu()))": "projections-relu"},
    ),
    **ATTEND,
    "m": (
        "None if mask is None else mask[:, :1] != 0 "
        "if 'alone' in marks(split) and mask.dim() == 4 else mask != 0",
        {},
    ),
    "d": ("d_k if 'root' in marks(split) else Q.shape[-1]", {}),
}
MERGE: Lines = {
    "merged": (
        "o.flatten(2) if 'across' in marks(split) else join(o)",
        {
            "ordered(o, 'BHTd')": "merge-by-view",
            "ordered(o, 'BTdH')": "merge-interleaved",
            "ordered(o, 'BHdT')": "merge-turns-tokens-and-features",
            "ordered(o, 'BdTH')": "merge-turns-tokens-and-features",
            "ordered(o, 'TBHd')": "merge-mixes-samples",
            "ordered(o, 'HBTd')": "merge-mixes-samples",
            "ordered(o, 'HTBd')": "merge-mixes-samples",
            "ordered(o, 'THBd')": "merge-mixes-samples",
            "join(o.flip(1))": "merge-heads-reversed",
            "join(o.mean(1, True).expand_as(o))": "merge-averages-heads",
            "join(o.sum(1, True).expand_as(o))": "merge-sums-heads",
            "join(o[:, :1].expand_as(o))": "merge-one-head-only",
            "F.pad(join(o[:, :1]), (0, query.shape[-1] - d_k))": "merge-one-head-only",
        },
    ),
    "w_o": ("params['W_o'][0]", {}),
    "b_o": ("params['W_o'][1] if 'o' in biases else torch.zeros(len(w_o))", {}),
    "out": (
        "F.linear(merged, w_o, b_o)",
        {
            "merged": "w-o-missing",
            "F.linear(F.linear(merged, w_o, b_o), w_o, b_o)": "w-o-twice",
            "F.linear(merged, w_o, b_o * heads)": "w-o-bias-per-head",
            "F.linear(merged, w_o.T, b_o)": "w-o-not-transposed",
            "F.linear(merged, *params['W_v'])": "w-o-replaced",
            "F.linear(merged, *params['W_q'])": "w-o-replaced",
            "F.linear(merged, *params['W_k'])": "w-o-replaced",
            "join(weights @ split(F.linear(join(v), w_o, b_o)))": (
                "w-o-before-attention"
            ),
            "F.linear(merged, blocks(w_o, heads), b_o)": "w-o-per-head",
            "merged + b_o": "w-o-bias-only",
            "F.linear(merged, w_o, b_o).relu()": "output-activation",
            "F.linear(merged, w_o, b_o).tanh()": "output-activation",
            "F.linear(merged, w_o, b_o).softmax(-1)": "softmax-of-output",
            "F.linear(normal(merged), w_o, b_o)": "layer-norm-inside",
        },
    ),
    "final": (
        "out",
        {
            "out + query": "residual-inside",
            "out + value": "residual-inside",
            "out + join(Q)": "residual-inside",
            "out + F.linear(query, w_o)": "residual-inside",
            "normal(out)": "layer-norm-inside",
            "normal(out + query)": "residual-and-norm-inside",
            "out / math.sqrt(out.shape[-1])": "output-scaled",
            "out * math.sqrt(out.shape[-1])": "output-scaled",
            "out / heads": "output-divided-by-heads",
        },
    ),
    "output": ("final.transpose(0, 1) if 'back' in marks(turn) else final", {}),
    "shown": ("weights[:, 0] if 'flat' in marks(split) else weights", {}),
}
RETURNED: Lines = {
    "returned": (
        "(output, shown)",
        {
            "(output,)": "returns-output-only",
            "(output, torch.tensor(math.nan))": "returns-output-only",
            "(shown, output)": "returns-swapped",
            "(output, weights.mean(1))": "weights-averaged-over-heads",
            "(output, weights.sum(1))": "weights-averaged-over-heads",
            "(output, weights[:, 0])": "returns-head-0-weights",
            "(output, weights / heads)": "weights-divided-by-heads",
            "(output, s)": "returns-scores",
            "(output, raw)": "returns-scores",
            "(output, s.softmax(-1))": "returns-unmasked-weights",
            "(output, weights.mT)": "returned-weights-transposed",
            "(merged, weights)": "returns-heads",
            "(weights,)": "returns-weights-only",
            "(output, weights, s)": "returns-three",
        },
    )
}
LINES: Lines = PROJECTIONS | HEADS | MERGE | RETURNED


def buffer(n_q: int, n_k: int) -> torch.Tensor:
    """A causal mask for five tokens, whatever the lengths."""
    return torch.ones(5, 5).tril().bool().expand(n_q, n_k)


HELPERS["buffer"] = buffer
