"""Judge notebooks, each in a process that is ended when its time is up."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..words import WORDS
from .paths import link_to, own_folders, short_names
from .processes import Lines, Worker
from .verdict import OWN, STATUSES, Verdict, own
from .worker import Order

START = 180.0
"""Seconds that a process may take to import PyTorch and read the notebook."""
MOST_TEXT = 4000
"""Characters of a message; the checker's own are far shorter."""
Event = dict[str, Any]


def grade(
    files: Sequence[Path],
    *,
    seconds: float = 120.0,
    jobs: int = 1,
    memory: float = 4.0,
) -> Iterator[list[Verdict]]:
    """The verdicts on all exercises of one notebook after the other, in their order.

    Args:
        files: the notebooks; none is written to.
        seconds: how long the code of one notebook may run, all exercises together.
            Each may take an equal share of what is left, so that one endless loop
            leaves time for the others.
        jobs: how many notebooks are judged at the same time.
        memory: gigabytes that a learner's code may use, where the system can tell.
    """
    names, own_folder = short_names(files), own_folders(files)
    stop = threading.Event()
    workers: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    for _ in range(max(1, jobs)):
        workers.put(Worker())

    def one(path: Path) -> list[Verdict]:
        worker = workers.get()
        order: Order = {
            "notebook": str(path),
            "scratch": "",
            "left_out": [],
            "gigabytes": memory,
            "own_folder": path in own_folder,
        }
        try:
            return list(_verdicts(worker, order, names[path], seconds, stop))
        except Exception as error:  # of this notebook, or of starting a process for it
            why = f"{type(error).__name__}: {error}"
            return [own(names[path], "", "not judged", "process-ended", why)]
        finally:
            workers.put(worker)

    pool = ThreadPoolExecutor(max_workers=max(1, jobs))
    try:
        yield from pool.map(one, files)
    finally:  # after Ctrl-C too: let no process go on
        stop.set()
        pool.shutdown(cancel_futures=True)
        while not workers.empty():
            workers.get().close()


def _verdicts(
    worker: Worker, order: Order, file: str, seconds: float, stop: threading.Event
) -> Iterator[Verdict]:
    """Judge one notebook; behind a loop or a crash, go on with the next exercise."""
    left, judged = seconds, order["left_out"]
    if to := link_to(Path(order["notebook"])):
        yield own(file, "", "not judged", "is-a-link", f"it leads to {to}")
        return
    while not stop.is_set():
        with TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            order["scratch"] = scratch
            with worker.judging(order) as lines:
                opening = _event(lines, START, stop)
                if "unreadable" in opening:
                    why = _text(opening["unreadable"])
                    yield own(file, "", "not judged", "unreadable", why)
                    return
                names = opening.get("exercises")
                if not _are_texts(names) or len(names) > len(WORDS):
                    why = "before the first exercise"
                    yield own(file, "", "not judged", "process-ended", why)
                    return
                if not names and not judged:
                    yield own(file, "", "not judged", "no-exercise")
                for behind, name in zip(range(len(names), 0, -1), names):
                    began, share = time.monotonic(), max(left, 0.0) / behind
                    event = _event(lines, share, stop)
                    left -= time.monotonic() - began
                    judged.append(name)
                    verdict = _verdict(file, name, event.get("verdict"))
                    if verdict is None:
                        how = "out-of-time" if "late" in event else "process-ended"
                        yield own(file, name, "not judged", how, _how(how, share))
                        break
                    yield verdict
                else:
                    return


def _event(lines: Lines, seconds: float, stop: threading.Event) -> Event:
    """The next event; {"late": True} if the seconds are over; else {} if there is none.

    A line that is no JSON object is none.
    """
    end = time.monotonic() + seconds
    while not stop.is_set():
        try:
            line = lines.get(timeout=0.1)
        except queue.Empty:
            if time.monotonic() > end:
                return {"late": True}
            continue
        try:
            event = json.loads(line or b"")
        except (ValueError, RecursionError):
            return {}
        return event if isinstance(event, dict) and "late" not in event else {}
    return {}


def _how(mistake: str, share: float) -> str:
    if mistake == "out-of-time":
        return f"It ran for more than {share:.1f} s: an endless loop?"
    return "It ended the process (os._exit, too much memory, a crash)."


def _verdict(file: str, exercise: str, found: Any) -> Verdict | None:
    """What was reported, if it is a verdict: a learner's code might have written it."""
    if not isinstance(found, dict) or found.get("exercise") != exercise:
        return None
    status, mistakes = found.get("status"), found.get("mistakes")
    if not isinstance(status, str) or status not in STATUSES:
        return None
    if not _are_texts(mistakes) or not all(m in OWN or m in WORDS for m in mistakes):
        return None
    words = tuple(OWN.get(m) or WORDS[m].short for m in mistakes)
    texts = (_text(found.get(key)) for key in ("message", "cause", "code"))
    return Verdict(file, exercise, status, tuple(mistakes), words, *texts)


def _text(value: Any) -> str:
    return value[:MOST_TEXT] if isinstance(value, str) else ""


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(v, str) and len(v) < 100 for v in value
    )
