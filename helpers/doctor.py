"""Is everything in place? One sentence with the remedy for each thing that is not.

Needs nothing but Python, so that it can still speak where a package is missing.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder in which helpers/ lies: the checkout, or site-packages."""
DISTRIBUTION = "attention-from-the-ground-up"
PYTHON = (3, 11)
SESSION = "JPY_SESSION_NAME"
"""The environment variable in which Jupyter names the notebook of a kernel."""
RESTART = "then restart the kernel (Kernel → Restart Kernel)"
CHANGE_KERNEL = (
    "start JupyterLab with `make lab`, or choose the course's environment under "
    "Kernel → Change Kernel"
)
ALL_IS_WELL = (
    "All is well: Python, the packages, the kernel and the folder are what the course "
    "needs."
)


def check_up() -> None:
    """Print one sentence per problem, with the remedy; or that all is well.

    Whether the folder can be written is no matter of the lesson's output: it is said
    only where Jupyter has opened the notebook, so that a run without a reader says the
    same on every machine.
    """
    if found := shadowing():
        print(found)  # `helpers` is another package: nothing else of it can be used
        return
    from helpers.console import say

    say("\n".join(problems(saved=SESSION in os.environ)) or ALL_IS_WELL)


def shadowing() -> str:
    """What hides the course's `helpers`, and the remedy; "" if nothing does.

    A file helpers.py or a folder helpers beside the notebook comes first in Python's
    search. An installed course may still find this very file.
    """
    module = sys.modules.get("helpers")
    if module is None:  # this file is run by itself
        return ""
    file = getattr(module, "__file__", None)
    paths = [Path(file)] if file else map(Path, getattr(module, "__path__", []))
    places = [path.parent if path.name == "__init__.py" else path for path in paths]
    own = Path(__file__).resolve().parent
    other = [place for place in places if place.resolve() != own]
    if not other or own in [place.resolve() for place in places]:
        return ""
    kind = "file" if other[0].suffix == ".py" else "folder"
    return (
        f"Another {kind} is called helpers and hides the course's: rename {other[0]}, "
        f"{RESTART}."
    )


def problems(
    *,
    root: Path = ROOT,
    folder: Path | None = None,
    python: tuple[int, ...] = sys.version_info[:3],
    prefix: str = sys.prefix,
    installed: Mapping[str, str | None] | None = None,
    saved: bool = True,
) -> list[str]:
    """What is wrong, one sentence each with the remedy; an empty list if nothing is.

    Args:
        root: the folder in which the imported helpers lie.
        folder: the folder of the notebook; by default the working directory.
        python: version of Python.
        prefix: where the Python of this kernel is installed.
        installed: package → version, or None if it is missing; by default what
            Python finds for each package that the course needs.
        saved: whether somebody will save the notebook.
    """
    folder = Path.cwd() if folder is None else folder
    least = requirements(root)
    if installed is None:
        installed = {name: _version(name) for name in least}
    found = _packages(least, installed)
    own = root / ".venv"
    if found and own.is_dir() and Path(prefix).resolve() != own.resolve():
        found.insert(
            0,
            f"Wrong kernel: it runs the Python in {prefix}, but the course is "
            f"installed in {own}; {CHANGE_KERNEL}.",
        )
    if python < PYTHON:
        have = ".".join(map(str, python))
        found.insert(
            0,
            f"Python {have} is too old: make an environment with Python 3.11 or newer, "
            f"and {CHANGE_KERNEL}.",
        )
    return found + _foreign(root, folder) + (_not_writable(folder) if saved else [])


def requirements(root: Path = ROOT) -> dict[str, str]:
    """Package → lowest version, as pyproject.toml (or the installed course) says."""
    listed = root / "pyproject.toml"
    if listed.is_file():
        project = tomllib.loads(listed.read_text(encoding="utf-8"))["project"]
        lines = project["dependencies"]
    else:
        try:
            lines = metadata.requires(DISTRIBUTION) or []
        except metadata.PackageNotFoundError:
            lines = []
    matches = (re.match(r"([\w.-]+)>=([\w.]+)$", line.strip()) for line in lines)
    return {match[1]: match[2] for match in matches if match}


def _packages(
    least: Mapping[str, str], installed: Mapping[str, str | None]
) -> list[str]:
    found = []
    for name, lowest in least.items():
        version = installed.get(name)
        if version is None:
            found.append(
                f"Missing package: {name}; run `pip install '{name}>={lowest}'` in the "
                f"kernel's environment, {RESTART}."
            )
        elif _numbers(version) < _numbers(lowest):
            found.append(
                f"{name} {version} is too old; run `pip install '{name}>={lowest}'` in "
                f"the kernel's environment, {RESTART}."
            )
    return found


def _foreign(root: Path, folder: Path) -> list[str]:
    """The notebook lies in a checkout whose helpers are not the ones imported."""
    here = folder.resolve().parent
    if not (here / "helpers" / "doctor.py").is_file() or here == root.resolve():
        return []
    return [
        f"A foreign package: the helpers that were imported lie in {root}, not beside "
        f"this notebook; run `pip install -e .` in {here}, {RESTART}."
    ]


def _not_writable(folder: Path) -> list[str]:
    if os.access(folder, os.W_OK):
        return []
    return [
        f"The folder {folder} cannot be written, so your answers cannot be saved: copy "
        f"the course into a folder of your own and open it there."
    ]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """'2.13.0+cpu' → (2, 13, 0): enough to compare with a lowest version."""
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()
