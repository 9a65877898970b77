"""Each notebook once more: solved, and under hostile conditions.

The strict comparison itself is `pytest --nbval notebooks`.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tools import hostile, notebook
from tools.extras import skip_or_fail
from tools.settings import ROOT

NOTEBOOKS = notebook.lessons()
BY_NAME = {"argvalues": NOTEBOOKS, "ids": [path.stem for path in NOTEBOOKS]}


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def tracked_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def copy_checkout(folder: Path) -> Path:
    for name in tracked_files():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.mark.parametrize("path", **BY_NAME)
def test_hostile_run(path: Path, tmp_path: Path) -> None:
    """Solved, each cell twice; é in the path; no display, network or home."""
    skip_or_fail(path)
    root = copy_checkout(tmp_path / "mon cours d'été")
    before = fingerprint(root)
    environment = hostile.surroundings(tmp_path, root)
    warm_up = [sys.executable, "-c", "import matplotlib.font_manager"]
    subprocess.run(warm_up, env=environment, capture_output=True, check=True)
    copied = root / path.relative_to(ROOT)
    command = [sys.executable, "-m", "tools.hostile", str(copied)]
    done = subprocess.run(
        hostile.without_network(command),
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"
    assert fingerprint(root) == before, "running the notebook changed the checkout"
