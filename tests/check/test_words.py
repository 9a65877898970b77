"""Every mistake has words, and every word that is filled in has a supplier."""

from __future__ import annotations

import pytest
import torch

from helpers.check.checker import catalogue
from helpers.check.facts import usual_facts
from helpers.check.space import Case, Departure, Exercise, Values, same
from helpers.check.words import WORDS, facts_named, parsed
from tests.answers import everything

SPECS = list(catalogue().values())
ENTRY = "## {id}\n{short}\n\nIt does this.\n\n{asks}\n"


def test_every_departure_has_words():
    for spec in SPECS:
        assert {d.mistake for d in spec.departures()} <= set(WORDS)


def test_every_mistake_that_an_answer_of_the_bank_makes_has_words():
    asked = {m for answer in everything() for m in answer.mistakes}
    assert asked <= set(WORDS), sorted(asked - set(WORDS))


def test_words_end_as_promised():
    for mistake, words in WORDS.items():
        assert words.says.removesuffix("{met}").endswith((".", ".)")), mistake
        assert "?" in words.asks, mistake
        assert not words.short.endswith("."), mistake


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_every_fact_of_a_departure_has_a_supplier(spec: Exercise):
    missing = []
    cases = spec.cases(0)
    right = [spec.compute(case, spec.base(), {}) for case in cases]
    for departure in spec.departures():
        says, asks = WORDS[departure.mistake][1:]
        for case, due in zip(cases, right, strict=True):
            values = computed(spec, case, departure)
            if values is not None and not all(map(alike, values, due)):
                found = usual_facts(spec, case, values, due)
                found |= {**spec.facts(case, values), **departure.facts}
                if lost := facts_named(says + asks) - set(found):
                    missing.append((departure.mistake, case.name, sorted(lost)))
                break
    assert not missing


def alike(a: torch.Tensor, b: torch.Tensor) -> bool:
    return same(a, b, 1e-4)


def computed(spec: Exercise, case: Case, departure: Departure) -> Values | None:
    choices = spec.base() | {departure.choice: departure.value}
    try:
        return spec.compute(case, choices, {})
    except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
        return None


def test_an_entry_is_read_in_its_three_parts():
    text = "# Title\n\nA word before.\n\n" + ENTRY.format(
        id="an-id", short="**a name**", asks="> Does it\n> do that?"
    )
    assert parsed(text) == {"an-id": ("a name", "It does this.", "Does it do that?")}


@pytest.mark.parametrize(
    "broken",
    [
        {"id": "two words"},
        {"short": "a name"},
        {"asks": "Does it?"},
        {"asks": "> Does it?\n\nMore."},
        {"asks": "> Does it\ndo that?"},
    ],
)
def test_a_malformed_entry_is_an_error(broken: dict[str, str]):
    parts = {"id": "an-id", "short": "**a name**", "asks": "> Does it?"} | broken
    with pytest.raises(ValueError):
        parsed(ENTRY.format(**parts))


def test_an_id_stands_only_once():
    entry = ENTRY.format(id="an-id", short="**a name**", asks="> Does it?")
    with pytest.raises(ValueError, match="already"):
        parsed(entry + "\n" + entry)


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.name)
def test_every_expression_is_computed_on_some_case(spec: Exercise):
    cases, memos = spec.cases(0), [{} for _ in spec.cases(0)]
    for departure in spec.departures():
        choices = spec.base() | {departure.choice: departure.value}
        for case, memo in zip(cases, memos):
            try:
                spec.compute(case, choices, memo)
                break
            except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
                pass
        else:
            pytest.fail(f"never computed: {departure}")
