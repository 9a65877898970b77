"""Memory as the system sees it: that of a fresh process, and that of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

_FRESH = """
import resource, sys, torch
torch.set_num_threads(1); torch.set_grad_enabled(False)

def peak():
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = open("/proc/self/status").read().splitlines()  # ru_maxrss may be inherited
    return next(1024 * int(s.split()[1]) for s in lines if s.startswith("VmHWM"))

def forget():
    if sys.platform == "linux":
        open("/proc/self/clear_refs", "w").write("5")  # the peak is now what is held
"""


def process_peaks(setup: str, *calls: str) -> list[int] | None:
    """How far calls raise the memory of a fresh process, as the system sees it.

    Nothing is hidden from it, buffers inside kernels included. But it counts pages,
    not tensors. On macOS a peak never sinks: order the calls from small to large.

    Args:
        setup: Python lines that run first; PyTorch (as torch) is there, with one
            thread and without gradients.
        calls: Python expressions, run one after the other.

    Returns:
        bytes above what was held before, one number per call; None where the system
        does not say (Windows).

    Raises:
        RuntimeError: with the end of what the process said, if it fails.
    """
    if sys.platform == "win32":
        return None
    lines = [_FRESH, textwrap.dedent(setup)]
    for call in calls:
        lines += ["forget(); before = peak()", f"_ = {call}", "print(peak() - before)"]
        lines += ["del _"]
    command = [sys.executable, "-c", "\n".join(lines)]
    # glibc would keep large blocks of freed memory and hand them out again, unseen
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"the fresh process failed: {done.stderr.strip()[-500:]}")
    return [int(word) for word in done.stdout.split()[-len(calls) :]]


def machine_bytes() -> int | None:
    """Memory of this machine in bytes; None where Python cannot tell (Windows)."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
