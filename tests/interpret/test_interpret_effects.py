"""What replacing one word at a time changes in the coreference model's answer."""

from __future__ import annotations

import torch

from helpers.interpret.effects import coref_effects
from helpers.models.coref import CorefNet
from helpers.tasks.coref import ID, pad_sentences, read_sentence
from helpers.training import build

TEXT = "the {} did not cross the street because it was too tired ."


def test_effects_lie_on_words_that_can_be_replaced():
    model = build(CorefNet, 1)
    sentence = read_sentence(TEXT.format("big cat"))
    effect = coref_effects(model, pad_sentences([sentence]))[0]
    moved = {w for w, e in zip(sentence.words, effect.tolist(), strict=True) if e > 0}
    assert moved == {"big", "cat", "cross", "street", "tired"}
    assert effect.max() <= 1


def test_effects_are_the_mean_over_the_substitutes():
    model, sentence = build(CorefNet, 1), read_sentence(TEXT.format("cat"))
    found = coref_effects(model, pad_sentences([sentence]))[0]

    def answer(words):
        batch = pad_sentences([sentence])
        batch.tokens[0] = torch.tensor([ID[w] for w in words])
        with torch.no_grad():
            return model(batch).pronoun.softmax(-1)[0]

    kinds = "cross enter leave like reach visit".split()
    before, moved = answer(sentence.words), []
    for verb in kinds[1:]:
        words = [verb if w == "cross" else w for w in sentence.words]
        moved.append((answer(words) - before).abs().sum() / 2)
    place = sentence.words.index("cross")
    assert torch.allclose(found[place], torch.stack(moved).mean(), atol=1e-6)
