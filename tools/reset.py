"""Put a lesson back as it was committed, and keep the learner's beside it.

Standard library only.   usage: python tools/reset.py 03

`notebooks/03_scaled_dot_product.ipynb` becomes `03_scaled_dot_product.mine.ipynb`, or
`.mine-2.ipynb` and so on where that is taken: several resets lose nothing. Git and the
course's own tools pass over these files.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(names: list[str], root: Path = ROOT) -> str:
    """Reset the one lesson that is named; what was done, as a sentence.

    Args:
        names: one part of the lesson's file name.
        root: the folder of the course.

    Raises:
        SystemExit: with one sentence, if nothing was done.
    """
    if len(names) != 1:
        sys.exit("Which lesson? For lesson 03 say `make reset NB=03`.")
    path = _lesson(names[0], root)
    original = _committed(path, root)
    if path.is_file() and path.read_bytes() == original:
        return f"{path.name} is as it was committed already."
    kept = ""
    if path.is_file():
        mine = next(name for name in _names_for_mine(path) if not name.exists())
        path.rename(mine)
        kept = f"; yours is now notebooks/{mine.name}"
    path.write_bytes(original)
    return (
        f"{path.name} is back as it was committed{kept}. If it is open in JupyterLab, "
        f"choose File → Reload Notebook from Disk."
    )


def _lesson(name: str, root: Path) -> Path:
    """The only lesson with this in its name, be its file there or not."""
    folder = root / "notebooks"
    lessons = {path.name for path in folder.glob("*.ipynb")}
    lessons |= {Path(line).name for line in _git(root, "ls-files", "--", "notebooks")}
    lessons = {x for x in lessons if x.endswith(".ipynb") and ".mine" not in x}
    wanted = Path(name).name.removesuffix(".ipynb")
    found = [x for x in lessons if x.startswith(wanted)]
    found = sorted(found or (x for x in lessons if wanted in x))
    if len(found) == 1:
        return folder / found[0]
    if not found:
        sys.exit(f"No lesson has {name!r} in its name: {', '.join(sorted(lessons))}.")
    sys.exit(f"Several lessons have {name!r} in their names: {', '.join(found)}.")


def _committed(path: Path, root: Path) -> bytes:
    """The lesson as git keeps it."""
    shown = _run(root, "show", f"HEAD:./notebooks/{path.name}")
    if shown is None:
        sys.exit(
            f"Git does not have the original of {path.name} here (is this a copy from "
            f"a zip file?): rename yours to {path.stem}.mine.ipynb, and copy the "
            f"lesson from a fresh download of the course into notebooks/."
        )
    return shown


def _names_for_mine(path: Path) -> Iterator[Path]:
    yield path.with_suffix(".mine.ipynb")
    number = 2
    while True:
        yield path.with_suffix(f".mine-{number}.ipynb")
        number += 1


def _git(root: Path, *arguments: str) -> list[str]:
    return (_run(root, *arguments) or b"").decode("utf-8", "replace").splitlines()


def _run(root: Path, *arguments: str) -> bytes | None:
    """What git prints; None where there is no git or it refuses."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


if __name__ == "__main__":
    said = main(sys.argv[1:])
    encoding = sys.stdout.encoding or "utf-8"
    print(said.encode(encoding, "replace").decode(encoding))
