"""What can be read about the noun at one position."""

from __future__ import annotations

import torch

from helpers.interpret.coref_probe import GENDERS, NOUNS, probed
from helpers.models.coref import CorefNet
from helpers.tasks.coref import draw_sentences
from helpers.training import build

TRAIN = draw_sentences(torch.Generator().manual_seed(1), 300)
TEST = draw_sentences(torch.Generator().manual_seed(2), 100)


def test_sixteen_nouns_have_each_gender():
    assert len(NOUNS) == 48 and GENDERS.bincount().tolist() == [16, 16, 16]


def test_plain_words_say_nothing_about_the_noun():
    reads = probed(build(CorefNet, 1), "because", TRAIN, TEST)
    assert list(reads) == ["noun", "gender", "control"]
    assert reads["noun"] < 0.12 and reads["gender"] < 0.6


def test_mixed_words_say_more_even_untrained():
    plain, mixed = (
        probed(build(lambda c=closed: CorefNet(closed=c), 1), "it", TRAIN, TEST)
        for closed in (True, False)
    )
    assert mixed["noun"] > plain["noun"]
