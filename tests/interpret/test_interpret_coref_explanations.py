"""Explanations of a coreference model's answer."""

from __future__ import annotations

import torch

from helpers.interpret import coref_explanations as explanations
from helpers.models.coref import CorefNet, coref_looks
from helpers.tasks.coref import coref_batch
from helpers.training import build

BATCH = coref_batch(torch.Generator().manual_seed(1), 7)
MODEL = build(lambda: CorefNet(closed=False), 1)


def test_one_number_per_word():
    for numbers in explanations.explain(MODEL, BATCH).values():
        assert numbers.shape == BATCH.tokens.shape
        assert not numbers.requires_grad and (numbers >= 0).all()


def test_map_2_is_the_row_of_it():
    found = explanations.explain(MODEL, BATCH)["map 2"]
    assert torch.equal(found, coref_looks(MODEL, BATCH))


def test_the_model_is_left_as_it_was():
    before = MODEL(BATCH).pronoun
    explanations.explain(MODEL, BATCH)
    assert torch.equal(MODEL(BATCH).pronoun, before)
    assert all(p.grad is None for p in MODEL.parameters())


def test_a_word_that_is_the_mean_word_explains_nothing():
    model = build(lambda: CorefNet(closed=False), 1)
    with torch.no_grad():
        model.embedding.weight[:] = model.embedding.weight.mean(dim=0)
    for name in ("occlusion", "integrated_gradients"):
        assert getattr(explanations, name)(model, BATCH).max() < 1e-5


def test_the_only_word_that_is_not_the_mean_word_explains_all():
    model = build(lambda: CorefNet(closed=False), 1)
    table, word = model.embedding.weight.detach().clone(), BATCH.tokens[0, 1]
    others = (table.sum(dim=0) - table[word]) / (len(table) - 1)
    with torch.no_grad():
        model.embedding.weight[:] = others
        model.embedding.weight[word] = table[word]
    assert (BATCH.tokens[0] == word).sum() == 1
    for name in ("occlusion", "integrated_gradients"):
        assert getattr(explanations, name)(model, BATCH)[0].argmax() == 1
