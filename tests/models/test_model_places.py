"""What each scheme can know, exactly; and the switches that nothing is trained for."""

from __future__ import annotations

import math

import pytest
import torch

from helpers.models.places import (
    LENGTH,
    SCHEMES,
    PlacesNet,
    right_by_query,
    train_places,
)
from helpers.tasks.places import back_batch
from helpers.training import build


def drawn(scheme: str, **options: object) -> PlacesNet:
    model = build(lambda: PlacesNet(scheme, 11, 7, **options), 3)
    if model.by_distance is not None:
        with torch.no_grad():
            model.by_distance.normal_(generator=torch.Generator().manual_seed(5))
    return model


TOKENS = torch.randint(11, (3, 23), generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_only_the_table_notices_a_shift(scheme: str) -> None:
    model, places = drawn(scheme), torch.arange(23)
    moved = (model(TOKENS, places + 37) - model(TOKENS)).abs().max()
    assert (moved > 1e-2) == (scheme == "table")
    assert moved < 1e-4 or scheme == "table"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_future_changes_nothing(scheme: str) -> None:
    model, other = drawn(scheme), TOKENS.clone()
    other[:, 13:] = 0
    before, after = model(TOKENS)[:, :13], model(other)[:, :13]
    assert torch.allclose(before, after, atol=1e-6)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_order_of_what_came_before(scheme: str) -> None:
    model, order = drawn(scheme), [*range(21, -1, -1), 22]
    moved = (model(TOKENS[:, order]) - model(TOKENS))[:, -1].abs().max()
    assert (moved < 1e-5) == (scheme == "none")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_window_is_a_short_text(scheme: str) -> None:
    model = drawn(scheme)
    short = model(TOKENS[:, -5:], torch.arange(18, 23))[:, -1]
    assert torch.allclose(model(TOKENS, window=5)[:, -1], short, atol=1e-5)


def test_the_bias_is_subtracted() -> None:
    model, without = drawn("bias", slopes=(0.5, 0.25)), drawn("none")
    ratio = (model.attn_weights(TOKENS) / without.attn_weights(TOKENS)).log()
    last = ratio[:, :, -1]
    steps = last[..., 1:] - last[..., :-1]
    assert torch.allclose(steps[:, 0], torch.tensor(0.5), atol=1e-3)
    assert torch.allclose(steps[:, 1], torch.tensor(0.25), atol=1e-3)


def test_log_n_sharpens_only_beyond_the_trained_length() -> None:
    model = drawn("none")
    plain, sharp = model(TOKENS), model(TOKENS, log_n=True)
    assert torch.equal(plain[:, :LENGTH], sharp[:, :LENGTH])
    assert not torch.allclose(plain[:, -1], sharp[:, -1])
    with torch.no_grad():
        model.mha.W_q.weight *= math.log(23) / math.log(LENGTH)
        model.mha.W_q.bias *= math.log(23) / math.log(LENGTH)
    assert torch.allclose(model(TOKENS)[:, -1], sharp[:, -1], atol=1e-5)


def test_a_clamp_tells_far_keys_the_same_distance() -> None:
    model = drawn("rotation")
    assert torch.allclose(model(TOKENS, clamp=22), model(TOKENS), atol=1e-5)
    far = TOKENS.clone()
    far[:, :13] = TOKENS[:, range(12, -1, -1)]
    clamped = [model(tokens, clamp=9)[:, -1] for tokens in (TOKENS, far)]
    assert torch.allclose(*clamped, atol=1e-5)


def test_one_scheme_too_many() -> None:
    with pytest.raises(ValueError, match="scheme must be one of table"):
        PlacesNet("sideways", 3, 3)


def test_training_repeats_and_learns() -> None:
    first, again = (train_places("back", "rotation", 5, steps=150) for _ in range(2))
    assert torch.equal(first.read.weight, again.read.weight)
    right = right_by_query(first, back_batch(torch.Generator().manual_seed(7), 16, 101))
    assert right[3:].mean() > 0.5 and right[:3].isnan().all()


def test_random_places_train_every_row() -> None:
    start = build(lambda: PlacesNet("table", 16, 16), 5).table.weight
    trained = train_places("back", "table", 5, steps=40, random_places=True)
    moved = (trained.table.weight != start).any(dim=1)
    assert moved.float().mean() > 0.9
