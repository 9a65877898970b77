from __future__ import annotations

import pytest
import torch

from helpers.models.recall import RecallNet, recall_accuracy, recall_loss
from helpers.tasks.recall import NUM_PAIRS, NUM_VALUES, recall_batch
from helpers.training import build, train

BATCH = recall_batch(torch.Generator().manual_seed(5), 251)


def make(d_k: int = 16, divide: bool = True, start_std: float = 1.0, seed: int = 0):
    return build(lambda: RecallNet(d_k, divide, start_std), seed)


def test_shapes() -> None:
    model = make()
    assert model(BATCH).shape == (251, NUM_VALUES)
    assert model.scores(BATCH).shape == (251, 1, NUM_PAIRS + 1)


@pytest.mark.parametrize("divide", [True, False])
@pytest.mark.parametrize("d_k", [16, 256])
@pytest.mark.parametrize("start_std", [1.0, 16.0])
def test_scores_start_with_the_std_that_was_asked_for(
    d_k: int, divide: bool, start_std: float
) -> None:
    models = [make(d_k, divide, start_std, seed) for seed in range(7)]
    stds = [model.scores(BATCH).std().item() for model in models]
    assert sum(stds) / 7 == pytest.approx(start_std, rel=0.25)


def test_loss_and_accuracy_before_training_are_those_of_chance() -> None:
    model = make()
    assert recall_accuracy(model, BATCH) == pytest.approx(1 / NUM_VALUES, abs=0.05)
    assert 2 < recall_loss(model, BATCH).item() < 4


def test_accuracy_of_a_right_and_a_wrong_model() -> None:
    def knows(batch):
        return torch.eye(NUM_VALUES)[batch.answer]

    assert recall_accuracy(knows, BATCH) == 1.0
    assert recall_accuracy(lambda batch: -knows(batch), BATCH) == 0.0


def test_it_learns_and_looks_where_it_should() -> None:
    model = make(d_k=64)
    train(model, recall_batch, recall_loss, steps=200, lr=3e-3, seed=1)
    assert recall_accuracy(model, BATCH) > 0.5
    looks = model.scores(BATCH)[:, 0].argmax(dim=-1)
    assert (looks == BATCH.where).float().mean() > 0.5


def test_groups_hold_every_parameter_once() -> None:
    model = make()
    scores, rest = model.groups(lr_scores=1e-4)
    assert scores["lr"] == 1e-4 and "lr" not in rest
    assert {id(p) for p in scores["params"]} == {
        id(model.W_q.weight),
        id(model.W_k.weight),
    }
    found = [id(p) for p in [*scores["params"], *rest["params"]]]
    assert sorted(found) == sorted(id(p) for p in model.parameters())
