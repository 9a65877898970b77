"""The layer sees the past only, and its rules differ as they should."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from helpers.models.memory import RULES, MemoryNet, memory_right, train_memory
from helpers.tasks.pairs import pairs_batch
from helpers.training import count_parameters

BATCH = pairs_batch(torch.Generator().manual_seed(5), 3, num_keys=13, length=17)


@pytest.mark.parametrize("rule", RULES)
def test_what_follows_changes_nothing(rule: str) -> None:
    net = MemoryNet(rule, 5, 13)
    values = BATCH.values.clone()
    values[:, 11:] = (values[:, 11:] + 3) % 8
    before, after = net(BATCH), net(dataclasses.replace(BATCH, values=values))
    assert torch.allclose(before[:, :11], after[:, :11], atol=1e-6)
    assert not torch.allclose(before[:, 11:], after[:, 11:], atol=1e-3)


def test_all_rules_have_the_same_parameters() -> None:
    assert len({count_parameters(MemoryNet(rule, 7, 13)) for rule in RULES}) == 1


@pytest.mark.parametrize("rule", RULES)
def test_only_decay_and_delta_know_the_order_of_the_past(rule: str) -> None:
    net = MemoryNet(rule, 5, 13)
    turned = torch.cat([torch.arange(16).flip(0), torch.tensor([16])])
    tokens = ("keys", "values", "asked")
    other = dataclasses.replace(
        BATCH, **{name: getattr(BATCH, name)[:, turned] for name in tokens}
    )
    same = torch.allclose(net(other)[:, 16], net(BATCH)[:, 16], atol=1e-5)
    assert same == (rule in ("plain", "softmax"))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'sum'"):
        MemoryNet("sum", 5)


def test_training_helps_and_repeats() -> None:
    net, again = (train_memory("delta", 11, 3, steps=60, num_keys=7) for _ in "12")
    test = pairs_batch(torch.Generator().manual_seed(2), 200, 7)
    assert memory_right(net, test).mean() > 0.3
    assert all(map(torch.equal, net.parameters(), again.parameters()))
