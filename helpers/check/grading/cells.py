"""A notebook as a list of statements, without running any: what each binds and uses."""

from __future__ import annotations

import ast
import json
import re
import stat
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import magics

MOST_BYTES = 100_000_000
"""A file that is larger is no notebook that someone wrote."""
DEFINES = re.compile(r"^(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=", re.MULTILINE)
BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
EVERYTHING = "*"
"""What `from … import *` binds."""


@dataclass(frozen=True)
class Statement:
    """One statement on the top level of a cell.

    Attributes:
        cell: index of the cell, from 0.
        source: the code of the whole cell.
        node: the parsed statement; None if the cell is no valid Python.
        binds: the names that it gives a value; `file a.py` if it writes that file.
        changes: the names whose value it may change (`d[0] = 1`, `names.append(…)`).
        uses: the global names that it reads, those in its functions included, and the
            files that may be what it imports.
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
    try:
        nb = json.loads(_bytes(path))
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON from line {error.lineno} on") from None
    except RecursionError as error:
        raise ValueError(f"no JSON: {error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"no JSON: {error.reason} at byte {error.start}") from None
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


def _bytes(path: Path) -> bytes:
    """What the file holds, if it is a file, and not a huge one."""
    info = path.stat()
    if not stat.S_ISREG(info.st_mode):
        raise ValueError("no file: a device, a pipe or a folder")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1) if info.st_size <= MOST_BYTES else b""
    if not data and info.st_size or len(data) > MOST_BYTES:
        size, most = info.st_size / 1e6, MOST_BYTES / 1e6
        raise ValueError(f"too large: {size:.0f} MB, and {most:.0f} MB are allowed")
    return data


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def statements(cells: list[tuple[int, str]]) -> list[Statement]:
    """The statements of all code cells, in the order of the notebook."""
    return [found for index, text in cells for found in _parsed(index, text)]


def _parsed(index: int, text: str) -> Iterator[Statement]:
    try:
        if written := magics.written_file(text):
            node, name = written
            yield _described(index, text, node, binds=_file(name), surely=False)
            return
        tree = magics.python(text)
        found = [_described(index, text, node) for node in tree.body]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        names = frozenset(a or b for a, b in DEFINES.findall(text))
        where = f", line {error.lineno}" if getattr(error, "lineno", None) else ""
        why = f"{getattr(error, 'msg', error)}{where}"
        yield Statement(index, text, None, names, surely=False, error=why)
        return
    yield from found


def _described(index: int, text: str, node: ast.stmt, **more: Any) -> Statement:
    files = frozenset(name for name in _imported_files(node))
    if isinstance(node, ast.ImportFrom) and node.names[0].name == EVERYTHING:
        return Statement(index, text, node, frozenset(EVERYTHING), uses=files)
    if magics.runs_a_file(node):
        return Statement(index, text, node, frozenset(EVERYTHING))
    table = symtable.symtable(_without_comprehensions(node), "<cell>", "exec")
    binds = {
        s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()
    }
    uses = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    for inner in _nested(table):
        outer = {s.get_name(): s for s in inner.get_symbols() if s.is_global()}
        uses |= {name for name, s in outer.items() if s.is_referenced()}
        if inner.get_name() == "genexpr":  # `:=` binds outside of it
            binds |= {name for name, s in outer.items() if s.is_assigned()}
    if isinstance(node, ast.Delete):
        binds = set()
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        uses.add(node.target.id)
    if isinstance(node, ast.AnnAssign) and node.value is None:  # `x: int` binds nothing
        binds = set()
    described = Statement(
        index,
        text,
        node,
        frozenset(binds),
        frozenset(_changed(node)),
        frozenset(uses) | files,
        surely=not isinstance(node, (*BLOCKS, ast.AugAssign)),
    )
    return replace(described, **more)


def _without_comprehensions(node: ast.stmt) -> str:
    """The code, with [… for …] and {… for …} as generators.

    Their variables are their own in every version; since Python 3.12 `symtable` counts
    those of comprehensions to what is around them.
    """
    text = ast.unparse(node)
    if not any(isinstance(part, COMPREHENSIONS) for part in ast.walk(node)):
        return text
    return ast.unparse(_AsGenerators().visit(ast.parse(text)))


class _AsGenerators(ast.NodeTransformer):
    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.AST:
        return self.generic_visit(ast.GeneratorExp(node.elt, node.generators))

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return self.generic_visit(ast.GeneratorExp(pair, node.generators))


def _file(name: str) -> frozenset[str]:
    return frozenset({f"file {name}"})


def _imported_files(node: ast.AST) -> Iterator[str]:
    """`file a.py` for each `import a`, in functions too."""
    for part in ast.walk(node):
        match part:
            case ast.Import(names=names):
                modules = [name.name for name in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                continue
        yield from (f"file {m.partition('.')[0]}.py" for m in modules)


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
