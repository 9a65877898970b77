"""Patches and head outputs: on a small network without training."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from helpers.interpret import head_outputs as ho
from helpers.interpret import patching
from helpers.models import pretrained
from helpers.models.minilm import MiniLM

CONFIG = {
    "hidden_size": 24,
    "layer_norm_eps": 1e-12,
    "vocab_size": 30,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "num_attention_heads": 3,
    "intermediate_size": 32,
    "num_hidden_layers": 3,
}
T, HEADS, LAYERS = 7, 3, 3


@pytest.fixture
def model() -> MiniLM:
    torch.manual_seed(5)
    return MiniLM(CONFIG).eval()


@pytest.fixture
def runs(model: MiniLM) -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.arange(T).repeat(2, 1)
    ids[1, 5] = 20
    with torch.no_grad():
        hidden, _, _ = model(ids, torch.ones_like(ids).bool())
    return hidden[0], hidden[1]


def test_a_run_goes_on_where_the_model_was(model, runs) -> None:
    clean, _ = runs
    hidden, maps = patching.run_from(model, clean[1], 1)
    assert torch.allclose(hidden, clean[1:], atol=1e-5)
    assert maps.shape == (LAYERS - 1, HEADS, T, T)
    stacked, _ = patching.run_from(model, torch.stack([clean[1]] * 2), 1, until=2)
    assert stacked.shape == (2, 2, T, 24)
    assert torch.allclose(stacked[-1, 1], clean[2], atol=1e-5)
    nothing, _ = patching.run_from(model, clean[3], LAYERS)
    assert torch.equal(nothing, clean[3:])


def test_the_share_is_0_1_and_does_not_count_steps_to_the_side() -> None:
    clean, other = torch.tensor([1.0, 0.0]), torch.tensor([3.0, 0.0])
    tried = torch.tensor([[1.0, 0.0], [3.0, 0.0], [2.0, 9.0]])
    assert patching.share_turned(tried, clean, other).tolist() == [0.0, 1.0, 0.5]


def test_a_grid_holds_what_patching_by_hand_gives(model, runs) -> None:
    clean, other = runs
    grid = patching.patch_grid(model, clean, other, [2, 5], readout=3)
    assert grid.shape == (LAYERS + 1, 2)
    assert torch.allclose(grid[0], torch.tensor([0.0, 1.0]), atol=1e-5)
    assert (
        grid[-1].abs().max() < 1e-5
    )  # what is replaced elsewhere at the end is not read
    x = clean[1].clone()
    x[2] = other[1, 2]
    last = patching.run_from(model, x, 1)[0][-1]
    by_hand = patching.share_turned(last[3], clean[-1, 3], other[-1, 3])
    assert torch.allclose(grid[1, 0], by_hand, atol=1e-5)
    whole = patching.patch_grid(model, clean, other, range(T), readout=None)
    assert whole[0, 5] == pytest.approx(1, abs=1e-4)
    assert whole[-1].sum() == pytest.approx(1, abs=1e-4)  # a mean is the sum of parts


def test_heads_are_changed_inside_only_and_their_outputs_are_theirs(
    model, runs
) -> None:
    clean, other = runs
    before, _ = patching.run_from(model, clean[0], 0)
    outputs = ho.outputs_of(model, 0, clean[:1])[0]
    seen = []
    with ho.heads_changed(model, 0, lambda own: seen.append(own) or own):
        patching.run_from(model, clean[0], 0)
    assert torch.allclose(seen[0][0], outputs, atol=1e-6)
    with ho.heads_changed(model, 0, ho.held([0, 1, 2], torch.zeros(HEADS, 8))):
        off, _ = patching.run_from(model, clean[0], 0)
    assert not torch.allclose(off, before)
    after, _ = patching.run_from(model, clean[0], 0)
    assert torch.equal(after, before)


def test_swapping_all_heads_at_a_position_gives_the_other_attention(
    model, runs
) -> None:
    clean, other = runs
    theirs = ho.outputs_of(model, 1, other[1:2])[0]
    kept = []
    change = ho.swapped(range(HEADS), 4, theirs)
    with ho.heads_changed(model, 1, lambda own: kept.append(change(own)) or kept[-1]):
        patching.run_from(model, clean[1], 1)
    ours = ho.outputs_of(model, 1, clean[1:2])[0]
    assert torch.allclose(kept[0][0, :, 4], theirs[:, 4])
    assert torch.allclose(kept[0][0, :, :4], ours[:, :4], atol=1e-6)


def test_one_head_at_a_time_equals_each_on_its_own(model, runs) -> None:
    clean, other = runs
    found = ho.turned_by_each(model, clean, other, row=3, until=2)
    assert found.shape == (2, HEADS)
    theirs = ho.outputs_of(model, 1, other[1:2])[0]
    with ho.heads_changed(model, 1, ho.swapped([2], 3, theirs)):
        last = patching.run_from(model, clean[1], 1, until=2)[0][-1]
    alone = patching.share_turned(last[3], clean[2, 3], other[2, 3])
    assert torch.allclose(found[1, 2], alone, atol=1e-5)


def test_a_held_head_moves_what_the_model_says_of_it_alone(model, runs) -> None:
    clean, _ = runs
    means = torch.randn(LAYERS, HEADS, 8, generator=torch.Generator().manual_seed(1))

    class Reads:
        def __init__(self) -> None:
            self.model = model

        def __call__(self, sentence: str) -> SimpleNamespace:
            return SimpleNamespace(hidden=clean)

    tokens, embeddings = ho.moved_when_held(Reads(), ["any"], means)
    assert tokens.shape == embeddings.shape == (LAYERS, HEADS)
    with ho.heads_changed(model, 1, ho.held([2], means[1])):
        last = patching.run_from(model, clean[1], 1)[0][-1]
    by_hand = 1 - torch.cosine_similarity(last, clean[-1], dim=-1).mean()
    assert torch.allclose(tokens[1, 2], by_hand, atol=1e-5)
    average = ho.mean_outputs(Reads(), ["any"])
    words = ho.outputs_of(model, 2, clean[2:3])[0][:, 1:-1]
    assert torch.allclose(average[2], words.mean(dim=1), atol=1e-5)


def test_the_articles_pair_in_the_real_model() -> None:
    if why := pretrained.missing():
        pytest.skip(why)
    reader = pretrained.load()
    pair = [
        f"The animal did not cross the street because it was too {adjective}."
        for adjective in ("tired", "wide")
    ]
    clean, other = (reader(sentence) for sentence in pair)
    it, adjective, street = 9, 12, 7
    assert clean.tokens[it] == "it" and clean.tokens[adjective] == "tired"
    runs = reader.model, clean.hidden, other.hidden
    grid = patching.patch_grid(*runs, [it, adjective, street], readout=it)
    assert grid[3].tolist() == pytest.approx([0.48, 0.49, 0.01], abs=0.01)
    assert grid[2, 0].item() == pytest.approx(0.04, abs=0.01)
