"""Answers to unsupported_claim, which earlier editions of the lessons asked for."""

from __future__ import annotations

from . import Bank

letters = Bank("unsupported_claim")

A, B, C, D = "ABCD"


@letters.wrong("supported-by-its-interval")
def the_interval():
    return A


@letters.wrong("supported-by-construction")
def the_formula():
    return C.lower()


@letters.wrong("supported-by-its-null")
def the_null():
    return f"{D}."


@letters.wrong("no-such-choice")
def a_number():
    return len(A + B)


@letters.right
def beyond_the_data():
    return B


@letters.right
def beyond_the_data_quietly():
    return f"({B.lower()})".strip("()")
