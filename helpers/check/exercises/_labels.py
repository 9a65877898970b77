"""The labels of a heat map: does every row and every column have its token?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..diagnosis import number
from ..space import Case, Finding
from ._picture import Labels, Picture


def labels_fit(
    which: str, turn: str, maps: Sequence[tuple[Case, Picture]]
) -> Finding | None:
    """Every row (y) or column (x) has its token.

    Args:
        which: the axis.
        turn: how the map is turned, as an expression: "w.T", "w.flip(0)".
        maps: the cases and their pictures.
    """
    for case, picture in maps:
        w, queries, keys = case.args
        if picture.values.shape not in (w.shape, w.T.shape):
            continue
        found = picture.labels[which]
        names = [word_of(text) for _, text in found]
        own, others = (keys, queries) if which == "x" else (queries, keys)
        if ".T" in turn:
            if sorted(names) in (sorted(own), sorted(others)):
                continue
            own, others = others, own
        axis = "1" if which == "x" else "0"
        if turn in (f"w.flip({axis})", "w.flip(0, 1)") and names == own[::-1]:
            own = own[::-1]
        if mistake := _mistake(found, names, own, others):
            side = "columns" if which == "x" else "rows"
            count = f"{len(found)} label" + "s" * (len(found) != 1)
            of = "keys" if which == "x" else "queries"
            facts = {"side": side, "of": of, "count": count, "due": len(own)}
            got = (f"{t} (at {number(round(at, 2))})" for at, t in found)
            shown = {
                "case": case.about,
                f"labels of the {side}": "  ".join(got) or "none",
                "tokens": "  ".join(own),
            }
            return Finding(mistake, facts, shown)
    return None


def _mistake(
    found: Labels, names: list[str], own: list[str], others: list[str]
) -> str | None:
    if not found:
        return "labels-missing"
    if all(re.fullmatch(r"[-−]?[\d.]+", text) for _, text in found):
        return "labels-are-numbers"
    if len(names) == len(own) and all(map(_says, (t for _, t in found), own)):
        exact = all(abs(at - i) < 0.26 for i, (at, _) in enumerate(found))
        return None if exact else "labels-shifted"
    if names == others and names != own:
        return "labels-swapped"
    if names == own[::-1]:
        return "labels-reversed"
    if len(set(own)) < len(own) and sorted(names) == sorted(set(own)):
        return "labels-merged"
    if names == sorted(own):
        return "labels-sorted"
    on_cells = {round(at): text for at, text in found if abs(at - round(at)) < 0.26}
    right = sum(_says(on_cells.get(i, ""), token) for i, token in enumerate(own))
    inside = [name for name in names if name in own]
    if len(inside) >= len(own) - 1 and right < len(own) - 1:
        return "labels-shifted"
    return "labels-some-missing" if right and set(names) <= set(own) else "labels-wrong"


def _says(text: str, token: str) -> bool:
    """Does a label name the token (alone, or with its position beside it)?"""
    return text == token or token in re.split(r"[\s:.,()\[\]·_'\"“”‘’-]+", text)


def word_of(text: str) -> str:
    """A label without the number of its position.

    >>> word_of("2: cat")
    'cat'
    """
    bare = re.sub(r"^\d+[\s:.)_-]+|[\s:.(_-]+\d+\)?$", "", text)
    return bare.strip("'\"“”‘’") or text
