"""The items of the last section: their form, and the three parts of a push."""

from __future__ import annotations

import torch

from helpers.tasks import pronoun_items, reversible_events


def test_items_have_one_form_and_differ_in_the_adjective_only() -> None:
    items = pronoun_items.items()
    assert len(items) == 64 and sum(item.alike for item in items) == 24
    for item in items:
        tired, wide = (sentence.split() for sentence in item.pair())
        assert tired[:-1] == wide[:-1] and tired[-1] != wide[-1]
        assert "because it was" in " ".join(tired) and "  " not in item.pair()[0]
        assert item.nouns[0] == item.sentence("x").split()[1]
        assert item.nouns[1] == item.sentence("x", passive=True).split()[1]
        assert len({*item.adjectives, item.same}) == 3
    first = items[0].pair()[0]
    assert first == "The animal did not cross the street because it was too tired."


def test_strangers_keep_the_frame_and_borrow_within_their_kind() -> None:
    items, borrowed = pronoun_items.items(), pronoun_items.strangers(1)
    assert len(borrowed) == len(items)
    assert borrowed[0][0].endswith("was too drifting.") and "animal" in borrowed[0][0]
    last = [item.adjectives for item in items if item.alike][-1]
    assert all(word in pair[0] for word, pair in zip(last[:1], borrowed[62:63]))


def test_eight_sentences_turn_order_voice_and_adjective() -> None:
    pairs = reversible_events.pairs()
    assert len(pairs) == 64 and {pair.event for pair in pairs} == set(range(16))
    said = pairs[0].sentences()
    assert len(set(said)) == 8
    assert said[0] == "The army did not defeat the enemy because it was too weak."
    assert said[2].startswith("The army was not defeated by the enemy")
    assert said[4].startswith("The enemy did not defeat the army")


def test_the_repeated_noun_is_the_one_that_is_meant() -> None:
    said = reversible_events.pairs()[0].sentences(repeated=True)
    acts = ["army", "enemy", "enemy", "army"]  # by order and voice
    for number, noun in enumerate(acts):
        assert f"because the {noun} was too weak" in said[2 * number]
        other = {"army": "enemy", "enemy": "army"}[noun]
        assert f"because the {other} was too strong" in said[2 * number + 1]


def lean(order: int, voice: int, adjective: int, follows: str) -> float:
    """Towards the first noun, of a reader that follows one thing only."""
    meant = {"fit": order, "place": 0, "event": voice}[follows]
    return 1.0 if (meant + adjective) % 2 == 0 else -1.0


def test_a_reader_that_follows_one_thing_has_that_part_only() -> None:
    for number, follows in enumerate(("fit", "place", "event")):
        leans = torch.tensor(
            [
                lean(order, voice, adjective, follows)
                for order in (0, 1)
                for voice in (0, 1)
                for adjective in (0, 1)
            ]
        )
        wanted = [0.0, 0.0, 0.0]
        wanted[number] = 2.0
        assert reversible_events.three_parts(leans).tolist() == [wanted]
