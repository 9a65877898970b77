"""n-gram models against sums done by hand, and as distributions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch

from helpers.ngram import NGram
from helpers.tasks.alice import encode, read_alice

KINDS = ("witten-bell", "kneser-ney")


def test_witten_bell_by_hand() -> None:
    text = [0, 1, 0, 2, 0, 1, 1]
    model = NGram(torch.tensor(text), 2, vocabulary=4, kind="witten-bell")
    single, after_0 = Counter(text), Counter({1: 2, 2: 1})
    for c in range(4):
        one = (single[c] + 3 * (1 / 4)) / (len(text) + 3)
        two = (after_0[c] + 2 * one) / (3 + 2)
        assert np.isclose(model.next(torch.tensor([1, 0]))[c], two)


def test_kneser_ney_of_two_by_hand() -> None:
    text = [0, 1, 0, 2, 0, 1, 1, 0, 1, 2, 2, 2, 1]
    model = NGram(torch.tensor(text), 2, vocabulary=3)
    pairs = Counter(zip(text, text[1:]))
    before = Counter(b for _, b in pairs)  # in how many contexts a character was seen

    def discounts(counts: list[int]) -> list[float]:
        n = [max(1, sum(c == i for c in counts)) for i in range(5)]
        y = n[1] / (n[1] + 2 * n[2])
        found = [i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3)]
        return [0.0, *[min(max(d, 0.01), i + 1) for i, d in enumerate(found)]]

    def share(counts: Counter[int], c: int, lower: float) -> float:
        d = discounts(
            list(before.values()) if counts is before else list(pairs.values())
        )
        freed = sum(d[min(n, 3)] for n in counts.values())
        total = sum(counts.values())
        return (counts[c] - d[min(counts[c], 3)] + freed * lower) / total

    for a in range(3):
        after = Counter({b: n for (x, b), n in pairs.items() if x == a})
        for c in range(3):
            due = share(after, c, share(before, c, 1 / 3))
            assert np.isclose(model.next(torch.tensor([a]))[c], due)


@pytest.mark.parametrize("kind", KINDS)
def test_chances_are_a_distribution_and_those_of_next(kind: str) -> None:
    train, _, test = map(encode, read_alice())
    model = NGram(train[:20_000], 4, 40, kind)
    chances = model.chances(test[:50])
    for place in (0, 1, 2, 7, 30):
        p = model.next(test[:place])
        assert np.isclose(p.sum(), 1) and (p > 0).all()
        assert np.isclose(p[test[place]], chances[place])


def test_bits_on_alice_are_the_known_ones() -> None:
    train, _, test = map(encode, read_alice())
    for kind, due in (("witten-bell", 2.656), ("kneser-ney", 2.650)):
        assert round(NGram(train, 3, 40, kind).bits(test), 3) == due


@pytest.mark.parametrize(("order", "kind"), [(0, "kneser-ney"), (2, "add-one")])
def test_what_does_not_exist_is_refused(order: int, kind: str) -> None:
    with pytest.raises(ValueError, match="no such model"):
        NGram(torch.tensor([0, 1]), order, 2, kind)
