"""Answers to parameter_count(d_model, num_heads)."""

from __future__ import annotations

import torch
from torch import nn

from . import Bank

bank = Bank("parameter_count")
wrong, right = bank.wrong, bank.right


@wrong("params-heads-multiply")
def three_full_matrices_a_head(d_model, num_heads):
    projections = num_heads * 3 * d_model**2
    return projections + d_model**2 + 4 * d_model


@wrong("params-no-biases")
def weights_only(d_model, num_heads):
    return 4 * d_model * d_model


@wrong("params-w-o-forgotten", "params-bias-missing")
def three_layers(d_model, num_heads):
    return 3 * (d_model * d_model + d_model)


@wrong("params-d-k-squared")
def small_squares(d_model, num_heads):
    d_k = d_model // num_heads
    return 4 * d_k * d_k + 4 * d_model


@wrong("params-one-head", "params-slices")
def a_small_square_for_each_head(d_model, num_heads):
    d_k = d_model // num_heads
    return num_heads * 4 * d_k * d_k + 4 * d_model


@wrong("params-one-head")
def one_head_only(d_model, num_heads):
    d_k = d_model // num_heads
    return 3 * d_model * d_k + d_model * d_model + 4 * d_model


@wrong("params-times-heads")
def everything_for_each_head(d_model, num_heads):
    return num_heads * 4 * (d_model * d_model + d_model)


@wrong("params-halved")
def two_layers(d_model, num_heads):
    return 2 * (d_model * d_model + d_model)


@wrong("params-in-bytes")
def in_bytes(d_model, num_heads):
    return 16 * (d_model * d_model + d_model)


@wrong("params-one-number-a-bias")
def a_bias_is_one_number(d_model, num_heads):
    return 4 * (d_model * d_model + 1)


@wrong("params-other-formula")
def seven_layers(d_model, num_heads):
    return 7 * d_model * d_model + 11 * d_model


@wrong("params-depend-on-heads")
def heads_added(d_model, num_heads):
    return 4 * d_model * d_model + 4 * d_model + num_heads


@wrong("params-w-o-forgotten", "params-no-biases")
def two_mistakes(d_model, num_heads):
    return 3 * d_model * d_model


@right
def in_one_line(d_model, num_heads):
    return 4 * d_model * (d_model + 1)


@right
def head_by_head(d_model, num_heads):
    d_k = d_model // num_heads
    one = 3 * (d_model * d_k + d_k)
    return num_heads * one + d_model * d_model + d_model


@right
def counted_in_a_module(d_model, num_heads):
    layers = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
    return sum(p.numel() for p in layers.parameters())


@wrong("params-a-float")
def as_a_float(d_model, num_heads, bias=True):
    return 4.0 * d_model**2 + 4.0 * d_model * bias


@wrong("text-not-a-number")
def as_text(d_model, num_heads):
    return str(4 * d_model * d_model + 4 * d_model)


@wrong("several-numbers")
def weights_and_biases(d_model, num_heads):
    return 4 * d_model * d_model, 4 * d_model


@right
def in_a_tensor(d_model, num_heads):
    return torch.tensor(4 * d_model * (d_model + 1))


@wrong("params-one-number-per-head")
def one_bias_for_each_head(d_model, num_heads):
    return 4 * d_model**2 + 4 * num_heads


@wrong("params-layer-norm-counted")
def with_a_layer_norm(d_model, num_heads):
    norm = nn.LayerNorm(d_model)
    return 4 * d_model * (d_model + 1) + sum(p.numel() for p in norm.parameters())


@wrong("params-a-float")
def by_way_of_a_true_division(d_model, num_heads):
    d_k = d_model / num_heads
    return 4 * num_heads * d_k * (d_model + 1)
