"""One answer under examination."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import guard
from .space import Case, Exercise, Finding, Values, as_values


@dataclass
class Trial:
    """One answer under examination: what it gave on each case, and how to call it."""

    exercise: Exercise
    answer: Any
    cases: Sequence[Case]
    outcomes: Sequence[guard.Outcome]
    seen: Sequence[Values | None]
    failing: Sequence[int] = ()
    choices: Mapping[str, Any] = field(default_factory=dict)  # that explain the numbers

    @property
    def result(self) -> Any:
        """What the first call returned, as the learner returned it."""
        return self.outcomes[0].value

    def case(self, name: str) -> int:
        """The number of the case with this name."""
        return next(i for i, c in enumerate(self.cases) if c.name == name)

    def call(self, args: Sequence[Any], salt: int = 0) -> guard.Outcome:
        """Call the answer once more, guarded."""
        return guard.run(
            lambda *a: self.exercise.call(self.answer, *a),
            args,
            salt=salt,
            by=self.answer,
        )

    def values(self, outcome: guard.Outcome) -> Values | None:
        """The returned tensors, or None."""
        if outcome.trouble is not None:
            return None
        try:
            return (self.exercise.unpack or as_values)(outcome.value)
        except (TypeError, ValueError, RuntimeError, AttributeError):
            return None

    def right(self, case: Case, choices: Mapping[str, Any] | None = None) -> Values:
        """What the exercise's choices give on a case."""
        chosen = self.exercise.base() if choices is None else choices
        return self.exercise.compute(case, chosen, {})


Behaviour = Callable[[Trial], Finding | None]
