"""The floors of helpers/: a file imports from its own floor or from those below."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    "console devices masks attention grouped positions streaming recurrent scan "
    "windows decoding ngram",
    "tasks training measure sampling claims",
    "models",
    "interpret",
    "plots",
    "explorer helpers",
    "check doctor",
)
"""Parts of helpers/, the lowest floor first; "helpers" itself is a list of names."""
FLOOR = {part: n for n, parts in enumerate(FLOORS) for part in parts.split()}
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(
        ".__init__"
    ): path
    for path in sorted((ROOT / "helpers").rglob("*.py"))
}


def part_of(module: str) -> str:
    return module.removeprefix("helpers.").partition(".")[0]


def imports_of(module: str) -> set[str]:
    path = FILES[module]
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    return imported(path.read_text(encoding="utf-8"), package)


def imported(source: str, package: str = "helpers") -> set[str]:
    """The modules of helpers that a source in this package imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source_of = ".".join(filter(None, (home, node.module)))
            deeper = {f"{source_of}.{alias.name}" for alias in node.names}
            names = {name for name in deeper if name in FILES} or {source_of}
        else:
            continue
        found |= {name for name in names if name.split(".")[0] == "helpers"}
    return found


def test_every_part_stands_on_a_floor() -> None:
    assert {part_of(module) for module in FILES} == set(FLOOR)


@pytest.mark.parametrize("module", FILES)
def test_no_file_knows_of_a_higher_floor(module: str) -> None:
    for other in imports_of(module):
        assert FLOOR[part_of(other)] <= FLOOR[part_of(module)], f"imports {other}"


def test_no_two_parts_import_each_other() -> None:
    below: dict[str, set[str]] = {}
    for module in FILES:
        parts = {part_of(other) for other in imports_of(module)}
        below.setdefault(part_of(module), set()).update(parts - {part_of(module)})
    order = list(TopologicalSorter(below).static_order())
    assert order.index("interpret") > order.index("models") > order.index("tasks")


def test_an_import_is_seen_wherever_it_is() -> None:
    code = "import torch\ndef f():\n    from helpers.measure import graph, seconds"
    assert imported(code) == {"helpers.measure.graph"}
    assert imported("from helpers.masks import FILL") == {"helpers.masks"}
    assert imported("from . import row", "helpers.plots") == {"helpers.plots.row"}
    assert imported("from ..tasks import order", "helpers.plots") == {
        "helpers.tasks.order"
    }
