"""`import helpers` against `import torch`: CPU time in fresh processes, in turn."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

ALLOWED = 1.1
ROOT = Path(__file__).parents[1]
CODE = """
import time
start = time.process_time()
import {module}
print(time.process_time() - start)
"""


def seconds(module: str) -> float:
    """CPU time of the import alone, without the start of Python."""
    code = CODE.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    for module in ("torch", "helpers"):
        seconds(module)  # byte code and the disk's cache
    pairs = []
    for number in range(rounds):
        order = ["torch", "helpers"] if number % 2 else ["helpers", "torch"]
        times = {module: seconds(module) for module in order}
        pairs.append((times["helpers"], times["torch"]))
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"import helpers / import torch, CPU time, median of {rounds} pairs")
    print(f"{ours:8.2f} s / {theirs:.2f} s")
    print(f"{ratio:8.2f}     allowed {ALLOWED:g}{'   over' * (ratio > ALLOWED)}")


if __name__ == "__main__":
    main()
