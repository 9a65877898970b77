"""Sentences in which a thing gives the pronoun away, lies, or says nothing."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.coref import PRONOUNS, THINGS, is_held_out
from helpers.tasks.shortcut import CUES, cue_sentences, thing_of


def drawn(cue: str, count: int = 200, **more):
    return cue_sentences(torch.Generator().manual_seed(1), count, cue, **more)


def given_away(cue: str) -> list[bool]:
    return [CUES[s.words[thing_of(s)]] == s.pronoun for s in drawn(cue)]


def test_every_thing_gives_a_pronoun_away_and_each_is_given_by_two():
    assert set(CUES) == set(THINGS)
    assert sorted(CUES.values()) == sorted(2 * PRONOUNS)


def test_the_thing_fits_or_lies_or_is_random():
    assert all(given_away("fits")) and not any(given_away("lies"))
    assert 0.2 < sum(given_away("random")) / 200 < 0.47


def test_only_the_thing_differs():
    for fits, random in zip(drawn("fits", 20), drawn("random", 20), strict=True):
        assert fits.words[thing_of(fits) - 2] == "near"
        assert len(fits.words) >= 13 and random.words[thing_of(random)] in THINGS


def test_held_out_pairs_only_where_asked():
    for held_out in (True, False):
        for s in drawn("fits", 50, held_out=held_out):
            pair = s.words[s.referent], s.words[s.adjective]
            assert is_held_out(*pair) == held_out


def test_the_same_seed_gives_the_same_sentences():
    assert drawn("lies", 9) == drawn("lies", 9)


def test_another_cue_is_refused():
    with pytest.raises(ValueError, match="'true'"):
        drawn("true")
