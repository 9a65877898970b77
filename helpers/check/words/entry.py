"""What is said of one mistake."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """`short` stands inside a sentence; `says` ends in a full stop, `asks` asks."""

    short: str
    says: str
    asks: str
