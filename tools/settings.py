"""The environment in which outputs are made and compared: fixed arithmetic, no bars."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ENVIRONMENT = {
    # one thread, and one code path on every x86 processor: rounding stays the same
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_CBWR": "AVX2",
    "PYTHONHASHSEED": "0",
    # progress bars are for the learner, a plain width for everybody
    "TQDM_DISABLE": "1",
    "COLUMNS": "80",
    # figures go into the notebook, whatever the shell says
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    # debugpy warns on stderr about frozen modules otherwise
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


def apply() -> None:
    """Set the environment for this process and the kernels that it starts."""
    os.environ.update(ENVIRONMENT)


def pinned(package: str) -> str | None:
    """The version of a package in requirements.txt."""
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        name, equals, version = line.partition("==")
        if equals and name.strip() == package:
            return version.strip()
    return None
