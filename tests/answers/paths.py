"""Answers to path_lengths(n, kernel)."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Bank

bank = Bank("path_lengths")
wrong, right = bank.wrong, bank.right


def table(n, kernel, **other):
    """The right numbers, with some entries replaced."""
    layers = math.ceil((n - 1) / (kernel - 1))
    return {"self": (1, 1), "rnn": (n, n), "conv": (1, layers)} | other


@wrong("self-steps-n")
def attention_writes_token_by_token(n, kernel):
    return table(n, kernel, self=(n, 1))


@wrong("self-path-n")
def attention_passes_along(n, kernel):
    return table(n, kernel, self=(1, n))


@wrong("self-path-n")
def attention_from_neighbour_to_neighbour(n, kernel):
    return table(n, kernel, self=(1, n - 1))


@wrong("self-steps-two")
def two_products_in_a_row(n, kernel):
    return table(n, kernel, self=(2, 1))


@wrong("self-path-two")
def key_and_value_are_two_hops(n, kernel):
    return table(n, kernel, self=(1, 2))


@wrong("self-path-zero")
def no_hop_at_all(n, kernel):
    return table(n, kernel, self=(1, 0))


@wrong("self-path-other")
def a_root_of_n(n, kernel):
    return table(n, kernel, self=(1, math.sqrt(n)))


@wrong("self-as-an-rnn")
def attention_taken_for_an_rnn(n, kernel):
    return table(n, kernel, self=(n, n))


@wrong("rnn-steps-one")
def rnn_in_one_step(n, kernel):
    return table(n, kernel, rnn=(1, n))


@wrong("rnn-path-one")
def rnn_sees_the_start_directly(n, kernel):
    return table(n, kernel, rnn=(n, 1))


@wrong("rnn-steps-minus-one", "rnn-path-minus-one")
def steps_between_states(n, kernel):
    return table(n, kernel, rnn=(n - 1, n - 1))


@wrong("rnn-path-minus-one")
def path_between_states(n, kernel):
    return table(n, kernel, rnn=(n, n - 1))


@wrong("rnn-steps-squared")
def rnn_squared(n, kernel):
    return table(n, kernel, rnn=(n**2, n))


@wrong("conv-path-dilated")
def dilated(n, kernel):
    return table(n, kernel, conv=(1, math.ceil(math.log(n, kernel))))


@wrong("conv-path-dilated")
def dilated_not_rounded(n, kernel):
    return table(n, kernel, conv=(1, math.log(n) / math.log(kernel)))


@wrong("conv-path-by-kernel")
def by_the_whole_kernel(n, kernel):
    return table(n, kernel, conv=(1, math.ceil(n / kernel)))


@wrong("conv-path-by-kernel")
def by_the_whole_kernel_rounded_down(n, kernel):
    return table(n, kernel, conv=(1, n // kernel))


@wrong("conv-path-rounded-down")
def rounded_down(n, kernel):
    return table(n, kernel, conv=(1, (n - 1) // (kernel - 1)))


@wrong("conv-path-not-rounded")
def not_rounded(n, kernel):
    return table(n, kernel, conv=(1, (n - 1) / (kernel - 1)))


@wrong("conv-path-rounded-to-nearest")
def rounded_to_the_nearest(n, kernel):
    return table(n, kernel, conv=(1, round((n - 1) / (kernel - 1))))


@wrong("conv-path-n-not-n-minus-one")
def all_tokens_bridged(n, kernel):
    return table(n, kernel, conv=(1, math.ceil(n / (kernel - 1))))


@wrong("conv-path-plus-one")
def one_layer_more(n, kernel):
    return table(n, kernel, conv=(1, math.ceil((n - 1) / (kernel - 1)) + 1))


@wrong("conv-path-half-window")
def window_to_both_sides(n, kernel):
    return table(n, kernel, conv=(1, math.ceil(2 * (n - 1) / (kernel - 1))))


@wrong("conv-path-one")
def convolution_sees_everything(n, kernel):
    return table(n, kernel, conv=(1, 1))


@wrong("conv-path-n")
def convolution_one_token_a_layer(n, kernel):
    return table(n, kernel, conv=(1, n))


@wrong("conv-path-positions")
def places_of_the_kernel(n, kernel):
    return table(n, kernel, conv=(1, n - kernel + 1))


@wrong("conv-path-other")
def layers_squared(n, kernel):
    return table(n, kernel, conv=(1, math.ceil((n - 1) / (kernel - 1)) ** 2))


@wrong("conv-steps-layers")
def layers_as_steps(n, kernel):
    layers = math.ceil((n - 1) / (kernel - 1))
    return table(n, kernel, conv=(layers, layers))


@wrong("conv-as-an-rnn")
def convolution_taken_for_an_rnn(n, kernel):
    return table(n, kernel, conv=(n, n))


@wrong("rnn-as-attention")
def rnn_taken_for_attention(n, kernel):
    return table(n, kernel, rnn=(1, 1))


@wrong("conv-steps-n")
def kernel_slides_in_time(n, kernel):
    return table(n, kernel, conv=(n, math.ceil((n - 1) / (kernel - 1))))


@wrong("path-before-steps")
def path_first(n, kernel):
    return {name: pair[::-1] for name, pair in table(n, kernel).items()}


@wrong("paths-under-other-names")
def names_exchanged(n, kernel):
    found = table(n, kernel)
    return found | {"self": found["rnn"], "rnn": found["self"]}


@wrong("paths-no-dict")
def three_pairs(n, kernel):
    return tuple(table(n, kernel).values())


@wrong("paths-key-missing")
def other_keys(n, kernel):
    found = table(n, kernel)
    return {"attention": found["self"], "rnn": found["rnn"], "conv": found["conv"]}


@wrong("paths-no-pair")
def orders_of_growth(n, kernel):
    return {"self": ("O(1)", "O(1)"), "rnn": ("O(n)", "O(n)"), "conv": ("O(1)", "?")}


@wrong("conv-path-n-minus-one")
def no_brackets(n, kernel):
    return table(n, kernel, conv=(1, n - 1 // kernel - 1))


@wrong("conv-path-brackets")
def a_bracket_missing(n, kernel):
    return table(n, kernel, conv=(1, math.ceil((n - 1) / kernel - 1)))


@wrong("conv-path-rounded-to-nearest")
def at_least_one(n, kernel):
    return table(n, kernel, conv=(1, max(1, round((n - 1) / (kernel - 1)))))


@wrong("conv-path-n-not-n-minus-one")
def one_for_the_rest(n, kernel):
    return table(n, kernel, conv=(1, (n - 1) // (kernel - 1) + 1))


@wrong("self-steps-n", "conv-path-dilated")
def two_mistakes(n, kernel):
    return table(n, kernel, self=(n, 1), conv=(1, math.ceil(math.log(n, kernel))))


@right
def by_the_formula(n, kernel):
    conv = (1, math.ceil((n - 1) / (kernel - 1)))
    return {"self": (1, 1), "rnn": (n, n), "conv": conv}


@right
def in_whole_numbers(n, kernel):
    layers = -(-(n - 1) // (kernel - 1))
    return {"conv": [1, layers], "rnn": [n, n], "self": [1, 1]}


@right
def by_stacking_layers(n, kernel):
    seen, layers = 1, 0
    while seen < n:
        seen, layers = seen + kernel - 1, layers + 1
    return {"self": (1, 1), "rnn": (n, n), "conv": (1, layers), "note": "causal"}


@right
def in_arrays(n, kernel):
    layers = np.ceil((n - 1) / (kernel - 1))
    ones = torch.ones(2, dtype=torch.long)
    return {"self": ones, "rnn": n * ones, "conv": np.array([1, layers])}


@wrong("paths-no-pair")
def numbers_as_text(n, kernel):
    layers = math.ceil((n - 1) / (kernel - 1))
    return {"self": ("1", "1"), "rnn": (str(n), str(n)), "conv": ("1", str(layers))}
