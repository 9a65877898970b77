"""Run the notebooks with other seeds and count in how many runs each claim held.

usage: python -m tools.seeds [--seeds 5] [PART_OF_A_NAME ...]

A notebook that trains says `SEED = …` in one line of one cell. That number is
replaced; nothing else is. Exits with 1 if a claim failed with any seed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

from tools import notebook
from tools.run import chosen

SEED = re.compile(r"^SEED = (\d+)$", re.MULTILINE)
CLAIM = re.compile(r"""\bclaim\(\s*["']([\d.]+)["']""")
HELD = re.compile(r"^Claim ([\d.]+) ", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_NAME")
    parser.add_argument("--seeds", type=int, default=5, help="how many other seeds")
    options = parser.parse_args()
    failed = 0
    for path in chosen(options.names):
        first = first_seed(path)
        if first is None:
            print(f"{path.name}: trains nothing, no seed")
            continue
        seeds = [first + 1000 * (i + 1) for i in range(options.seeds)]
        held: dict[str, int] = defaultdict(int)
        claims: list[str] = []
        for seed in seeds:
            for number, holds in claims_with(path, seed).items():
                held[number] += holds
                if number not in claims:
                    claims.append(number)
        print(f"{path.name}, seeds {seeds}")
        for number in claims:
            failed += held[number] < len(seeds)
            print(f"  claim {number:6} held in {held[number]} of {len(seeds)}")
        sys.stdout.flush()
    return int(failed > 0)


def first_seed(path: Path) -> int | None:
    for cell in notebook.read(path).cells:
        if cell.cell_type == "code" and (match := SEED.search(cell.source)):
            return int(match[1])
    return None


def claims_with(path: Path, seed: int) -> dict[str, bool]:
    """Claim number → whether it held, in one run of the notebook with another seed."""
    nb = notebook.read(path)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.source = SEED.sub(f"SEED = {seed}", cell.source)
    notebook.execute(nb, path.parent, allow_errors=True)
    result = {}
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        printed = "".join(o.get("text", "") for o in cell.outputs)
        holding = set(HELD.findall(printed))
        for number in CLAIM.findall(cell.source):
            result[number] = number in holding
            if number not in holding:
                why = [o["evalue"] for o in cell.outputs if o.output_type == "error"]
                print(f"  seed {seed}: claim {number} failed. {' '.join(why)}")
    return result


if __name__ == "__main__":
    sys.exit(main())
