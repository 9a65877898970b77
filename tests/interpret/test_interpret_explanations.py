"""Explanations: each by hand on what is small enough, and the judge on known models."""

from __future__ import annotations

import torch
from torch import nn

from helpers.attention import MultiHeadAttention
from helpers.interpret import explanations as ex

B, H, T, D = 3, 2, 5, 6


def setup():
    torch.manual_seed(3)
    mha = MultiHeadAttention(D, H).double()
    x = torch.randn(B, T, D, dtype=torch.float64)
    output, weights = mha(x, x, x)
    return mha, x, output, weights, torch.tensor([4, 0, 2])


def test_recording_keeps_arguments_and_output_and_leaves_no_hook():
    mha, x, output, _, _ = setup()
    with ex.recording(mha.W_v) as calls:
        again, _ = mha(x, x, x)
        mha(x, x, x)
    assert torch.equal(again, output) and len(calls) == 2
    assert calls[0].args[0] is x
    assert torch.equal(calls[0].output, mha.W_v(x))
    mha(x, x, x)
    assert len(calls) == 2 and not mha.W_v._forward_hooks


def test_recording_leaves_no_hook_after_an_error():
    layer = nn.Linear(2, 2)
    try:
        with ex.recording(layer):
            layer(torch.ones(1, 3))
    except RuntimeError:
        pass
    assert not layer._forward_hooks


def test_attention_is_the_row_of_the_query():
    _, _, _, weights, query = setup()
    rows = ex.attention(weights, query)
    for b in range(B):
        assert torch.allclose(rows[b], weights[b, :, query[b]].mean(0))


def test_what_is_carried_sums_to_the_output():
    mha, x, output, weights, _ = setup()
    summed = torch.einsum("bhqk,bhkd->bqd", weights, ex.carried(mha, x))
    assert torch.allclose(summed + mha.W_o.bias, output)


def test_attention_times_value_is_the_length_of_each_share():
    mha, x, output, weights, query = setup()
    values = ex.carried(mha, x)
    found = ex.attention_times_value(weights, values, query)
    b, key = 1, 3
    share = sum(weights[b, h, query[b], key] * values[b, h, key] for h in range(H))
    assert torch.allclose(found[b, key], share.norm())


def test_a_value_of_zero_adds_nothing_whatever_its_weight():
    mha, x, _, _, query = setup()
    values = ex.carried(mha, x)
    values[:, :, 0] = 0
    weights = torch.zeros(B, H, T, T, dtype=torch.float64)
    weights[..., 0] = 1
    assert ex.attention(weights, query)[:, 0].min() == 1
    assert ex.attention_times_value(weights, values, query).max() == 0


def test_gradient_times_input_of_a_linear_answer_is_its_share():
    x = torch.randn(B, T, D, requires_grad=True)
    weight = torch.randn(T, D)
    answer = (x * weight).sum(dim=(1, 2))
    found = ex.gradient_times_input(answer, x)
    assert torch.allclose(found, (x * weight).sum(-1).abs())
    assert x.grad is None and not found.requires_grad


def test_rollout_by_hand_and_its_rows_sum_to_1():
    _, _, _, weights, _ = setup()
    other = torch.softmax(torch.randn(B, H, T, T, dtype=torch.float64), -1)
    found = ex.rollout([weights.detach(), other])
    eye = torch.eye(T, dtype=torch.float64)
    first, second = (0.5 * w.mean(1) + 0.5 * eye for w in (weights, other))
    assert torch.allclose(found, second @ first)
    assert torch.allclose(found.sum(-1), torch.ones(B, T, dtype=torch.float64))


def test_rollout_of_one_layer_keeps_half_at_home():
    eye = torch.eye(T)
    shift = eye.roll(1, 0)[None, None]
    assert torch.allclose(ex.rollout([shift])[0], 0.5 * eye + 0.5 * shift[0, 0])


# The judge


def first_word(tokens: torch.Tensor, sentence: torch.Tensor) -> torch.Tensor:
    """A model whose answer is the first word, surely."""
    return torch.nn.functional.one_hot(tokens[:, 0], 10).double()


def test_the_judge_finds_the_word_that_decides():
    tokens = torch.tensor([[1, 2, 3], [4, 2, 0]])
    substitutes = {1: [4, 5], 2: [6], 3: [7, 8], 4: [1]}
    effect = ex.replacing(first_word, tokens, substitutes)
    assert effect.tolist() == [[1, 0, 0], [1, 0, 0]]
    assert tokens.tolist() == [[1, 2, 3], [4, 2, 0]]


def test_the_judge_takes_the_mean_over_substitutes():
    def even(tokens, sentence):
        odd = (tokens[:, 1] % 2).double()
        return torch.stack([odd, 1 - odd], dim=1)

    effect = ex.replacing(even, torch.tensor([[1, 2]]), {2: [4, 6, 8, 3]})
    assert effect.tolist() == [[0, 0.25]]


def test_the_judge_is_told_the_sentence():
    seen = []

    def answer(tokens, sentence):
        seen.append(sentence.tolist())
        return torch.ones(len(tokens), 1)

    ex.replacing(answer, torch.tensor([[1, 2], [2, 3]]), {2: [5, 6]})
    assert seen == [[0, 1], [0, 0, 1, 1]] or seen == [[0, 0, 1, 1], [0, 1]]


def test_a_judge_without_substitutes_says_nothing():
    assert ex.replacing(first_word, torch.tensor([[1, 2]]), {}).tolist() == [[0, 0]]
