"""One notebook, judged in this process, which watch.py has started.

usage: python -m helpers.check.grading.worker NOTEBOOK GIGABYTES [LEAVE_OUT …]

It writes one JSON object a line to its standard output: the exercises, then a verdict
on each. What a learner's code prints goes nowhere.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import json
import linecache
import os
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import helpers

from .. import catalogue as known_exercises
from .. import diagnose
from . import cells, needs
from .cells import Statement
from .verdict import OWN

LATE = "from __future__ import annotations"


def main() -> None:
    """Judge the notebook that the command line names."""
    notebook, gigabytes, *left_out = sys.argv[1:]
    say = _own_channel()
    _bound_memory(float(gigabytes))
    path = Path(notebook)
    # last, so that no file of a learner takes the place of the course's own
    sys.path.append(str(path.parent))
    title, code = cells.read(path)
    found = cells.statements(code)
    names = needs.exercises(found, known_exercises(), _expected(path, title))
    names = [name for name in names if name not in left_out]
    say({"exercises": names})
    for name in names:
        say({"verdict": judged(found, name)})


def judged(found: Sequence[Statement], exercise: str) -> dict[str, Any]:
    """The verdict on the last definition that is more than a stub, as JSON."""
    verdict: dict[str, Any] = {"exercise": exercise, "status": "missing"}
    verdict |= _own("no-such-name")
    for name, target in needs.answers(found, exercise):
        verdict = {"exercise": exercise} | _one(found, exercise, name, target)
        if verdict["status"] != "not attempted":
            break
    return verdict


def _one(
    found: Sequence[Statement], exercise: str, name: str, target: int
) -> dict[str, Any]:
    statement = found[target]
    if statement.node is None:
        why = f"Cell {statement.cell}: {statement.error}."
        return {"status": "wrong"} | _own("syntax-error", why)
    names, failed = _run(found, needs.needed(found, target, name))
    if target in failed:
        text = f"Cell {statement.cell} raises {_told(failed.pop(target))}."
        return {"status": "wrong"} | _own("cell-raises", text + _earlier(found, failed))
    diagnosis = diagnose(exercise, names.get(name, ...))
    message = diagnosis.message
    if diagnosis.status == "wrong":
        message += _earlier(found, failed)
    return {
        "status": diagnosis.status,
        "mistakes": list(diagnosis.mistakes),
        "message": message,
    }


def _own(mistake: str, message: str = "") -> dict[str, Any]:
    return {"mistakes": [mistake], "message": message or f"{OWN[mistake]}."}


def _earlier(found: Sequence[Statement], failed: dict[int, BaseException]) -> str:
    """What went wrong on the way, which may be the reason."""
    for index, error in failed.items():
        return f" (Before that, cell {found[index].cell} raised {_told(error)}.)"
    return ""


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}".rstrip(": .")


def _run(
    found: Sequence[Statement], chosen: Sequence[int]
) -> tuple[dict[str, Any], dict[int, BaseException]]:
    """The names that the chosen statements leave, and which of them failed."""
    module = types.ModuleType("__main__")
    names = vars(module)
    names |= {"display": _nothing, "In": [], "Out": {}}
    sys.modules["__main__"] = module
    failed: dict[int, BaseException] = {}
    for index in chosen:
        _execute(found[index], index, names, failed)
    for index, error in list(failed.items()):  # run in another order than they stand?
        if isinstance(error, NameError):
            del failed[index]
            _execute(found[index], index, names, failed)
    return names, failed


def _execute(
    statement: Statement,
    index: int,
    names: dict[str, Any],
    failed: dict[int, BaseException],
) -> None:
    if statement.node is None:
        failed[index] = SyntaxError(statement.error)
        return
    name = f"<cell {statement.cell}>"
    lines = statement.source.splitlines(keepends=True)
    linecache.cache[name] = (len(statement.source), None, lines, name)
    flags = __future__.annotations.compiler_flag if LATE in statement.source else 0
    try:
        code = compile(
            ast.Module([statement.node], []), name, "exec", flags, dont_inherit=True
        )
        exec(code, names)
    except BaseException as error:  # sys.exit() too: the other exercises come next
        failed[index] = error


def _nothing(*args: Any, **named: Any) -> None:
    """Stands for IPython's display."""


def _expected(path: Path, title: str) -> list[str]:
    """The exercises of the course's own copy of this lesson, where it is at hand."""
    lessons = Path(helpers.__file__).resolve().parents[1] / "notebooks"
    for lesson in sorted(lessons.glob("*.ipynb")):
        with contextlib.suppress(ValueError, OSError):
            own_title, code = cells.read(lesson)
            if lesson.name == path.name or (title and title == own_title):
                return needs.exercises(cells.statements(code), known_exercises())
    return []


def _own_channel() -> Callable[[dict[str, Any]], None]:
    """Take standard output for our own; a learner's prints go nowhere."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)

    process = os.getpid()

    def say(event: dict[str, Any]) -> None:
        if os.getpid() != process:  # a learner's code has forked
            os._exit(0)
        channel.write(json.dumps(event) + "\n")
        channel.flush()

    return say


def _bound_memory(gigabytes: float) -> None:
    """Let data grow by so much and no core or huge file be written, where it works."""
    try:
        import resource
    except ImportError:  # Windows
        return
    more = int(gigabytes * 1e9)
    limits = {
        "RLIMIT_DATA": _data_now() + more,
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": more,
    }
    for name, limit in limits.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))


def _data_now() -> int:
    """Bytes of data that this process has; 0 where it can't be told."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)  # a learner's threads may still run
