"""The right computation as named lines; under each line, the ways it goes wrong.

A wrong expression is its own key: what a choice is called is what it does.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Hashable, Mapping
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple, Protocol

import torch
from torch.nn import functional as F

KNOWN: Mapping[str, Any] = {
    "torch": SimpleNamespace(**vars(torch)),
    "F": SimpleNamespace(**vars(F)),
    "math": SimpleNamespace(**vars(math)),
    "INF": math.inf,
}
"""The names that every expression may use, as they are when this is imported: a learner
may put something else in the place of `torch.softmax` later."""

Lines = Mapping[str, tuple[str, Mapping[str, str]]]
"""Line -> (right expression, {wrong expression: mistake id}), likeliest first."""
Accepts = Callable[[int, Any], bool]
"""Could this be that part of what is looked for?"""
Departures = tuple[tuple[str, str], ...]
"""Lines that are chosen otherwise, in order, with the expression in their place."""


class Probe(Protocol):
    """What a program runs on: the arguments of one case."""

    @property
    def args(self) -> tuple[Any, ...]:
        """In the order of the program's arguments."""


class Run(NamedTuple):
    """The values of all names under some choices, and which version each value is."""

    names: dict[str, Any]
    versions: dict[str, int]


class Program:
    """Named lines, each an expression over the arguments and the lines above it.

    The last line is what is returned. All lines are computed, in order: what may fail,
    or is seldom needed, is a lambda. A choice that leaves a line's value as it is costs
    nothing below that line, so thousands of combinations are soon compared.

    Args:
        arguments: their names, as in "Q K V mask".
        lines: the computation, in order.
        without: argument or line -> {line: the expression in its place while that
            value is None}.
        known: further names that expressions may use.
    """

    def __init__(
        self,
        arguments: str,
        lines: Lines,
        without: Mapping[str, Mapping[str, str]] | None = None,
        **known: Any,
    ) -> None:
        self.arguments, self.lines = tuple(arguments.split()), lines
        self.without, self.known = without or {}, {**KNOWN, **known}
        self._order = tuple(lines)
        self._parts = _names_in(lines[self._order[-1]][0])
        self._instead = {
            line: [(n, some[line]) for n, some in self.without.items() if line in some]
            for line in lines
        }
        self._reads = {
            line: {
                *compiled(right)[1],
                *(n for n in self.without if line in self.without[n]),
            }
            for line, (right, _) in lines.items()
        }

    def __call__(
        self,
        case: Probe,
        choices: Mapping[str, str],
        memo: dict[Any, Any],
        accepts: Accepts | None = None,
    ) -> tuple[Any, ...]:
        """What the chosen expressions return on a case; may raise as they do.

        `memo` belongs to one case. Equal results are one and the same tuple. It is ()
        as soon as `accepts(part, value)` is False for a part that is a line.
        """
        departures = tuple(
            (line, choices[line])
            for line, (right, _) in self.lines.items()
            if choices[line] != right
        )
        if any(line == self._order[-1] for line, _ in departures):
            accepts = None
        run = self._run(case, departures, memo, accepts)
        if isinstance(run, Exception):
            raise run
        return run.names[self._order[-1]] if run else ()

    def right(self, case: Probe) -> Mapping[str, Any]:
        """Every line's value under the right choices, by name."""
        return self._from_the_top(case, {}, {}).names

    def _run(
        self,
        case: Probe,
        departures: Departures,
        memo: dict[Any, Any],
        accepts: Accepts | None,
    ) -> Run | Exception | None:
        """The run of these departures, from that of all but the last of them."""
        if departures in memo:
            return memo[departures]
        found: Run | Exception | None
        before = self._run(case, departures[:-1], memo, None) if departures else None
        if len(departures) < 2:
            accepts = None
        try:
            if isinstance(before, Run):
                found = self._departing(before, *departures[-1], memo, accepts)
            else:
                found = self._from_the_top(case, dict(departures), memo)
        except Exception as error:
            found = error.with_traceback(None)
        if len(departures) < 2:
            memo[departures] = found
        return found

    def _from_the_top(
        self, case: Probe, chosen: Mapping[str, str], memo: dict[Any, Any]
    ) -> Run:
        names = {**self.known, **dict(zip(self.arguments, case.args))}
        run = Run(names, dict.fromkeys(self.arguments, 0))
        for line, (right, _) in self.lines.items():
            self._put(run, line, chosen.get(line, right), memo)
        return run

    def _departing(
        self,
        before: Run,
        line: str,
        expression: str,
        memo: dict[Any, Any],
        accepts: Accepts | None,
    ) -> Run | None:
        """Another expression in a line, and what reads it computed anew."""
        place = self._order.index(line)
        parts = self._parts if accepts else {}
        for name, part in parts.items():
            settled = self._order.index(name) < place
            if settled and not accepts(part, before.names[name]):
                return None
        run = Run(dict(before.names), dict(before.versions))
        self._put(run, line, expression, memo)
        if run.versions[line] == before.versions[line]:
            return before
        changed = {line}
        for below in self._order[place + 1 :]:
            if not changed.isdisjoint(self._reads[below]):
                self._put(run, below, self.lines[below][0], memo)
                if run.versions[below] != before.versions[below]:
                    changed.add(below)
            if below in parts and not accepts(parts[below], run.names[below]):
                return None
        return run

    def _put(self, run: Run, line: str, expression: str, memo: dict[Any, Any]) -> None:
        names, versions = run
        for name, instead in self._instead.get(line, ()):
            if names[name] is None:
                expression = instead
        code, reads = compiled(expression)
        key = (line, expression, *[versions.get(n, 0) for n in reads])
        if key not in memo:
            value = eval(code, names)
            if line == self._order[-1] and not isinstance(value, tuple):
                value = (value,)
            alike = (line, _content(value))
            memo[key] = memo.setdefault(alike, (len(memo), value))
        versions[line], names[line] = memo[key]


def _content(value: Any) -> Hashable:
    """Equal for equal values; a function, or what has no hash, equals itself alone."""
    if isinstance(value, torch.Tensor):
        flat = value.detach()
        flat = flat.float() if flat.dtype == torch.bfloat16 else flat
        return value.dtype, tuple(value.shape), flat.numpy().tobytes()
    if isinstance(value, tuple | list):
        return type(value), *map(_content, value)
    return type(value), value if isinstance(value, Hashable) else id(value)


def _names_in(expression: str) -> dict[str, int]:
    """The place of each name in a tuple of names; nothing if it is another thing."""
    body = ast.parse(expression, mode="eval").body
    items = body.elts if isinstance(body, ast.Tuple) else []
    return {n.id: place for place, n in enumerate(items) if isinstance(n, ast.Name)}


@functools.cache
def compiled(expression: str) -> tuple[CodeType, tuple[str, ...]]:
    """The code of an expression, and the names that it reads.

    >>> compiled("x.exp() / total")[1]
    ('total', 'x')
    """
    tree = ast.parse(expression, mode="eval")
    names = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)})
    return compile(tree, expression, "eval"), tuple(names)
