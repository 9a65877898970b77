"""Which departures from the right choices reproduce exactly these numbers?

The learner's results on all cases are compared with every combination of at most two
departures, nearest first. If none fits, one may fit a single returned part, or only the
cases that fail, or only the plainest cases: that is named too, with its limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from .space import Case, Departure, Exercise, Values, same

Observed = Sequence[Values | None]  # None: the learner's function raised
Combo = tuple[Departure, ...]


@dataclass(frozen=True)
class Explanation:
    """Departures that reproduce the numbers; `scope` says which of them."""

    departures: Combo
    scope: str  # "everything", "part", "failing" or "plain"
    part: int | None = None
    others: tuple[str, ...] = ()  # ids that give the same numbers

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids, each once."""
        return tuple(dict.fromkeys(d.mistake for d in self.departures))


class Search:
    """The comparison of one learner's results with the space of one exercise."""

    def __init__(
        self, exercise: Exercise, cases: Sequence[Case], seen: Observed
    ) -> None:
        self.exercise, self.cases, self.seen = exercise, cases, seen
        self.memos: list[dict] = [{} for _ in cases]
        self.bases = [exercise.base()]
        self.bases += [exercise.base() | dict(v) for v in exercise.also_right]
        self.right = [self.expected(i) for i in range(len(cases))]
        self._first: dict[tuple, bool] = {}
        self.failing = [
            i
            for i in range(len(cases))
            if not any(self.fits(base, i) for base in self.bases)
        ]
        self.failing.sort(key=lambda i: seen[i] is None)
        self.singles = exercise.departures()
        if exercise.fit:
            self.singles += exercise.fit(cases, seen)
        self._idle: dict[int, set[int]] = {}

    def expected(self, i: int, choices: dict | None = None) -> Values | None:
        """What the choices give on case i; None where they raise."""
        chosen = self.bases[0] if choices is None else choices
        try:
            return self.exercise.compute(self.cases[i], chosen, self.memos[i])
        except (RuntimeError, IndexError, ValueError, TypeError, ArithmeticError):
            return None

    def fits(self, choices: dict, i: int, part: int | None = None) -> bool:
        """Do the choices give what the learner's function gave on case i?"""
        got, glance = self.seen[i], self.exercise.glance
        if (
            glance
            and got is not None
            and part is None
            and not glance(self.cases[i], choices, self.memos[i], got)
        ):
            return False
        want = self.expected(i, choices)
        if want is None or got is None:
            return self._misshapen(want, i) and self._misshapen(got, i)
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
        everything = self._ordered(range(len(self.cases)))
        failing = [i for i in self.failing if self.seen[i] is not None] and self.failing
        plain = self._ordered(i for i, c in enumerate(self.cases) if not c.tags)
        if not any(self.seen[i] is not None for i in self.failing):
            return None
        for size in (1, 2):
            for scope, where in (
                ("everything", everything),
                ("part", everything),
                ("failing", failing),
                ("plain", plain),
            ):
                if size == 1 and scope == "plain":
                    continue
                if size == 2 and scope == "part" and self.exercise.glance:
                    continue
                if scope == "plain" and (found := self._best(1, "plain", plain)):
                    return found
                if found := self._best(size, scope, where):
                    return found
        return None

    def _ordered(self, where: Sequence[int] | Iterator[int]) -> list[int]:
        first = {i: rank for rank, i in enumerate(self.failing)}
        return sorted(where, key=lambda i: first.get(i, len(self.cases) + i))

    def _best(self, size: int, scope: str, where: list[int]) -> Explanation | None:
        if not where or where[0] not in self.failing:
            return None
        if scope == "failing" and len(where) == len(self.cases):
            return None
        for part in self._parts() if scope == "part" else (None,):
            hits = list(self._hits(size, where, part))
            if hits:
                best = hits[0]
                named = {d.mistake for d in best}
                others = dict.fromkeys(
                    d.mistake
                    for h in hits[1:]
                    for d in h
                    if not named & {d.mistake for d in h} or len(h) == 1
                )
                others = tuple(m for m in others if m not in named)
                return Explanation(best, scope, part, others if size == 1 else ())
        return None

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
        found, due = 0, 2 if len(where) == len(self.cases) else 1
        for n, base in enumerate(self.bases):
            if n and size == 2 and self.fits_right(base, where[0]):
                continue  # this other right way changes nothing here
            for combo in self._candidates(size, where[0], part, due):
                choices = base | {d.choice: d.value for d in combo}
                if (
                    self._first_fits(n, combo, where[0], part)
                    and all(self.fits(choices, i, part) for i in where[1:])
                    and any(self._shows(choices, i, part) for i in where)
                ):
                    found += 1
                    yield combo
                    if found >= 6:
                        return

    def _candidates(
        self, size: int, first: int, part: int | None, due: int
    ) -> Iterator[Combo]:
        """Combinations worth trying: those that leave alone what is right."""
        if size == 1:
            return _combos(self.singles, 1)
        spares = {id(d) for d in self.singles if self._spares(d)}
        spoils = self._spoiling(first) if part is None else set()
        left = [
            d
            for d in self.singles
            if id(d) not in spoils and (due < 2 or id(d) in spares)
        ]
        return (c for c in _combos(left, 2) if any(id(d) in spares for d in c))

    def fits_right(self, choices: dict, i: int) -> bool:
        """Do these choices give the right numbers on case i?"""
        got, want = self.expected(i, choices), self.right[i]
        return (
            got is not None
            and want is not None
            and len(got) == len(want)
            and all(
                same(a, b, self.cases[i].tol) for a, b in zip(got, want, strict=True)
            )
        )

    def _shows(self, choices: dict, i: int, part: int | None) -> bool:
        """Is case i wrong, and do the choices give its very numbers (not an error)?"""
        want, got = self.expected(i, choices), self.seen[i]
        return (
            i in self.failing
            and want is not None
            and got is not None
            and all(a.shape == b.shape for a, b in zip(want, got, strict=False))
        )

    def _spares(self, departure: Departure) -> bool:
        """Does the departure alone leave the cases right that are right?"""
        passing = [i for i in range(len(self.cases)) if i not in self.failing]
        passing = passing[:: 1 + len(passing) // 6]  # a sample of them is enough
        return all(id(departure) in self._idle_on(i) for i in passing)

    def _spoiling(self, i: int) -> set[int]:
        """Departures that would spoil a returned part that is right on case i."""
        got, right, tol = self.seen[i], self.right[i], self.cases[i].tol
        if got is None or right is None or len(got) != len(right):
            return set()
        kept = [p for p in range(len(right)) if same(got[p], right[p], tol)]
        found = set()
        for d in self.singles if kept else ():
            values = self.expected(i, self.bases[0] | {d.choice: d.value})
            if values is None or len(values) != len(right):
                continue
            if not all(same(values[p], right[p], tol) for p in kept):
                found.add(id(d))
        return found

    def _idle_on(self, i: int) -> set[int]:
        if i not in self._idle:
            right = self.bases[0]
            self._idle[i] = {
                id(d)
                for d in self.singles
                if self.fits_right(right | {d.choice: d.value}, i)
            }
        return self._idle[i]

    def _first_fits(self, n: int, combo: Combo, i: int, part: int | None) -> bool:
        """`fits` on the first case, where departures that change nothing are left out:
        most pairs then share their answer with another."""
        active = tuple(d for d in combo if id(d) not in self._idle_on(i))
        key = (n, i, part, *map(id, active))
        if key not in self._first:
            choices = self.bases[n] | {d.choice: d.value for d in active}
            self._first[key] = self.fits(choices, i, part)
        return self._first[key]


def _combos(singles: list[Departure], size: int) -> Iterator[Combo]:
    if size == 1:
        yield from ((d,) for d in singles)
        return
    yield from (
        c
        for c in combinations(singles, 2)
        if c[0].choice != c[1].choice and c[0].mistake != c[1].mistake
    )


def shared_tag(cases: Sequence[Case], failing: Sequence[int]) -> str | None:
    """A tag that every failing case has and no passing one, if there is one."""
    bad = [cases[i].tags for i in failing]
    good = [c.tags for i, c in enumerate(cases) if i not in set(failing)]
    common = frozenset.intersection(*bad) if bad else frozenset()
    telling = sorted(t for t in common if not any(t in g for g in good))
    return telling[0] if telling else None
