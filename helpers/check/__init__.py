"""The checker: it says which misunderstanding produced exactly these numbers.

    from helpers import check
    check.softmax(my_softmax)                      # prints a Diagnosis
    check.diagnose("softmax", my_softmax).mistakes  # the same, to look into
    check.probe("softmax", "columns")               # the arguments that were tried
    check.softmax(my_softmax, seconds=60)           # it may take longer than 10 s

How it knows. Each exercise has a room of its own: exercises/<name>.py writes the right
computation once, as named lines, and under each line the expressions that learners
write in its place (program.py); <name>.md beside it says what each of them means. The
learner's results on a few small cases are compared with every combination of at most
two wrong expressions (search.py). What no combination explains is judged by its
behaviour (behaviours.py); exceptions are told at the learner's own line (guard.py,
errors.py).

To add a mistake: one more expression under its line, and its words in the .md file. To
add an exercise: the two files, with EXERCISES = [Exercise(...)] or [judged(...)].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helpers.console import say

from .checker import catalogue, diagnose
from .diagnosis import Diagnosis
from .guard import copied
from .limit import LIMIT

__all__ = ["Diagnosis", "catalogue", "diagnose", "probe"]


def probe(exercise: str, case: str, *, seed: int = 0) -> tuple[Any, ...]:
    """The arguments of one case, named as the evidence names it."""
    found = {c.name: c for c in catalogue()[exercise].cases(seed)}
    return tuple(copied(a) for a in found[case].args)


def __getattr__(name: str) -> Callable[..., None]:
    if name.startswith("_") or name not in catalogue():
        raise AttributeError(
            f"no exercise {name!r}; there are {', '.join(catalogue())}"
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
    return sorted([*__all__, *catalogue()])
