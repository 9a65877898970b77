"""What needs more than requirements.txt, and is left out where that is missing."""

from __future__ import annotations

import os
from pathlib import Path

from tools.lab import chromium

NEED_THE_MODEL = ("15_real_model",)


def why_not(path: Path) -> str | None:
    """Why a notebook can't run here, as one sentence; None if it can."""
    if path.stem not in NEED_THE_MODEL:
        return None
    from helpers.models import pretrained

    return pretrained.missing()


def skip_or_fail(path: Path) -> None:
    """Inside a test: leave it out where its notebook can't run."""
    if why := why_not(path):
        _leave_out(why, f"CI runs every lesson. {why}")


def needs_browser() -> None:
    """Inside a test: leave it out where there is no browser."""
    if chromium() is None:
        why = "no Chromium or Chrome is installed (Debian: apt install chromium)"
        _leave_out(why, f"CI needs a browser: {why}")


def _leave_out(why: str, in_ci: str) -> None:
    """Skip the test; in CI, let it fail."""
    import pytest

    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(in_ci, pytrace=False)
    pytest.skip(why)
