"""A claim: a numbered statement, the value measured for it, the bound it must keep."""

from __future__ import annotations

import math
import sys
import textwrap
from typing import Any

from helpers.console import say

VERDICTS = ("holds", "holds with a condition", "corrected", "illustrated")
WIDTH, INDENT = 88, " " * 11


def claim(
    number: str,
    statement: str,
    value: Any,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    between: tuple[float, float] | None = None,
    equals: Any = None,
    chance: float | None = None,
    article: str | None = None,
    verdict: str = "holds",
    machine: bool = False,
) -> None:
    """Assert a statement by its measured value; print both, and the bound.

    In a notebook the same is left as data in the metadata of the output, under
    "claim"; see `describe`. The ledger and the strict comparison read it there.

    Args:
        number: the lesson and a counter, such as "3.2".
        statement: one sentence that says what is claimed.
        value: the measured number (a Python number, or a tensor or array of one
            element); with `equals` anything that can be compared.
        at_least, at_most, between, equals: the bound; exactly one of them. The ends
            of `between` are included.
        chance: what guessing would score, where the value is a score.
        article: the statement of the article that this judges, after its section, as
            "3: softmax rows sum to 1" or "summary: no bottleneck".
        verdict: on the article's statement: "holds", "holds with a condition",
            "corrected", or "illustrated" (built by hand to show it: no evidence).
        machine: whether the value is a time or memory ratio of this machine, so that
            any value within the bound is as good as the committed one.

    Raises:
        TypeError: if not exactly one bound is given, or the value is no number.
        ValueError: if the verdict is none of the four.
        AssertionError: if the claim does not hold; it names the measured value.

    >>> claim("0.1", "A third of two is more than a half", 2 / 3, at_least=0.5)
    Claim 0.1  A third of two is more than a half.
               Measured 0.67 (claimed: at least 0.5).
    """
    bounds = {
        "at_least": at_least,
        "at_most": at_most,
        "between": between,
        "equals": equals,
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
    if name == "equals":
        value, bound = _plain(value), _plain(bound)
        kept = bool(value == bound)
        value, bound = repr(value), repr(value if kept else bound)
    else:
        value = _number(number, value)
        ends = bound if name == "between" else (bound,)
        bound = [_number(number, end) for end in ends]
        kept = holds(value, {name: bound})
    about = {
        "number": number,
        "statement": statement.rstrip(". ") + ".",
        "value": value,
        "bound": {name: bound},
        "holds": kept,
    }
    if chance is not None:
        about["chance"] = _number(number, chance)
    if article is not None:
        about["article"] = _judged(article, verdict)
    if machine:
        about["machine"] = True
    _show(describe(about), about)
    if not kept:
        raise AssertionError(
            f"Claim {number} does not hold: {about['statement']} Measured {value}, "
            f"but claimed was {bound_text(about['bound'])}."
        )


def holds(value: Any, bound: dict[str, Any]) -> bool:
    """Whether a value keeps a bound such as {"at_least": [0.5]}.

    Args:
        value: what was measured; NaN keeps no bound.
        bound: the name of the bound and its ends; or "equals" and a text, as `value`.
    """
    ((name, ends),) = bound.items()
    if name == "equals":
        return value == ends
    low, high = {
        "at_least": (ends[0], math.inf),
        "at_most": (-math.inf, ends[0]),
        "between": (ends[0], ends[-1]),
    }[name]
    return bool(low <= value <= high)


def describe(about: dict[str, Any]) -> str:
    """The lines that a claim prints, from its data.

    Args:
        about: "number", "statement", "value" (a number, or a text with "equals"),
            "bound" (see `holds`), "holds", and where they are due "chance", "article"
            (a dict of "where", "says", "verdict") and "machine".
    """
    lines = _wrapped(f"Claim {about['number']}", about["statement"])
    if judged := about.get("article"):
        where = judged["where"]
        where = f"section {where}" if where.isdigit() else where
        says = f"The article, {where}: {judged['says']}. Verdict: {judged['verdict']}."
        lines += _wrapped("", says)
    if "equals" in about["bound"] and about["holds"]:
        measured = f"Measured {about['value']}, as claimed."
    else:
        value = shown(about["value"], about["bound"])
        by_chance = about.get("chance")
        beside = "" if by_chance is None else f"; chance: {digits(by_chance)}"
        measured = f"Measured {value} (claimed: {bound_text(about['bound'])}{beside})."
    return "\n".join(lines + _wrapped("", measured))


def shown(value: Any, bound: dict[str, Any]) -> str:
    """A value to two digits, or to as many more as keep it on its side of the bound."""
    if "equals" in bound:
        return value
    for count in range(2, 17):
        text = digits(value, count)
        if holds(float(text), bound) == holds(value, bound):
            return text
    return repr(value)


def digits(value: float, count: int = 2) -> str:
    """A number to some significant digits; a whole number below 10,000 is whole.

    >>> digits(0.12345), digits(0.996), digits(3456.7), digits(12), digits(2.345e-7)
    ('0.12', '1.0', '3500', '12', '2.3e-07')
    """
    if not math.isfinite(value) or value == 0:
        return f"{value:g}"
    if value == int(value) and abs(value) < 1e4:
        return f"{int(value)}"
    exponent = int(f"{value:.{count - 1}e}".partition("e")[2])
    if not -4 <= exponent < 6:
        return f"{value:.{count - 1}e}"
    places = count - 1 - exponent
    return f"{round(value, places):.{max(places, 0)}f}"


def bound_text(bound: dict[str, Any]) -> str:
    """A bound as words, such as "at least 0.5" or "0.10 to 0.20"."""
    ((name, ends),) = bound.items()
    if name == "equals":
        return ends
    ends = [f"{end:g}" for end in ends]
    if name == "between":
        places = max(len(end.partition(".")[2]) for end in ends)
        if places and not any("e" in end for end in ends):
            ends = [f"{float(end):.{places}f}" for end in ends]
        return " to ".join(ends)
    return f"{name.replace('_', ' ')} {ends[0]}"


def _judged(article: str, verdict: str) -> dict[str, str]:
    where, _, says = article.rstrip(". ").partition(": ")
    return {"where": where, "says": says, "verdict": verdict}


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(f"{label:<10} {text}", WIDTH, subsequent_indent=INDENT)


def _show(text: str, about: dict[str, Any]) -> None:
    """Print; in a kernel, as an output that bears the data."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        say(text)
        return
    from IPython.display import publish_display_data

    value = about["value"]
    if isinstance(value, float):  # JSON has no NaN; ten digits are enough for a diff
        value = float(f"{value:.10g}") if math.isfinite(value) else str(value)
    publish_display_data(
        {"text/plain": text}, metadata={"claim": about | {"value": value}}
    )


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
