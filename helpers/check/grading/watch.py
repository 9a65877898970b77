"""Judge notebooks, each in a process of its own that is ended when its time is up."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import helpers

from ..words import WORDS
from . import cells
from .paths import short_names
from .verdict import OWN, Verdict, own

START = 180.0
"""Seconds that a process may take to import PyTorch and read the notebook."""


def grade(
    files: Sequence[Path],
    *,
    seconds: float = 120.0,
    jobs: int = 1,
    memory: float = 4.0,
    after_each: Callable[[int], None] = lambda done: None,
) -> list[Verdict]:
    """The verdicts on all exercises of all notebooks, in their order.

    Args:
        files: the notebooks; none is written to.
        seconds: how long the code of one notebook may run, all exercises together.
            Each may take an equal share of what is left, so that one endless loop
            leaves time for the others.
        jobs: how many notebooks are judged at the same time.
        memory: gigabytes that a learner's code may use, where the system can tell.
        after_each: called with the number of notebooks that are done.
    """
    names = short_names(files)
    stop, done = threading.Event(), iter(range(1, len(files) + 1))

    def one(path: Path) -> list[Verdict]:
        try:
            found = list(_verdicts(path, names[path], seconds, memory, stop))
        except Exception as error:  # of this notebook, or of starting a process for it
            why = f"{type(error).__name__}: {error}"
            found = [own(names[path], "", "not judged", "process-ended", why)]
        after_each(next(done))
        return found

    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        try:
            return [verdict for found in pool.map(one, files) for verdict in found]
        except BaseException:  # Ctrl-C: let no process go on
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise


def _verdicts(
    path: Path, file: str, seconds: float, memory: float, stop: threading.Event
) -> Iterator[Verdict]:
    """Judge one notebook; behind a loop or a crash, go on with the next exercise."""
    left, judged = seconds, []
    try:
        cells.read(path)
    except (ValueError, OSError) as error:
        yield own(file, "", "not judged", "unreadable", str(error))
        return
    while not stop.is_set():
        with _worker(path, memory, judged, stop) as events:
            opening = next(events(START), {"late": True})
            if "exercises" not in opening:
                why = "before the first exercise"
                yield own(file, "", "not judged", "process-ended", why)
                return
            names = opening["exercises"]
            if not names and not judged:
                yield own(file, "", "not judged", "no-exercise")
            for behind, name in zip(range(len(names), 0, -1), names):
                began, share = time.monotonic(), max(left, 0.0) / behind
                event = next(events(share), {})
                left -= time.monotonic() - began
                judged.append(name)
                if "verdict" not in event:
                    how = "out-of-time" if "late" in event else "process-ended"
                    yield own(file, name, "not judged", how, _how(how, share))
                    break
                yield _verdict(file, event["verdict"])
            else:
                return


def _how(mistake: str, share: float) -> str:
    if mistake == "out-of-time":
        return f"It ran for more than {share:.1f} s: an endless loop?"
    return "It ended the process (os._exit, too much memory, a crash)."


def _verdict(file: str, found: dict[str, Any]) -> Verdict:
    mistakes = tuple(found["mistakes"])
    words = tuple(OWN.get(m) or (WORDS[m].short if m in WORDS else m) for m in mistakes)
    return Verdict(
        file, found["exercise"], found["status"], mistakes, words, found["message"]
    )


@contextlib.contextmanager
def _worker(
    path: Path, memory: float, left_out: Sequence[str], stop: threading.Event
) -> Iterator[Callable[[float], Iterator[dict[str, Any]]]]:
    """A process that judges; what it reports comes from the function handed out.

    `events(seconds)` yields one event after the other; {"late": True} if the seconds
    are over; and nothing more if the process has ended.
    """
    root = str(Path(helpers.__file__).resolve().parents[1])
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(
            p for p in (root, os.environ.get("PYTHONPATH")) if p
        ),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
    }
    command = [
        *(sys.executable, "-m", "helpers.check.grading.worker"),
        *(str(path), str(memory), *left_out),
    ]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        process = subprocess.Popen(
            command,
            cwd=scratch,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        lines: queue.Queue[str | None] = queue.Queue()
        reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
        reader.start()
        try:
            yield lambda seconds: _events(process, lines, seconds, stop)
        finally:
            _end(process)


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    with contextlib.suppress(ValueError, OSError):
        for line in process.stdout or ():
            lines.put(line)
    lines.put(None)


def _events(
    process: subprocess.Popen[str],
    lines: queue.Queue[str | None],
    seconds: float,
    stop: threading.Event,
) -> Iterator[dict[str, Any]]:
    end = time.monotonic() + seconds
    while not stop.is_set():
        ended = process.poll() is not None
        try:
            line = lines.get(timeout=0.1)
        except queue.Empty:
            if ended:  # a child of its own may keep the pipe open
                return
            if time.monotonic() > end:
                yield {"late": True}
                return
            continue
        if line is None:
            return
        yield json.loads(line)


def _end(process: subprocess.Popen[str]) -> None:
    """End the process and what it started."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.poll() is None:
            tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(tree, capture_output=True, timeout=20)
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
