"""A lesson is put back, and nothing that the learner wrote is lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import notebook, reset, settings

NAMES = ("03_scores.ipynb", "04_heads.ipynb", "13_more_scores.ipynb")


def git(root: Path, *arguments: str) -> None:
    me = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *me, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A checkout with three lessons, in a folder with a space in its name."""
    root = tmp_path / "my course"
    (root / "notebooks").mkdir(parents=True)
    for name in NAMES:
        (root / "notebooks" / name).write_bytes(f"{name} é\n".encode())
    shutil.copy(settings.ROOT / ".gitignore", root)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "lessons")
    return root


def test_several_resets_lose_nothing(course: Path) -> None:
    lesson = course / "notebooks" / NAMES[0]
    original = lesson.read_bytes()
    for work in ("first", "second", "third"):
        lesson.write_text(work, encoding="utf-8")
        said = reset.main(["03"], course)
        assert lesson.read_bytes() == original and "Reload Notebook from Disk" in said
    kept = {path.name: path.read_text() for path in lesson.parent.glob("*.mine*")}
    assert kept == {
        "03_scores.mine.ipynb": "first",
        "03_scores.mine-2.ipynb": "second",
        "03_scores.mine-3.ipynb": "third",
    }
    assert "03_scores.mine-3.ipynb" in said
    state = ["git", "status", "--porcelain"]
    assert subprocess.run(state, cwd=course, capture_output=True).stdout == b""


def test_an_untouched_lesson_is_left_alone(course: Path) -> None:
    assert "already" in reset.main(["03"], course)
    assert list((course / "notebooks").glob("*.mine*")) == []


def test_a_lesson_that_was_deleted_comes_back(course: Path) -> None:
    lesson = course / "notebooks" / NAMES[1]
    original = lesson.read_bytes()
    lesson.unlink()
    said = reset.main(["04_heads.ipynb"], course)
    assert lesson.read_bytes() == original and "yours" not in said


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ([], "Which lesson"),
        (["03", "04"], "Which lesson"),
        (["99"], "No lesson has '99' in its name: 03_scores.ipynb, 04"),
        (["scores"], "Several lessons have 'scores' in their names: 03_scores.ipynb, "),
        (["mine"], "No lesson has 'mine'"),
    ],
)
def test_what_cannot_be_reset_is_said(course: Path, names, says) -> None:
    lesson = course / "notebooks" / NAMES[0]
    (course / "notebooks" / "03_scores.mine.ipynb").write_text("kept")
    lesson.write_text("work")
    with pytest.raises(SystemExit) as error:
        reset.main(names, course)
    assert says in str(error.value) and str(error.value).endswith((".", "`."))
    assert lesson.read_text() == "work"


def test_without_git_nothing_is_touched(tmp_path: Path, monkeypatch) -> None:
    """A zip download: the sentence says what to do by hand."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "notebooks").mkdir()
    lesson = tmp_path / "notebooks" / NAMES[0]
    lesson.write_text("work")
    with pytest.raises(SystemExit, match="03_scores.mine.ipynb.*fresh download"):
        reset.main(["03"], tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))  # not even the command git
    with pytest.raises(SystemExit, match="zip file"):
        reset.main(["03"], tmp_path)
    assert lesson.read_text() == "work"


def test_no_tool_takes_a_kept_notebook_for_a_lesson(course: Path, monkeypatch) -> None:
    (course / "notebooks" / NAMES[0]).write_text("work")
    reset.main(["03"], course)
    monkeypatch.setattr(settings, "ROOT", course)
    assert [path.name for path in notebook.lessons()] == list(NAMES)


def test_the_strict_comparison_passes_over_a_kept_notebook(tmp_path: Path) -> None:
    for name in ("conftest.py", "pyproject.toml", "requirements.txt"):
        shutil.copy(settings.ROOT / name, tmp_path)
    shutil.copytree(settings.ROOT / "tools", tmp_path / "tools")
    (tmp_path / "helpers").symlink_to(settings.ROOT / "helpers")
    (tmp_path / "notebooks").mkdir()
    source = settings.ROOT / "notebooks" / "03_scaled_dot_product.ipynb"
    shutil.copy(source, tmp_path / "notebooks" / "03_scaled_dot_product.mine-2.ipynb")
    command = ["pytest", "--nbval", "notebooks", "--collect-only", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True
    )
    assert "no tests collected" in done.stdout, done.stdout + done.stderr
