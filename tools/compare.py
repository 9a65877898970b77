"""Compare the outputs of a cell with the committed ones, figures included."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np
from PIL import Image

from tools import claims, record
from tools.settings import pinned

MOST_RMS = 0.3
"""Pixels from 0 to 255; one changed digit in a heat map moves the RMS by about 0.6."""

IGNORED = "nbval-ignore-output"
VIEW = "application/vnd.jupyter.widget-view+json"


def differences(committed: Sequence[Any], fresh: Sequence[Any]) -> list[str]:
    """What differs between two lists of outputs; one line a difference, none if equal.

    Args:
        committed: the outputs in the notebook file.
        fresh: the outputs of today's run.
    """
    old, new = _texts(as_today(committed, fresh)), _texts(fresh)
    lines = [
        f"{key}: committed {_short(old.get(key))}, now {_short(new.get(key))}"
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    ]
    return lines + figure_differences(committed, fresh) + stored_views(committed)


def as_today(committed: Sequence[Any], fresh: Sequence[Any]) -> list[Any]:
    """The committed outputs; a claim's value that is near enough is today's.

    Args:
        committed: the outputs in the notebook file.
        fresh: the outputs of today's run.
    """
    return claims.taken_as_today(committed, fresh, record.values())


def stored_views(committed: Sequence[Any]) -> list[str]:
    """What is wrong with committed outputs that hold the view of a widget.

    A view is a reference into a kernel that is gone. Today's run has one wherever a
    widget is shown, and there it does not count: the picture and the text beside it do.

    Args:
        committed: the outputs in the notebook file.
    """
    count = sum(VIEW in output.get("data", {}) for output in committed)
    return [f"{count} widget views are stored; `make run` drops them"] if count else []


def figure_differences(committed: Sequence[Any], fresh: Sequence[Any]) -> list[str]:
    """What differs between the figures; only their number counts with other versions.

    Args:
        committed: the outputs in the notebook file.
        fresh: the outputs of today's run.
    """
    old, new = _figures(committed), _figures(fresh)
    if len(old) != len(new):
        return [f"{len(old)} figures committed, {len(new)} computed"]
    if not _plots_as_pinned():
        return []
    return [
        f"figure {number}: {difference}"
        for number, pair in enumerate(zip(old, new))
        if (difference := _figure_difference(*pair))
    ]


def _figure_difference(old: str, new: str) -> str | None:
    if old == new:
        return None
    a, b = _pixels(old), _pixels(new)
    if a.shape != b.shape:
        return "committed {1}x{0}, now {3}x{2} pixels".format(
            *a.shape[:2], *b.shape[:2]
        )
    rms = float(np.sqrt(np.mean((a - b) ** 2)))
    return f"RMS of the pixels {rms:.2f}, above {MOST_RMS}" if rms > MOST_RMS else None


def _texts(outputs: Sequence[Any]) -> dict[str, str]:
    """Everything that is text, by kind; a stream split into pieces is one text."""
    texts: dict[str, str] = {}
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            parts = {output["name"]: output["text"]}
        elif kind == "error":
            parts = {"error": f"{output['ename']}: {output['evalue']}"}
        else:
            data = output["data"]
            parts = {
                k: v
                for k, v in data.items()
                if not k.startswith("image/") and k != VIEW
            }
        for key, text in parts.items():
            texts[key] = texts.get(key, "") + _join(text)
    return {key: text for key, text in texts.items() if text}


def _figures(outputs: Sequence[Any]) -> list[str]:
    return [
        _join(output["data"]["image/png"])
        for output in outputs
        if "image/png" in output.get("data", {})
    ]


def _join(text: Any) -> str:
    return "".join(text) if isinstance(text, (list, str)) else repr(text)


def _short(text: str | None) -> str:
    if text is None:
        return "nothing"
    return repr(text if len(text) < 200 else text[:200] + " …")


def _pixels(png: str) -> np.ndarray:
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    return np.asarray(image, dtype=np.float64)


@lru_cache(maxsize=1)
def _plots_as_pinned() -> bool:
    packages = ("matplotlib", "seaborn", "pillow", "numpy")
    return all(version(name) == pinned(name) for name in packages)
