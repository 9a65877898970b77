"""Create .venv and install requirements.txt into it: once, until a list changes.

Standard library only, and old syntax, so that an old Python can still say that it is
too old.   usage: python tools/install.py
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
OLDEST = (3, 11)


def main():
    if sys.version_info < OLDEST:
        stop(
            "Python {}.{} is too old, {}.{} or newer is needed: install it and say "
            "`make PYTHON=/path/to/python3.11 ...`".format(
                *sys.version_info[:2], *OLDEST
            )
        )
    if not (BIN / ("python.exe" if os.name == "nt" else "python")).exists():
        make_venv()
    python = str(BIN / "python")
    print("Installing requirements.txt into .venv; the first time takes minutes.")
    base = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    done = subprocess.run([*base, "-q", "-r", str(ROOT / "requirements.txt")], cwd=ROOT)
    if done.returncode:
        stop(
            "pip could not install requirements.txt (its own words are above): is the "
            "network up, and is the disk not full? Then run make again"
        )
    (VENV / "installed").write_text("by tools/install.py\n")


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
