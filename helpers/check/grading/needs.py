"""Which exercises a notebook holds, and which statements an answer needs.

Running a whole lesson would train its models. An answer needs less: the statements
that bind what it uses, what these use, and so on.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from .cells import EVERYTHING, Statement


def answer_name(exercise: str) -> str:
    """The name that a learner gives the answer: my_softmax, MyMultiHeadAttention."""
    return f"{'My' if exercise[:1].isupper() else 'my_'}{exercise}"


def calls(statement: Statement) -> Iterator[tuple[str, str]]:
    """(exercise, name of the answer) of each `check.<exercise>(name)`."""
    for node in ast.walk(statement.node) if statement.node else ():
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="check"), attr=exercise),
                args=[ast.Name(id=name)],
            ):
                yield exercise, name


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


def answers(found: Sequence[Statement], exercise: str) -> list[tuple[str, int]]:
    """(name, index of the statement) of each definition of an answer, the last first.

    The name is the agreed one. Only if no cell defines it, as when the stub was
    renamed, it is the name that the check is called with.
    """
    agreed = answer_name(exercise)
    if not any(agreed in s.binds for s in found):
        given = [name for s in found for e, name in calls(s) if e == exercise]
        agreed = given[-1] if given else agreed
    return [(agreed, i) for i, s in enumerate(found) if agreed in s.binds][::-1]


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
