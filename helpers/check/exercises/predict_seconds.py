"""predict_seconds(n_1, t_1, n_2, t_2, n): a · n + b · n² through two measurements."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from .. import behaviours as behave
from ..behaviours import Trial
from ..diagnosis import number
from ..program import Program
from ..space import Case, Exercise, Finding
from ._counts import a_number, one, unpack

Pair = tuple[float, float, float, float]


def solve(measured: Pair, powers: tuple[int, int]) -> tuple[float, float]:
    """The two factors of these powers that meet both measurements."""
    (n_1, t_1, n_2, t_2), (p, q) = measured, powers
    below = n_1**p * n_2**q - n_2**p * n_1**q
    return (t_1 * n_2**q - t_2 * n_1**q) / below, (n_1**p * t_2 - n_2**p * t_1) / below


def fitted_power(measured: Pair, n: float) -> float:
    """The value at n of the one power of n that meets both measurements."""
    n_1, t_1, n_2, t_2 = measured
    exponent = math.log(t_2 / t_1) / math.log(n_2 / n_1)
    return t_2 * (n / n_2) ** exponent


LINES = {
    "measured": (
        "(n_1, t_1, n_2, t_2)",
        {"(n_1, t_2, n_2, t_1)": "time-measurements-crossed"},
    ),
    "powers": (
        "(1, 2)",
        {
            "(0, 2)": "time-constant-for-linear",
            "(0, 1)": "time-straight-line",
            "(1, 3)": "time-cubic",
            "(2, 3)": "time-cubic",
        },
    ),
    "a": (
        "solve(measured, powers)[0]",
        {
            "t_1 / n_1": "time-linear-part-too-large",
            "t_2 / n_2": "time-linear-part-too-large",
            "0": "time-linear-part-dropped",
        },
    ),
    "b": (
        "solve(measured, powers)[1]",
        {
            "t_2 / n_2**2": "time-square-part-too-large",
            "t_1 / n_1**2": "time-square-part-too-large",
            "(t_2 - t_1) / (n_2**2 - n_1**2)": "time-square-part-too-large",
            "(t_2 - t_1) / (n_2 - n_1) ** 2": "time-square-of-the-difference",
            "0": "time-square-part-dropped",
        },
    ),
    "seconds": (
        "a * n ** powers[0] + b * n ** powers[1]",
        {
            "t_2 * (n / n_2) ** 2": "time-one-measurement",
            "t_1 * (n / n_1) ** 2": "time-one-measurement",
            "(t_1 * (n / n_1) ** 2 + t_2 * (n / n_2) ** 2) / 2": "time-one-measurement",
            "t_2 * n / n_2": "time-only-linear",
            "t_1 * n / n_1": "time-only-linear",
            "(t_1 / n_1 + t_2 / n_2) / 2 * n": "time-only-linear",
            "fitted_power(measured, n)": "time-exponent-fitted",
        },
    ),
    "told": (
        "one(seconds)",
        {
            "one(seconds * 1000)": "time-in-milliseconds",
            "one(seconds / 3600)": "time-in-hours",
            "one(seconds / 60)": "time-in-hours",
            "one(seconds / n)": "time-per-token",
            "one(seconds - t_2)": "time-added-only",
            "one(seconds + t_2)": "time-measured-added",
        },
    ),
}


def misses_a_measurement(trial: Trial) -> Finding | None:
    """At a length that was measured, the prediction is what was measured."""
    n_1, t_1, n_2, t_2, _ = trial.cases[0].args
    for n, due in ((n_1, t_1), (n_2, t_2)):
        got = trial.values(trial.call((n_1, t_1, n_2, t_2, n)))
        if got is None or got[0].isnan():
            return None
        if not math.isclose(float(got[0]), due, rel_tol=1e-4):
            facts = {"n": n, "got": number(got[0]), "due": number(due)}
            shown = {f"yours at n = {n}": number(got[0]), "measured": number(due)}
            return Finding("time-misses-a-measurement", facts, shown)
    return None


def grows_otherwise(trial: Trial) -> Finding | None:
    """Far beyond both measurements, twice the tokens take four times as long."""
    measured, far = trial.cases[0].args[:4], 2**30
    values = [trial.values(trial.call((*measured, n))) for n in (far, 2 * far)]
    if any(v is None or not v[0].isfinite() or not v[0] for v in values):
        return None
    ratio = float(values[1][0] / values[0][0])
    if abs(ratio - 4) < 0.01:
        return None
    return Finding("time-grows-otherwise", {"ratio": number(ratio)})


def cases(seed: int) -> Sequence[Case]:
    """Times of a machine that is made up: a seconds a token, b seconds a pair."""
    draw = random.Random(seed + 29)

    def case(n_1: int, n_2: int, n: int, *tags: str, linear: float = 1.0) -> Case:
        a, b = linear * draw.uniform(1e-3, 3e-3), draw.uniform(1e-6, 3e-6)
        t_1, t_2 = (a * m + b * m * m for m in (n_1, n_2))
        about = f"{number(t_1)} s at {n_1} tokens, {number(t_2)} s at {n_2}, n = {n}"
        name = f"{n_1}-{n_2}-{n}"
        return Case(name, about, (n_1, t_1, n_2, t_2, n), frozenset(tags), 1e-6)

    return [
        case(512, 4096, 2**20),
        case(512, 4096, 1024, "n between the measurements"),
        case(300, 700, 50_000),
        case(3000, 800, 9000, "the longer measurement first"),
        case(1000, 2000, 10_000, "no linear part", linear=0.0),
    ]


EXERCISES = [
    Exercise(
        name="predict_seconds",
        parts=("seconds",),
        compute=Program(
            "n_1 t_1 n_2 t_2 n",
            LINES,
            solve=solve,
            fitted_power=fitted_power,
            one=one,
        ),
        cases=cases,
        unpack=unpack,
        behaviours=(a_number, behave.calls_agree("512-4096-1048576")),
        symptoms=(
            a_number,
            behave.not_finite,
            misses_a_measurement,
            grows_otherwise,
        ),
    )
]
