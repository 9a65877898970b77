"""The circuit made by hand is right, and fails where the lesson says."""

from __future__ import annotations

import math

import pytest
import torch

from helpers.models.induction_by_hand import (
    BEFORE,
    CLOCK,
    HOURS,
    KINDS,
    LETTER,
    START,
    clock,
    first_layer,
    hour_back,
    induce,
    second_layer,
    spell,
    with_start,
    write,
)
from helpers.tasks.induction import LETTERS, induction_batch


def batch(length: int, size: int = 200):
    return induction_batch(torch.Generator().manual_seed(7), size, length)


@pytest.mark.parametrize("length", [3, 7, 20, 23])
def test_with_a_start_mark_it_is_right_on_every_sequence(length):
    b = batch(length)
    shares, _, _ = induce(with_start(b.tokens), hour_back())
    assert torch.equal(shares.argmax(-1), b.answer)
    assert shares.gather(1, b.answer[:, None]).min() > 0.95


def test_without_it_only_a_twin_at_the_beginning_fails():
    b = batch(13)
    shares, _, _ = induce(b.tokens, hour_back())
    fails = shares.gather(1, b.answer[:, None])[:, 0] < 0.9
    assert torch.equal(fails, b.where == 1) and fails.any()


def test_the_clock_breaks_after_a_turn():
    assert torch.allclose(clock(31)[24:], clock(7))
    long = spell("bcdefghijklmnop" * 2 + "abcda")
    shares, first, _ = induce(long, hour_back())
    assert first[31, 30] == pytest.approx(0.5, abs=0.01)
    assert first[31, 30 - HOURS] == pytest.approx(0.5, abs=0.01)
    assert shares[LETTERS.index("b")] < 0.9


def test_hour_back_turns_a_hand_back_and_makes_it_long():
    hands = clock(17)
    assert torch.allclose(hands[1:] @ hour_back(), 200 * hands[:-1])
    assert hour_back().norm().item() == pytest.approx(200 * math.sqrt(2))


def test_rows_sum_to_one_and_nobody_looks_ahead():
    X = write(batch(11, 5).tokens)
    for layer, width in ((first_layer(hour_back()), 36), (second_layer(), KINDS)):
        output, weights = layer(X)
        assert output.shape == (5, 11, width)
        assert torch.allclose(weights.sum(-1), torch.ones(5, 11).double())
        assert weights.triu(1).abs().max() == 0


def test_several_sequences_are_the_single_ones():
    tokens = batch(11, 5).tokens
    together = induce(tokens, hour_back())
    for i, one in enumerate(tokens):
        for a, b in zip(together, induce(one, hour_back()), strict=True):
            assert torch.allclose(a[i], b)


def test_layer_one_writes_the_letter_before_into_the_room():
    tokens = spell("nakdgfca")
    X = write(tokens)
    assert X[:, BEFORE].abs().max() == 0
    assert torch.equal(X[:, LETTER].argmax(-1), tokens)
    taken_in, _ = first_layer(hour_back())(X)
    assert taken_in[:, : CLOCK.stop].abs().max() == 0
    room = taken_in[:, BEFORE]
    assert torch.equal(room.argmax(-1)[1:], tokens[:-1])
    assert room.max(-1).values.min() > 0.99


def test_spelling():
    assert spell("pa").tolist() == spell(["p", "a"]).tolist() == [15, 0]
    assert with_start(spell("pa")).tolist() == [START, 15, 0]
    for bad in ("", "xyz", ["ab"]):
        with pytest.raises(ValueError, match="letters a to p"):
            spell(bad)
