"""An exercise answered with a letter: one of a few choices, each with a reason."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch

from ..behaviours import Trial
from ..space import Case, Exercise, Finding


def letter_of(value: Any) -> str | None:
    """The letter in an answer: "b", "(B)", "B." or a list of it alone; or None."""
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
        value = trial.outcomes[0].value
        letter = letter_of(value)
        if letter is None or letter not in choices:
            got = repr(value) if isinstance(value, str | int | float) else "no letter"
            known = {"got": got, "letters": ", ".join(choices)}
            return Finding("no-such-choice", known)
        if not choices[letter]:
            return None
        shown = evidence or {"your choice": letter}
        return Finding(choices[letter], dict(facts or {}), dict(shown))

    return Exercise(
        name=name,
        parts=("choice",),
        space={},
        compute=lambda case, choices, memo: (torch.zeros(1),),
        cases=lambda seed: [Case("question", question, ())],
        unpack=lambda value: (torch.zeros(1),),
        behaviours=(chosen,),
        value=True,
        praise=praise,
    )
