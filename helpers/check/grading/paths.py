"""Which notebooks are meant, and what the report calls them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path


def notebooks(paths: Sequence[str]) -> list[Path]:
    """The notebooks that are meant: files, all below a folder, or a pattern.

    A link below a folder stays in the list as it is, be it to a notebook or a folder.

    Raises:
        ValueError: if a path leads to none.
    """
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        here = [path] if path.exists() else [Path(p) for p in sorted(glob(given))]
        files = [f for p in here for f in (_below(p) if p.is_dir() else [p])]
        if not files:
            what = "holds no notebook" if path.is_dir() else "is no file and no folder"
            raise ValueError(f"{given} {what}")
        found |= dict.fromkeys(Path(os.path.abspath(f)) for f in files)
    return list(found)


def _below(folder: Path) -> list[Path]:
    """All notebooks below a folder, but for hidden ones (Jupyter's checkpoints)."""
    return sorted(_walk(folder))


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        names = [name for name in files if name.endswith(".ipynb")]
        linked = [name for name in folders if (Path(here) / name).is_symlink()]
        for name in (*names, *linked):
            if not name.startswith("."):
                yield Path(here) / name


def link_to(path: Path) -> str:
    """Where a link leads, as it says itself; "" for what is no link."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return ""


def own_folders(files: Sequence[Path]) -> set[Path]:
    """The notebooks in a folder of their own, from where they may import files.

    In the folder that holds all hand-ins, `import utils` would run a classmate's file.
    """
    beside = Counter(f.parent for f in files)
    shared = _shared_folder(files)
    return {f for f in files if beside[f.parent] == 1 or f.parent != shared}


def short_names(files: Sequence[Path]) -> dict[Path, str]:
    """What tells the files apart: their path below the folder that all share."""
    folder = _shared_folder(files)
    if folder is None:
        return {f: f.as_posix() for f in files}
    return {f: f.relative_to(folder).as_posix() for f in files}


def _shared_folder(files: Sequence[Path]) -> Path | None:
    try:
        return Path(os.path.commonpath([f.parent for f in files]))
    except ValueError:  # none at all, or two drives
        return None
