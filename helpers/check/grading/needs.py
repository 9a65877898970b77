"""Which exercises a notebook holds, and which statements an answer needs.

Running a whole lesson would train its models. An answer needs less: the statements
that bind what it uses, what these use, and so on.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterator, Sequence

from .cells import EVERYTHING, Statement


def answer_name(exercise: str) -> str:
    """The name that a learner gives the answer: my_softmax, MyMultiHeadAttention."""
    return f"{'My' if exercise[:1].isupper() else 'my_'}{exercise}"


def calls(statement: Statement) -> Iterator[tuple[str, ast.expr]]:
    """(exercise, what is checked) of each `check.<exercise>(…)`."""
    for node in ast.walk(statement.node) if statement.node else ():
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="check"), attr=exercise),
                args=[answer, *_],
            ):
                yield exercise, answer


def called_on(statement: Statement) -> Iterator[tuple[str, str]]:
    """(exercise, name of the answer) of each `check.<exercise>(name)`."""
    for exercise, answer in calls(statement):
        if isinstance(answer, ast.Name):
            yield exercise, answer.id


def exercises(
    found: Sequence[Statement], known: Collection[str], expected: Sequence[str] = ()
) -> list[str]:
    """The exercises of a notebook, in its order.

    Args:
        found: its statements.
        known: the names of all exercises of the checker.
        expected: the exercises of the course's own copy of this lesson.
    """
    by_answer = {answer_name(exercise): exercise for exercise in known}
    names: dict[str, None] = {}
    for statement in found:
        in_order = sorted(statement.binds & by_answer.keys())
        names |= dict.fromkeys(by_answer[name] for name in in_order)
        if not expected:
            names |= dict.fromkeys(e for e, _ in calls(statement) if e in known)
    return list(dict.fromkeys([*expected, *names]))


def answers(found: Sequence[Statement], exercise: str) -> list[int]:
    """Indices of the statements that define an answer, the last first.

    Only the agreed name counts: a lesson calls checks on functions of its own as well.
    """
    agreed = answer_name(exercise)
    return [i for i, s in enumerate(found) if agreed in s.binds][::-1]


def demonstrations(found: Sequence[Statement]) -> frozenset[str]:
    """What a lesson itself writes inside calls of the check, as code."""
    return frozenset(ast.unparse(answer) for s in found for _, answer in calls(s))


def written_inside(
    found: Sequence[Statement], exercise: str, shown: Collection[str] = ()
) -> tuple[list[Statement], int] | None:
    """The statements, and the index of a new one for an answer inside the check's call.

    `check.softmax(lambda x, dim: …)` in place of `check.softmax(my_softmax)` is an
    answer. Beside that call it is a trial, and what the lesson itself shows is neither.

    Args:
        found: the statements of the notebook.
        exercise: its name.
        shown: the demonstrations of the lesson.
    """
    agreed = answer_name(exercise)
    given = [
        (i, answer)
        for i, s in enumerate(found)
        for name, answer in calls(s)
        if name == exercise
    ]
    if any(isinstance(a, ast.Name) and a.id == agreed for _, a in given):
        return None
    own = [
        (i, answer)
        for i, answer in given
        if not isinstance(answer, ast.Name) and ast.unparse(answer) not in shown
    ]
    if not own:
        return None
    index, answer = own[-1]
    target = ast.Name(agreed, ast.Store())
    node = ast.fix_missing_locations(
        ast.copy_location(ast.Assign([target], answer), answer)
    )
    statement = dataclasses.replace(
        found[index], node=node, binds=frozenset({agreed}), surely=True
    )
    return [*found[:index], statement, *found[index:]], index


def needed(found: Sequence[Statement], target: int, name: str) -> list[int]:
    """Indices of the statements to run for one definition of an answer, in order.

    Args:
        found: the statements of the notebook.
        target: index of the statement that defines the answer.
        name: of the answer.
    """
    chosen = {i for i, s in enumerate(found) if EVERYTHING in s.binds}
    chosen |= {target, *_changes_behind(found, target, name)}
    waiting = list(chosen)
    while waiting:
        index = waiting.pop()
        for used in found[index].uses:
            more = set(_sources(found, index, used)) - chosen
            chosen |= more
            waiting += more
    return sorted(chosen)


def _sources(found: Sequence[Statement], index: int, name: str) -> list[int]:
    """Where a name that statement `index` uses has its value from."""
    bound, changed = [], []
    for i in range(index - 1, -1, -1):
        if name in found[i].binds:
            bound.append(i)
            if found[i].surely:
                break
        elif name in found[i].changes:
            changed.append(i)
    if not bound:  # the learner ran the cells in another order
        behind = (i for i in range(index + 1, len(found)) if name in found[i].binds)
        bound = [i for i in [next(behind, None)] if i is not None]
        changed = _changes_behind(found, bound[0], name) if bound else []
    if all(found[i].imports for i in bound):
        return bound
    return bound + [i for i in changed if i != index]


def _changes_behind(found: Sequence[Statement], index: int, name: str) -> list[int]:
    """The statements that change a value before the name gets another one."""
    changed = []
    for i in range(index + 1, len(found)):
        if name in found[i].binds:
            break
        if name in found[i].changes:
            changed.append(i)
    return changed
