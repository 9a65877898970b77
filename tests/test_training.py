from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from helpers.training import (
    build,
    count_parameters,
    repeatable,
    running_mean,
    train,
)


def data(generator: torch.Generator) -> Tensor:
    return torch.randn(7, 3, generator=generator)


def loss(model: nn.Module, x: Tensor) -> Tensor:
    return (model(x) - x.sum(dim=1, keepdim=True)).square().mean()


def network(seed: int = 0) -> nn.Module:
    return build(
        lambda: nn.Sequential(nn.Linear(3, 5), nn.Dropout(), nn.Linear(5, 1)), seed
    )


def fit(model: nn.Module, **changed) -> list:
    options = {"batch": data, "loss": loss, "steps": 11, "lr": 1e-2, "seed": 1}
    return train(model, **(options | changed))


def weights(model: nn.Module) -> Tensor:
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def denormals_are_flushed() -> bool:
    return (torch.tensor([1e-30]) * 1e-10).item() == 0


def surroundings(model: nn.Module) -> list:
    return [
        torch.get_rng_state().tolist(),
        random.getstate(),
        repr(np.random.get_state()),
        torch.get_num_threads(),
        denormals_are_flushed(),
        torch.is_grad_enabled(),
        [m.training for m in model.modules()],
    ]


OPTIONS = [
    {},
    {"decay": True},
    {"clip": 0.1},
    {"optimizer": torch.optim.SGD},
    {"weight_decay": 0.1, "optimizer": torch.optim.AdamW},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_call_gives_the_same_weights(options: dict) -> None:
    first, second = network(), network()
    start = weights(first)
    assert torch.equal(start, weights(second))
    losses = fit(first, **options)
    torch.rand(17), random.random()
    torch.manual_seed(23)
    assert fit(second, **options) == losses and len(losses) == 11
    assert torch.equal(weights(first), weights(second))
    assert not torch.equal(weights(first), start)


def test_other_seeds_give_other_weights() -> None:
    assert not torch.equal(weights(network(0)), weights(network(1)))
    first, second = network(), network()
    fit(first, seed=1)
    fit(second, seed=2)
    assert not torch.equal(weights(first), weights(second))


def test_it_learns() -> None:
    model = build(lambda: nn.Linear(3, 1), 0)
    losses = fit(model, steps=200, lr=0.1)
    assert losses[-1] < 1e-3 < losses[0]


@pytest.mark.parametrize("steps", [1, 2, 5, 9, 10, 11, 20])
def test_decay_with_any_number_of_steps(steps: int) -> None:
    assert len(fit(network(), steps=steps, decay=True)) == steps


def test_decay_ends_near_zero() -> None:
    model = build(lambda: nn.Linear(3, 1), 0)
    path = fit(model, steps=50, decay=True, watch=lambda s, m, x: weights(m))
    moves = [(b - a).norm().item() for a, b in zip(path, path[1:], strict=False)]
    assert max(moves) > 100 * moves[-1]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("flush", [False, True])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("ending", [None, RuntimeError, KeyboardInterrupt])
def test_all_is_as_before(
    threads: int, flush: bool, training: bool, ending: type[BaseException] | None
) -> None:
    if not torch.set_flush_denormal(flush):
        pytest.skip("this processor cannot flush denormals")
    torch.set_num_threads(threads)
    model = network()
    model[1].train(training)
    model[2].eval()
    inside = []

    def ends_badly(model: nn.Module, x: Tensor) -> Tensor:
        inside.append((torch.get_num_threads(), denormals_are_flushed()))
        torch.rand(1), random.random()
        if ending is not None and len(inside) == 3:
            raise ending
        return loss(model, x)

    before = surroundings(model)
    try:
        if ending is None:
            fit(model, loss=ends_badly)
        else:
            with pytest.raises(ending):
                fit(model, loss=ends_badly)
        assert surroundings(model) == before
        assert set(inside) == {(1, True)}
    finally:
        torch.set_flush_denormal(False)


def test_build_leaves_the_generators_alone_also_when_it_fails() -> None:
    model = network()
    before = surroundings(model)
    network(3)
    with pytest.raises(ZeroDivisionError):
        build(lambda: 1 / 0, seed=0)
    assert surroundings(model) == before


def test_repeatable_seeds_both_generators() -> None:
    found = []
    for _ in range(2):
        with repeatable(5):
            found.append((torch.rand(3).tolist(), random.random()))
    assert found[0] == found[1]


def test_watch_sees_gradients_and_gives_the_results() -> None:
    seen = fit(
        network(), watch=lambda s, m, x: (s, m[0].weight.grad.norm() > 0, len(x))
    )
    assert seen == [(step, True, 7) for step in range(11)]


def test_groups_with_rates_of_their_own() -> None:
    model = network()
    first, last = model[0].weight.detach().clone(), model[2].weight.detach().clone()
    groups = [
        {"params": model[0].parameters(), "lr": 0.0},
        {"params": model[2].parameters()},
    ]
    fit(model, parameters=iter(groups))
    assert torch.equal(model[0].weight, first)
    assert not torch.equal(model[2].weight, last)


def test_clip_bounds_the_gradient() -> None:
    def norm(step: int, model: nn.Module, x: Tensor) -> float:
        return torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item()

    assert max(fit(network(), watch=norm)) > 0.01
    assert max(fit(network(), watch=norm, clip=0.01)) <= 0.01 * 1.001


def test_until_ends_the_training_after_the_step() -> None:
    shorter, longer = network(), network()
    seen = fit(shorter, watch=lambda s, m, x: s, until=lambda seen: seen[-1] == 4)
    assert seen == [0, 1, 2, 3, 4]
    fit(longer, steps=5)
    assert torch.equal(weights(shorter), weights(longer))


def test_a_running_mean_starts_at_the_first_value() -> None:
    assert running_mean([2.0, 4.0, 6.0, 0.0], window=3) == [
        2,
        3,
        4,
        pytest.approx(10 / 3),
    ]
    assert running_mean([], window=3) == []


def test_count_parameters() -> None:
    model = nn.Linear(3, 5)
    assert count_parameters(model) == 20
    model.bias.requires_grad_(False)
    assert count_parameters(model) == 15
