"""attention_flops, attention_bytes and kv_cache_bytes: counts as closed formulas."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..space import Case, Choices, Exercise, Finding, Values

Space = Mapping[str, tuple[Any, Mapping[Any, str]]]
UNITS: Mapping[Any, str] = {  # the bytes are multiplied by
    8: "bits-not-bytes",
    1 / 8: "bytes-divided-by-eight",
    1 / 1024: "bytes-in-larger-unit",
    1 / 1024**2: "bytes-in-larger-unit",
    1 / 1024**3: "bytes-in-larger-unit",
    1e-3: "bytes-in-larger-unit",
    1e-6: "bytes-in-larger-unit",
    1e-9: "bytes-in-larger-unit",
}
SIZES: Mapping[Any, str] = {
    "1": "numbers-not-bytes",
    "s * s": "number-size-squared",
    "1 / s": "number-size-divided",
    "4": "number-size-hard-coded",
    "2": "number-size-hard-coded",
    "8": "number-size-hard-coded",
    "32": "number-size-hard-coded",
    "16": "number-size-hard-coded",
}


def power(name: str) -> tuple[Any, Mapping[Any, str]]:
    """A factor that stands in the formula once; how often else it may."""
    return 1, {
        0: f"{name}-not-counted",
        2: f"{name}-counted-twice",
        -1: f"{name}-divided",
    }


FLOPS: Space = {
    "counted": (
        "attention",
        {
            f"{times} {n} {widths}": "projection-not-attention"
            for widths in ("d_k d_v", "d_k d_k", "d_v d_v")
            for n in ("n_q", "n_k")
            for times in (4, 2, 6, 8, 1, 3)
        },
    ),
    "per pair": (
        "d_k + d_v",
        {
            "d_k": "weights-times-v-not-counted",
            "d_v": "scores-not-counted",
            "2 d_k": "d-k-for-d-v",
            "2 d_v": "d-v-for-d-k",
            "2": "d-not-counted",
            "1": "d-not-counted",
            "d_k d_v": "widths-multiplied",
            "d_k d_v twice": "widths-multiplied",
            "max": "larger-width-only",
            "min": "larger-width-only",
            "squares": "widths-squared",
            "d_k squared": "widths-squared",
            "d_v squared": "widths-squared",
            "2 d_k - 1": "first-addition-not-counted",
        },
    ),
    "pairs": (
        "n_q n_k",
        {
            "n_q n_q": "n-q-for-n-k",
            "n_k n_k": "n-k-for-n-q",
            "n_q": "linear-in-n",
            "n_k": "linear-in-n",
            "n_q + n_k": "lengths-added",
            "n_q² n_k²": "pairs-squared",
            "n_q n_k² ": "pairs-squared",
            "n_q² n_k": "pairs-squared",
            "max": "n-k-for-n-q",
            "min": "n-q-for-n-k",
            "1": "lengths-not-counted",
            "causal": "causal-half-counted",
        },
    ),
    "times": (
        2,
        {
            1: "multiply-adds-not-flops",
            4: "flops-doubled",
            3: "flops-tripled",
            6: "flops-tripled",
            8: "flops-doubled-twice",
            1 / 2: "flops-halved-twice",
        },
    ),
    "lengths in V": (
        "n_q n_k",
        {"n_q n_q": "second-product-with-n-q", "n_k n_k": "second-product-with-n-k"},
    ),
    "besides": (
        "nothing",
        {
            "softmax 1": "softmax-counted",
            "softmax 2": "softmax-counted",
            "softmax 3": "softmax-counted",
            "softmax 4": "softmax-counted",
            "softmax 5": "softmax-counted",
            "projections": "projections-counted",
            "projections, each width": "projections-counted",
            "projections and W_o": "projections-counted",
            "projections of n_q": "projections-counted",
            "projections of n_q and W_o": "projections-counted",
            "output": "outputs-counted",
        },
    ),
    "unit": (
        1,
        {
            1e-3: "flops-in-larger-unit",
            1e-6: "flops-in-larger-unit",
            1e-9: "flops-in-larger-unit",
        },
    ),
}
BYTES: Space = {
    "heads": power("heads"),
    "pairs": (
        "n²",
        {
            "n": "length-not-squared",
            "1": "length-not-counted",
            "n³": "length-cubed",
            "n⁴": "length-cubed",
            "2 n": "length-added-not-squared",
            "n (n + 1) / 2": "causal-half-counted",
            "n (n - 1) / 2": "causal-half-counted",
            "(n - 1)²": "one-token-missing",
            "n (n + 1)": "one-token-too-many",
            "(n + 1)²": "one-token-too-many",
            "n log n": "length-times-its-log",
        },
    ),
    "size": ("s", SIZES),
    "unit": (1, UNITS),
    "batch": power("batch"),
    "times": (
        1,
        {
            2: "scores-and-weights-counted",
            1 / 2: "causal-half-counted",
            3: "three-matrices-counted",
            4: "three-matrices-counted",
        },
    ),
    "besides": (
        "nothing",
        {"sums": "row-sums-counted", "n more": "row-sums-counted"},
    ),
    "joined": ("product", {"sum": "added-up-not-multiplied"}),
}
CACHE: Space = {
    "times": (
        2,
        {
            1: "keys-or-values-only",
            4: "cache-doubled",
            3: "queries-cached-too",
            8: "cache-doubled",
            1 / 2: "keys-or-values-only",
        },
    ),
    "layers": power("layers"),
    "batch": power("batch"),
    "n": (
        "n",
        {
            "1": "length-not-counted",
            "n²": "cache-length-squared",
            "n - 1": "one-token-missing",
            "n + 1": "one-token-too-many",
            "n (n + 1) / 2": "cache-length-squared",
            "n³": "cache-length-squared",
        },
    ),
    "kv_heads": power("kv-heads"),
    "d_head": power("d-head"),
    "size": ("s", SIZES),
    "unit": (1, UNITS),
    "joined": (
        "product",
        {"sum": "added-up-not-multiplied", "heads + width": "heads-and-width-added"},
    ),
}


def flops(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """2 · n_q · n_k · (d_k + d_v), or as the choices depart from it."""
    n_q, n_k, d_k, d_v = case.args
    if c["counted"] != "attention":
        times, *names = c["counted"].split()
        sizes = {"n_q": n_q, "n_k": n_k, "d_k": d_k, "d_v": d_v}
        return _one(int(times) * math.prod(sizes[name] for name in names))
    first, second = {
        "d_k + d_v": lambda: (d_k, d_v),
        "d_k": lambda: (d_k, 0),
        "d_v": lambda: (0, d_v),
        "2 d_k": lambda: (d_k, d_k),
        "2 d_v": lambda: (d_v, d_v),
        "2": lambda: (1, 1),
        "1": lambda: (1, 0),
        "d_k d_v": lambda: (d_k * d_v, 0),
        "d_k d_v twice": lambda: (d_k * d_v, d_k * d_v),
        "max": lambda: (max(d_k, d_v), 0),
        "min": lambda: (min(d_k, d_v), 0),
        "squares": lambda: (d_k**2, d_v**2),
        "d_k squared": lambda: (d_k**2, 0),
        "d_v squared": lambda: (0, d_v**2),
        "2 d_k - 1": lambda: (d_k - 1 / 2, d_v - d_v / n_k / 2),
    }[c["per pair"]]()
    pairs = {
        "n_q n_k": lambda: n_q * n_k,
        "n_q n_q": lambda: n_q * n_q,
        "n_k n_k": lambda: n_k * n_k,
        "n_q": lambda: n_q,
        "n_k": lambda: n_k,
        "n_q + n_k": lambda: n_q + n_k,
        "n_q² n_k²": lambda: (n_q * n_k) ** 2,
        "n_q n_k² ": lambda: n_q * n_k**2,
        "n_q² n_k": lambda: n_q**2 * n_k,
        "max": lambda: max(n_q, n_k) ** 2,
        "min": lambda: min(n_q, n_k) ** 2,
        "1": lambda: 1,
        "causal": lambda: n_q * (n_q + 1) / 2,
    }
    in_v = c["lengths in V"]
    total = c["times"] * (
        pairs[c["pairs"]]() * first
        + pairs[c["pairs"] if in_v == "n_q n_k" else in_v]() * second
    )
    return _one((total + _besides(c["besides"], n_q, n_k, d_k, d_v)) * c["unit"])


def _besides(what: str, n_q: int, n_k: int, d_k: int, d_v: int) -> float:
    if what.startswith("softmax"):
        return n_q * n_k * int(what[-1])
    return {
        "projections": lambda: 2 * d_k * (n_q * d_k + n_k * d_k + n_k * d_v),
        "projections, each width": lambda: (
            2 * (n_q * d_k**2 + n_k * d_k**2 + n_k * d_v**2)
        ),
        "projections and W_o": lambda: (
            2 * (n_q * d_k**2 + n_k * d_k**2 + n_k * d_v**2 + n_q * d_v**2)
        ),
        "projections of n_q": lambda: 6 * n_q * d_k**2,
        "projections of n_q and W_o": lambda: 8 * n_q * d_k**2,
        "output": lambda: n_q * d_v,
    }.get(what, lambda: 0)()


def attention_bytes(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """batch · heads · n² · bytes, or as the choices depart from it."""
    batch, heads, n, s = case.args
    pairs = {
        "n²": n * n,
        "n": n,
        "1": 1,
        "n³": n**3,
        "n⁴": n**4,
        "2 n": 2 * n,
        "n (n + 1) / 2": n * (n + 1) / 2,
        "n (n - 1) / 2": n * (n - 1) / 2,
        "(n - 1)²": (n - 1) ** 2,
        "n (n + 1)": n * (n + 1),
        "(n + 1)²": (n + 1) ** 2,
        "n log n": n * math.log2(n),
    }[c["pairs"]]
    factors = batch ** c["batch"], heads ** c["heads"], pairs, _size(c["size"], s)
    total = sum(factors) if c["joined"] == "sum" else math.prod(factors)
    more = {"sums": batch * heads * n * s, "n more": batch * heads * n * 2 * s}
    return _one((total * c["times"] + more.get(c["besides"], 0)) * c["unit"])


def cache_bytes(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """2 · layers · batch · n · kv_heads · d_head · bytes, or a departure from it."""
    layers, batch, n, heads, width, s = case.args
    tokens = {
        "n": n,
        "1": 1,
        "n²": n * n,
        "n³": n**3,
        "n - 1": n - 1,
        "n + 1": n + 1,
        "n (n + 1) / 2": n * (n + 1) / 2,
    }[c["n"]]
    heads, width = heads ** c["kv_heads"], width ** c["d_head"]
    if c["joined"] == "heads + width":
        heads, width = heads + width, 1
    factors = layers ** c["layers"], batch ** c["batch"], tokens, heads, width
    factors = (c["times"], *factors, _size(c["size"], s))
    total = sum(factors) if c["joined"] == "sum" else math.prod(factors)
    return _one(total * c["unit"])


def _size(how: str, s: int) -> float:
    return {"s": s, "s * s": s * s, "1 / s": 1 / s}[how] if "s" in how else int(how)


def _one(value: float) -> Values:
    return (torch.tensor(float(value), dtype=torch.float64),)


def unpack(result: Any) -> Values:
    """One number; what is none becomes NaN, and `a_number` says so."""
    if isinstance(result, list | tuple) and len(result) == 1:
        result = result[0] if isinstance(result[0], torch.Tensor) else None
    if hasattr(result, "__array__") and getattr(result, "size", 0) == 1:
        result = result.item()
    try:
        odd = isinstance(result, str | bool)
        return _one(math.nan if odd else float(result))
    except (TypeError, ValueError, RuntimeError, OverflowError):
        return _one(math.nan)


def a_number(trial: Trial) -> Finding | None:
    """What comes back is one finite number."""
    outcome, value = trial.outcomes[0], trial.seen[0]
    if outcome.trouble is not None or value is None:
        return None
    got = outcome.value
    if not value[0].isnan() or (isinstance(got, float) and got != got):
        return None
    facts = {"type": type(got).__name__, "got": repr(got)[:40]}
    if isinstance(got, list | tuple):
        return Finding("several-numbers", facts | {"count": len(got)})
    if isinstance(got, str):
        return Finding("text-not-a-number", facts)
    return Finding("no-number", facts)


def rounded_unit(trial: Trial) -> Finding | None:
    """The right number in a larger unit, cut off to a whole one."""
    pairs = [
        (float(got[0]), float(trial.right(case)[0]))
        for case, got in zip(trial.cases, trial.seen, strict=True)
        if got is not None
    ]
    for unit in (1000, 1024, 1000**2, 1024**2, 1000**3, 1024**3):
        whole = [round(got) == got == due // unit for got, due in pairs]
        if whole and all(whole) and any(got for got, _ in pairs):
            return Finding("bytes-in-larger-unit", {"got": number(pairs[0][0])})
    return None


def grows_otherwise(trial: Trial) -> Finding | None:
    """Doubling an argument multiplies the result as it does the right one."""
    case = trial.cases[0]
    got, want = trial.seen[0], trial.right(case)
    if got is None or got[0].isnan():
        return None
    if all(v is not None and v[0] == got[0] for v in trial.seen):
        return Finding("count-always-the-same", {"got": number(got[0])})
    if not got[0]:
        return None
    seen, first, others = {}, None, []
    for i, name in enumerate(trial.exercise.argument_names):
        args = tuple(a * 2 if i == j else a for j, a in enumerate(case.args))
        twice = trial.values(trial.call(args))
        if twice is None:
            continue
        yours = float(twice[0] / got[0])
        due = float(trial.right(Case("", "", args))[0] / want[0])
        seen[f"{name} doubled"] = f"yours × {number(yours)}, due × {number(due)}"
        if abs(yours - due) > 1e-3 and first is not None:
            others.append(name)
        elif abs(yours - due) > 1e-3:
            first = {"argument": name, "yours": number(yours), "due": number(due)}
    if first:
        more = f" ({', '.join(others)}: also off)" if others else ""
        return Finding("count-grows-otherwise", first | {"more": more}, seen)
    return _constant_factor(trial)


def _constant_factor(trial: Trial) -> Finding | None:
    ratios = [
        float(a[0] / trial.right(case)[0])
        for case, a in zip(trial.cases, trial.seen, strict=True)
        if a is not None
    ]
    if not ratios or max(ratios) - min(ratios) > 1e-6 * abs(max(ratios)):
        return None
    return Finding("count-times-constant", {"factor": number(ratios[0])})


def sized(*shapes: tuple, primes: int) -> Callable[[int], Sequence[Case]]:
    """Cases of the given sizes (then tags); None is a prime drawn by the seed."""

    def cases(seed: int) -> Sequence[Case]:
        draw = random.Random(seed + 17)
        drawn = draw.sample((3, 5, 7, 11, 13, 17), primes)
        found = []
        for rest in shapes:
            args = tuple(drawn.pop() if a is None else a for a in rest if _is_size(a))
            tags = frozenset(a for a in rest if isinstance(a, str))
            about = "the sizes " + ", ".join(map(str, args))
            found.append(Case(f"sizes{len(found)}", about, args, tags, 1e-9))
        return found

    return cases


def _is_size(item: Any) -> bool:
    return item is None or isinstance(item, int)


def facts_of(names: str) -> Callable[[Case, Values], Mapping[str, Any]]:
    """The arguments by name, and the learner's number."""

    def facts(case: Case, values: Values) -> Mapping[str, Any]:
        out = dict(zip(names.split(), case.args, strict=True))
        return out | ({"got": number(values[0])} if values else {})

    return facts


def counting(
    name: str,
    arguments: str,
    space: Space,
    compute: Callable[[Case, Choices, dict[Any, Any]], Values],
    *shapes: tuple,
) -> Exercise:
    """An exercise whose answer is one number."""
    primes = sum(a is None for shape in shapes for a in shape)
    return Exercise(
        name=name,
        parts=("count",),
        space=space,
        compute=compute,
        cases=sized(*shapes, primes=primes),
        facts=facts_of(arguments),
        argument_names=tuple(arguments.split()),
        unpack=unpack,
        behaviours=(a_number, behave.calls_agree("sizes0")),
        symptoms=(a_number, rounded_unit, grows_otherwise, behave.not_finite),
    )


EXERCISES = [
    counting(
        "attention_flops",
        "n_q n_k d_k d_v",
        FLOPS,
        flops,
        (5, 7, 3, 11),
        (8, 8, 64, 64),
        (13, 2, 17, 5),
        (None, None, None, None),
        (1, 19, 4, 4, "a single query"),
        (1024, 4096, 128, 64),
    ),
    counting(
        "attention_bytes",
        "batch heads n bytes_per_number",
        BYTES,
        attention_bytes,
        (3, 5, 7, 4),
        (2, 13, 11, 2),
        (None, None, None, 8),
        (5, 1, 6, 4, "a single head"),
        (1, 7, 6, 1, "numbers of one byte"),
        (1, 8, 1024, 2),
    ),
    counting(
        "kv_cache_bytes",
        "layers batch n kv_heads d_head bytes_per_number",
        CACHE,
        cache_bytes,
        (3, 5, 11, 2, 7, 4),
        (2, 3, 10, 4, 8, 2),
        (None, None, 19, None, None, 8),
        (5, 1, 6, 1, 3, 4, "a single sequence and head"),
        (4, 3, 7, 2, 5, 1, "numbers of one byte"),
        (32, 1, 4096, 8, 128, 2),
    ),
]
