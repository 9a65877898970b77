"""Repeat the controls of lessons 01, 07, 09, 11 and 13 and put them on record; 20 minutes.

usage: python -m tools.controls [--check] [TASK ...]

--check writes nothing and exits with 1 if a share differs by more than 0.05.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from helpers.interpret import controls as maps
from helpers.models import controls

CLOSE = 0.05
TASKS: dict[str, tuple[Callable[[str, int], list[float]], list[str]]] = {
    "needle": (controls.needle_control, list(controls.NEEDLE)),
    "stream": (controls.stream_control, list(controls.STREAM)),
    "memory": (controls.memory_control, list(controls.MEMORY)),
    "places": (controls.places_control, list(controls.PLACES)),
    "sharing": (controls.sharing_control, list(controls.SHARING)),
    "map": (maps.map_control, list(maps.MAP)),
    "told": (maps.told_control, list(maps.TOLD)),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(TASKS))
    options = parser.parse_args()
    if unknown := sorted(set(options.tasks) - set(TASKS)):
        parser.error(f"no task {', '.join(unknown)}; there are {', '.join(TASKS)}")
    found = json.loads(controls.RECORD.read_text(encoding="utf-8"))
    far = 0
    for task in options.tasks or TASKS:
        (run, arms), old = TASKS[task], found.get(task, {})
        found[task] = {}
        for arm in arms:
            runs = [[round(x, 3) for x in run(arm, seed)] for seed in controls.SEEDS]
            found[task][arm] = runs
            print(f"{task}: {arm}: {runs}", flush=True)
            far += arm not in old or differ(old[arm], runs)
    if not options.check:
        controls.RECORD.write_text(text(found), encoding="utf-8", newline="\n")
    return int(options.check and far > 0)


def differ(old: list[list[float]], new: list[list[float]]) -> bool:
    """Whether some share has moved by more than CLOSE."""
    pairs = zip(sum(old, []), sum(new, []), strict=True)
    return any(abs(a - b) > CLOSE for a, b in pairs)


def text(found: dict[str, dict[str, list[list[float]]]]) -> str:
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
