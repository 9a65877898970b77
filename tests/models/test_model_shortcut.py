"""The two models that are told where to look."""

from __future__ import annotations

import torch

from helpers.interpret.explanations import recording
from helpers.models.coref import CorefNet, coref_looks
from helpers.models.shortcut import told_loss, train_told
from helpers.tasks.coref import coref_batch, pad_sentences, read_sentence
from helpers.training import build

TEXT = "the {} did not cross the street because it was too tired ."


def untrained() -> CorefNet:
    return build(lambda: CorefNet(ahead=False), 1)


def test_block_1_looks_everywhere_and_block_2_reads_plain_words():
    pair = pad_sentences([read_sentence(TEXT.format(w)) for w in ("cat", "lion")])
    model = untrained()
    with torch.no_grad(), recording(model.far) as calls:
        first, _ = model(pair).attn_weights
    assert (first > 0).all()
    query, key, value, *_ = calls[0].args
    assert (key[0] != key[1]).any(dim=-1).sum() == 1
    assert torch.equal(key, value)
    assert (query[0] != query[1]).any(dim=-1).sum() == 13


def test_the_loss_falls_with_the_weight_on_the_noun():
    model, batch = untrained(), coref_batch(torch.Generator().manual_seed(2), 64)
    before = coref_looks(model, batch).gather(1, batch.referent[:, None]).mean()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    for _ in range(20):
        optimizer.zero_grad()
        told_loss(model, batch).backward()
        optimizer.step()
    after = coref_looks(model, batch).gather(1, batch.referent[:, None]).mean()
    assert after > 1.5 * before


def test_training_repeats_and_the_two_differ():
    first, again, other = (
        train_told(3, shortcut, steps=10).to_pronoun.weight
        for shortcut in (True, True, False)
    )
    assert torch.equal(first, again) and not torch.equal(first, other)
