"""The self-check: silent where all is well, one sentence with a remedy otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from helpers import doctor


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the course, with two requirements."""
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "doctor.py").touch()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["torch>=2.5", "tqdm>=4.66"]\n', encoding="utf-8"
    )
    return tmp_path


def examined(checkout: Path, **changes) -> list[str]:
    healthy = {
        "root": checkout,
        "folder": checkout / "notebooks",
        "python": (3, 11, 2),
        "installed": {"torch": "2.13.0+cpu", "tqdm": "4.66"},
    }
    return doctor.problems(**(healthy | changes))


def test_nothing_is_said_where_all_is_well(checkout: Path):
    assert examined(checkout) == []


def test_this_very_environment_is_well(capsys: pytest.CaptureFixture):
    doctor.check_up()
    assert capsys.readouterr().out == doctor.ALL_IS_WELL + "\n"


PROJECT = tomllib.loads((doctor.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_requirements_are_those_of_the_project():
    least = doctor.requirements()
    assert least["torch"] == "2.5" and least["traitlets"] == "5.9"
    assert len(least) == len(PROJECT["project"]["dependencies"])


def test_a_missing_package(checkout: Path):
    (said,) = examined(checkout, installed={"torch": "2.13.0", "tqdm": None})
    assert said.startswith("Missing package: tqdm")
    assert "pip install 'tqdm>=4.66'" in said


@pytest.mark.parametrize("version", ["2.4.1", "1.13", "2.4.1+cu121", "2"])
def test_an_old_package(checkout: Path, version: str):
    (said,) = examined(checkout, installed={"torch": version, "tqdm": "5.0"})
    assert said.startswith(f"torch {version} is too old")


def test_a_wrong_kernel(checkout: Path):
    (checkout / ".venv").mkdir()
    said = examined(checkout, prefix="/usr", installed={"torch": "2.5", "tqdm": None})
    assert len(said) == 2
    assert said[0].startswith("Wrong kernel: it runs the Python in /usr")
    assert "Change Kernel" in said[0]


def test_another_environment_is_no_wrong_kernel_if_it_has_everything(checkout: Path):
    (checkout / ".venv").mkdir()
    assert examined(checkout, prefix="/opt/conda") == []


def test_an_old_python(checkout: Path):
    (said,) = examined(checkout, python=(3, 9, 18))
    assert said.startswith("Python 3.9.18 is too old")


def test_helpers_of_another_checkout(checkout: Path, tmp_path: Path):
    other = tmp_path / "another"
    other.mkdir()
    enough = dict.fromkeys(doctor.requirements(other), "99")
    (said,) = examined(checkout, root=other, installed=enough)
    assert said.startswith("A foreign package")
    assert f"pip install -e .` in {checkout}" in said


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_cannot_be_written(checkout: Path):
    (checkout / "notebooks").chmod(0o500)
    (said,) = examined(checkout)
    assert "cannot be written" in said


def test_a_folder_that_is_said_not_to_be_writable(checkout: Path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *args: False)
    (said,) = examined(checkout)
    assert "cannot be written" in said and said.endswith(".")


@pytest.mark.parametrize("opened", [True, False])
def test_who_saves_nothing_is_not_told_of_it(monkeypatch, capsys, opened: bool):
    monkeypatch.setattr(os, "access", lambda *args: False)
    monkeypatch.delenv(doctor.SESSION, raising=False)
    if opened:
        monkeypatch.setenv(doctor.SESSION, "notebooks/00_start_here.ipynb")
    doctor.check_up()
    assert ("cannot be written" in capsys.readouterr().out) is opened


DECOYS = {
    "helpers/__init__.py": "folder",
    "helpers/something.py": "folder",
    "helpers.py": "file",
}


@pytest.mark.parametrize("decoy", DECOYS)
def test_what_hides_the_course_is_named(decoy: str, tmp_path: Path):
    (tmp_path / decoy).parent.mkdir(exist_ok=True)
    (tmp_path / decoy).write_text("", encoding="utf-8")
    # an installed course may still find helpers.doctor: here by its own place
    code = (
        "import helpers, importlib.util as u, sys\n"
        f"spec = u.spec_from_file_location('helpers.doctor', {doctor.__file__!r})\n"
        "found = u.module_from_spec(spec)\n"
        "spec.loader.exec_module(found)\n"
        "found.check_up()"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    place = tmp_path / decoy.partition("/")[0]
    assert done.stdout == (
        f"Another {DECOYS[decoy]} is called helpers and hides the course's: rename "
        f"{place}, {doctor.RESTART}.\n"
    ), done.stderr


def test_it_needs_no_package():
    code = "import sys; before = set(sys.modules); import runpy; runpy.run_path(r'{}')"
    code = code.format(doctor.__file__) + (
        "; print([m for m in set(sys.modules) - before if m in ('torch', 'numpy')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
