"""A notebook as a list of statements, without running any: what each binds and uses."""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEFINES = re.compile(r"^(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=", re.MULTILINE)
RUNS_PYTHON = re.compile(r"\s*%%(time|capture|prun|debug)\b[^\n]*")
MAGIC = (
    (re.compile(r"^(\s*)%time[ \t]+(?=\S)", re.MULTILINE), r"\1"),
    (re.compile(r"=[ \t]*[%!].*$", re.MULTILINE), "= None"),
    (re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?\??[ \t]*)$", re.MULTILINE), r"\1pass"),
)
BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
EVERYTHING = "*"
"""What `from … import *` binds."""


@dataclass(frozen=True)
class Statement:
    """One statement on the top level of a cell.

    Attributes:
        cell: index of the cell, from 0.
        source: the code of the whole cell.
        node: the parsed statement; None if the cell is no valid Python.
        binds: the names that it gives a value.
        changes: the names whose value it may change (`d[0] = 1`, `names.append(…)`).
        uses: the global names that it reads, those in its functions included.
        surely: whether the names it binds have no earlier value left.
        error: why the cell is no valid Python.
    """

    cell: int
    source: str
    node: ast.stmt | None
    binds: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    surely: bool = True
    error: str = ""

    @property
    def imports(self) -> bool:
        """Is it an import?"""
        return isinstance(self.node, ast.Import | ast.ImportFrom)


def read(path: Path) -> tuple[str, list[tuple[int, str]]]:
    """(first heading, [(index, source) of each code cell]) of a notebook.

    Raises:
        ValueError: if the file is no notebook; the text says what it is instead.
        OSError: if it can't be read.
    """
    data = path.read_bytes()
    try:
        nb = json.loads(data)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON from line {error.lineno} on") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {error}") from None
    cells = nb.get("cells") if isinstance(nb, dict) else None
    if not isinstance(cells, list):
        raise ValueError("JSON, but without a list of cells")
    texts = [
        (index, cell.get("cell_type"), _joined(cell.get("source")))
        for index, cell in enumerate(cells)
        if isinstance(cell, dict)
    ]
    headings = (
        line[2:].strip()
        for _, kind, text in texts
        if kind == "markdown"
        for line in text.splitlines()
        if line.startswith("# ")
    )
    code = [(index, text) for index, kind, text in texts if kind == "code"]
    return next(headings, ""), code


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def statements(cells: list[tuple[int, str]]) -> list[Statement]:
    """The statements of all code cells, in the order of the notebook."""
    return [found for index, text in cells for found in _parsed(index, text)]


def _parsed(index: int, text: str) -> Iterator[Statement]:
    text = RUNS_PYTHON.sub("", text, count=1) if text.lstrip()[:2] == "%%" else text
    if text.lstrip().startswith("%%"):  # %%bash, %%html: no Python at all
        return
    try:
        tree = _tree(text)
        found = [_described(index, text, node) for node in tree.body]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        names = frozenset(a or b for a, b in DEFINES.findall(text))
        where = f", line {error.lineno}" if getattr(error, "lineno", None) else ""
        why = f"{getattr(error, 'msg', error)}{where}"
        yield Statement(index, text, None, names, surely=False, error=why)
        return
    yield from found


def _tree(text: str) -> ast.Module:
    """The syntax tree; IPython's `%magic`, `!command` and `name?` count for nothing."""
    try:
        return ast.parse(text)
    except SyntaxError:
        for pattern, instead in MAGIC:
            text = pattern.sub(instead, text)
        return ast.parse(text)


def _described(index: int, text: str, node: ast.stmt) -> Statement:
    if isinstance(node, ast.ImportFrom) and node.names[0].name == EVERYTHING:
        return Statement(index, text, node, binds=frozenset(EVERYTHING))
    table = symtable.symtable(ast.unparse(node), "<cell>", "exec")
    binds = {
        s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()
    }
    uses = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    for inner in _nested(table):
        uses |= {s.get_name() for s in inner.get_symbols() if s.is_global()}
    if isinstance(node, ast.Delete):
        binds = set()
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        uses.add(node.target.id)
    surely = not isinstance(node, (*BLOCKS, ast.AugAssign))
    if isinstance(node, ast.AnnAssign) and node.value is None:  # `x: int` binds nothing
        binds = set()
    changes = frozenset(_changed(node))
    return Statement(
        index, text, node, frozenset(binds), changes, frozenset(uses), surely
    )


def _nested(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _nested(child)


def _changed(node: ast.AST) -> Iterator[str]:
    """Names at the root of `d[i] = …`, `d.x += …`, `del d[i]`, `d.method(…)`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    if isinstance(node, ast.Subscript | ast.Attribute):
        written = isinstance(node.ctx, ast.Store | ast.Del)
        if written and (name := _root(node)):
            yield name
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        if isinstance(called, ast.Attribute) and (name := _root(called)):
            yield name
    for child in ast.iter_child_nodes(node):
        yield from _changed(child)


def _root(node: ast.AST) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
