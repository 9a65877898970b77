"""A claim: a numbered statement, the value measured for it, the bound it must keep."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from helpers.console import say

VERDICTS = ("holds", "holds with a condition", "corrected")


def claim(
    number: str,
    statement: str,
    value: Any,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    between: tuple[float, float] | None = None,
    equals: Any = None,
    article: str | None = None,
    verdict: str = "holds",
) -> None:
    """Assert a statement by its measured value, and print the statement and the bound.

    The digits of the value are not printed: they differ a little from machine to
    machine, the conclusion does not. If the bound is broken they are in the error.

    Args:
        number: the lesson and a counter, such as "3.2".
        statement: one sentence that says what is claimed.
        value: the measured number (a Python number, or a tensor or array of one
            element); with `equals` anything that can be compared.
        at_least, at_most, between, equals: the bound; exactly one of them. The ends
            of `between` are included.
        article: the statement of the article that this judges, behind its section, as
            "3: softmax rows sum to 1" or "summary: no bottleneck".
        verdict: on the article's statement: "holds", "holds with a condition" or
            "corrected".

    Raises:
        TypeError: if not exactly one bound is given, or the value is no number.
        ValueError: if the verdict is none of the three.
        AssertionError: if the claim does not hold; it names the measured value.

    >>> claim("0.1", "A third of three is one", 3 / 3, at_least=1)
    Claim 0.1  A third of three is one.
               Holds: measured at least 1.
    """
    bounds = {
        "at least": at_least,
        "at most": at_most,
        "between": between,
        "equal to": equals,
    }
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    if len(given) != 1:
        raise TypeError(
            f"claim {number} needs exactly one of at_least, at_most, between, equals; "
            f"got {len(given)}"
        )
    if verdict not in VERDICTS:
        raise ValueError(
            f"claim {number}: verdict must be one of {', '.join(VERDICTS)}; "
            f"got {verdict!r}"
        )
    ((name, bound),) = given.items()
    if name == "equal to":
        value, bound = _plain(value), _plain(bound)
        holds = bool(value == bound)
        shown = repr(value)
        bound_text = f"equal to {bound!r}"
    else:
        value = _number(number, value)
        low, high = {
            "at least": (bound, math.inf),
            "at most": (-math.inf, bound),
            "between": bound,
        }[name]
        holds = low <= value <= high
        shown = f"{value:.6g}" if holds or math.isnan(value) else repr(value)
        ends = bound if name == "between" else (bound,)
        bound_text = f"{name} " + " and ".join(f"{end:g}" for end in ends)

    statement = statement.rstrip(". ") + "."
    if not holds:
        raise AssertionError(
            f"Claim {number} does not hold: {statement} Measured {shown}, but it "
            f"should be {bound_text}."
        )
    _print(f"Claim {number}", f"{statement}")
    if article is not None:
        where, _, says = article.rstrip(". ").partition(": ")
        where = f"section {where}" if where.isdigit() else where
        _print("", f"The article, {where}: {says}. Verdict: {verdict}.")
    _print("", f"Holds: measured {bound_text}.")


def _print(label: str, text: str) -> None:
    indent = " " * 11
    say(textwrap.fill(f"{label:<10} {text}", 88, subsequent_indent=indent))


def _plain(value: Any) -> Any:
    """Tensors and arrays as lists, which have one answer to ==, within lists too."""
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value.tolist() if hasattr(value, "tolist") else value


def _number(claim_number: str, value: Any) -> float:
    """The value as a float; NaN is one too, and keeps no bound."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return float(value.detach() if hasattr(value, "detach") else value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(
            f"claim {claim_number} needs one number as its value; got "
            f"{type(value).__name__}"
        ) from None
