"""A part of one run in another."""

from __future__ import annotations

import random

import pytest
import torch
from torch import nn

from helpers.interpret.routes import (
    ROUTES,
    patched,
    position_effects,
    route_effects,
)
from helpers.models.coref import CorefNet
from helpers.tasks.coref import draw_sentences, pad_sentences
from helpers.tasks.substitutes import replaced
from helpers.training import build

SENTENCES = draw_sentences(torch.Generator().manual_seed(1), 12)
BATCH = pad_sentences(SENTENCES)
ROWS = torch.arange(len(SENTENCES))


def with_another(word: str):
    return pad_sentences(replaced(SENTENCES, word, random.Random(1)))


def test_a_patched_module_gets_what_it_is_given_and_only_inside():
    layer, x = nn.Bilinear(2, 2, 1), torch.ones(1, 2)
    before = layer(x, x)
    with patched(layer, None, 3 * x):
        inside = layer(x, x)
    assert torch.allclose(inside, layer(x, 3 * x))
    assert torch.equal(layer(x, x), before)


def test_plain_words_carry_themselves_only():
    found = position_effects(build(CorefNet, 1), BATCH, with_another("referent"))
    assert found[ROWS, BATCH.referent].min() > 0
    found[ROWS, BATCH.referent] = 0
    assert found.max() < 1e-6


def test_in_an_ordinary_model_other_positions_carry_the_noun_too():
    model = build(lambda: CorefNet(closed=False), 1)
    found = position_effects(model, BATCH, with_another("referent"))
    assert (found > 1e-6).sum(dim=1).min() > 5


@pytest.mark.parametrize(("word", "route"), [("referent", 1), ("adjective", 0)])
def test_the_route_of_a_word(word, route):
    """In a closed model the noun is read; in an open one both ways are open."""
    other = with_another(word)
    effects = route_effects(build(lambda: CorefNet(closed=False), 1), BATCH, other)
    assert list(effects) == list(ROUTES) and min(effects.values()) > 0
    if word == "referent":
        closed = route_effects(build(CorefNet, 1), BATCH, other)
        assert closed[ROUTES[1]] > 1e-4 > closed[ROUTES[0]]


def test_the_same_runs_move_nothing():
    assert position_effects(build(CorefNet, 1), BATCH, BATCH).max() < 1e-6
