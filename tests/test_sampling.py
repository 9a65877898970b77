"""From logits to probabilities, and what is measured of texts."""

from __future__ import annotations

import pytest
import torch

from helpers.sampling import chances, share_distinct, share_known, write_on

P = torch.tensor([0.1, 0.4, 0.05, 0.3, 0.15], dtype=torch.float64)


def test_the_knobs() -> None:
    logits = P.log()
    assert torch.allclose(chances(logits), P)
    assert torch.allclose(chances(logits, temperature=0.5), P**2 / (P**2).sum())
    assert chances(logits, temperature=0).tolist() == [0, 1, 0, 0, 0]
    kept = torch.tensor([0, 0.4, 0, 0.3, 0], dtype=torch.float64) / 0.7
    assert torch.allclose(chances(logits, top_k=2), kept)
    assert torch.allclose(chances(logits, top_p=0.6), kept)
    assert chances(logits, top_p=0.3).tolist() == [0, 1, 0, 0, 0]
    assert torch.allclose(chances(logits, top_p=1.0), P)
    assert torch.allclose(chances(logits, top_k=99), P)


def test_top_p_comes_after_top_k_and_rows_are_apart() -> None:
    logits = torch.stack([P, P.flip(0)]).log()
    both = chances(logits, top_k=3, top_p=0.6)
    # of the three that are kept, 0.4 / 0.85 is below 0.6 and 0.7 / 0.85 is not
    assert torch.allclose(both[0, [1, 3]], torch.tensor([4 / 7, 3 / 7]).double())
    assert torch.equal(both[1], both[0].flip(0))


@pytest.mark.parametrize("how", [{"temperature": -1}, {"top_k": 0}, {"top_p": 0}])
def test_what_means_nothing_is_refused(how: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="temperature must be"):
        chances(P.log(), **how)


def test_writing_shows_the_last_tokens_only_and_repeats_itself() -> None:
    seen = []

    def model(tokens: torch.Tensor) -> torch.Tensor:
        seen.append(tokens.shape[1])
        return torch.zeros(*tokens.shape, 7)

    prompts = torch.zeros(2, 3, dtype=torch.long)
    first = write_on(model, prompts, 5, context=4, seed=3)
    assert first.shape == (2, 5) and seen == [3, 4, 4, 4, 4]
    assert torch.equal(first, write_on(model, prompts, 5, context=4, seed=3))


def test_shares() -> None:
    texts = ["x the cat and the cat y", "z cow zzz the cat and q"]
    assert share_known(texts, {"the", "cat", "and", "cow"}) == 9 / 10
    assert share_known(["one two"], {"one"}) == 0
    assert share_distinct(["a b c a b c", "b c a"]) == 3 / 5
    assert share_distinct(["a b"]) == 0
