"""Which notebooks are meant, and what the report calls them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import glob
from pathlib import Path


def notebooks(paths: Sequence[str]) -> list[Path]:
    """The notebooks that are meant: files, all below a folder, or a pattern.

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
        found |= dict.fromkeys(f.resolve() for f in files)
    return list(found)


def _below(folder: Path) -> list[Path]:
    """All notebooks below a folder, but for hidden ones (Jupyter's checkpoints)."""
    return sorted(
        path
        for path in folder.rglob("*.ipynb")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def short_names(files: Sequence[Path]) -> dict[Path, str]:
    """What tells the files apart: their path below the folder that all share."""
    try:
        folder = os.path.commonpath([f.parent for f in files])
    except ValueError:  # none at all, or two drives
        return {f: f.as_posix() for f in files}
    return {f: f.relative_to(folder).as_posix() for f in files}
