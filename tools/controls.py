"""Repeat the controls of lessons 01 and 12 and put them on record; some 15 minutes.

usage: python -m tools.controls [--check]

--check writes nothing and exits with 1 if a share differs by more than 0.05.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from types import ModuleType

from helpers.models import controls, window_controls

CLOSE = 0.05
Tasks = dict[str, tuple[Callable[[str, int], list[float]], list[str]]]
LESSONS: dict[ModuleType, Tasks] = {
    controls: {
        "needle": (controls.needle_control, list(controls.NEEDLE)),
        "stream": (controls.stream_control, list(controls.STREAM)),
    },
    window_controls: {
        "relay": (window_controls.relay_control, list(window_controls.RELAY)),
        "sink": (window_controls.sink_control, list(window_controls.SINK)),
    },
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    far = sum(repeat(lesson, options.check) for lesson in LESSONS)
    return int(far > 0)


def repeat(lesson: ModuleType, check: bool) -> int:
    """Run one lesson's controls; record them, or count the arms that differ."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    far = 0
    for task, (run, arms) in LESSONS[lesson].items():
        found[task] = {}
        for arm in arms:
            runs = [[round(x, 3) for x in run(arm, seed)] for seed in lesson.SEEDS]
            found[task][arm] = runs
            print(f"{task}: {arm}: {runs}", flush=True)
            if check:
                far += differ(lesson.recorded(task)[arm], runs)
    if not check:
        lesson.RECORD.write_text(text(found), encoding="utf-8", newline="\n")
    return far


def differ(old: list[list[float]], new: list[list[float]]) -> bool:
    """Whether some share has moved by more than CLOSE."""
    pairs = zip(sum(old, []), sum(new, []), strict=True)
    return any(abs(a - b) > CLOSE for a, b in pairs)


def text(found: dict[str, dict[str, list[list[float]]]]) -> str:
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
