"""The marked sentences of lesson 15: what is marked is what the words say."""

from __future__ import annotations

import re

from helpers.tasks.minimal_pairs import (
    PRONOUNS,
    adjective_pairs,
    agreement_pairs,
    reversed_pairs,
)
from helpers.tasks.sentences import DETERMINERS, links, sentences, words


def found(relation: str) -> set[tuple[str, str]]:
    pairs = set()
    for link in links()[relation]:
        text = words(link.sentence)
        pairs.add((text[link.source], text[link.target]))
    return pairs


def test_the_counts_that_the_lesson_names() -> None:
    counts = {relation: len(pairs) for relation, pairs in links().items()}
    assert list(counts.values()) == [40, 100, 112, 40, 9]
    assert len(sentences()) == 40
    families = (agreement_pairs(), adjective_pairs(), reversed_pairs())
    assert [len(pairs) for pairs in families] == [28, 64, 20]


def test_links_lead_where_the_words_say() -> None:
    assert ("hungry", "horses") in found("adjective → noun")
    assert ("farmer", "fed") in found("subject → verb")
    assert ("hat", "burned") in found("bystander → verb")
    assert all(a == b for a, b in found("same word"))
    assert {a for a, _ in found("determiner → noun")} <= DETERMINERS
    for pairs in links().values():
        for link in pairs:
            assert link.source != link.target
            assert max(link.source, link.target) < len(words(link.sentence))


def test_sentences_are_plain() -> None:
    texts = sentences() + [link.sentence for link in links()["same word"]]
    texts += [s for p in adjective_pairs() + agreement_pairs() for s in p.sentences]
    for text in texts:
        assert re.fullmatch(r"[A-Z][A-Za-z',\- ]*\.", text), text


def test_links_of_a_sentence_share_its_number() -> None:
    numbers: dict[str, int] = {}
    for relation, pairs in links().items():
        if relation != "same word":
            for link in pairs:
                assert numbers.setdefault(link.sentence, link.number) == link.number
    assert sorted(numbers.values()) == list(range(40))


def test_a_pair_differs_in_one_word() -> None:
    for pairs in (agreement_pairs(), adjective_pairs(), reversed_pairs()):
        for pair in pairs:
            first, second = map(words, pair.sentences)
            differ = [i for i, (a, b) in enumerate(zip(first, second)) if a != b]
            assert len(first) == len(second) and len(differ) == 1, pair
            assert first[pair.pronoun] in PRONOUNS
            assert pair.nouns[0] < pair.nouns[1] < pair.pronoun
            assert differ[0] >= pair.pronoun
            assert (differ[0] == pair.pronoun) == (first[differ[0]] in PRONOUNS)


def test_the_first_pair_is_the_articles() -> None:
    pair = adjective_pairs()[0]
    text = words(pair.sentences[0])
    assert text[pair.nouns[0]] == "animal" and text[pair.nouns[1]] == "street"
    assert text[pair.pronoun] == "it" and "tired" in text
    assert "wide" in words(pair.sentences[1])


def test_pairs_from_one_frame_share_a_number() -> None:
    pairs = adjective_pairs()
    by_number: dict[int, set[str]] = {}
    for pair in pairs[32:]:
        text = words(pair.sentences[0])
        frame = [w for i, w in enumerate(text) if i not in pair.nouns]
        by_number.setdefault(pair.number, set()).add(" ".join(frame))
    assert all(len(frames) == 1 for frames in by_number.values())
    assert len(by_number) == 6 and len({p.number for p in pairs}) == 38
