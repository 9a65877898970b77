"""What `make seeds` wrote to tools/seeds.json: the values of each claim, run by run."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from tools.settings import ROOT

FILE = ROOT / "tools" / "seeds.json"


def read() -> dict[str, Any]:
    """Lesson -> {"code": hash, "seeds": [...], "values": {claim: one value per seed}}.

    A value is a number, a text for a claim that compares with `equals`, and None where
    the run did not get as far.
    """
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def write(lesson: str, entry: Mapping[str, Any]) -> None:
    """Put one lesson on record, in place of what it had."""
    lines = [
        f" {json.dumps(name)}: {_compact(found)}"
        for name, found in sorted((read() | {lesson: entry}).items())
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    FILE.write_text(text, encoding="utf-8", newline="\n")
    values.cache_clear()


@functools.cache
def values() -> dict[str, list[Any]]:
    """Claim number -> its values in all runs on record."""
    return {
        number: runs
        for entry in read().values()
        for number, runs in entry["values"].items()
    }


def _compact(entry: Mapping[str, Any]) -> str:
    """One line for each claim, so that a diff shows which one moved."""
    rows = ",\n".join(
        f"   {json.dumps(number)}: {json.dumps(runs, ensure_ascii=False)}"
        for number, runs in entry["values"].items()
    )
    return (
        f'{{\n  "code": {json.dumps(entry["code"])},\n'
        f'  "seeds": {json.dumps(entry["seeds"])},\n  "values": {{\n{rows}\n  }}\n }}'
    )
