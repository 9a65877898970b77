"""Run a notebook, solved, as it may be run at its worst, and compare.

usage: python -m tools.hostile NOTEBOOK

To be started from a copy of the checkout, in an environment that `surroundings` made:
another working directory, no display, a home folder that cannot be written, on Linux
no network. The folded solutions stand in their stubs and must pass their checks. Each
code cell runs twice in place; both runs must give what is committed, apart from the
checks. (What `remember` says is not trained twice.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbformat import NotebookNode

from tools import notebook, settings
from tools.compare import IGNORED, differences
from tools.exercises import exercises, solve

NO_NETWORK = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c"]
NO_NETWORK_SCRIPT = 'ip link set lo up && exec "$@"'


def main() -> int:
    path = Path(sys.argv[1]).resolve()
    nb = notebook.read(path)
    checks = {exercise.check_cell for exercise in exercises(nb)}
    committed = [list(cell.get("outputs", [])) for cell in nb.cells]
    problems: list[str] = []

    def compare(index: int, cell: NotebookNode, which: str) -> None:
        if index in checks:
            said = "".join(output.get("text", "") for output in cell.outputs)
            found = [] if ": correct" in said else [f"the check says {said}"]
        elif IGNORED in notebook.tags(cell):
            found = []
        else:
            found = differences(committed[index], cell.outputs)
        problems.extend(f"{path.name}, cell {index}, {which}: {f}" for f in found)

    def again(client: NotebookClient, index: int, cell: NotebookNode) -> None:
        compare(index, cell, "first run")
        client.execute_cell(cell, index)
        compare(index, cell, "run a second time in place")

    with tempfile.TemporaryDirectory() as elsewhere:
        notebook.execute(
            solve(nb),
            Path(elsewhere),
            after_cell=again,
            first="from tools import remember; remember.start(get_ipython())",
        )
    print("\n".join(problems))
    return int(bool(problems))


def surroundings(scratch: Path, root: Path) -> dict[str, str]:
    """The environment of a hostile run.

    Args:
        scratch: a folder for what Jupyter and matplotlib must be able to write.
        root: the copy of the checkout, whose helpers are to be used.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CACHE_HOME")
    }
    environment.update(settings.ENVIRONMENT)
    environment.update(
        HOME="/proc/no-home" if sys.platform == "linux" else str(scratch / "no-home"),
        PYTHONPATH=str(root),
        PYTHONDONTWRITEBYTECODE="1",
    )
    for name in ("MPLCONFIGDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        folder = scratch / name.lower()
        folder.mkdir(exist_ok=True)
        environment[name] = str(folder)
    return environment


def without_network(command: list[str]) -> list[str]:
    """The command in a network of its own with nothing in it, where Linux allows it."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return command
    wrapped = [*NO_NETWORK, NO_NETWORK_SCRIPT, "sh"]
    trial = subprocess.run([*wrapped, "true"], capture_output=True)
    return [*wrapped, *command] if trial.returncode == 0 else command


if __name__ == "__main__":
    sys.exit(main())
