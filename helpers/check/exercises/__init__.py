"""The exercises, one a room: <name>.py knows, <name>.md says.

A new room is found by itself: it needs EXERCISES. Files with a leading underscore are
parts of others.
"""

from __future__ import annotations

import importlib
import pkgutil

from ..space import Exercise


def load() -> dict[str, Exercise]:
    """Every exercise of every room, by name."""
    found: dict[str, Exercise] = {}
    names = sorted(m.name for m in pkgutil.iter_modules(__path__))
    for module in (n for n in names if not n.startswith("_")):
        room = importlib.import_module(f"{__name__}.{module}")
        found |= {e.name: e for e in room.EXERCISES}
    return found
