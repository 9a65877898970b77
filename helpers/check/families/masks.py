"""The masks: padding, causal, causal between lengths that differ, two combined.

Everywhere True (or 1, in any dtype) means may attend. A causal mask may have axes of
size 1 in front, since it broadcasts as if they were not there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..space import Case, Choices, Departure, Exercise, Values, as_values

INF = math.inf

# What may stand in a mask in the place of True and False (shared by all four).
VALUES: tuple[str, Mapping[Any, str]] = (
    "true or false",
    {
        "additive": "mask-is-additive",
        "additive, large": "mask-is-additive",
        "additive, inverted": "mask-is-additive-inverted",
        "inf times zero": "mask-inf-times-zero",
        "inf times zero, inverted": "mask-inf-times-zero",
        "one or inf": "mask-one-or-inf",
        "one or -inf": "mask-one-or-inf",
        "plus minus": "mask-plus-minus",
        "weights": "mask-is-averaged",
    },
)


def written(keep: torch.Tensor, how: str) -> torch.Tensor:
    """A mask of True and False in the values named by `how`."""
    if how == "true or false":
        return keep.to(torch.int8)
    on = keep.float()
    return {
        "additive": lambda: torch.zeros_like(on).masked_fill(~keep, -INF),
        "additive, large": lambda: (1 - on) * -1e9,
        "additive, inverted": lambda: torch.zeros_like(on).masked_fill(keep, -INF),
        "inf times zero": lambda: (1 - on) * -INF,
        "inf times zero, inverted": lambda: on * -INF,
        "one or inf": lambda: on.masked_fill(~keep, INF),
        "one or -inf": lambda: on.masked_fill(~keep, -INF),
        "plus minus": lambda: 2 * on - 1,
        "weights": lambda: on / on.sum(-1, keepdim=True),
    }[how]()


def unpack_square(result: Any) -> Values:
    """A causal mask, without axes of size 1 in front."""
    return tuple(
        t.reshape(t.shape[-2:]) if t.dim() > 2 and t[..., 0, 0].numel() == 1 else t
        for t in as_values(result)
    )


# --------------------------------------------------------------- padding_mask
PADDING: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "compares": (
        "j < length",
        {
            "j >= length": "padding-inverted",
            "j <= length": "padding-one-too-many",
            "j < length - 1": "padding-one-too-few",
            "j > length": "padding-inverted-and-shifted",
            "left": "padding-on-the-left",
            "left, inverted": "padding-on-the-left-inverted",
            "all": "padding-hides-nothing",
            "none": "padding-hides-everything",
            "j == length": "padding-only-the-boundary",
            "j == length - 1": "padding-only-the-boundary",
            "j > 0": "padding-first-hidden",
            "first length": "padding-first-length-for-all",
            "longest": "padding-longest-for-all",
            "shortest": "padding-shortest-for-all",
            "last length": "padding-last-length-for-all",
            "reversed": "padding-lengths-reversed",
            "shortfall": "padding-counts-the-padding",
            "counts": "padding-holds-positions",
            "lengths": "padding-holds-lengths",
        },
    ),
    "size": (
        "max_len",
        {
            "longest": "padding-size-longest",
            "one more": "padding-size-one-more",
            "one less": "padding-size-one-less",
            "sum": "padding-size-sum",
            "batch": "padding-size-batch",
        },
    ),
    "shape": (
        "B 1 1 n",
        {
            "B 1 n": "padding-axes-missing",
            "B n": "padding-axes-missing",
            "B 1 n 1": "padding-on-queries",
            "B n 1 1": "padding-on-heads",
            "B n 1": "padding-on-queries",
            "1 B 1 n": "padding-batch-misplaced",
            "1 1 B n": "padding-batch-misplaced",
            "1 B n": "padding-batch-misplaced",
            "1 n 1 B": "padding-turned",
            "n 1 1 B": "padding-turned",
            "n B": "padding-turned",
            "B 1 n n": "padding-expanded",
            "B n n": "padding-expanded",
            "outer": "padding-on-queries-too",
            "outer, 3-D": "padding-on-queries-too",
            "B 1 1 1 n": "padding-axis-too-many",
            "flat": "padding-flattened",
            "first": "padding-first-sample-only",
        },
    ),
    "values": VALUES,
}


def padding_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(B, 1, 1, max_len), True where a token is real, or as `c` departs."""
    lengths, max_len = case.args
    size = {
        "max_len": lambda: max_len,
        "longest": lambda: int(lengths.max()),
        "one more": lambda: max_len + 1,
        "one less": lambda: max_len - 1,
        "sum": lambda: int(lengths.sum()),
        "batch": lambda: len(lengths),
    }[c["size"]]()
    j, at = torch.arange(size)[None], lengths[:, None]
    how = c["compares"]
    if how in ("counts", "lengths"):
        keep = (j < at) * (j if how == "counts" else at)
    else:
        keep = _compared(j, at, size, how)
    x = keep if how in ("counts", "lengths") else written(keep, c["values"])
    return (_padding_shape(x, c["shape"]),)


def _compared(j, at, size: int, how: str) -> torch.Tensor:
    """(B, n): which tokens are real."""
    return {
        "j < length": lambda: j < at,
        "j >= length": lambda: j >= at,
        "j <= length": lambda: j <= at,
        "j < length - 1": lambda: j < at - 1,
        "j > length": lambda: j > at,
        "left": lambda: j >= size - at,
        "left, inverted": lambda: j < size - at,
        "all": lambda: (j < at) | True,
        "none": lambda: (j < at) & False,
        "j == length": lambda: j == at,
        "j == length - 1": lambda: j == at - 1,
        "j > 0": lambda: (j < at) & (j > 0),
        "first length": lambda: (j < at[:1]).expand(len(at), -1),
        "last length": lambda: (j < at[-1:]).expand(len(at), -1),
        "longest": lambda: (j < at.max()).expand(len(at), -1),
        "shortest": lambda: (j < at.min()).expand(len(at), -1),
        "reversed": lambda: (j < at).flip(0),
        "shortfall": lambda: j < size - at,
    }[how]()


def _padding_shape(x: torch.Tensor, how: str) -> torch.Tensor:
    """(B, n) in the shape named by `how`."""
    if how == "B 1 1 n":
        return x[:, None, None]
    n = x.shape[-1]
    return {
        "B 1 n": lambda: x[:, None],
        "B n": lambda: x,
        "B 1 n 1": lambda: x[:, None, :, None],
        "B n 1 1": lambda: x[:, :, None, None],
        "B n 1": lambda: x[:, :, None],
        "1 B 1 n": lambda: x[None, :, None],
        "1 1 B n": lambda: x[None, None],
        "1 B n": lambda: x[None],
        "1 n 1 B": lambda: x.T[None, :, None],
        "n 1 1 B": lambda: x.T[:, None, None],
        "n B": lambda: x.T,
        "B 1 n n": lambda: x[:, None, None].expand(-1, 1, n, n),
        "B n n": lambda: x[:, None].expand(-1, n, n),
        "outer": lambda: x[:, None, :, None] * x[:, None, None],
        "outer, 3-D": lambda: x[:, :, None] * x[:, None],
        "B 1 1 1 n": lambda: x[:, None, None, None],
        "flat": lambda: x.flatten(),
        "first": lambda: x[:1, None, None],
    }[how]()


def padding_cases(seed: int) -> Sequence[Case]:
    """Lengths unsorted, shorter than max_len, as many as max_len."""

    def case(lengths, max_len, *tags):
        about = f"lengths {lengths}, max_len {max_len}"
        name = "-".join(map(str, lengths)) + f"of{max_len}"
        args = (torch.tensor(lengths), max_len)
        return Case(name, about, args, frozenset(tags), 1e-6)

    r = seed % 2
    return [
        case([2, 5, 1 + r], 5),
        case([2, 3], 6, "a max_len above the longest"),
        case([3, 1, 4, 1], 7, "a max_len above the longest"),
        case([1, 2, 3], 3, "as many samples as tokens"),
        case([4, 4], 4, "no padding at all"),
        case([2], 4, "a max_len above the longest"),
    ]


def padding_call(
    answer: Callable[..., Any], lengths: torch.Tensor, max_len: int
) -> Any:
    """With a tensor of lengths; with a list, if the answer wants one."""
    try:
        return answer(lengths, max_len)
    except (TypeError, AttributeError) as error:
        try:
            return answer(lengths.tolist(), max_len)
        except Exception:
            raise error from None


def padding_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    lengths, max_len = case.args
    got = values[0]
    return {
        "got": tuple(got.shape),
        "want": (len(lengths), 1, 1, max_len),
        "max_len": max_len,
        "longest": int(lengths.max()),
        "batch": len(lengths),
        "first": int(lengths[0]),
    }


# ---------------------------------------------------- causal masks, square or not
CAUSAL: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "sees": (
        "past and itself",
        {
            "future": "causal-inverted",
            "future and itself": "causal-transposed",
            "past only": "causal-not-itself",
            "one ahead": "causal-one-ahead",
            "two ahead": "causal-two-ahead",
            "itself": "causal-itself-only",
            "all": "causal-hides-nothing",
            "none": "causal-hides-everything",
            "all but itself": "causal-all-but-itself",
            "past, mirrored": "causal-mirrored",
            "past, upside down": "causal-mirrored",
            "itself and one before": "causal-window-of-two",
            "one before": "causal-one-before-only",
            "first": "causal-first-key-only",
            "last": "causal-last-key-only",
            "not the oldest": "causal-two-steps-late",
        },
    ),
    "size": (
        "seq_len",
        {
            "one less": "causal-size-one-less",
            "one more": "causal-size-one-more",
            "row": "causal-one-row",
            "last row": "causal-one-row",
            "flat": "causal-flat",
        },
    ),
    "values": (
        VALUES[0],
        dict(VALUES[1]) | {"counts": "causal-counts", "distances": "causal-distances"},
    ),
}


def causal_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(seq_len, seq_len), True on and below the diagonal, or as `c` departs."""
    size = c["size"]
    if isinstance(size, int):
        n = size
    else:
        n = case.args[0] + {"one less": -1, "one more": 1}.get(size, 0)
    x = _causal(n, n, 0, c)
    cut = {"row": x[:1], "last row": x[-1:], "flat": x.flatten()}.get(size, x)
    return (cut,)


def _causal(n_q: int, n_k: int, offset: int, c: Choices) -> torch.Tensor:
    i = torch.arange(n_q)[:, None] + offset
    j = torch.arange(n_k)[None]
    last = n_q - 1 + offset
    keep = {
        "past and itself": lambda: j <= i,
        "future": lambda: j > i,
        "future and itself": lambda: j >= i,
        "past only": lambda: j < i,
        "one ahead": lambda: j <= i + 1,
        "two ahead": lambda: j <= i + 2,
        "itself": lambda: j == i,
        "all": lambda: (j <= i) | True,
        "none": lambda: (j <= i) & False,
        "all but itself": lambda: j != i,
        "past, mirrored": lambda: (j <= i).flip(1),
        "past, upside down": lambda: (j <= i).flip(0),
        "itself and one before": lambda: (j <= i) & (j >= i - 1),
        "one before": lambda: j == i - 1,
        "first": lambda: (j == 0) & (i <= last),
        "last": lambda: (j == n_k - 1) & (i <= last),
        "not the oldest": lambda: j < i - 1,
    }[c["sees"]]()
    if c["values"] == "counts":
        return (j + 1) * keep
    if c["values"] == "distances":
        return (i - j) * keep
    return written(keep, c["values"])


def causal_cases(seed: int) -> Sequence[Case]:
    """A few tokens, two, another number, a single one."""

    def case(n, *tags):
        return Case(f"n{n}", f"seq_len = {n}", (n,), frozenset(tags), 1e-6)

    return [case(5), case(2), case(7 + seed % 3), case(1, "a single token")]


def causal_fit(cases: Sequence[Case], seen: Sequence[Values | None]) -> list[Departure]:
    """One size whatever seq_len is."""
    shapes = {tuple(v[0].shape) for v in seen if v is not None and len(v)}
    if len(shapes) != 1 or any(v is None for v in seen):
        return []
    (shape,) = shapes
    if len(shape) != 2 or shape[0] != shape[1] or not 0 < shape[0] < 500:
        return []
    return [Departure("causal-size-fixed", "size", shape[0], {"size": shape[0]})]


def causal_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    n = case.args[0]
    return {"n": n, "got": tuple(values[0].shape), "want": (n, n)}


BETWEEN: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "aligned": (
        "last on last",
        {
            "first on first": "between-top-left",
            "one too early": "between-one-too-early",
            "one too late": "between-one-too-late",
            "negated": "between-offset-negated",
            "queries": "between-offset-n-q",
            "keys": "between-hides-nothing",
            "half": "between-offset-halved",
        },
    ),
    "sees": CAUSAL["sees"],
    "shape": (
        "n_q n_k",
        {
            "n_k n_q": "between-transposed",
            "n_k n_k": "between-square",
            "n_q n_q": "between-square",
            "first rows": "between-top-left",
            "last columns": "between-cache-cut-off",
            "reshaped": "between-reshaped",
            "turned round": "between-arguments-swapped",
        },
    ),
    "old keys": (
        "all",
        {
            "hidden": "between-cache-hidden",
            "causal as well": "between-cache-on-the-wrong-side",
        },
    ),
    "values": VALUES,
}


def between_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(n_q, n_k), the queries being the last n_q positions, or as `c` departs."""
    n_q, n_k = case.args
    shape = c["shape"]
    if shape == "n_k n_k":
        return (_causal(n_k, n_k, 0, c),)
    if shape == "n_q n_q":
        return (_causal(n_q, n_q, 0, c),)
    if shape == "turned round":
        return (_causal(n_k, n_q, n_q - n_k, c),)
    offset = {
        "last on last": n_k - n_q,
        "first on first": 0,
        "one too early": n_k - n_q - 1,
        "one too late": n_k - n_q + 1,
        "negated": n_q - n_k,
        "queries": n_q,
        "keys": n_k,
        "half": (n_k - n_q) // 2,
    }[c["aligned"]]
    x = _causal(n_q, n_k, offset, c)
    old = n_k - n_q
    if c["old keys"] == "hidden":
        x = x * (torch.arange(n_k) >= old)
    elif c["old keys"] == "causal as well":
        x = torch.cat([x[:, old:], x[:, :old]], 1)
    return (
        {
            "n_q n_k": lambda: x,
            "first rows": lambda: _causal(n_k, n_k, 0, c)[:n_q],
            "n_k n_q": lambda: x.T,
            "last columns": lambda: x[:, old:],
            "reshaped": lambda: x.T.reshape(n_q, n_k),
        }[shape](),
    )


def between_cases(seed: int) -> Sequence[Case]:
    """Fewer queries than keys, a single query, as many."""

    def case(n_q, n_k, *tags):
        about = f"{n_q} queries, {n_k} keys"
        return Case(f"{n_q}of{n_k}", about, (n_q, n_k), frozenset(tags), 1e-6)

    return [
        case(2, 5),
        case(3, 7 + seed % 3),
        case(3, 4),
        case(1, 5, "a single query"),
        case(4, 4, "as many queries as keys"),
    ]


def between_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    n_q, n_k = case.args
    return {
        "n_q": n_q,
        "n_k": n_k,
        "old": n_k - n_q,
        "got": tuple(values[0].shape),
        "want": (n_q, n_k),
    }


# --------------------------------------------------------------- combine_masks
COMBINED: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "joins": (
        "and",
        {
            "or": "combined-with-or",
            "xor": "combined-with-xor",
            "added": "combined-by-adding",
            "causal": "combined-causal-only",
            "causal alone": "combined-causal-only",
            "padding": "combined-padding-only",
            "padding alone": "combined-padding-only",
            "nand": "combined-inverted",
            "nor": "combined-with-nor",
            "equal": "combined-where-equal",
            "causal and not padding": "combined-padding-inverted",
            "padding and not causal": "combined-causal-inverted",
            "causal or not padding": "combined-pads-see-all",
            "padding or not causal": "combined-implication",
            "subtracted": "combined-by-subtracting",
            "mean": "combined-averaged",
            "all": "combined-hides-nothing",
            "none": "combined-hides-everything",
        },
    ),
    "padding on": (
        "keys",
        {
            "queries": "combined-padding-on-queries",
            "both": "combined-padding-on-queries-too",
            "first sample": "combined-first-sample",
            "last sample": "combined-last-sample",
            "any sample": "combined-any-sample",
            "every sample": "combined-any-sample",
            "flipped": "combined-padding-flipped",
        },
    ),
    "causal is": (
        "as given",
        {
            "transposed": "combined-causal-transposed",
            "without diagonal": "combined-without-diagonal",
            "with diagonal": "combined-diagonal-always",
        },
    ),
    "shape": (
        "B 1 T T",
        {
            "B T T": "combined-axis-lost",
            "1 B T T": "combined-batch-misplaced",
            "T T": "combined-first-sample",
            "1 1 T T": "combined-first-sample",
            "B 1 1 T": "combined-query-axis-lost",
            "B T": "combined-query-axis-lost",
            "stacked": "combined-stacked",
            "pair": "combined-both-returned",
        },
    ),
    "values": VALUES,
}


def combined_compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """causal AND padding, (B, 1, T, T), or as `c` departs."""
    causal, padding = case.args
    eye = torch.eye(causal.shape[-1], dtype=torch.bool)
    causal = {
        "as given": lambda: causal,
        "transposed": lambda: causal.T,
        "without diagonal": lambda: causal & ~eye,
        "with diagonal": lambda: causal,
    }[c["causal is"]]()
    if c["joins"] == "causal alone":
        return (written(causal, c["values"]),)
    if c["joins"] == "padding alone":
        return (written(padding, c["values"]),)
    if c["shape"] in ("pair", "stacked"):
        both = torch.broadcast_tensors(causal, padding)
        if c["shape"] == "stacked":
            return (torch.cat(both, 1).to(torch.int8),)
        return causal.to(torch.int8), padding.to(torch.int8)
    a, b = torch.broadcast_tensors(causal, _padding_on(padding, c["padding on"]))
    if c["joins"] in ("added", "subtracted", "mean"):
        a, b = a.float(), b.float()
        sign = -1 if c["joins"] == "subtracted" else 1
        x = (a + sign * b) / (2 if c["joins"] == "mean" else 1)
    else:
        keep = _joined(a, b, c["joins"])
        x = written(
            keep | eye if c["causal is"] == "with diagonal" else keep, c["values"]
        )
    return (
        {
            "B 1 T T": lambda: x,
            "B T T": lambda: x[:, 0],
            "1 B T T": lambda: x.transpose(0, 1),
            "T T": lambda: x[0, 0],
            "1 1 T T": lambda: x[:1],
            "B 1 1 T": lambda: x[:, :, -1:],
            "B T": lambda: x[:, 0, -1],
        }[c["shape"]](),
    )


def _padding_on(padding: torch.Tensor, how: str) -> torch.Tensor:
    turned = padding.transpose(-2, -1)
    return {
        "keys": lambda: padding,
        "queries": lambda: turned,
        "both": lambda: padding & turned,
        "first sample": lambda: padding[:1].expand_as(padding),
        "last sample": lambda: padding[-1:].expand_as(padding),
        "any sample": lambda: padding.any(0, keepdim=True).expand_as(padding),
        "every sample": lambda: padding.all(0, keepdim=True).expand_as(padding),
        "flipped": lambda: padding.flip(-1),
    }[how]()


def _joined(a: torch.Tensor, b: torch.Tensor, how: str) -> torch.Tensor:
    return {
        "and": lambda: a & b,
        "or": lambda: a | b,
        "xor": lambda: a ^ b,
        "causal": lambda: a,
        "padding": lambda: b,
        "nand": lambda: ~(a & b),
        "nor": lambda: ~(a | b),
        "equal": lambda: a == b,
        "causal and not padding": lambda: a & ~b,
        "padding and not causal": lambda: ~a & b,
        "causal or not padding": lambda: a | ~b,
        "padding or not causal": lambda: ~a | b,
        "all": lambda: a | True,
        "none": lambda: a & False,
    }[how]()


def combined_cases(seed: int) -> Sequence[Case]:
    """Padding at the end, padding in front, as many samples as tokens."""

    def case(name, about, padding, *tags):
        n = padding.shape[-1]
        tril = torch.ones(n, n, dtype=torch.bool).tril()
        args = (tril, padding[:, None, None])
        return Case(name, about, args, frozenset(tags), 1e-6)

    def real(n, *lengths):
        return torch.arange(n) < torch.tensor(lengths)[:, None]

    r = seed % 2
    return [
        case("padded-right", "2 samples of 5 tokens, padded behind", real(5, 3, 4 + r)),
        case("padded-left", "padding in front of the tokens", real(5, 2, 4).flip(-1)),
        case("three", "3 samples of 7 tokens", real(7, 4, 7, 2)),
        case("batch-is-n", "3 samples of 3 tokens", real(3, 2, 3, 1), "B = T"),
        case("one-sample", "a single sample", real(5, 3), "a single sample"),
    ]


def combined_facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    causal, padding = case.args
    b, n = padding.shape[0], causal.shape[0]
    return {"got": tuple(values[0].shape), "want": (b, 1, n, n), "batch": b, "n": n}


def _exercise(name: str, first: str, **more: Any) -> Exercise:
    return Exercise(
        name=name,
        parts=("mask",),
        behaviours=(behave.arguments_untouched, behave.calls_agree(first)),
        symptoms=(behave.not_finite,),
        **more,
    )


EXERCISES = [
    _exercise(
        "padding_mask",
        "2-3of6",
        space=PADDING,
        compute=padding_compute,
        cases=padding_cases,
        facts=padding_facts,
        argument_names=("lengths", "max_len"),
        call=padding_call,
    ),
    _exercise(
        "create_causal_mask",
        "n5",
        space=CAUSAL,
        compute=causal_compute,
        cases=causal_cases,
        facts=causal_facts,
        fit=causal_fit,
        argument_names=("seq_len",),
        unpack=unpack_square,
    ),
    _exercise(
        "causal_mask_between",
        "2of5",
        space=BETWEEN,
        compute=between_compute,
        cases=between_cases,
        facts=between_facts,
        argument_names=("n_q", "n_k"),
        unpack=unpack_square,
    ),
    _exercise(
        "combine_masks",
        "padded-right",
        space=COMBINED,
        compute=combined_compute,
        cases=combined_cases,
        facts=combined_facts,
        argument_names=("causal", "padding"),
    ),
]
