"""Start the processes that judge notebooks, and end them.

On Linux one process that has imported PyTorch makes a copy of itself for each notebook.
Elsewhere each notebook gets a new process.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import helpers

from .worker import Order

FORKS = sys.platform == "linux"
PATIENCE = 30.0
"""Seconds that ending a notebook's processes may take."""
MOST_BYTES = 4_000_000
"""What one notebook may report; more is no report of ours."""
COMMAND = (sys.executable, "-m", "helpers.check.grading.worker")

PASSED_ON = """
    PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP VIRTUAL_ENV CONDA_PREFIX
    LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH PYTHONHOME PYTHONPATH
    XDG_CACHE_HOME HF_HOME HF_HUB_CACHE MPLCONFIGDIR ATTENTION_COURSE_MINILM
    SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA
    PROGRAMDATA PROGRAMFILES NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
""".split()
"""The variables that a learner's code may see: no key, token or password is one."""
SET = {
    "PYTHONSAFEPATH": "1",  # no module from the folder in which the grader is started
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TQDM_DISABLE": "1",
    "CUDA_VISIBLE_DEVICES": "",
}


def environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the processes get of this environment, and what is set for them."""
    passed = {
        name: value
        for name, value in given.items()
        if name.upper() in PASSED_ON or name.startswith("LC_")
    }
    root = str(Path(helpers.__file__).resolve().parents[1])
    paths = [p for p in (root, passed.get("PYTHONPATH")) if p]
    return passed | SET | {"PYTHONPATH": os.pathsep.join(paths)}


Lines = queue.Queue[bytes | None]


class Worker:
    """Judges one notebook after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    @contextlib.contextmanager
    def judging(self, order: Order) -> Iterator[Lines]:
        """Have a notebook judged; on leaving, its processes are ended.

        What comes out is the lines that it writes, then None.
        """
        channel = self._copy(order) if FORKS else self._new(order)
        lines: Lines = queue.Queue()
        reader = threading.Thread(target=_read, args=(channel, lines), daemon=True)
        reader.start()
        try:
            yield lines
        finally:
            self._end_notebook()

    def close(self) -> None:
        """End the process."""
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            _end(self._process)
        self._process = self._socket = None

    def _copy(self, order: Order) -> int:
        for attempt in range(2):
            if self._process is None or self._process.poll() is not None:
                self._start()
            reading, writing = os.pipe()
            try:
                message = json.dumps(order).encode("ascii")
                socket.send_fds(self._socket, [message], [writing])
                return reading
            except OSError:  # it has just been ended
                os.close(reading)
                self.close()
                if attempt:
                    raise
            finally:
                os.close(writing)
        raise AssertionError("unreachable")

    def _start(self) -> None:
        self.close()
        own, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own.settimeout(PATIENCE)
        with its:
            self._process = subprocess.Popen(
                [*COMMAND, "--fork"],
                env=environment(),
                stdin=its.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._socket = own

    def _new(self, order: Order) -> int:
        self._process = subprocess.Popen(
            COMMAND,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps(order).encode("ascii") + b"\n")
            self._process.stdin.close()
        channel = os.dup(self._process.stdout.fileno())
        self._process.stdout.close()
        return channel

    def _end_notebook(self) -> None:
        if self._socket is None:
            self.close()
            return
        try:
            self._socket.send(b"end")
            alive = self._socket.recv(16) == b"done"
        except OSError:
            alive = False
        if not alive:
            self.close()


def _read(channel: int, lines: Lines) -> None:
    """Put the lines of a pipe into a queue, up to MOST_BYTES."""
    rest, size = b"", 0
    with contextlib.suppress(OSError):
        while size < MOST_BYTES and (more := os.read(channel, 1 << 16)):
            size += len(more)
            *whole, rest = (rest + more).split(b"\n")
            for line in whole:
                lines.put(line)
    os.close(channel)
    lines.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
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
