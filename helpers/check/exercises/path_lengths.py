"""path_lengths(n, kernel) -> {"self", "rnn", "conv": (sequential steps, path)}."""

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

ENTRIES = ("self", "rnn", "conv")
NO_PAIR = torch.full((2,), math.nan, dtype=torch.float64)
SPACE: Mapping[str, tuple[Any, Mapping[Any, str]]] = {
    "order": ("steps, path", {"path, steps": "path-before-steps"}),
    "taken": (
        "each for itself",
        {
            "self for rnn": "self-as-an-rnn",
            "rnn for self": "rnn-as-attention",
            "conv for rnn": "conv-as-an-rnn",
            "rnn for conv": "rnn-as-a-convolution",
            "self for conv": "self-as-a-convolution",
        },
    ),
    "self steps": (
        "1",
        {
            "n": "self-steps-n",
            "n²": "self-steps-n",
            "log₂ n": "self-steps-other",
            "layers": "self-steps-other",
            "2": "self-steps-two",
            "n - 1": "self-steps-n",
            "0": "self-steps-zero",
        },
    ),
    "self path": (
        "1",
        {
            "n": "self-path-n",
            "n - 1": "self-path-n",
            "n²": "self-path-n",
            "log₂ n": "self-path-other",
            "layers": "self-path-other",
            "2": "self-path-two",
            "0": "self-path-zero",
        },
    ),
    "rnn steps": (
        "n",
        {
            "1": "rnn-steps-one",
            "n - 1": "rnn-steps-minus-one",
            "n + 1": "rnn-steps-plus-one",
            "n²": "rnn-steps-squared",
            "2 n": "rnn-steps-squared",
            "log₂ n": "rnn-steps-other",
            "layers": "rnn-steps-other",
            "0": "rnn-steps-one",
        },
    ),
    "rnn path": (
        "n",
        {
            "1": "rnn-path-one",
            "n - 1": "rnn-path-minus-one",
            "n + 1": "rnn-path-plus-one",
            "n²": "rnn-path-squared",
            "2 n": "rnn-path-squared",
            "log₂ n": "rnn-path-other",
            "layers": "rnn-path-other",
            "0": "rnn-path-one",
        },
    ),
    "conv path": (
        "layers",
        {
            "by log_k": "conv-path-dilated",
            "floor log_k": "conv-path-dilated",
            "log_k": "conv-path-dilated",
            "round log_k": "conv-path-dilated",
            "log_k + 1": "conv-path-dilated",
            "by log₂": "conv-path-dilated",
            "log₂": "conv-path-dilated",
            "floor log₂": "conv-path-dilated",
            "dilated by 2": "conv-path-dilated",
            "ceil n/k": "conv-path-by-kernel",
            "floor n/k": "conv-path-by-kernel",
            "n/k": "conv-path-by-kernel",
            "ceil (n-1)/k": "conv-path-by-kernel",
            "floor (n-1)/k": "conv-path-by-kernel",
            "floor (n-1)/(k-1)": "conv-path-rounded-down",
            "(n-1)/(k-1)": "conv-path-not-rounded",
            "round (n-1)/(k-1)": "conv-path-rounded-to-nearest",
            "ceil n/(k-1)": "conv-path-n-not-n-minus-one",
            "floor n/(k-1)": "conv-path-n-not-n-minus-one",
            "n/(k-1)": "conv-path-n-not-n-minus-one",
            "plus one": "conv-path-plus-one",
            "minus one": "conv-path-minus-one",
            "both sides": "conv-path-half-window",
            "floor both sides": "conv-path-half-window",
            "half kernel": "conv-path-half-window",
            "n - k + 1": "conv-path-positions",
            "n - k": "conv-path-positions",
            "1": "conv-path-one",
            "n": "conv-path-n",
            "n - 1": "conv-path-n",
            "k": "conv-path-kernel",
            "k - 1": "conv-path-kernel",
            "n k": "conv-path-work",
            "times k": "conv-path-work",
            "0": "conv-path-one",
        },
    ),
    "conv steps": (
        "1",
        {
            "layers": "conv-steps-layers",
            "as path": "conv-steps-layers",
            "n": "conv-steps-n",
            "n - 1": "conv-steps-n",
            "k": "conv-steps-kernel",
            "k - 1": "conv-steps-kernel",
            "n - k + 1": "conv-steps-n",
            "ceil n/k": "conv-steps-layers",
            "floor n/k": "conv-steps-layers",
            "by log_k": "conv-steps-layers",
            "log₂ n": "conv-steps-layers",
            "n k": "conv-steps-n",
            "2": "conv-steps-other",
            "0": "conv-steps-other",
        },
    ),
    "keys": (
        "self rnn conv",
        {
            "rnn self conv": "paths-under-other-names",
            "self conv rnn": "paths-under-other-names",
            "conv rnn self": "paths-under-other-names",
            "rnn conv self": "paths-under-other-names",
            "conv self rnn": "paths-under-other-names",
        },
    ),
}


def count(what: str, n: int, k: int) -> float:
    """A number of steps by its name."""
    reach, log = k - 1, math.log
    return {
        "layers": lambda: math.ceil((n - 1) / reach),
        "by log_k": lambda: _layers(lambda depth: k**depth, n),
        "floor log_k": lambda: _layers(lambda depth: k**depth, n + 1) - 1,
        "log_k": lambda: log(n) / log(k),
        "round log_k": lambda: round(log(n) / log(k)),
        "log_k + 1": lambda: _layers(lambda depth: k**depth, n) + 1,
        "log₂ n": lambda: _layers(lambda depth: 2**depth, n),
        "by log₂": lambda: _layers(lambda depth: 2**depth, n),
        "floor log₂": lambda: _layers(lambda depth: 2**depth, n + 1) - 1,
        "log₂": lambda: math.log2(n),
        "dilated by 2": lambda: _layers(lambda d: 1 + reach * (2**d - 1), n),
        "ceil n/k": lambda: math.ceil(n / k),
        "floor n/k": lambda: n // k,
        "n/k": lambda: n / k,
        "ceil (n-1)/k": lambda: math.ceil((n - 1) / k),
        "floor (n-1)/k": lambda: (n - 1) // k,
        "floor (n-1)/(k-1)": lambda: (n - 1) // reach,
        "(n-1)/(k-1)": lambda: (n - 1) / reach,
        "round (n-1)/(k-1)": lambda: round((n - 1) / reach),
        "ceil n/(k-1)": lambda: math.ceil(n / reach),
        "floor n/(k-1)": lambda: n // reach,
        "n/(k-1)": lambda: n / reach,
        "plus one": lambda: math.ceil((n - 1) / reach) + 1,
        "minus one": lambda: math.ceil((n - 1) / reach) - 1,
        "both sides": lambda: math.ceil(2 * (n - 1) / reach),
        "floor both sides": lambda: 2 * (n - 1) // reach,
        "half kernel": lambda: math.ceil((n - 1) / max(k // 2, 1)),
        "n - k + 1": lambda: n - k + 1,
        "n - k": lambda: n - k,
        "n k": lambda: n * k,
        "times k": lambda: math.ceil((n - 1) / reach) * k,
        "n": lambda: n,
        "n - 1": lambda: n - 1,
        "n + 1": lambda: n + 1,
        "2 n": lambda: 2 * n,
        "n²": lambda: n * n,
        "k": lambda: k,
        "k - 1": lambda: k - 1,
        "0": lambda: 0,
        "1": lambda: 1,
        "2": lambda: 2,
    }[what]()


def _layers(seen: Callable[[int], int], n: int) -> int:
    """The least depth at which n tokens are seen."""
    return next(depth for depth in range(n + 1) if seen(depth) >= n)


def compute(case: Case, c: Choices, memo: dict[Any, Any]) -> Values:
    """(steps, path) of each entry, as the choices have them."""
    mixed, _, other = c["taken"].partition(" for ")
    given = {}
    for name in ENTRIES:
        source = other if name == mixed else name
        chosen = c["order"], c[f"{source} steps"], c[f"{source} path"]
        if chosen not in memo:
            memo[chosen] = _counted(*chosen, *case.args)
        given[name] = memo[chosen]
    return tuple(given[name] for name in c["keys"].split())


def _counted(order: str, steps: str, path: str, n: int, k: int) -> torch.Tensor:
    steps = path if steps == "as path" else steps
    pair = count(steps, n, k), count(path, n, k)
    return torch.tensor(
        pair[::-1] if order == "path, steps" else pair, dtype=torch.float64
    )


def unpack(result: Any) -> Values:
    """Three pairs of numbers; what is no number becomes NaN."""
    if isinstance(result, Mapping):
        items = [result.get(name) for name in ENTRIES]
    else:  # judged by `is_a_dict`
        items = list(result) if isinstance(result, list | tuple) else [None]
        items = (items + [None] * 3)[:3]
    return tuple(_pair(item) for item in items)


def _pair(item: Any) -> torch.Tensor:
    try:
        if any(isinstance(v, str) for v in item):
            return NO_PAIR
        values = torch.tensor([float(v) for v in item], dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        return NO_PAIR
    return values if len(values) == 2 else NO_PAIR


def malformed(trial: Trial) -> Finding | None:
    """A dict with the three names, each a pair of numbers."""
    value = trial.outcomes[0].value
    if trial.outcomes[0].trouble is not None:
        return None
    due = ", ".join(repr(name) for name in ENTRIES)
    if not isinstance(value, Mapping):
        pairs = isinstance(value, list | tuple) and len(value) == 3
        if pairs and all(isinstance(v, torch.Tensor) for v in value):
            return None
        facts = {"type": type(value).__name__, "due": due}
        return Finding("paths-no-dict", facts, {"returned": repr(value)[:60]})
    missing = [name for name in ENTRIES if name not in value]
    if missing:
        names = ", ".join(repr(name) for name in value) or "none"
        facts = {"missing": ", ".join(map(repr, missing)), "names": names, "due": due}
        return Finding("paths-key-missing", facts)
    for name in ENTRIES:
        pair = _pair(value[name])
        if len(pair) != 2 or bool(pair.isnan().any()):
            facts = {"name": repr(name), "got": repr(value[name])[:40]}
            return Finding("paths-no-pair", facts, {name: repr(value[name])[:60]})
    return None


def odd_entry(trial: Trial) -> Finding | None:
    """The first number that nothing explains, on two sizes."""
    i = trial.failing[0]
    got, want = trial.seen[i], trial.right(trial.cases[i])
    if got is None:
        return None
    for name, a, b in zip(ENTRIES, got, want, strict=True):
        for place, of in enumerate(("steps", "path")):
            if abs(float(a[place] - b[place])) > 1e-6:
                due = {"got": number(a[place]), "due": number(b[place])}
                shown = _on_all_sizes(trial, ENTRIES.index(name), place)
                return Finding(
                    f"{name}-{of}-other", facts(trial.cases[i], got) | due, shown
                )
    return None


def _on_all_sizes(trial: Trial, entry: int, place: int) -> dict[str, str]:
    return {
        case.about: f"{of_entry(values)}, due {of_entry(trial.right(case))}"
        for case, values in zip(trial.cases[:4], trial.seen, strict=False)
        if values is not None
        for of_entry in (lambda found: number(found[entry][place]),)
    }


def cases(seed: int) -> Sequence[Case]:
    """Lengths with and without a remainder, an even kernel, one wider than the text."""
    draw = random.Random(seed)
    more = draw.randrange(20, 40), draw.choice((4, 6))
    return [
        Case(f"n{n}k{k}", f"n = {n}, kernel = {k}", (n, k), frozenset(tags), 1e-9)
        for n, k, *tags in (
            (10, 3),
            (64, 3),
            (26, 5),
            (50, 4),
            (30, 2, "a kernel of 2"),
            more,
            (101, 7),
            (6, 11, "a kernel wider than the sentence"),
        )
    ]


def facts(case: Case, values: Values) -> dict[str, Any]:
    """Numbers the sentences may mention."""
    n, k = case.args
    out = {"n": n, "k": k, "reach": k - 1, "due": count("layers", n, k)}
    for name, pair in zip(ENTRIES, values, strict=False):
        if len(pair) == 2:
            out[f"{name}_steps"], out[f"{name}_path"] = (number(v) for v in pair)
    return out


EXERCISES = [
    Exercise(
        name="path_lengths",
        parts=ENTRIES,
        space=SPACE,
        compute=compute,
        cases=cases,
        facts=facts,
        argument_names=("n", "kernel"),
        unpack=unpack,
        behaviours=(malformed, behave.calls_agree("n10k3")),
        symptoms=(malformed, odd_entry),
    )
]
