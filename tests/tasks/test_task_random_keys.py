"""The pairs are what they say they are."""

from __future__ import annotations

import torch

from helpers.tasks.random_keys import random_pairs, recalled, rewritten


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def test_keys_have_length_1_and_values_are_codes() -> None:
    keys, values, codes = random_pairs(generator(), 7, 11, batch=5)
    assert keys.shape == (5, 7, 11)
    assert torch.allclose(keys.norm(dim=-1), torch.ones(5, 7).double())
    assert torch.equal(values.argmax(-1), codes) and (values.sum(-1) == 1).all()
    assert recalled(values, codes).mean() == 1


def test_a_rank_limits_the_directions() -> None:
    keys = random_pairs(generator(), 13, 11, batch=2, rank=5).keys
    assert (torch.linalg.matrix_rank(keys) == 5).all()


def test_every_key_is_written_so_often_and_the_last_value_is_known() -> None:
    writes, keys, last = rewritten(generator(), 5, 3, 7, batch=4)
    assert writes.keys.shape == (4, 15, 7)
    for b in range(4):
        for p in range(5):
            at = (writes.keys[b] == keys[b, p]).all(-1).nonzero().flatten()
            assert len(at) == 3
            assert len(set(writes.codes[b, at].tolist())) == 3
            assert writes.codes[b, at[-1]] == last[b, p]
