"""Repeat the controls of lessons 01, 07, 09 to 13, and put them on record.

usage: python -m tools.controls [--check] [TASK ...]

Without a task, all are repeated, which takes an hour. --check writes nothing and exits
with 1 if a share differs by more than 0.05.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import NamedTuple

from helpers.interpret import controls as maps
from helpers.models import controls, language_controls, window_controls

CLOSE = 0.05
Runs = list[list[float]]


class Task(NamedTuple):
    """What is repeated, for which arms; the module has SEEDS, and RECORD, its file."""

    run: Callable[[str, int], list[float]]
    arms: Iterable[str]
    home: ModuleType = controls


TASKS = {
    "needle": Task(controls.needle_control, controls.NEEDLE),
    "stream": Task(controls.stream_control, controls.STREAM),
    "memory": Task(controls.memory_control, controls.MEMORY),
    "places": Task(controls.places_control, controls.PLACES),
    "sharing": Task(controls.sharing_control, controls.SHARING),
    "map": Task(maps.map_control, maps.MAP),
    "told": Task(maps.told_control, maps.TOLD),
    "language": Task(
        language_controls.language_control, language_controls.arms(), language_controls
    ),
    "relay": Task(
        window_controls.relay_control, window_controls.RELAY, window_controls
    ),
    "sink": Task(window_controls.sink_control, window_controls.SINK, window_controls),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(TASKS))
    options = parser.parse_args()
    if unknown := sorted(set(options.tasks) - set(TASKS)):
        parser.error(f"no task {', '.join(unknown)}; there are {', '.join(TASKS)}")
    far = 0
    for name in options.tasks or TASKS:
        task = TASKS[name]
        found = json.loads(task.home.RECORD.read_text(encoding="utf-8"))
        old, found[name] = found.get(name, {}), {}
        for arm in task.arms:
            runs = [[round(x, 3) for x in task.run(arm, s)] for s in task.home.SEEDS]
            found[name][arm] = runs
            print(f"{name}: {arm}: {runs}", flush=True)
            far += arm not in old or differ(old[arm], runs)
        if not options.check:
            task.home.RECORD.write_text(text(found), encoding="utf-8", newline="\n")
    return int(options.check and far > 0)


def differ(old: Runs, new: Runs) -> bool:
    """Whether some share has moved by more than CLOSE."""
    pairs = zip(sum(old, []), sum(new, []), strict=True)
    return any(abs(a - b) > CLOSE for a, b in pairs)


def text(found: dict[str, dict[str, Runs]]) -> str:
    """JSON with one line per arm, in the order of TASKS."""
    found = {task: found[task] for task in TASKS if task in found}
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
