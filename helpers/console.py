"""Printing that no console refuses: not every one has × or √."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Print the text; a character that the console's encoding lacks becomes a "?"."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))
