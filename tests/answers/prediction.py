"""Answers to predict_seconds(n_1, t_1, n_2, t_2, n)."""

from __future__ import annotations

import math

import numpy as np
import torch

from . import Bank

bank = Bank("predict_seconds")
wrong, right = bank.wrong, bank.right


@wrong("time-exponent-fitted")
def a_line_on_logarithmic_axes(n_1, t_1, n_2, t_2, n):
    slope, shift = np.polyfit(np.log([n_1, n_2]), np.log([t_1, t_2]), 1)
    return math.exp(shift + slope * math.log(n))


@wrong("time-one-measurement")
def quadratic_from_the_larger(n_1, t_1, n_2, t_2, n):
    return t_2 * (n / n_2) ** 2


@wrong("time-one-measurement")
def quadratic_from_the_first(n_1, t_1, n_2, t_2, n):
    return t_1 / n_1**2 * n**2


@wrong("time-one-measurement")
def mean_of_two_quadratics(n_1, t_1, n_2, t_2, n):
    return n * n * (t_1 / n_1**2 + t_2 / n_2**2) / 2


@wrong("time-only-linear")
def the_rule_of_three(n_1, t_1, n_2, t_2, n):
    return n / n_2 * t_2


@wrong("time-straight-line")
def a_straight_line(n_1, t_1, n_2, t_2, n):
    return float(np.polyval(np.polyfit([n_1, n_2], [t_1, t_2], 1), n))


@wrong("time-constant-for-linear")
def overhead_and_square(n_1, t_1, n_2, t_2, n):
    b = (t_2 - t_1) / (n_2**2 - n_1**2)
    return t_1 - b * n_1**2 + b * n**2


@wrong("time-linear-part-dropped")
def forgets_to_add_the_linear_part(n_1, t_1, n_2, t_2, n):
    return (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1) * n**2


@wrong("time-square-part-dropped")
def forgets_to_add_the_square(n_1, t_1, n_2, t_2, n):
    b = (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1)
    return (t_1 / n_1 - b * n_1) * n


@wrong("time-linear-part-too-large")
def all_of_the_first_is_linear(n_1, t_1, n_2, t_2, n):
    b = (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1)
    return t_1 / n_1 * n + b * n**2


@wrong("time-square-part-too-large")
def squares_without_the_linear_part(n_1, t_1, n_2, t_2, n):
    b = (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1)
    a = t_1 / n_1 - b * n_1
    return a * n + t_2 / n_2**2 * n**2


@wrong("time-measurements-crossed")
def times_swapped(n_1, t_1, n_2, t_2, n):
    return solved(n_1, t_2, n_2, t_1, n)


@wrong("time-in-milliseconds")
def milliseconds(n_1, t_1, n_2, t_2, n):
    return 1e3 * solved(n_1, t_1, n_2, t_2, n)


@wrong("time-in-hours")
def hours(n_1, t_1, n_2, t_2, n):
    return solved(n_1, t_1, n_2, t_2, n) / 3600


@wrong("time-per-token")
def one_token(n_1, t_1, n_2, t_2, n):
    return solved(n_1, t_1, n_2, t_2, n) / n


@wrong("time-added-only")
def how_much_longer(n_1, t_1, n_2, t_2, n):
    return solved(n_1, t_1, n_2, t_2, n) - t_2


@wrong("time-misses-a-measurement")
def n_log_n(n_1, t_1, n_2, t_2, n):
    return t_2 * n * math.log(n) / n_2 / math.log(n_2)


@wrong("time-grows-otherwise")
def n_log_n_and_n(n_1, t_1, n_2, t_2, n):
    matrix = [[m, m * math.log(m)] for m in (n_1, n_2)]
    a, b = np.linalg.solve(matrix, [t_1, t_2])
    return a * n + b * n * math.log(n)


@wrong("text-not-a-number")
def a_sentence(n_1, t_1, n_2, t_2, n):
    return f"{solved(n_1, t_1, n_2, t_2, n):.1f} s"


@wrong("several-numbers")
def the_two_constants(n_1, t_1, n_2, t_2, n):
    b = (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1)
    return t_1 / n_1 - b * n_1, b


@right
def solved(n_1, t_1, n_2, t_2, n):
    b = (t_2 / n_2 - t_1 / n_1) / (n_2 - n_1)
    return (t_1 / n_1 - b * n_1) * n + b * n**2


@right
def a_matrix_is_solved(n_1, t_1, n_2, t_2, n):
    a, b = np.linalg.solve([[n_1, n_1**2], [n_2, n_2**2]], [t_1, t_2])
    return a * n + b * n**2


@right
def a_line_through_the_time_of_one_token(n_1, t_1, n_2, t_2, n):
    slope, shift = np.polyfit([n_1, n_2], [t_1 / n_1, t_2 / n_2], 1)
    return n * (slope * n + shift)


@right
def weights_of_lagrange(n_1, t_1, n_2, t_2, n):
    first = n * (n - n_2) / n_1 / (n_1 - n_2)
    return t_1 * first + t_2 * n * (n - n_1) / n_2 / (n_2 - n_1)


@right
def in_torch(n_1, t_1, n_2, t_2, n):
    lengths = torch.tensor([n_1, n_2], dtype=torch.float64)
    terms = torch.stack([lengths, lengths**2], dim=-1)
    times = torch.tensor([t_1, t_2], dtype=torch.float64)
    return torch.linalg.solve(terms, times) @ torch.tensor([n, n**2]).double()
