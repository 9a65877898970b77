"""Leans, hand-overs and repeats: readers made by hand, and the real model."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from helpers.interpret import handover, leaning, repeats
from helpers.interpret.intervals import bootstrap
from helpers.models import pretrained
from helpers.models.reading import Reader
from helpers.tasks import minimal_pairs, pronoun_items

TEXT = "[CLS] the dog bit the cat because it was angry . [SEP]"


class Made:
    """A reader whose vector of "it" is that of the first noun if "angry" is said."""

    def __init__(self) -> None:
        self.tokenizer = SimpleNamespace(encode_batch=self.encode)
        self.texts: list[list[str]] = []

    def encode(self, sentences: list[str]) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(tokens=["[CLS]", *s.split(), "[SEP]"]) for s in sentences
        ]

    def batch(self, sentences: list[str]) -> tuple[None, None]:
        self.texts = [s.split() for s in sentences]
        return None, None

    def model(self, ids: None, mask: None) -> tuple[torch.Tensor]:
        made = torch.zeros(len(self.texts), 2, 14, 3)
        for row, text in enumerate(self.texts):
            made[row, :, 2, 0] = made[row, :, 5, 1] = 1
            made[row, :, text.index("it") + 1, 0 if "angry" in text else 1] = 1
        return (made,)


def test_roles_are_where_the_words_are() -> None:
    tokens = TEXT.split()
    at = leaning.roles(tokens)
    assert [tokens[at[role]] for role in ("noun 1", "noun 2", "it", "was", "ADJ")] == [
        "dog",
        "cat",
        "it",
        "was",
        "angry",
    ]
    assert tokens[at["[SEP]"]] == "[SEP]" and tokens[at["."]] == "."


def test_a_lean_is_1_at_the_first_noun_and_minus_1_at_the_second() -> None:
    pair = [f"the dog bit the cat because it was {end} ." for end in ("angry", "fat")]
    found = leaning.leans_to_first(Made(), pair, "it")
    assert found.tolist() == [[1.0, 1.0], [-1.0, -1.0]]
    assert leaning.shifts(Made(), [pair]).tolist() == [[2.0, 2.0]]


def test_a_bootstrap_draws_whole_groups() -> None:
    values = torch.tensor([1.0, 1.0, 3.0, 3.0, 3.0, 3.0])
    groups = torch.tensor([0, 0, 1, 1, 1, 1])
    middle, low, high = bootstrap(values, groups)
    assert (middle, low, high) == (2.0, 1.0, 3.0)
    assert bootstrap(2 * values, groups, over=values) == (2.0, 2.0, 2.0)
    many = torch.randn(400, generator=torch.Generator().manual_seed(0))
    _, low, high = bootstrap(many)
    assert 0.08 < (high - low) / 2 < 0.12


@pytest.fixture(scope="module")
def reader() -> Reader:
    if why := pretrained.missing():
        pytest.skip(why)
    return pretrained.load()


def test_nouns_and_adjectives_are_one_token(reader: Reader) -> None:
    for item in pronoun_items.items():
        for word in (*item.nouns, *item.adjectives, item.same):
            assert len(reader.tokenizer.encode(word).ids) == 3, word


def test_layer_2_hands_the_adjective_over(reader: Reader) -> None:
    pairs = [item.pair() for item in pronoun_items.items()[:2]]
    grid = handover.mean_grid(reader, pairs, "it", until=4)
    assert grid.shape == (5, 9) and grid[2, 6] > 0.7 and grid[3, 4] > 0.7
    each = handover.turned_by_heads(reader, pairs, until=4)
    assert each.shape == (2, 48) and each.mean(dim=0).argmax() == 25
    trio = [1, 3, 8]
    none = handover.turned_by(reader, pairs, 2, trio, 4)
    values = handover.turned_by(reader, pairs, 2, trio, 4, values=True)
    both = handover.turned_by(reader, pairs, 2, trio, 4, values=True, patterns=True)
    assert none == pytest.approx(0, abs=1e-5) and values > 0.4 and both > 0.4
    moved, whole = handover.look_moved(reader, pairs, 2, range(12), reads=1)
    assert whole > 0 and moved > 0


def test_pronouns_that_agree_lean_at_the_word_after(reader: Reader) -> None:
    pairs = minimal_pairs.agreement_pairs()[:4]
    leans = leaning.leans_after_pronoun(reader, pairs)
    assert leans.shape == (4, 2, 7) and (leans[:, 0, 4] > leans[:, 1, 4]).sum() >= 3


def test_a_twin_is_seen_only_where_there_is_one(reader: Reader) -> None:
    twice = repeats.weight_at_twin(reader, 0, 3, seed=2)
    once = repeats.weight_at_twin(reader, 0, 3, seed=2, repeated=False)
    assert twice.shape == (3, 72)
    assert twice.mean(dim=0).max() > 0.4 > 0.2 > once.mean(dim=0)[33]
