"""Running a learner's code: on copies, with every global state put back afterwards."""

from __future__ import annotations

import contextlib
import copy
import dis
import inspect
import io
import linecache
import os
import random
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .world import untouched_world

_OURS = os.path.dirname(os.path.abspath(__file__))
_TORCH = os.path.dirname(os.path.abspath(torch.__file__))
_IDLE = {
    "RESUME",
    "NOP",
    "POP_TOP",
    "LOAD_CONST",
    "RETURN_CONST",
    "RETURN_VALUE",
    "BUILD_TUPLE",
    "MAKE_CELL",
    "COPY_FREE_VARS",
}


@dataclass(frozen=True)
class Trouble:
    """An exception, told from the learner's side: their line, what met there."""

    kind: str
    text: str
    line: int | None = None
    source: str = ""
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    own: bool = True  # raised in that very line, not in a function that it calls


@dataclass(frozen=True)
class Outcome:
    """One call: what came back, or the trouble; what was printed; which arguments
    (by position) were changed."""

    value: Any = None
    trouble: Trouble | None = None
    printed: str = ""
    touched: tuple[int, ...] = ()
    arguments: tuple[Any, ...] = ()


def seeded(salt: int) -> None:
    """Fix every global random state (inside `untouched_world` only)."""
    torch.manual_seed(1234 + salt)
    random.seed(1234 + salt)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(1234 + salt)


def copied(value: Any) -> Any:
    """A copy that shares nothing with the original."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(copied(v) for v in value)
    if isinstance(value, list):
        return [copied(v) for v in value]
    return copy.deepcopy(value)


def run(
    call: Callable[..., Any], arguments: Sequence[Any], *, salt: int = 0, by: Any = None
) -> Outcome:
    """`call(*copies of arguments)` with its output captured; never raises.

    `by` is the learner's function or class, when `call` only wraps it; its frames are
    the ones blamed. Only an interrupt (KeyboardInterrupt) passes through.
    """
    given = tuple(copied(a) for a in arguments)
    out, value, trouble = io.StringIO(), None, None
    with untouched_world():
        seeded(salt)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                value = call(*given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: a check must not end a kernel
            trouble = located(error, by if by is not None else call)
    touched = tuple(
        i
        for i, (a, b) in enumerate(zip(arguments, given, strict=True))
        if not unchanged(a, b)
    )
    return Outcome(value, trouble, out.getvalue(), touched, given)


def unchanged(before: Any, after: Any) -> bool:
    """Is a tensor (or a nest of them, or a module's state) what it was?"""
    if isinstance(before, torch.Tensor):
        if before.shape != after.shape or before.dtype != after.dtype:
            return False
        a, b = before.detach(), after.detach()
        return torch.equal(a, b) or bool(((a == b) | ((a != a) & (b != b))).all())
    if isinstance(before, list | tuple):
        pairs = zip(before, after, strict=False)
        return len(before) == len(after) and all(unchanged(a, b) for a, b in pairs)
    if isinstance(before, torch.nn.Module):
        a, b = before.state_dict(), after.state_dict()
        return (
            before.training == after.training
            and a.keys() == b.keys()
            and all(unchanged(a[k], b[k]) for k in a)
        )
    return True


def located(error: BaseException, answer: Any) -> Trouble:
    """The exception at the deepest line that the learner wrote."""
    try:
        text = (str(error).strip().splitlines() or [""])[0]
    except Exception:  # its __str__ fails
        text = ""
    home = _file_of(answer)
    frames = list(traceback.walk_tb(error.__traceback__))
    theirs = [f for f in frames if f[0].f_code.co_filename == home] or [
        f for f in frames if not _foreign(f[0].f_code.co_filename)
    ]
    if not theirs:
        return Trouble(type(error).__name__, text)
    frame, line = theirs[-1]
    source = linecache.getline(frame.f_code.co_filename, line).strip()
    own, kind = frame is frames[-1][0], type(error).__name__
    return Trouble(kind, text, line, source, _shapes(frame, source), own)


def _file_of(answer: Any) -> str:
    answer = inspect.unwrap(answer) if callable(answer) else answer
    for part in (
        answer,
        getattr(answer, "forward", None),
        getattr(answer, "__init__", 0),
        getattr(answer, "func", None),
    ):
        code = getattr(part, "__code__", None)
        if code is not None:
            return code.co_filename
    return ""


def _foreign(filename: str) -> bool:
    return filename.startswith((_OURS, _TORCH)) or "site-packages" in filename


def _shapes(frame: Any, source: str) -> dict[str, tuple[int, ...]]:
    names = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", source))
    seen = {n: frame.f_locals.get(n) for n in names}
    return {n: tuple(v.shape) for n, v in seen.items() if isinstance(v, torch.Tensor)}


def is_stub(answer: Any) -> bool:
    """Does the function do nothing yet (`...`, `pass`, `return None`)? A class: do
    its methods? (An `__init__` that only calls super's does nothing yet.)"""
    if isinstance(answer, type):
        bases = [c for c in answer.__mro__ if c not in (object, torch.nn.Module)]
        forward = getattr(answer, "forward", None)
        if inspect.isfunction(forward) and is_stub(forward):
            return True
        own = [f for c in bases for f in vars(c).values() if inspect.isfunction(f)]
        return all(is_stub(f) or _only_calls_super(f) for f in own)
    code = getattr(inspect.unwrap(answer), "__code__", None)
    if code is None:
        return False
    return all(
        i.opname in _IDLE and ("CONST" not in i.opname or i.argval in (None, ...))
        for i in dis.get_instructions(code)
    )


def _only_calls_super(method: Any) -> bool:
    used = set(method.__code__.co_names)
    return method.__name__ == "__init__" and used <= {"super", "__init__"}
