"""The claims of a notebook: as data in its outputs, and as calls in its source."""

from __future__ import annotations

import ast
import copy
import io
import math
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from helpers import claims

MEASURED = re.compile(r"^ +Measured ([-+.\de]+) \(claimed", re.MULTILINE)


@dataclass(frozen=True)
class Call:
    """One `claim(…)` in the source of a cell."""

    number: str
    lines: int
    reason: str
    """The comments inside the call and on the line above it, in one string."""


def printed(outputs: Sequence[Any]) -> list[dict[str, Any]]:
    """The data of the claims among some outputs; see helpers.claims.describe."""
    found = (output.get("metadata", {}).get("claim") for output in outputs)
    return [claim for claim in found if claim]


def in_notebook(nb: NotebookNode) -> list[dict[str, Any]]:
    """The data of all claims that an executed notebook holds, in their order."""
    outputs = (output for cell in nb.cells for output in cell.get("outputs", []))
    return printed(list(outputs))


def calls(source: str) -> list[Call]:
    """The calls of `claim` in a cell's source, in their order."""
    comments = _comments(source)
    return [
        Call(
            node.args[0].value,
            node.end_lineno - node.lineno + 1,
            " ".join(
                comments[line]
                for line in range(node.lineno - 1, node.end_lineno + 1)
                if line in comments
            ),
        )
        for node in _nodes(ast.parse(source))
    ]


def without_words(source: str) -> ast.Module:
    """The source's tree in which a claim is only its number and its value.

    What is claimed of a value, the sentence and the bound, is no part of what is run.
    """
    tree = ast.parse(source)
    for node in _nodes(tree):
        node.args = [node.args[0], *node.args[2:]]
        node.keywords = [k for k in node.keywords if k.arg == "value"]
    return tree


def _nodes(tree: ast.Module) -> Iterator[ast.Call]:
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "claim"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ]
    yield from sorted(found, key=lambda node: node.lineno)


def _comments(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }


def tolerance(value: float, runs: Sequence[float]) -> float:
    """How far a printed value may be from today's, on another machine.

    One step of its second digit; where other seeds moved it more than that, their
    spread, and at least 10 % of the value.

    Args:
        value: what was measured.
        runs: what the same claim measured with other seeds.
    """
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.0
    spread = max((abs(run - value) for run in runs), default=0.0)
    moved = max(0.1 * abs(value), spread) if spread > step else 0.0
    return max(1.001 * step, moved)


def taken_as_today(
    committed: Sequence[Any], fresh: Sequence[Any], record: Mapping[str, Any]
) -> list[Any]:
    """The committed outputs, with today's value in each claim where the two agree.

    The sentence and the bound are left to an exact comparison. Two values agree if they
    differ by at most `tolerance`; for a ratio of one machine, and for a difference that
    is rounding (below 1e-5, with an upper bound), if both keep the bound.

    Args:
        committed: the outputs of a cell in the notebook file.
        fresh: those of today's run.
        record: claim number -> values with other seeds.
    """
    today = {claim["number"]: claim for claim in printed(fresh)}
    result = []
    for output in committed:
        claim = output.get("metadata", {}).get("claim")
        new = today.get(claim["number"]) if claim else None
        if new and isinstance(new["value"], float):
            output = copy.deepcopy(output)
            text = _joined(output["data"]["text/plain"])
            runs = [r for r in record.get(new["number"], []) if isinstance(r, float)]
            value = claims.shown(new["value"], new["bound"])
            found = MEASURED.search(text)
            if found and _agree(float(found[1]), new, runs):
                text = f"{text[: found.start(1)]}{value}{text[found.end(1) :]}"
                output["data"]["text/plain"] = text
        result.append(output)
    return result


def _agree(old: float, new: Mapping[str, Any], runs: Sequence[float]) -> bool:
    value, bound = new["value"], new["bound"]
    noise = "at_most" in bound and max(abs(old), abs(value)) < 1e-5
    if new.get("machine") or noise:
        return claims.holds(old, bound) and claims.holds(value, bound)
    return abs(old - value) <= tolerance(value, runs)


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
