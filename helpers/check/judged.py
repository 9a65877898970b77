"""Exercises whose answer is judged by what it does, not compared with one right one.

`judged` is for any such exercise: a prediction, a matrix made by hand, a picture.
`choice` is for those that are answered with a letter.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from .behaviours import Behaviour, Trial
from .space import Case, Exercise, Finding


def judged(
    name: str, question: str, *judges: Behaviour, praise: str, **fields: Any
) -> Exercise:
    """An exercise without a right computation: its judges look at what came back.

    Args:
        name: of the exercise.
        question: what is asked, in a few words; it is the one case, called "question".
        judges: each looks at the whole trial (`trial.result` is what the first call
            gave) and returns a Finding, or None if it has nothing to say. All speak.
        praise: what is said of a right answer.
        fields: of Exercise. An answer is a value, unless `cases` are given: then it is
            a function, and is called on each of them.
    """
    nothing = {"compute": lambda case, choices, memo: (), "unpack": lambda value: ()}
    if "cases" not in fields:
        fields |= {"value": True, "call": asked}
        fields["cases"] = lambda seed: [Case("question", question, ())]
    fields = {"parts": ("answer",)} | nothing | fields
    return Exercise(name=name, behaviours=judges, praise=praise, **fields)


def choice(
    name: str,
    question: str,
    choices: Mapping[str, str],
    praise: str,
    facts: Mapping[str, Any] | None = None,
    evidence: Mapping[str, str] | None = None,
) -> Exercise:
    """An exercise whose answer is a letter.

    Args:
        name: of the exercise.
        question: what is asked, in a few words.
        choices: letter -> mistake id; the right letter has an empty one.
        praise: what is said of the right letter.
        facts: numbers for the words of the mistakes.
        evidence: numbers shown with a wrong letter.
    """

    def chosen(trial: Trial) -> Finding | None:
        letter = letter_of(trial.result)
        if letter is None or letter not in choices:
            known = isinstance(trial.result, str | int | float)
            got = repr(trial.result) if known else "no letter"
            return Finding(
                "no-such-choice", {"got": got, "letters": ", ".join(choices)}
            )
        if not choices[letter]:
            return None
        shown = evidence or {"your choice": letter}
        return Finding(choices[letter], dict(facts or {}), dict(shown))

    return judged(name, question, chosen, praise=praise)


def letter_of(value: Any) -> str | None:
    """The letter in an answer: "b", "(B)", "B." or a list of it alone; or None.

    >>> letter_of(" (b) ")
    'B'
    """
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return value.strip(" .:()[]*'\"\n").upper() if isinstance(value, str) else None


def plain(value: Any) -> Any:
    """Lists and numbers from a tensor or an array that has them; else the value."""
    try:
        return value.tolist()
    except (AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError):
        return value


def asked(answer: Callable[..., Any], *args: Any) -> Any:
    """What an answer is, or returns: with the arguments, or without any."""
    try:
        inspect.signature(answer).bind(*args)
    except TypeError:
        return answer()
    except ValueError:  # no signature to look at
        pass
    return answer(*args)
