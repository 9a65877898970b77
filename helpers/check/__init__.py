"""The checker: it says which misunderstanding produced exactly these numbers.

    from helpers import check
    check.softmax(my_softmax)                      # prints a Diagnosis
    check.diagnose("softmax", my_softmax).mistakes  # the same, to look into
    check.probe("softmax", "columns")               # the arguments that were tried
    check.softmax(my_softmax, seconds=60)           # it may take longer than 10 s

How it knows. Each exercise (a file in families/) writes the right computation once,
with its choices as parameters. The learner's results on a few small cases are compared
with every combination of at most two departures from the right choices (search.py).
What no combination explains is judged by its behaviour (behaviours.py); exceptions are
told at the learner's own line (guard.py, errors.py).

To add a mistake: one more value in the family's SPACE, the branch in its `compute` that
does it, and its id in words/ (a short name, what it does, a question). To add an
exercise: a file in families/ with EXERCISES = [Exercise(...)].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helpers.console import say

from .checker import diagnose, exercises
from .diagnosis import Diagnosis
from .guard import copied
from .limit import LIMIT

__all__ = ["Diagnosis", "diagnose", "exercises", "probe"]


def probe(exercise: str, case: str, *, seed: int = 0) -> tuple[Any, ...]:
    """The arguments of one case, named as the evidence names it."""
    found = {c.name: c for c in exercises()[exercise].cases(seed)}
    return tuple(copied(a) for a in found[case].args)


def __getattr__(name: str) -> Callable[..., None]:
    if name.startswith("_") or name not in exercises():
        raise AttributeError(
            f"no exercise {name!r}; there are {', '.join(exercises())}"
        )

    def check(answer: Any, *, seconds: float = LIMIT) -> None:
        say(str(diagnose(name, answer, seconds=seconds)))

    check.__name__ = check.__qualname__ = name
    check.__doc__ = (
        f"Print what is right or wrong with an answer to `{name}`, which may run for "
        f"so many seconds."
    )
    return check


def __dir__() -> list[str]:
    return sorted([*__all__, *exercises()])
