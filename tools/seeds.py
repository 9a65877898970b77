"""Run the notebooks with other seeds and count in how many runs each claim held.

usage: python -m tools.seeds [--seeds 5] [--jobs 2] [PART_OF_A_NAME ...]

A notebook that trains says `SEED = …` in one line of one cell. That number is
replaced; nothing else is. The counts go to tools/seeds.json, from there to CLAIMS.md.
Exits with 1 if a claim failed with any seed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import ledger, notebook
from tools.extras import why_not
from tools.ledger import SEED
from tools.run import chosen

CLAIM = re.compile(r"""\bclaim\(\s*["']([\d.]+)["']""")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_NAME")
    parser.add_argument("--seeds", type=int, default=5, help="how many other seeds")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time")
    options = parser.parse_args()
    failed = 0
    for path in chosen(options.names):
        first = first_seed(path)
        if first is None:
            print(f"{path.name}: trains nothing, no seed")
            continue
        if why := why_not(path):
            print(f"{path.name}: left out. {why}")
            continue
        seeds = [first + 1000 * (i + 1) for i in range(options.seeds)]
        with ThreadPoolExecutor(options.jobs) as pool:
            runs = list(pool.map(lambda seed, p=path: claims_with(p, seed), seeds))
        held = {n: sum(run.get(n, False) for run in runs) for n in runs[0]}
        print(f"{path.name}, seeds {seeds}")
        for number, count in held.items():
            failed += count < len(seeds)
            print(f"  claim {number:6} held in {count} of {len(seeds)}")
        sys.stdout.flush()
        keep(path, seeds, held)
    ledger.write()
    return int(failed > 0)


def keep(path: Path, seeds: list[int], held: dict[str, int]) -> None:
    """Put the counts of one lesson, and the code that they belong to, on record."""
    code = ledger.code_of(notebook.read(path))
    lesson = {path.stem: {"code": code, "seeds": seeds, "held": held}}
    new = json.dumps(ledger.record() | lesson, indent=1, sort_keys=True)
    ledger.RECORD.write_text(new + "\n", encoding="utf-8", newline="\n")


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
    holding = {claim.number for claim in ledger.claims(nb)}
    result = {}
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        for number in CLAIM.findall(cell.source):
            result[number] = number in holding
            if number not in holding:
                why = [o["evalue"] for o in cell.outputs if o.output_type == "error"]
                print(f"  seed {seed}: claim {number} failed. {' '.join(why)}")
    return result


if __name__ == "__main__":
    sys.exit(main())
