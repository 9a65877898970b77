"""The model that finds what *it* means: shapes, masks, and the two interventions."""

from __future__ import annotations

from dataclasses import replace

import torch

from helpers.models.coref import (
    CorefNet,
    coref_answers,
    coref_attention,
    coref_looks,
    coref_loss,
    pronoun_loss,
    train_coref,
)
from helpers.tasks.coref import ID, coref_batch, pad_sentences, read_sentence
from helpers.training import build, count_parameters

TIRED = read_sentence("the animal did not cross the street because it was too tired .")
WIDE = read_sentence("the animal did not cross the street because it was too wide .")


def setup():
    return build(CorefNet, 1), coref_batch(torch.Generator().manual_seed(1), 9)


def test_shapes_and_size():
    model, batch = setup()
    out = model(batch)
    T = batch.tokens.shape[1]
    assert out.pronoun.shape == (9, 3)
    assert out.noun.shape == (9, len(ID))
    assert [w.shape for w in out.attn_weights] == [(9, 1, T, T)] * 2
    assert 12_000 < count_parameters(model) < 14_000


def test_block_1_sees_itself_and_three_words_ahead_and_no_padding():
    model, batch = setup()
    first, second = model(batch).attn_weights
    T = batch.tokens.shape[1]
    query, key = torch.arange(T)[:, None], torch.arange(T)
    outside = (key < query) | (key > query + 3)
    assert not first[:, 0][:, outside].any()
    padding = ~batch.mask.expand_as(second)
    assert not second[padding].any()
    assert torch.allclose(second.sum(-1), torch.ones(9, 1, T))


def test_without_block_1_the_scores_of_it_could_not_know_the_adjective():
    """Keys and values are words, so only the query of *it* can carry the adjective."""
    model, _ = setup()
    with torch.no_grad():
        model.near.W_o.weight.zero_()
    rows = [coref_attention(model, s)[2] for s in (TIRED, WIDE)]
    ratios = [row[TIRED.referent] / row[WIDE.referent] for row in rows]
    assert torch.allclose(ratios[0], ratios[1])


def test_forced_onto_a_word_all_weight_is_there():
    model, batch = setup()
    weights = model(batch, look_at=batch.other).attn_weights[1]
    rows = torch.arange(9)
    assert (weights[rows, 0, batch.it, batch.other] == 1).all()
    assert coref_answers(model, batch, look_at=batch.other).shape == (9,)


def test_switched_off_it_reads_no_other_word_in_block_2():
    model, batch = setup()
    assert not model(batch, switched_off=True).attn_weights[1].any()


def test_padding_changes_nothing():
    model, _ = setup()
    long = read_sentence(
        "in the morning the big street near the car was not crossed by the small zebra "
        "because it was too tired ."
    )
    together = model(pad_sentences([TIRED, long])).pronoun[0]
    alone = model(pad_sentences([TIRED])).pronoun[0]
    assert torch.allclose(together, alone, atol=1e-5)


def test_it_learns():
    model = train_coref(seed=3, steps=60)
    batch = coref_batch(torch.Generator().manual_seed(4), 200)
    assert coref_loss(model, batch) < coref_loss(build(CorefNet, 3), batch) - 1
    assert coref_looks(model, batch).shape == batch.tokens.shape


def test_without_the_label_no_term_sees_the_noun():
    model, batch = setup()
    blind = replace(batch, noun=torch.zeros_like(batch.noun))
    assert torch.equal(pronoun_loss(model, batch), pronoun_loss(model, blind))
    assert not torch.allclose(coref_loss(model, batch), coref_loss(model, blind))


def test_it_learns_from_the_pronoun_alone():
    model = train_coref(seed=3, steps=60, label=False)
    batch = coref_batch(torch.Generator().manual_seed(4), 200)
    before = pronoun_loss(build(CorefNet, 3), batch)
    assert pronoun_loss(model, batch) < before - 0.05
    labelled = train_coref(seed=3, steps=60)
    assert coref_loss(labelled, batch) < coref_loss(model, batch) - 1
