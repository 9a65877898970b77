"""One answer, judged in this process: the code that it needs, run, and what is said."""

from __future__ import annotations
import __future__

import ast
import builtins
import contextlib
import functools
import linecache
import sys
import types
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import helpers

from .. import catalogue as known_exercises
from .. import diagnose
from . import cells, needs
from .cells import EVERYTHING, Statement
from .magics import Shell
from .verdict import OWN

LATE = "from __future__ import annotations"
SURROUNDINGS = (OSError, ImportError, EOFError)
"""Exceptions that are no mistake of an answer: a file or a package is not here."""


class Lesson(NamedTuple):
    """What the course's own copy of a lesson holds."""

    exercises: tuple[str, ...] = ()
    demonstrations: frozenset[str] = frozenset()


def judged(
    found: Sequence[Statement], exercise: str, shown: Collection[str] = ()
) -> dict[str, Any]:
    """The verdict on the last definition that is more than a stub, as JSON.

    Args:
        found: the statements of the notebook.
        exercise: its name.
        shown: the demonstrations of the lesson, which are no answers.
    """
    verdict: dict[str, Any] = {"status": "missing"} | _own("no-such-name")
    for target in needs.answers(found, exercise):
        verdict = _one(found, exercise, target)
        if verdict["status"] != "not attempted":
            break
    if verdict["status"] in ("missing", "not attempted"):
        inside = needs.written_inside(found, exercise, shown)
        if inside:
            verdict = _one(inside[0], exercise, inside[1])
    return {"exercise": exercise, "cause": ""} | verdict


def _one(found: Sequence[Statement], exercise: str, target: int) -> dict[str, Any]:
    statement, name = found[target], needs.answer_name(exercise)
    if statement.node is None:
        why = f"Cell {statement.cell}: {statement.error}."
        return {"status": "wrong"} | _own("syntax-error", why)
    names, failed = _run(found, needs.needed(found, target, name))
    error = failed.pop(target, None)
    if error is not None:
        if isinstance(error, SURROUNDINGS):
            return _cannot_run(statement, error)
        if cause := _cause(found, failed, isinstance(error, NameError)):
            return _cannot_run(*cause)
        text = f"Cell {statement.cell} raises {_told(error)}."
        return {"status": "wrong"} | _own("cell-raises", text)
    diagnosis = diagnose(exercise, names.get(name, ...))
    mistakes = list(diagnosis.mistakes)
    if "out-of-time" in mistakes:
        return {"status": "not judged"} | _own("out-of-time", diagnosis.message)
    cause = _cause(found, failed, "name-unknown" in mistakes)
    if cause and diagnosis.status == "wrong":
        return _cannot_run(*cause)
    return {
        "status": diagnosis.status,
        "mistakes": mistakes,
        "message": diagnosis.message,
        "code": ast.unparse(statement.node),
    }


def _own(mistake: str, message: str = "") -> dict[str, Any]:
    return {"mistakes": [mistake], "message": message or f"{OWN[mistake]}."}


def _cannot_run(statement: Statement, error: BaseException) -> dict[str, Any]:
    told = f"raises {_told(error)}"
    if statement.node is None:
        told = f"is no valid Python: {statement.error}"
    verdict = _own("cannot-run", f"Cell {statement.cell} {told}.")
    return {"status": "not judged", "cause": told} | verdict


def _cause(
    found: Sequence[Statement], failed: Mapping[int, BaseException], unknown: bool
) -> tuple[Statement, BaseException] | None:
    """The first statement that failed on the way, and its error.

    What would bind any name (`from … import *`, `%run`) is a cause only if a name is
    unknown.
    """
    for index, error in failed.items():
        if unknown or EVERYTHING not in found[index].binds:
            return found[index], error
    return None


def _told(error: BaseException) -> str:
    try:
        text = str(error).partition("\n")[0][:300]
    except Exception:  # its __str__ fails
        text = ""
    return f"{type(error).__name__}: {text}".rstrip(": .")


def _run(
    found: Sequence[Statement], chosen: Sequence[int]
) -> tuple[dict[str, Any], dict[int, BaseException]]:
    """The names that the chosen statements leave, and which of them failed."""
    module = types.ModuleType("__main__")
    names = vars(module)
    names |= {"display": _nothing, "get_ipython": Shell, "In": [], "Out": {}}
    names["__builtins__"] = vars(builtins) | {"input": _nobody}
    sys.modules["__main__"] = module
    failed: dict[int, BaseException] = {}
    for index in chosen:
        _execute(found[index], index, names, failed)
    for index, error in list(failed.items()):  # run in another order than they stand?
        if isinstance(error, NameError):
            del failed[index]
            _execute(found[index], index, names, failed)
    return names, dict(sorted(failed.items()))


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


def _nobody(*args: Any) -> NoReturn:
    """Stands for `input`."""
    raise EOFError("input() has nobody to ask when notebooks are graded")


def lesson(name: str, title: str) -> Lesson:
    """The course's own copy of a lesson, by its file's name or title, if any."""
    for own_name, own_title, found in _lessons():
        if own_name == name or (title and title == own_title):
            return found
    return Lesson()


@functools.cache
def _lessons() -> list[tuple[str, str, Lesson]]:
    folder, lessons = Path(helpers.__file__).resolve().parents[1] / "notebooks", []
    for path in sorted(folder.glob("*.ipynb")):
        with contextlib.suppress(ValueError, OSError):
            title, code = cells.read(path)
            found = cells.statements(code)
            names = tuple(needs.exercises(found, known_exercises()))
            own = Lesson(names, needs.demonstrations(found))
            lessons.append((path.name, title, own))
    return lessons


def warm_up() -> None:
    """Do once what every notebook needs, so that its copies of this process have it."""
    import matplotlib.pyplot  # noqa: F401

    known_exercises()
    _lessons()
