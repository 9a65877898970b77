"""Repeat the controls of lessons 01 and 10 and put them on record; about an hour.

usage: python -m tools.controls [--check] [PART_OF_A_TASK ...]

--check writes nothing and exits with 1 if a value differs by more than 0.05. The tasks
are needle and stream (lesson 01, ten minutes), and language (lesson 10).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from helpers.models import controls, language_controls

CLOSE = 0.05
Runs = list[list[float]]


class Task(NamedTuple):
    """What is repeated, for which arms and seeds, and what is on record."""

    run: Callable[[str, int], list[float]]
    arms: Sequence[str]
    seeds: Sequence[int]
    old: Callable[[], dict[str, Runs]]
    record: Path


TASKS = {
    "needle": Task(
        controls.needle_control,
        list(controls.NEEDLE),
        controls.SEEDS,
        lambda: controls.recorded("needle"),
        controls.RECORD,
    ),
    "stream": Task(
        controls.stream_control,
        list(controls.STREAM),
        controls.SEEDS,
        lambda: controls.recorded("stream"),
        controls.RECORD,
    ),
    "language": Task(
        language_controls.language_control,
        list(language_controls.arms()),
        language_controls.SEEDS,
        language_controls.recorded,
        language_controls.RECORD,
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_TASK")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found: dict[str, dict[str, Runs]] = {}
    far = 0
    for name, task in TASKS.items():
        if options.names and not any(part in name for part in options.names):
            found[name] = task.old()
            continue
        found[name] = {}
        for arm in task.arms:
            runs = [[round(x, 3) for x in task.run(arm, seed)] for seed in task.seeds]
            found[name][arm] = runs
            print(f"{name}: {arm}: {runs}", flush=True)
            if options.check:
                far += differ(task.old()[arm], runs)
    if not options.check:
        for record in {task.record for task in TASKS.values()}:
            own = {name: found[name] for name in found if TASKS[name].record == record}
            record.write_text(text(own), encoding="utf-8", newline="\n")
    return int(far > 0)


def differ(old: Runs, new: Runs) -> bool:
    """Whether some value has moved by more than CLOSE."""
    pairs = zip(sum(old, []), sum(new, []), strict=True)
    return any(abs(a - b) > CLOSE for a, b in pairs)


def text(found: dict[str, dict[str, Runs]]) -> str:
    """JSON with one line per arm."""
    tasks = [
        f" {json.dumps(task)}: {{\n"
        + ",\n".join(
            f"  {json.dumps(arm, ensure_ascii=False)}: {json.dumps(runs)}"
            for arm, runs in arms.items()
        )
        + "\n }"
        for task, arms in found.items()
    ]
    return "{\n" + ",\n".join(tasks) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
