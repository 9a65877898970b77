"""Which departures from the right choices reproduce exactly these numbers?

The learner's results on all cases are compared with every combination of at most two
departures, nearest first. If none fits, one may fit a single returned part, or only the
cases that fail, or only the plainest cases: that is named too, with its limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from .program import Program
from .space import (
    Case,
    Choices,
    Departure,
    Exercise,
    Explanation,
    Values,
    same,
    shared_tag,
)

Observed = Sequence[Values | None]  # None: the learner's function raised
Combo = tuple[Departure, ...]
ENOUGH = 6
"""Explanations that are looked at, of those that fit equally well."""
FEW = 120
"""Departures of which every pair is tried."""


class Search:
    """The comparison of one learner's results with the space of one exercise."""

    def __init__(
        self, exercise: Exercise, cases: Sequence[Case], seen: Observed
    ) -> None:
        self.exercise, self.cases, self.seen = exercise, cases, seen
        self.memos: list[dict[Any, Any]] = [{} for _ in cases]
        self.bases = [exercise.base()]
        self.bases += [exercise.base() | dict(v) for v in exercise.also_right]
        self.right = [self.expected(i) for i in range(len(cases))]
        self._alike: dict[tuple[int, int | None, int], tuple[Any, bool]] = {}
        self.failing = [
            i
            for i in range(len(cases))
            if not any(self.fits(base, i) for base in self.bases)
        ]
        self.failing.sort(key=lambda i: seen[i] is None)
        self._places = {choice: n for n, choice in enumerate(exercise.space)}
        self._last = next(reversed(exercise.space), None)
        self.singles = exercise.departures()
        if exercise.fit:
            self.singles += exercise.fit(cases, seen)

    def expected(self, i: int, choices: Choices | None = None) -> Values | None:
        """What the choices give on case i; None where they raise."""
        chosen = self.bases[0] if choices is None else choices
        try:
            return self.exercise.compute(self.cases[i], chosen, self.memos[i])
        except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
            return None

    def with_departures(self, *departures: Departure, base: int = 0) -> Choices:
        """The right choices, but for these."""
        return self.bases[base] | {d.choice: d.value for d in departures}

    def fits(self, choices: Choices, i: int, part: int | None = None) -> bool:
        """Do the choices give what the learner's function gave on case i?"""
        got = self.seen[i]
        want = self._unless_refuted(choices, i, part)
        if want is None or got is None:
            return self._misshapen(want, i) and self._misshapen(got, i)
        if not want and self.right[i]:
            return False
        key = (i, part, id(want))
        if key not in self._alike:
            self._alike[key] = want, self._agrees(want, got, i, part)
        return self._alike[key][1]

    def _unless_refuted(
        self, choices: Choices, i: int, part: int | None
    ) -> Values | None:
        """What the choices give; () if one returned part refutes them already."""
        got, compute = self.seen[i], self.exercise.compute
        if part is not None or got is None:
            return self.expected(i, choices)
        glance = self.exercise.glance
        if glance and not glance(self.cases[i], choices, self.memos[i], got):
            return ()
        if not isinstance(compute, Program):
            return self.expected(i, choices)

        def accepts(part: int, value: Any) -> bool:
            key = (i, ~part, id(value))
            if key not in self._alike:
                fits = part < len(got) and same(got[part], value, self.cases[i].tol)
                self._alike[key] = value, fits
            return self._alike[key][1]

        try:
            return compute(self.cases[i], choices, self.memos[i], accepts)
        except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
            return None

    def _agrees(self, want: Values, got: Values, i: int, part: int | None) -> bool:
        if part is not None:
            want, got = want[part : part + 1], got[part : part + 1]
        tol = self.cases[i].tol
        return len(want) == len(got) and all(
            same(a, b, tol) for a, b in zip(got, want, strict=True)
        )

    def _misshapen(self, values: Values | None, i: int) -> bool:
        """Raised, or came out in shapes that cannot be right: taken for the same."""
        right = self.right[i]
        return (
            values is None
            or right is None
            or len(values) != len(right)
            or any(a.shape != b.shape for a, b in zip(values, right, strict=True))
        )

    def explain(self) -> Explanation | None:
        """The nearest explanation, or None."""
        if all(self.seen[i] is None for i in self.failing):
            return None
        everything = self._ordered(range(len(self.cases)))
        plain = self._ordered(i for i, c in enumerate(self.cases) if not c.tags)
        found = self._of_size(1, everything) or self._of_size(2, everything)
        found = found or self._best(1, "plain", plain)
        return found or self._best(2, "plain", plain)

    def explain_with_one(self) -> Explanation | None:
        """The one departure that explains all that is wrong, if there is one."""
        if all(self.seen[i] is None for i in self.failing):
            return None
        return self._of_size(1, self._ordered(range(len(self.cases))))

    def _of_size(self, size: int, everything: list[int]) -> Explanation | None:
        told = len(self.failing) > 1 or shared_tag(self.cases, self.failing)
        some = told and len(self.failing) < len(self.cases)
        failing = self.failing if some else []
        return (
            self._best(size, "everything", everything)
            or self._best(size, "part", everything)
            or self._best(size, "failing", failing)
        )

    def _ordered(self, where: Iterable[int]) -> list[int]:
        first = {i: rank for rank, i in enumerate(self.failing)}
        return sorted(where, key=lambda i: first.get(i, len(self.cases) + i))

    def _best(self, size: int, scope: str, where: list[int]) -> Explanation | None:
        if not where or where[0] not in self.failing:
            return None
        for part in self._parts() if scope == "part" else (None,):
            hits = list(self._hits(size, where, part))
            if hits:
                best = self._telling_first(hits[0], part)
                named = {d.mistake for d in best}
                others = dict.fromkeys(d.mistake for h in hits[1:] for d in h)
                also = tuple(m for m in others if m not in named)
                return Explanation(best, scope, part, also if size == 1 else ())
        return None

    def _telling_first(self, combo: Combo, part: int | None) -> Combo:
        """The departure first that explains more of the failing cases alone."""

        def left_over(departure: Departure) -> int:
            alone = self.with_departures(departure)
            return sum(not self.fits(alone, i, part) for i in self.failing)

        return tuple(sorted(combo, key=left_over)) if len(combo) > 1 else combo

    def _parts(self) -> list[int]:
        """The part that is wrong, if all others are right everywhere."""
        wrong = set()
        for i in self.failing:
            got = self.seen[i]
            if got is None or len(got) != len(self.exercise.parts):
                return []
            wrong |= {p for p in range(len(got)) if not self.fits(self.bases[0], i, p)}
        return sorted(wrong) if len(wrong) == 1 < len(self.exercise.parts) else []

    def _hits(self, size: int, where: list[int], part: int | None) -> Iterator[Combo]:
        found, everywhere = 0, len(where) == len(self.cases)
        for n, base in enumerate(self.bases):
            if n and found:
                return
            woken = self._woken(n) if n and size == 2 else None
            for combo in self._candidates(size, where[0], part, everywhere):
                if woken is not None and not any(id(d) in woken for d in combo):
                    continue
                choices = base | {d.choice: d.value for d in combo}
                if (
                    all(self.fits(choices, i, part) for i in where)
                    and any(self._shows(choices, i) for i in where)
                    and all(self._needed(d, combo, base, where, part) for d in combo)
                ):
                    found += 1
                    yield combo
                    if found >= ENOUGH:
                        return

    def _candidates(
        self, size: int, first: int, part: int | None, everywhere: bool
    ) -> Iterator[Combo]:
        """Combinations worth trying: those that leave alone what is right."""
        if size == 1:
            return ((d,) for d in self.singles)
        if everywhere and part is None and len(self.singles) <= FEW:
            return (
                (a, b)
                for a, b in combinations(self.singles, 2)
                if a.choice != b.choice and a.mistake != b.mistake
            )
        spares = {id(d) for d in self.singles if self._spares(d)}
        spoils = self._spoiling(first) if part is None else set()
        left = [
            d
            for d in self.singles
            if id(d) not in spoils and (not everywhere or id(d) in spares)
        ]
        anchors = self._anchors() if part is None else set()
        told = {id(d): self._told(d, first) for d in left} if part is None else {}
        return (
            (a, b)
            for a, b in combinations(left, 2)
            if a.choice != b.choice
            and a.mistake != b.mistake
            and (id(a) in spares or id(b) in spares)
            and (not anchors or id(a) in anchors or id(b) in anchors)
            and not (
                told
                and self._refuted(
                    *sorted((a, b), key=lambda d: self._places[d.choice]), told
                )
            )
        )

    def _anchors(self) -> set[int]:
        """Departures that explain the plainest cases alone; one of a pair must."""
        plain = [i for i, c in enumerate(self.cases) if not c.tags]
        if not set(plain) & set(self.failing):
            return set()
        return {
            id(d)
            for d in self.singles
            if all(self.fits(self.with_departures(d), i) for i in plain)
            and any(self._shows(self.with_departures(d), i) for i in plain)
        }

    def _told(self, departure: Departure, i: int) -> tuple[bool, bool] | None:
        """Of the last part on case i: is it the right one, is it the learner's?"""
        got, right = self.seen[i], self.right[i]
        if departure.choice == self._last:
            return None  # it may return anything
        values = self.expected(i, self.with_departures(departure))
        if values is None or got is None or right is None or len(right) < 2:
            return None
        if not len(got) == len(values) == len(right):
            return None
        tol = self.cases[i].tol
        return same(values[-1], right[-1], tol), same(values[-1], got[-1], tol)

    @staticmethod
    def _refuted(
        early: Departure, late: Departure, told: dict[int, tuple[bool, bool] | None]
    ) -> bool:
        """The early one leaves the last part right, the late one makes it wrong.

        Not the other way round: what is idle alone may act on what came before it.
        """
        a, b = told[id(early)], told[id(late)]
        return a is not None and b is not None and a[0] and not b[1]

    def fits_right(self, choices: Choices, i: int) -> bool:
        """Do these choices give the right numbers on case i?"""
        got, want = self.expected(i, choices), self.right[i]
        return got is want or (
            got is not None and want is not None and self._agrees(want, got, i, None)
        )

    def _woken(self, n: int) -> set[int]:
        """Departures beside which the n-th right way is not the same as the first."""
        return {
            id(d)
            for d in self.singles
            if any(
                self.expected(i, self.with_departures(d, base=n))
                is not self.expected(i, self.with_departures(d))
                for i in self.failing[-3:]  # masks come last
            )
        }

    def _needed(
        self,
        departure: Departure,
        combo: Combo,
        base: Choices,
        where: Sequence[int],
        part: int | None,
    ) -> bool:
        """Would the numbers of some case, not only an error, be others without it?"""
        if len(combo) == 1:
            return True
        together = base | {d.choice: d.value for d in combo}
        without = base | {d.choice: d.value for d in combo if d is not departure}
        return any(
            self._shows(together, i) and not self.fits(without, i, part) for i in where
        )

    def _shows(self, choices: Choices, i: int) -> bool:
        """Is case i wrong, and do the choices give its very numbers (not an error)?"""
        want, got = self.expected(i, choices), self.seen[i]
        return (
            i in self.failing
            and want is not None
            and got is not None
            and len(want) == len(got)
            and all(a.shape == b.shape for a, b in zip(want, got))
        )

    def _spares(self, departure: Departure) -> bool:
        """Does the departure alone leave the cases right that are right?"""
        passing = [i for i in range(len(self.cases)) if i not in self.failing]
        passing = passing[:: 1 + len(passing) // 6]  # a sample of them is enough
        choices = self.with_departures(departure)
        return all(self.fits_right(choices, i) for i in passing)

    def _spoiling(self, i: int) -> set[int]:
        """Departures that would spoil a returned part that is right on case i."""
        got, right, tol = self.seen[i], self.right[i], self.cases[i].tol
        if got is None or right is None or len(got) != len(right):
            return set()
        kept = [p for p in range(len(right)) if same(got[p], right[p], tol)]
        found = set()
        for d in self.singles if kept else ():
            values = self.expected(i, self.with_departures(d))
            if values is None or len(values) != len(right):
                continue
            if not all(same(values[p], right[p], tol) for p in kept):
                found.add(id(d))
        return found
