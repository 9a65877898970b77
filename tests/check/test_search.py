"""Mistakes composed by the space itself are found again."""

from __future__ import annotations

import itertools
import random

import pytest
import torch

from helpers.check.checker import catalogue, diagnose
from helpers.check.diagnosis import Diagnosis
from helpers.check.space import Case, Departure, Exercise, same
from helpers.check.words import WORDS

SPECS = list(catalogue().values())
PAIRS = 5
"""Pairs of mistakes that are tried in each exercise."""


def answer(spec: Exercise, *departures: Departure):
    """A function that departs from the right choices as told."""
    chosen = spec.base() | {d.choice: d.value for d in departures}
    arity = len(spec.argument_names)
    if spec.name == "MultiHeadAttention":
        return as_class(spec, chosen)
    if spec.imitate:
        return spec.imitate(chosen)

    def departing(*args):
        args += (None,) * (arity - len(args))
        return spec.compute(Case("", "", args), chosen, {})

    return departing


def as_class(spec: Exercise, chosen: dict) -> type:
    """A class whose forward departs from the right choices as told."""

    class Departing(torch.nn.Module):
        def __init__(self, d_model, num_heads):
            super().__init__()
            self.num_heads = num_heads
            for name in ("W_q", "W_k", "W_v", "W_o"):
                setattr(self, name, torch.nn.Linear(d_model, d_model))

        def forward(self, query, key, value, mask=None):
            layers = self.named_children()
            params = {name: (layer.weight, layer.bias) for name, layer in layers}
            args = (query, key, value, mask, self.num_heads, params)
            return spec.compute(Case("", "", args), chosen, {})

    return Departing


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_the_right_choices_are_right_on_every_case(spec: Exercise):
    for case in spec.cases(0):
        assert isinstance(spec.compute(case, spec.base(), {}), tuple)


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_every_departure_is_refused_and_named(spec: Exercise):
    for departure in spec.departures():
        found = diagnose(spec.name, answer(spec, departure))
        assert found.status == "wrong", departure
        short = WORDS[departure.mistake].short
        assert departure.mistake in found.mistakes or short in found.message, (
            f"{departure}\n{found}"
        )


def sampled_pairs(spec: Exercise, count: int) -> list[tuple[Departure, Departure]]:
    """Pairs of departures in different lines, with different names."""
    pairs = [
        (a, b)
        for a, b in itertools.combinations(spec.departures(), 2)
        if a.choice != b.choice and a.mistake != b.mistake
    ]
    random.Random(7).shuffle(pairs)
    return list(itertools.islice((p for p in pairs if computes(spec, p)), count))


def computes(spec: Exercise, pair: tuple[Departure, Departure]) -> bool:
    """Does the pair give numbers on every case? (An exception is told as such.)"""
    return all(outcome(spec, case, pair) is not None for case in spec.cases(0))


def told(spec: Exercise, pair: tuple[Departure, Departure], found: Diagnosis) -> bool:
    """Are both named, or the nearer one and that more is wrong, or what is the same?"""
    if {d.mistake for d in pair} <= set(found.mistakes):
        return True
    nearer = found.mistakes[:1] and found.mistakes[0] in {d.mistake for d in pair}
    if nearer and "more is wrong" in found.message:
        return True
    return any(
        same_numbers(spec, pair, others)
        for others in named_departures(spec, found.mistakes)
    )


def named_departures(spec: Exercise, mistakes: tuple[str, ...]) -> list[tuple]:
    """Combinations of departures with these names."""
    choices = [[d for d in spec.departures() if d.mistake == m] for m in mistakes]
    return list(itertools.product(*[c for c in choices if c]))


def same_numbers(spec: Exercise, pair: tuple, others: tuple) -> bool:
    """Do two sets of departures give the same on every case?"""
    return all(
        alike(outcome(spec, case, pair), outcome(spec, case, others), case.tol)
        for case in spec.cases(0)
    )


def outcome(spec: Exercise, case: Case, departures: tuple) -> tuple | None:
    chosen = spec.base() | {d.choice: d.value for d in departures}
    try:
        return spec.compute(case, chosen, {})
    except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
        return None


def alike(a: tuple | None, b: tuple | None, tol: float) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(same(x, y, tol) for x, y in zip(a, b))


def test_of_two_mistakes_both_are_named_or_the_nearer_and_that_more_is_wrong():
    tried, missed = 0, []
    for spec in SPECS:
        for pair in sampled_pairs(spec, PAIRS) if len(spec.space) > 1 else ():
            found = diagnose(spec.name, answer(spec, *pair))
            assert "checker-stumbled" not in found.mistakes, found
            tried += 1
            if found.status == "correct":  # two wrongs can make a right
                assert same_numbers(spec, pair, ()), pair
            elif not told(spec, pair, found):
                missed.append((spec.name, pair, found.mistakes))
    assert tried > 100
    assert len(missed) <= 0.05 * tried, missed
