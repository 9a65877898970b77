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
from ..program import Program
from ..space import Case, Choices, Exercise, Finding, Values

ENTRIES = ("self", "rnn", "conv")
NO_PAIR = torch.full((2,), math.nan, dtype=torch.float64)


def depth(seen: Callable[[int], int], n: int) -> int:
    """The least number of layers after which n tokens are seen."""
    return next(layers for layers in range(n + 1) if seen(layers) >= n)


def pairs(*entries: tuple[float, float]) -> Values:
    """Three pairs of numbers as tensors."""
    return tuple(torch.tensor(pair, dtype=torch.float64) for pair in entries)


def layers_or_logarithm(name: str) -> dict[str, str]:
    """Numbers of layers, where a number of tokens or 1 is due."""
    return {
        "depth(lambda t: 2**t, n)": f"{name}-other",
        "math.ceil((n - 1) / (kernel - 1))": f"{name}-other",
    }


LINES = {
    "self_steps": (
        "1",
        {
            "n": "self-steps-n",
            "n * n": "self-steps-n",
            **layers_or_logarithm("self-steps"),
            "2": "self-steps-two",
            "n - 1": "self-steps-n",
            "0": "self-steps-zero",
        },
    ),
    "self_path": (
        "1",
        {
            "n": "self-path-n",
            "n - 1": "self-path-n",
            "n * n": "self-path-n",
            **layers_or_logarithm("self-path"),
            "2": "self-path-two",
            "0": "self-path-zero",
        },
    ),
    "rnn_steps": (
        "n",
        {
            "1": "rnn-steps-one",
            "n - 1": "rnn-steps-minus-one",
            "n + 1": "rnn-steps-plus-one",
            "n * n": "rnn-steps-squared",
            "2 * n": "rnn-steps-squared",
            **layers_or_logarithm("rnn-steps"),
            "0": "rnn-steps-one",
        },
    ),
    "rnn_path": (
        "n",
        {
            "1": "rnn-path-one",
            "n - 1": "rnn-path-minus-one",
            "n + 1": "rnn-path-plus-one",
            "n * n": "rnn-path-squared",
            "2 * n": "rnn-path-squared",
            **layers_or_logarithm("rnn-path"),
            "0": "rnn-path-one",
        },
    ),
    "reach": ("kernel - 1", {}),
    "conv_path": (
        "math.ceil((n - 1) / reach)",
        {
            "depth(lambda t: kernel**t, n)": "conv-path-dilated",
            "depth(lambda t: kernel**t, n + 1) - 1": "conv-path-dilated",
            "math.log(n) / math.log(kernel)": "conv-path-dilated",
            "round(math.log(n) / math.log(kernel))": "conv-path-dilated",
            "depth(lambda t: kernel**t, n) + 1": "conv-path-dilated",
            "depth(lambda t: 2**t, n)": "conv-path-dilated",
            "math.log2(n)": "conv-path-dilated",
            "depth(lambda t: 2**t, n + 1) - 1": "conv-path-dilated",
            "depth(lambda t: 1 + reach * (2**t - 1), n)": "conv-path-dilated",
            "math.ceil(n / kernel)": "conv-path-by-kernel",
            "n // kernel": "conv-path-by-kernel",
            "n / kernel": "conv-path-by-kernel",
            "math.ceil((n - 1) / kernel)": "conv-path-by-kernel",
            "(n - 1) // kernel": "conv-path-by-kernel",
            "(n - 1) // reach": "conv-path-rounded-down",
            "max(1, (n - 1) // reach)": "conv-path-rounded-down",
            "(n - 1) / reach": "conv-path-not-rounded",
            "round((n - 1) / reach)": "conv-path-rounded-to-nearest",
            "max(1, round((n - 1) / reach))": "conv-path-rounded-to-nearest",
            "math.ceil(n / reach)": "conv-path-n-not-n-minus-one",
            "n // reach": "conv-path-n-not-n-minus-one",
            "n / reach": "conv-path-n-not-n-minus-one",
            "math.ceil((n - 1) / reach) + 1": "conv-path-plus-one",
            "math.ceil((n - 1) / reach) - 1": "conv-path-minus-one",
            "math.ceil(2 * (n - 1) / reach)": "conv-path-half-window",
            "2 * (n - 1) // reach": "conv-path-half-window",
            "math.ceil((n - 1) / max(kernel // 2, 1))": "conv-path-half-window",
            "n - 1": "conv-path-n-minus-one",
            "(n - 1) // kernel - 1": "conv-path-brackets",
            "(n - 1) / kernel - 1": "conv-path-brackets",
            "math.ceil((n - 1) / kernel - 1)": "conv-path-brackets",
            "n - 1 / kernel - 1": "conv-path-brackets",
            "n - 1 / reach": "conv-path-brackets",
            "n - 1 // reach": "conv-path-brackets",
            "math.ceil(n / kernel - 1)": "conv-path-brackets",
            "n // kernel - 1": "conv-path-brackets",
            "n - kernel + 1": "conv-path-positions",
            "n - kernel": "conv-path-positions",
            "1": "conv-path-one",
            "n": "conv-path-n",
            "kernel": "conv-path-kernel",
            "kernel - 1": "conv-path-kernel",
            "n * kernel": "conv-path-work",
            "math.ceil((n - 1) / reach) * kernel": "conv-path-work",
            "0": "conv-path-one",
        },
    ),
    "conv_steps": (
        "1",
        {
            "math.ceil((n - 1) / reach)": "conv-steps-layers",
            "conv_path": "conv-steps-layers",
            "n": "conv-steps-n",
            "n - 1": "conv-steps-n",
            "kernel": "conv-steps-kernel",
            "kernel - 1": "conv-steps-kernel",
            "n - kernel + 1": "conv-steps-n",
            "math.ceil(n / kernel)": "conv-steps-layers",
            "n // kernel": "conv-steps-layers",
            "depth(lambda t: kernel**t, n)": "conv-steps-layers",
            "depth(lambda t: 2**t, n)": "conv-steps-layers",
            "n * kernel": "conv-steps-n",
            "2": "conv-steps-other",
            "0": "conv-steps-other",
        },
    ),
    "attention": ("(self_steps, self_path)", {}),
    "rnn": ("(rnn_steps, rnn_path)", {}),
    "conv": ("(conv_steps, conv_path)", {}),
    "found": (
        "(attention, rnn, conv)",
        {
            "(attention[::-1], rnn[::-1], conv[::-1])": "path-before-steps",
            "(rnn, rnn, conv)": "self-as-an-rnn",
            "(attention, attention, conv)": "rnn-as-attention",
            "(attention, rnn, rnn)": "conv-as-an-rnn",
            "(attention, conv, conv)": "rnn-as-a-convolution",
            "(conv, rnn, conv)": "self-as-a-convolution",
            "(rnn, attention, conv)": "paths-under-other-names",
            "(attention, conv, rnn)": "paths-under-other-names",
            "(conv, rnn, attention)": "paths-under-other-names",
            "(rnn, conv, attention)": "paths-under-other-names",
            "(conv, attention, rnn)": "paths-under-other-names",
        },
    ),
    "returned": ("pairs(*found)", {}),
}


PROGRAM = Program("n kernel", LINES, depth=depth, pairs=pairs)


def imitate(choices: Choices) -> Callable[..., dict[str, torch.Tensor]]:
    """An answer that makes these choices."""

    def answer(*args: Any) -> dict[str, torch.Tensor]:
        return dict(zip(ENTRIES, PROGRAM(Case("", "", args), choices, {}), strict=True))

    return answer


def unpack(result: Any) -> Values:
    """Three pairs of numbers; what is no number becomes NaN."""
    if isinstance(result, Mapping):
        items = [result.get(name) for name in ENTRIES]
    else:  # judged by `malformed`
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


malformed.settles = True


def odd_entry(trial: Trial) -> Finding | None:
    """The first number that nothing explains, on two sizes."""
    i = trial.failing[0]
    got, want = trial.seen[i], trial.right(trial.cases[i])
    if got is None:
        return None
    for name, a, b in zip(ENTRIES, got, want, strict=True):
        for place, of in enumerate(("steps", "path")):
            if abs(float(a[place] - b[place])) > 1e-6:
                n, kernel = trial.cases[i].args
                seen = {"n": n, "kernel": kernel, **facts(trial.cases[i], got)}
                due = {"got": number(a[place]), "due": number(b[place])}
                shown = _on_all_sizes(trial, ENTRIES.index(name), place)
                return Finding(f"{name}-{of}-other", seen | due, shown)
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
    """Every number returned, by its name."""
    out = {}
    for name, pair in zip(ENTRIES, values, strict=False):
        if len(pair) == 2:
            out[f"{name}_steps"], out[f"{name}_path"] = (number(v) for v in pair)
    return out


EXERCISES = [
    Exercise(
        name="path_lengths",
        parts=ENTRIES,
        compute=PROGRAM,
        imitate=imitate,
        cases=cases,
        facts=facts,
        unpack=unpack,
        behaviours=(malformed, behave.calls_agree("n10k3")),
        symptoms=(odd_entry,),
    )
]
