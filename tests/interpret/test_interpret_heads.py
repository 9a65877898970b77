"""Looking at heads and choosing among them, on readings made by hand."""

from __future__ import annotations

import pytest
import torch

from helpers.interpret import choosing, heads
from helpers.models.reading import Reading
from helpers.tasks.minimal_pairs import Pair
from helpers.tasks.sentences import Link

SENTENCE = "cats see a dog ."
WORDS = SENTENCE.split()
TOKENS = ["[CLS]", "cat", "##s", "see", "a", "dog", ".", "[SEP]"]
PIECES = [[1, 2], [3], [4], [5], [6]]


def reading(maps: torch.Tensor) -> Reading:
    empty = torch.zeros(0)
    return Reading(TOKENS, WORDS, PIECES, empty, maps, empty)


@pytest.fixture
def maps() -> torch.Tensor:
    g = torch.Generator().manual_seed(11)
    return torch.randn(2, 3, 8, 8, generator=g).softmax(dim=-1)


def link(source: int, target: int, number: int = 0) -> Link:
    return Link(SENTENCE, number, source, target)


def pair(number: int) -> Pair:
    return Pair((SENTENCE, SENTENCE), (0, 3), 4, number)


def test_names_count_layers_and_heads_from_0() -> None:
    assert [heads.name(h) for h in (0, 15, 71)] == ["0.0", "1.3", "5.11"]
    assert heads.name(7, num_heads=3) == "2.1"


def test_a_word_is_asked_at_its_last_token_and_found_at_all(maps) -> None:
    weights = heads.word_weights(reading(maps), 0)
    row = maps[:, :, 2].flatten(0, 1)
    assert torch.allclose(weights[:, 0], row[:, 1] + row[:, 2])
    assert torch.allclose(weights[:, 3], row[:, 5])
    assert torch.allclose(weights.sum(dim=1), 1 - row[:, 0] - row[:, 7])


def test_the_most_looked_at_is_another_word(maps) -> None:
    maps[0, 0, 2] = torch.tensor([0.3, 0.2, 0.3, 0.0, 0.0, 0.1, 0.0, 0.1])
    found = heads.most_looked_at(lambda s: reading(maps), {"any": [link(0, 3)]})["any"]
    assert found.shape == (1, 6) and found[0, 0] == 3 and (found != 0).all()
    assert (found == heads.targets([link(0, 3)]))[0, 0]


def test_shares_at_a_distance_and_on_cls(maps) -> None:
    before = torch.diag(torch.ones(7), -1)
    maps[1, 2] = before
    shares = heads.share_at([reading(maps), reading(maps)], -1)
    assert shares.shape == (2, 6) and torch.allclose(shares[:, 5], torch.ones(2))
    assert torch.allclose(
        heads.share_at([reading(maps)], 1)[0, 0],
        torch.stack([maps[0, 0, i, i + 1] for i in range(2, 6)]).mean(),
    )
    on_cls = heads.share_on_cls([reading(maps)])
    assert torch.allclose(on_cls[0, 1], maps[0, 1, 1:7, 0].mean())
    assert on_cls[1, 2] == pytest.approx(1 / 6)


def test_leaning_and_both_right(maps) -> None:
    found = heads.leans(lambda s: reading(maps), [pair(0)])
    row = maps[1, 1, 6]
    assert found.shape == (1, 2, 6)
    assert found[0, 0, 4] == pytest.approx(float(((row[1] + row[2]) / row[5]).log()))
    leans = torch.tensor([[[1.0, 1.0, -1.0], [-1.0, 1.0, 1.0]]])
    assert heads.both_right(leans).tolist() == [[True, False, False]]


def test_the_head_is_chosen_and_scored_on_different_cases() -> None:
    hits = torch.tensor([[1, 0], [1, 1], [0, 1], [0, 1], [1, 1]]).bool()
    scored = torch.tensor([False, False, True, True, True])
    score = choosing.choose_and_score(hits, scored)
    assert score == choosing.Score(head=0, chosen_share=1.0, right=1, of=3)
    assert score.share == pytest.approx(1 / 3)
    assert score.interval[0] < 1 / 3 < score.interval[1]


def test_the_best_offset_is_chosen_on_the_other_half() -> None:
    pairs = [link(0, 1), link(1, 2), link(0, 3), link(2, 1), link(3, 4), link(0, 2)]
    scored = torch.tensor([False, False, False, True, True, True])
    score = choosing.best_offset(pairs, scored)
    assert (score.head, score.right, score.of) == (1, 1, 3)
    assert score.chosen_share == pytest.approx(2 / 3)


def test_cases_of_one_sentence_stay_together() -> None:
    cases = [link(0, 1, 4), link(1, 2, 4), link(0, 1, 7), pair(6), pair(3)]
    assert choosing.held_out(cases).tolist() == [False, False, True, False, True]


def test_shuffled_targets_are_other_words_all_alike() -> None:
    pairs = [link(2, 0)] * 4000
    drawn = choosing.shuffled_targets(pairs, seed=3).flatten()
    counts = torch.bincount(drawn, minlength=5)
    assert counts[2] == 0 and (counts[[0, 1, 3, 4]] > 900).all() and len(counts) == 5
    assert torch.equal(drawn, choosing.shuffled_targets(pairs, seed=3).flatten())


def test_luck_shows_where_it_was_chosen_only() -> None:
    g = torch.Generator().manual_seed(1)
    winners = torch.randint(5, (60, 72), generator=g)
    pairs = [link(2, 0, number) for number in range(60)]
    scores = choosing.shuffled_scores(winners, pairs, 40, seed=5)
    chosen = sum(score.chosen_share for score in scores) / 40
    unseen = sum(score.share for score in scores) / 40
    assert chosen > unseen + 0.1 and abs(unseen - 0.2) < 0.05


def test_the_rivals_of_a_head_that_is_always_right() -> None:
    g = torch.Generator().manual_seed(4)
    pairs = [link(2, number % 2, number) for number in range(60)]
    winners, control = torch.randint(5, (2, 60, 72), generator=g)
    winners[:, 7] = heads.targets(pairs)[:, 0]
    found = choosing.rivals_of(winners, control, pairs, 40, seed=5)
    assert found["best fixed offset"] == 0  # the halves differ in their offset
    assert found["random parameters"] < 0.4 and 0.2 < found["shuffled"] < 0.7
