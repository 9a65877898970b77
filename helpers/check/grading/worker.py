"""The process that judges notebooks; processes.py starts it and talks to it.

usage: python -m helpers.check.grading.worker [--fork]

Without --fork it judges one notebook: the order, a line of JSON, comes in on standard
input, and the events go out on standard output. With --fork standard input is a socket.
Each order brings a pipe, and is carried out by a copy of this process, which has
imported everything already. "end" ends that copy and whatever it has started; the reply
is "done".

Events are JSON, one a line: the exercises, then a verdict on each. What a learner's
code prints goes nowhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

from . import cells, judge, needs

POLL = 0.02
"""Seconds after which a copy that has ended is noticed."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER: who loses its parent becomes our child."""
ENDS_WITH_PARENT = 1
"""PR_SET_PDEATHSIG: the signal that comes when the parent ends."""


class Order(TypedDict):
    """What is asked for: a notebook, and how it may be run."""

    notebook: str
    scratch: str
    left_out: list[str]
    gigabytes: float
    own_folder: bool


def carry_out(order: Order, say: Callable[[dict[str, Any]], None]) -> None:
    """Judge one notebook; tell `say` of it."""
    _bound_memory(order["gigabytes"])
    os.chdir(order["scratch"])
    path = Path(order["notebook"])
    # last, so that no file of a learner takes the place of the course's own
    sys.path.append(order["scratch"])
    if order["own_folder"]:
        sys.path.append(str(path.parent))
    try:
        title, code = cells.read(path)
    except (ValueError, OSError, MemoryError) as error:
        say({"unreadable": str(error) or type(error).__name__})
        return
    found = cells.statements(code)
    lesson = judge.lesson(path.name, title)
    names = needs.exercises(found, judge.known_exercises(), lesson.exercises)
    names = [name for name in names if name not in order["left_out"]]
    say({"exercises": names})
    for name in names:
        say({"verdict": judge.judged(found, name, lesson.demonstrations)})


def _speaker(descriptor: int) -> Callable[[dict[str, Any]], None]:
    """A function that writes events; it ends copies that a learner's code makes."""
    process = os.getpid()
    channel = os.fdopen(descriptor, "w", encoding="utf-8")

    def say(event: dict[str, Any]) -> None:
        if os.getpid() != process:
            os._exit(0)
        channel.write(json.dumps(event) + "\n")
        channel.flush()

    return say


def once() -> None:
    """Judge the notebook that standard input names."""
    order = json.loads(sys.stdin.readline())
    say = _speaker(os.dup(1))
    _silence()
    carry_out(order, say)


def serve() -> None:
    """Judge notebooks, each in a copy of this process, until nobody asks any more."""
    grader = socket.socket(fileno=os.dup(0))
    _silence()
    prctl = ctypes.CDLL(None).prctl
    prctl(SUBREAPER, 1, 0, 0, 0)
    judge.warm_up()
    while True:
        order, pipes, *_ = socket.recv_fds(grader, 1 << 16, 1)
        if not order:
            return
        copy = os.fork()
        if copy == 0:
            with contextlib.suppress(BaseException):
                os.setsid()
                prctl(ENDS_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
                grader.close()
                carry_out(json.loads(order), _speaker(pipes[0]))
            os._exit(0)  # a learner's threads may still run
        os.close(pipes[0])
        asked = _until_asked(grader, copy)
        if not asked:
            return
        grader.send(b"done")


def _until_asked(grader: socket.socket, copy: int) -> bool:
    """Wait until the grader says "end", and end all; False if the grader is gone."""
    ended = False
    while not select.select([grader], [], [], None if ended else POLL)[0]:
        if os.waitpid(copy, os.WNOHANG)[0]:
            ended = True
            _end_children()
    if not ended:
        with contextlib.suppress(OSError):
            os.killpg(copy, signal.SIGKILL)
    _end_children()
    try:
        return bool(grader.recv(16))
    except OSError:
        return False


def _end_children() -> None:
    """End all children, and what they leave to us, round by round."""
    for _ in range(1000):
        children = _children()
        for child in children:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(OSError):
                os.waitpid(child, 0)
        if not children:
            return


def _children() -> list[int]:
    own, found = os.getpid(), []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{int(entry)}/stat").read_bytes()
            if int(status.rpartition(b")")[2].split()[1]) == own:
                found.append(int(entry))
    return found


def _silence() -> None:
    """Nothing to read on standard input; what is printed goes nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _bound_memory(gigabytes: float) -> None:
    """Let memory grow by so much, and no core or huge file be written, if it works."""
    try:
        import resource
    except ImportError:  # Windows
        return
    more = int(gigabytes * 1e9)
    limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": more}
    with contextlib.suppress(OSError, ValueError, IndexError):  # it can't be told
        limits["RLIMIT_AS"] = _size_now() + more
    for name, limit in limits.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))


def _size_now() -> int:
    """Bytes of address space that this process has."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    try:
        serve() if sys.argv[1:] == ["--fork"] else once()
    finally:
        os._exit(0)  # a learner's threads may still run
