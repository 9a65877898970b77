"""A limit on the time of an answer: an endless loop ends, the kernel does not.

In the main thread of Linux and macOS a signal ends the answer, even while it sleeps. In
other threads, and on Windows, a second thread asks Python to do so, which it does as
soon as the call that it is in returns. An answer that catches the exception gets it
again, at other lines, until it gives up.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .guard import Trouble

LIMIT = 10.0
"""Seconds that all calls of one answer may take together in one check."""
AGAIN = 0.05
"""Seconds until an answer that goes on is interrupted again."""
MOST_LINES = 30
"""Within how many lines it is interrupted again."""


class TimeUp(BaseException):
    """The time of an answer is up. No `except Exception` catches it.

    Attributes:
        trouble: where the answer was, once `guard.run` has found it out.
    """

    trouble: Trouble | None = None


class _Clock(threading.local):
    left = math.inf
    running = False


_clock = _Clock()
_lines = random.Random(0)  # its own: the notebook's random numbers stay as they are


@contextlib.contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Inside, all answers together may run for so many seconds.

    A check that an answer itself makes runs on the time of that answer.
    """
    if _clock.running:
        yield
        return
    _clock.left = seconds
    try:
        yield
    finally:
        _clock.left, _clock.running = math.inf, False


def call(answer: Callable[..., Any], given: Sequence[Any]) -> Any:
    """`answer(*given)`; raises TimeUp if the budget is spent before it returns."""
    if _clock.running or math.isinf(_clock.left):
        return answer(*given)
    if _clock.left > 0:
        began = time.monotonic()
        with _alarm(_clock.left):
            _clock.running = True
            try:
                value = next(_apart(answer, given))
            except RuntimeError as error:
                if isinstance(error.__cause__, StopIteration):
                    raise error.__cause__ from None  # which a generator may not raise
                raise
            finally:
                _clock.running = False
                _clock.left -= time.monotonic() - began
    if _clock.left <= 0:  # also of one that caught every interruption
        raise TimeUp
    return value


def _apart(answer: Callable[..., Any], given: Sequence[Any]) -> Iterator[Any]:
    """Call it inside a generator, which has an exception state of its own.

    An interruption at the first line of an `except` may leave that state as it is.
    """
    yield answer(*given)


def _alarm(seconds: float) -> contextlib.AbstractContextManager[None]:
    main = threading.current_thread() is threading.main_thread()
    return _signal(seconds) if main and hasattr(signal, "setitimer") else _ask(seconds)


@contextlib.contextmanager
def _signal(seconds: float) -> Iterator[None]:
    """Interrupt this, the main thread, by a signal; then let other timers go on."""
    began, tracer = time.monotonic(), sys.gettrace()
    rung = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rung
        if not _clock.running or frame is None or frame.f_code is call.__code__:
            return
        if rung:
            _interrupt_at_some_line(frame)
        rung = True
        raise TimeUp

    handler = signal.signal(signal.SIGALRM, ring)
    due, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if sys.gettrace() is not tracer:
            sys.settrace(tracer)
        signal.signal(signal.SIGALRM, handler)
        if due:
            left = max(due - (time.monotonic() - began), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)


def _interrupt_at_some_line(frame: FrameType | None) -> None:
    """Raise at one of the next lines too: it may stand where no `except` reaches."""
    lines = _lines.randrange(MOST_LINES)

    def tracer(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        if not _clock.running or frame.f_code is call.__code__:
            return None
        if event == "line":
            lines -= 1
            if lines < 0:
                raise TimeUp
        return tracer

    sys.settrace(tracer)
    while frame is not None and frame.f_code is not call.__code__:
        frame.f_trace = tracer
        frame = frame.f_back


@contextlib.contextmanager
def _ask(seconds: float) -> Iterator[None]:
    """Have Python raise TimeUp in this thread, by a second thread that waits."""
    this, over, lock = threading.get_ident(), threading.Event(), threading.Lock()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    raise_in(ctypes.c_ulong(this), ctypes.py_object(TimeUp))
            wait = _lines.uniform(0, AGAIN)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            over.set()
            raise_in(ctypes.c_ulong(this), None)  # one that has not arrived yet
