"""Answers to forget_bias."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Bank

bank = Bank("forget_bias")


def logit(gate):
    return math.log(gate / (1 - gate))


@bank.wrong("bias-one-step-missing")
def one_step_missing(steps, left):
    return logit(left ** (1 / max(steps - 1, 1)))


@bank.wrong("bias-one-step-too-many")
def one_step_too_many(steps, left):
    return logit(left ** (1 / (steps + 1)))


@bank.wrong("bias-for-fixed-steps")
def always_128(steps, left):
    return logit(left ** (1 / 128))


@bank.wrong("bias-lost-for-left")
def what_is_lost(steps, left):
    return logit((1 - left) ** (1 / steps))


@bank.wrong("bias-for-half")
def half_life(steps, left):
    return logit(0.5 ** (1 / steps))


@bank.wrong("bias-for-one-step")
def one_step(steps, left):
    return torch.logit(torch.tensor(left)).item()


@bank.wrong("bias-power-not-root")
def power(steps, left):
    gate = left**steps
    return math.log(gate / (1 - gate))


@bank.wrong("bias-share-divided")
def divided(steps, left):
    return logit(left / steps)


@bank.wrong("bias-equal-losses")
def equal_losses(steps, left):
    return logit(1 - (1 - left) / steps)


@bank.wrong("bias-share-ignored")
def one_over_n(steps, left):
    return math.log(steps)


@bank.wrong("bias-root-of-steps")
def root_of_steps(steps, left):
    return logit(left ** (1 / steps**0.5))


@bank.wrong("bias-is-the-gate")
def the_gate(steps, left):
    return left ** (1 / steps)


@bank.wrong("bias-is-the-gate")
def the_gate_by_logarithms(steps, left):
    return math.exp(math.log(left) / steps)


@bank.wrong("bias-sigmoid-not-inverse")
def sigmoid_again(steps, left):
    return torch.sigmoid(torch.tensor(left ** (1 / steps)))


@bank.wrong("bias-sign-turned")
def sign_turned(steps, left):
    gate = left ** (1 / steps)
    return math.log((1 - gate) / gate)


@bank.wrong("bias-log-for-logit")
def logarithm(steps, left):
    return math.log(left) / steps


@bank.wrong("bias-odds")
def odds(steps, left):
    gate = left ** (1 / steps)
    return gate / (1 - gate)


@bank.wrong("bias-logs-divided")
def quotient_of_logs(steps, left):
    gate = left ** (1 / steps)
    return math.log(gate) / math.log(1 - gate)


@bank.wrong("bias-other-logarithm")
def log10(steps, left):
    gate = left ** (1 / steps)
    return math.log10(gate / (1 - gate))


@bank.wrong("bias-beside-one")
def minus_the_usual_one(steps, left):
    return logit(left ** (1 / steps)) - 1


@bank.wrong("bias-tanh-for-sigmoid")
def tanh_gate(steps, left):
    return np.arctanh(left ** (1 / steps))


@bank.wrong("bias-for-many-steps")
def chrono(steps, left):
    return math.log(steps) - math.log(-math.log(left))


@bank.wrong("bias-shared-over-steps")
def shared(steps, left):
    return logit(left ** (1 / steps)) / steps


@bank.wrong("bias-leaves-another-share", "bias-for-many-steps")
def found_by_eye(steps, left):
    return 0.8 * math.log(steps) + 1.1 * left


@bank.wrong("text-not-a-number")
def text(steps, left):
    return "a bias of about 5"


@bank.wrong("several-numbers")
def gate_and_bias(steps, left):
    gate = left ** (1 / steps)
    return gate, logit(gate)


@bank.right
def by_hand(steps, left):
    gate = left ** (1 / steps)
    return math.log(gate / (1 - gate))


@bank.right
def by_pytorch(steps, left):
    return torch.logit(torch.tensor(left) ** (1 / steps))


@bank.right
def in_logarithms(steps, left):
    log_gate = math.log(left) / steps
    return log_gate - math.log(-math.expm1(log_gate))


@bank.right
def minus_log_of_odds(steps, left):
    return -np.log(left ** (-1 / steps) - 1)


@bank.right
def by_bisection(steps, left):
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        if (1 / (1 + math.exp(-middle))) ** steps < left:
            low = middle
        else:
            high = middle
    return low
