"""The ordinary model: lesson 01's without its two closings."""

from __future__ import annotations

import torch

from helpers.interpret.explanations import recording
from helpers.models.coref import CorefNet, coref_loss, train_coref
from helpers.tasks.coref import coref_batch, pad_sentences, read_sentence
from helpers.training import build, count_parameters

TEXT = "the {} did not cross the street because it was too tired ."


def ordinary() -> CorefNet:
    return build(lambda: CorefNet(closed=False), 1)


def test_the_same_parameters_as_lesson_01():
    closed, open_ = build(CorefNet, 1), ordinary()
    assert count_parameters(closed) == count_parameters(open_)
    ours, theirs = closed.state_dict(), open_.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_block_1_looks_everywhere_but_at_padding():
    batch = coref_batch(torch.Generator().manual_seed(1), 9)
    first, second = ordinary()(batch).attn_weights
    for weights in (first, second):
        allowed = batch.mask.expand_as(weights)
        assert (weights[allowed] > 0).all() and not weights[~allowed].any()


def test_block_2_reads_what_block_1_wrote_only_if_ordinary():
    pair = pad_sentences([read_sentence(TEXT.format(w)) for w in ("cat", "lion")])
    for model, changed in ((build(CorefNet, 1), 1), (ordinary(), 13)):
        with torch.no_grad(), recording(model.far) as calls:
            model(pair)
        first, second = calls[0].args[1]
        assert (first != second).any(dim=-1).sum() == changed


def test_it_learns():
    model = train_coref(seed=3, steps=40, lr=8e-3, closed=False)
    batch = coref_batch(torch.Generator().manual_seed(4), 200)
    assert coref_loss(model, batch) < coref_loss(ordinary(), batch) - 1
