"""Mistakes composed by the space itself are found again."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.check.checker import catalogue, diagnose
from helpers.check.space import Case, Departure, Exercise, same
from helpers.check.words import WORDS

SPECS = list(catalogue().values())


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


@pytest.mark.parametrize(
    "spec", [s for s in SPECS if len(s.space) > 1], ids=lambda s: s.name
)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(data=st.data())
def test_of_two_mistakes_at_least_one_is_named(spec: Exercise, data: st.DataObject):
    first, second = data.draw(
        st.lists(
            st.sampled_from(spec.departures()),
            min_size=2,
            max_size=2,
            unique_by=lambda d: d.choice,
        )
    )
    found = diagnose(spec.name, answer(spec, first, second))
    if found.status == "correct":  # two wrongs can make a right
        chosen = spec.base() | {first.choice: first.value, second.choice: second.value}
        for case in spec.cases(0):
            pairs = zip(
                spec.compute(case, chosen, {}),
                spec.compute(case, spec.base(), {}),
                strict=True,
            )
            assert all(same(a, b, case.tol) for a, b in pairs)
        return
    assert found.mistakes
    assert "checker-stumbled" not in found.mistakes
