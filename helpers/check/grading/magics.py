"""IPython's `%magic`, `!command` and `name?` as Python, by IPython's own rules."""

from __future__ import annotations

import ast
from pathlib import PurePath
from typing import Any

RUN_PYTHON = {"time", "timeit", "capture", "prun", "debug"}
"""Magics whose code is part of the notebook's: it is run without them."""
RUN_A_FILE = {"run", "load", "pylab"}
"""Magics that may bind any name."""
WRITE = {"writefile", "file"}


class Shell:
    """What `get_ipython()` gives while an answer is run: a shell that does nothing."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **named: Any) -> None:
        """Stand for any of its methods."""

    def run_line_magic(self, name: str, line: str) -> None:
        """Do nothing, but say what the code behind would miss."""
        if name in RUN_A_FILE:
            raise OSError(f"%{name} {line} is not run when notebooks are graded")


def python(text: str) -> ast.Module:
    """The syntax tree of a cell.

    Raises:
        SyntaxError: or what else ast.parse raises, if it is no valid Python.
    """
    try:
        return ast.parse(text)
    except SyntaxError as error:
        try:
            from IPython.core.inputtransformer2 import TransformerManager
        except ImportError:
            raise error from None
    return _Plain().visit(ast.parse(TransformerManager().transform_cell(text)))


def written_file(text: str) -> tuple[ast.stmt, str] | None:
    """(a statement that does it, the file's name) if a cell is `%%writefile a.py`.

    Only a bare name counts: it is written where the answer runs, in a scratch folder.
    """
    first, _, body = text.lstrip().partition("\n")
    magic, *words = first.split()[:4] or [""]
    if magic.removeprefix("%%") not in WRITE or not magic.startswith("%%"):
        return None
    mode = "a" if words[:1] in (["-a"], ["--append"]) else "w"
    name = words[-1].strip("'\"") if words else ""
    if not name or PurePath(name).name != name:
        return None
    body = f"{body.rstrip()}\n"
    write = f"open({name!r}, {mode!r}, encoding='utf-8').write({body!r})"
    fresh = "__import__('importlib').invalidate_caches()"
    return ast.parse(f"({write}, {fresh})").body[0], name


def runs_a_file(node: ast.stmt) -> bool:
    """Is it a magic that may bind any name, such as `%run other.ipynb`?"""
    magic = _magic(node.value) if isinstance(node, ast.Expr) else None
    return bool(magic) and magic[0] in RUN_A_FILE


class _Plain(ast.NodeTransformer):
    """`%time code` and cells of `%%time` as the code alone; other cells are empty."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        magic = _magic(node.value)
        if magic is None or len(magic) == 2 and magic[0] not in RUN_PYTHON:
            return self.generic_visit(node)
        name, *_, code = magic
        if name not in RUN_PYTHON:
            return []
        body = python(code).body
        for part in body:  # a cell's code begins below its magic
            ast.increment_lineno(part, node.lineno - 1 + (len(magic) == 3))
        return body

    def visit_Call(self, node: ast.Call) -> ast.AST:
        magic = _magic(node)
        if magic and len(magic) == 2 and magic[0] in RUN_PYTHON:
            try:
                return ast.parse(magic[1].strip(), mode="eval").body
            except SyntaxError:
                return node
        return self.generic_visit(node)


def _magic(node: ast.AST) -> tuple[str, ...] | None:
    """(name, line) or (name, line, cell) of a magic, as IPython writes its call."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Name(id="get_ipython")),
                attr="run_line_magic" | "run_cell_magic",
            ),
            args=arguments,
        ) if all(isinstance(a, ast.Constant) for a in arguments):
            return tuple(str(a.value) for a in arguments)
    return None
