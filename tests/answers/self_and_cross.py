"""Answers to the prediction of lesson 05: attention_shapes."""

from __future__ import annotations

import numpy as np
import torch

from . import Bank

shapes = Bank("attention_shapes")

Q, WEIGHTS, HEADS, OUT = (2, 3, 5, 11), (2, 3, 5, 7), (2, 3, 5, 13), (2, 5, 33)


def four(q=Q, weights=WEIGHTS, heads=HEADS, output=OUT):
    return {"Q": q, "attn_weights": weights, "heads": heads, "output": output}


@shapes.wrong("shape-lengths-exchanged")
def lengths_exchanged_everywhere():
    return four((2, 3, 7, 11), (2, 3, 7, 5), (2, 3, 7, 13), (2, 7, 33))


@shapes.wrong("shape-lengths-exchanged")
def weights_transposed():
    return four(weights=(2, 3, 7, 5))


@shapes.wrong("shape-lengths-exchanged")
def output_as_long_as_the_keys():
    return four(output=(2, 7, 33))


@shapes.wrong("shape-without-heads")
def no_heads():
    return four((2, 5, 33), (2, 5, 7), (2, 5, 39))


@shapes.wrong("shape-without-heads")
def one_map_for_all_heads():
    return four(weights=(2, 5, 7))


@shapes.wrong("shape-features-not-shared-out")
def every_head_has_d_model():
    return four(q=(2, 3, 5, 33))


@shapes.wrong("shape-heads-behind-tokens")
def heads_not_moved():
    return four(q=(2, 5, 3, 11))


@shapes.wrong("shape-heads-behind-tokens")
def heads_last():
    return four(weights=(2, 5, 7, 3))


@shapes.wrong("shape-features-before-tokens")
def q_transposed():
    return four(q=(2, 3, 11, 5))


@shapes.wrong("shape-d-v-for-d-k")
def q_as_wide_as_v():
    return four(q=(2, 3, 5, 13))


@shapes.wrong("shape-d-k-for-d-v")
def heads_as_wide_as_q():
    return four(heads=(2, 3, 5, 11))


@shapes.wrong("shape-of-the-weights")
def heads_like_weights():
    return four(heads=(2, 3, 5, 7))


@shapes.wrong("shape-square")
def square_of_queries():
    return four(weights=(2, 3, 5, 5))


@shapes.wrong("shape-square")
def square_of_keys():
    return four(weights=(2, 3, 7, 7))


@shapes.wrong("shape-weights-with-features")
def weights_like_q():
    return four(weights=(2, 3, 5, 11))


@shapes.wrong("shape-merged-too-soon")
def heads_side_by_side():
    return four(heads=(2, 5, 39))


@shapes.wrong("shape-before-W-o")
def output_not_projected():
    return four(output=(2, 5, 39))


@shapes.wrong("shape-not-merged")
def output_in_heads():
    return four(output=(2, 3, 5, 13))


@shapes.wrong("shape-without-batch")
def one_sentence():
    return four(Q[1:], WEIGHTS[1:], HEADS[1:], OUT[1:])


@shapes.wrong("shape-batch-times-heads")
def folded():
    return four((6, 5, 11), (6, 5, 7), (6, 5, 13))


@shapes.wrong("shape-other")
def no_idea():
    return four(q=(4, 4))


@shapes.wrong("shapes-missing")
def another_name():
    return {"q": Q, "attn_weights": WEIGHTS, "heads": HEADS, "output": OUT}


@shapes.wrong("shapes-no-dict")
def three_only():
    return (Q, WEIGHTS, HEADS)


@shapes.wrong("shapes-missing")
def left_out():
    return four(q=...)


@shapes.right
def by_name():
    return four()


@shapes.wrong("shapes-no-dict")
def in_order():
    return [Q, WEIGHTS, HEADS, OUT]


@shapes.right
def as_sizes():
    return {name: torch.zeros(shape).shape for name, shape in four().items()}


@shapes.right
def as_tensors():
    return {name: torch.tensor(shape) for name, shape in four().items()}


@shapes.right
def as_numbers_of_numpy():
    shapes = four().items()
    return {name: tuple(np.int64(n) for n in shape) for name, shape in shapes}


@shapes.wrong("shape-no-tuple")
def as_text():
    return four(q=str(Q))
