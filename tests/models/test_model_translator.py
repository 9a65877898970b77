"""The translator: what may depend on what, without any training."""

from __future__ import annotations

import pytest
import torch

from helpers.masks import padding_mask
from helpers.models.translator import (
    Translator,
    looks_at,
    sentences_right,
    translation_loss,
    words_right,
)
from helpers.tasks.translation import END, FRENCH, MAX_LEN, PAD, as_batch
from helpers.training import build

SENTENCES = ["the cat finds the hat", "the big red cat follows the small grey hen soon"]


def model(encoder_layer=False):
    return build(lambda: Translator(encoder_layer=encoder_layer), 3).eval()


@pytest.mark.parametrize("encoder_layer", [False, True])
def test_shapes_and_rows(encoder_layer):
    batch = as_batch(SENTENCES)
    logits, attn_weights = model(encoder_layer)(batch)
    assert logits.shape == (2, 11, len(FRENCH))
    assert attn_weights.shape == (2, 1, 11, 11)
    assert torch.allclose(attn_weights.sum(dim=-1), torch.ones(2, 1, 11))
    assert not attn_weights[0, ..., 6:].any()
    assert translation_loss(model(encoder_layer), batch).isfinite()


@pytest.mark.parametrize("encoder_layer", [False, True])
def test_a_sentence_does_not_depend_on_its_company(encoder_layer):
    alone, together = as_batch(SENTENCES[:1]), as_batch(SENTENCES)
    net = model(encoder_layer)
    a, b = net(alone)[0][0], net(together)[0][0]
    assert torch.allclose(a, b[: len(a)], atol=1e-5)


def test_later_french_words_change_nothing_before():
    net, batch = model(), as_batch(SENTENCES[1:])
    mask = padding_mask(batch.lengths, batch.source.shape[1])
    encoder_out = net.encode(batch.source, mask)
    french = batch.decoder_input.clone()
    before = net.decode(french, encoder_out, mask)[0]
    french[:, 4:] = 5
    assert torch.equal(before[:, :4], net.decode(french, encoder_out, mask)[0][:, :4])


def test_without_an_encoder_layer_a_row_knows_one_word():
    pair = ["the red cat finds the hat", "the grey cat finds the hat"]
    one, other = as_batch(pair).source
    for encoder_layer in (False, True):
        net = model(encoder_layer)
        a, b = net.encode(one[None], None)[0], net.encode(other[None], None)[0]
        moved = (a != b).any(dim=-1).tolist()
        assert moved[1] and any(moved[:1] + moved[2:]) == encoder_layer


def test_translations_end_once():
    batch = as_batch(SENTENCES)
    net = model()
    french = net.translate(batch.source, padding_mask(batch.lengths, 11))
    assert french.shape == (2, MAX_LEN)
    for row in french.tolist():
        if END in row:
            assert set(row[row.index(END) + 1 :]) <= {PAD}


class Oracle(Translator):
    """Says the right words and looks at the right places."""

    def __init__(self, batch):
        super().__init__()
        self.batch = batch

    def forward(self, batch):
        places = batch.aligned.clamp_min(0)
        weights = torch.nn.functional.one_hot(places, batch.source.shape[1])
        return torch.zeros(1), weights[:, None].float()

    def translate(self, source, source_mask):
        rest = MAX_LEN - self.batch.target.shape[1]
        return torch.nn.functional.pad(self.batch.target, (0, rest))


def test_the_measures_on_an_oracle():
    batch = as_batch(SENTENCES[:1] * 3 + ["the dog finds the king"])
    oracle = Oracle(batch)
    assert sentences_right(oracle, batch) == 1.0
    assert looks_at(oracle, batch, batch.aligned) == 1.0
    assert looks_at(oracle, batch, batch.noun) == 0.0
    wrong = as_batch(SENTENCES[:1] * 3 + ["the hen finds the king"])
    assert sentences_right(oracle, wrong) == 0.75


@pytest.mark.parametrize("queries", [1, 11])
def test_a_hidden_row_gets_no_weight(queries):
    batch = as_batch(SENTENCES)
    hidden = torch.zeros(2, queries, 11, dtype=torch.bool)
    hidden[0, :, 3], hidden[1, :, 7] = True, True
    net = model(encoder_layer=True)
    attn_weights = net(batch, hidden)[1]
    assert not attn_weights[0, ..., 3].any() and not attn_weights[1, ..., 7].any()
    assert attn_weights[0, ..., 7:].eq(0).all() and attn_weights[1, ..., 3].all()
    nothing = net(batch, torch.zeros(1, 1, 1, dtype=torch.bool))
    assert torch.equal(nothing[0], net(batch)[0])


def test_words_are_right_where_they_count():
    net, batch = model(), as_batch(SENTENCES)
    said = net(batch)[0].argmax(dim=-1)
    batch.target[:, -1] = said[:, -1]
    counts = torch.zeros_like(batch.target, dtype=torch.bool)
    counts[:, -1] = True
    assert words_right(net, batch, counts) == 1.0
    batch.target[0, -1] += 1
    assert words_right(net, batch, counts) == 0.5
