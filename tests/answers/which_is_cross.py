"""Answers to which_is_cross, which earlier editions of the lessons asked for."""

from __future__ import annotations

from . import Bank

letters = Bank("which_is_cross")

Q, WEIGHTS, HEADS, OUT = (2, 3, 5, 11), (2, 3, 5, 7), (2, 3, 5, 13), (2, 5, 33)

A, B, C, D = "ABCD"


@letters.wrong("cross-the-other-way")
def english_asks():
    return A


@letters.wrong("cross-values-by-place")
def values_by_place():
    return B.lower()


@letters.wrong("no-such-choice")
def a_fourth():
    return D


@letters.wrong("no-such-choice")
def a_number():
    return len(A + B + C)


@letters.right
def french_asks():
    return C


@letters.right
def french_asks_quietly():
    return f" {C.lower()}. "


@letters.right
def in_a_list():
    return [C]


@letters.right
def in_bold():
    return f"**{C}**"


@letters.wrong("no-such-choice")
def two_letters():
    return [B, C]
