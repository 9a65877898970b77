"""Run the notebooks with other seeds and count in how many runs each claim held.

usage: python -m tools.seeds [--seeds 5] [--jobs 2] [PART_OF_A_NAME ...]

A notebook that trains says `SEED = …` in one line of one cell. That number is
replaced; nothing else is. The values go to tools/seeds.json, from there to CLAIMS.md.
Exits with 1 if a claim failed with any seed.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools import claims, ledger, notebook, record
from tools.extras import why_not
from tools.ledger import SEED
from tools.run import chosen


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
        entry = {
            "code": ledger.code_of(notebook.read(path)),
            "seeds": seeds,
            "values": {number: [run[number] for run in runs] for number in runs[0]},
        }
        record.write(path.stem, entry)
        print(f"{path.name}, seeds {seeds}")
        for claim in claims.in_notebook(notebook.read(path)):
            values = entry["values"].get(claim["number"], [])
            count = ledger.held(claim, values)
            failed += count < len(seeds)
            print(f"  claim {claim['number']:6} held in {count} of {len(seeds)}")
        sys.stdout.flush()
    ledger.write()
    return int(failed > 0)


def first_seed(path: Path) -> int | None:
    for cell in notebook.read(path).cells:
        if cell.cell_type == "code" and (match := SEED.search(cell.source)):
            return int(match[1])
    return None


def claims_with(path: Path, seed: int) -> dict[str, Any]:
    """Claim number -> its value, in one run of the notebook with another seed.

    None stands for a claim that the run did not reach.
    """
    nb = notebook.read(path)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.source = SEED.sub(f"SEED = {seed}", cell.source)
    notebook.execute(nb, path.parent, allow_errors=True)
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                print(f"  seed {seed}: {output.evalue}")
    measured = {c["number"]: c["value"] for c in claims.in_notebook(nb)}
    numbers = (
        call.number
        for cell in nb.cells
        if cell.cell_type == "code"
        for call in claims.calls(cell.source)
    )
    return {number: measured.get(number) for number in numbers}


if __name__ == "__main__":
    sys.exit(main())
