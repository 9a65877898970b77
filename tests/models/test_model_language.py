"""The language model, its bits, its knock-outs and the record of its controls."""

from __future__ import annotations

import inspect
import math

import pytest
import torch

from helpers.models import language_controls as controls
from helpers.models.knocked_out import PARTS, without
from helpers.models.language import (
    LanguageModel,
    bits,
    log2_chances,
    train_language,
)
from helpers.models.untrained import apart, pytorch_layers, size, stream, unit_layers
from helpers.tasks.alice import encode, read_alice
from helpers.training import count_parameters
from tools.controls import text

TEXT = encode(read_alice().tune[:500])


def test_size_by_formula() -> None:
    d, V, T, L = 48, 40, 32, 2
    block = 4 * (d * d + d) + 2 * 4 * d * d + 5 * d + 4 * d
    assert count_parameters(LanguageModel()) == (V + T) * d + L * block + 2 * d + V


def test_the_future_is_hidden_unless_the_mask_is_left_out() -> None:
    for causal in (True, False):
        model = LanguageModel(causal=causal).eval()
        tokens = TEXT[None, :20].clone()
        before = model(tokens)[0, :10]
        tokens[0, 15] = (tokens[0, 15] + 1) % 40
        assert torch.allclose(before, model(tokens)[0, :10], atol=1e-6) == causal


def test_every_character_but_the_first_is_predicted_once() -> None:
    class Places(torch.nn.Module):
        """Certain of a character whose number is that of the place."""

        context = 8

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.one_hot((tokens + 1) % 40, 40) * 1e4

    text = torch.arange(39)
    found = log2_chances(Places(), text, 8)
    assert found.shape == (38,) and found.abs().max() < 1e-6
    text[20] = 0  # is not foreseen, and neither is what follows it
    missed = (log2_chances(Places(), text, 8) < -1).nonzero().flatten()
    assert missed.tolist() == [19, 20]
    assert math.isinf(bits(Places(), text)) or bits(Places(), text) > 100


def test_training_repeats_itself_and_learns() -> None:
    one, other = (train_language(TEXT, 3, steps=30) for _ in "12")
    assert torch.equal(one.embedding.weight, other.embedding.weight)
    assert bits(one, TEXT) < math.log2(40) - 0.5


def test_parts_are_knocked_out_of_a_copy() -> None:
    model = LanguageModel().eval()
    due = model(TEXT[None, :20])
    outputs = [without(model, part)(TEXT[None, :20]) for part in PARTS]
    assert torch.equal(model(TEXT[None, :20]), due)
    for i, out in enumerate(outputs):
        assert not torch.allclose(out, due)
        assert not any(torch.allclose(out, other) for other in outputs[:i])
    with pytest.raises(ValueError, match="part must be one of"):
        without(model, "heads")


def test_an_attention_that_is_out_adds_nothing() -> None:
    model = LanguageModel().eval()
    for block in model.blocks:
        torch.nn.init.zeros_(block.attention.W_o.weight)
        torch.nn.init.zeros_(block.attention.W_o.bias)
    due = model(TEXT[None, :20])
    assert torch.allclose(without(model, "attention 1")(TEXT[None, :20]), due)


def test_every_arm_is_on_record_with_every_seed() -> None:
    found = controls.recorded()
    assert list(found) == list(controls.arms())
    for runs in found.values():
        assert len(runs) == len(controls.SEEDS)
        for run in runs:
            assert len(run) == len(controls.MEASURES)
            assert all(1 < value < math.log2(40) for value in run)


def test_every_option_is_one_of_the_training_or_the_model() -> None:
    known = set(inspect.signature(train_language).parameters)
    known |= set(inspect.signature(LanguageModel).parameters)
    assert all(set(options) <= known for options in controls.arms().values())


def test_the_rate_is_chosen_on_another_chapter_than_the_test() -> None:
    runs = controls.recorded()
    tune = controls.MEASURES.index("tune")
    chosen = controls.at_best_rate("no residual", 600)
    means = [
        sum(run[tune] for run in runs[f"no residual, 600 steps, rate {rate}"])
        for rate in controls.RATES
    ]
    assert chosen[:, tune].sum() == pytest.approx(min(means))


def test_a_mixture_is_one_of_chances() -> None:
    import numpy as np

    one, other = np.log2([0.5, 0.1]), np.log2([0.1, 0.4])
    assert np.allclose(2 ** controls.mixed(one, other, 0.25), [0.2, 0.325])
    assert controls.best_share(one, one - 1) == 1.0


def test_untrained_layers() -> None:
    x = torch.randn(1, 16, 64, generator=torch.Generator().manual_seed(1)).double()
    everything = torch.ones(16, 16, dtype=torch.bool)
    layers = unit_layers(3, 5, norm="none", residual=False, hidden=0)
    rows = stream(layers, x, everything)
    assert len(rows) == 4 and rows[0] is x and apart(rows[3]) < 1e-5
    weight = layers[0].attention.W_q.weight
    assert weight.dtype == torch.float64 and abs(weight.std() * 8 - 1) < 0.05
    assert size(2 * torch.ones(3, 5)) == 2
    same = (pytorch_layers(2, 5)[1].mlp.up.weight for _ in "12")
    assert torch.equal(*same)


def test_the_record_is_what_the_tool_writes() -> None:
    found = {"language": controls.recorded()}
    assert controls.RECORD.read_text(encoding="utf-8") == text(found)
