"""The right computation as named lines; under each line, the ways it goes wrong.

A wrong expression is its own key: what a choice is called is what it does.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping
from types import CodeType
from typing import Any, Protocol

import torch
from torch.nn import functional as F

KNOWN: Mapping[str, Any] = {"torch": torch, "F": F, "math": math, "INF": math.inf}
"""The names that every expression may use."""

Lines = Mapping[str, tuple[str, Mapping[str, str]]]
"""Line -> (right expression, {wrong expression: mistake id}), likeliest first."""


class Probe(Protocol):
    """What a program runs on: the arguments of one case."""

    @property
    def args(self) -> tuple[Any, ...]:
        """In the order of the program's arguments."""


class Program:
    """Named lines, each an expression over the arguments and the lines above it.

    The last line is what is returned. A line is computed once for all choices that
    agree on the lines that it reads, so thousands of combinations cost little. All
    lines are computed, in order: what may fail, or is seldom needed, is a lambda.

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

    def __call__(
        self, case: Probe, choices: Mapping[str, str], memo: dict[Any, Any]
    ) -> tuple[Any, ...]:
        """What the chosen expressions return on a case; may raise as they do.

        `memo` belongs to one case, and holds every value that was ever computed on it.
        """
        names = {**self.known, **dict(zip(self.arguments, case.args))}
        versions = dict.fromkeys(self.arguments, 0)
        value: Any = None
        for line in self.lines:
            expression = self._chosen(line, choices, names)
            code, reads = compiled(expression)
            key = (line, expression, *(versions[n] for n in reads if n in versions))
            if key not in memo:
                memo[key] = len(memo), eval(code, names)
            versions[line], value = memo[key]
            names[line] = value
        return value if isinstance(value, tuple) else (value,)

    def _chosen(
        self, line: str, choices: Mapping[str, str], names: Mapping[str, Any]
    ) -> str:
        chosen = choices[line]
        for name, instead in self.without.items():
            if line in instead and names[name] is None:
                chosen = instead[line]
        return chosen


@functools.cache
def compiled(expression: str) -> tuple[CodeType, tuple[str, ...]]:
    """The code of an expression, and the names that it reads.

    >>> compiled("x.exp() / total")[1]
    ('total', 'x')
    """
    tree = ast.parse(expression, mode="eval")
    names = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)})
    return compile(tree, expression, "eval"), tuple(names)
