"""Execute the notebooks and write them back, normalised; then CLAIMS.md.

usage: python -m tools.run [--check] [PART_OF_A_NAME ...]

--check writes nothing and exits with 1 if a file would change.
A cell tagged nbval-ignore-output (times and bytes of one machine) keeps its stored
output as long as its source is the committed one. So does a claim about a ratio of one
machine as long as the new value agrees with the stored one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools import ledger, notebook
from tools.compare import IGNORED, differences
from tools.extras import why_not
from tools.settings import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_NAME")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    changed = 0
    for path in chosen(options.names):
        if why := why_not(path):
            print(f"{path.name:28} left out. {why}")
            continue
        old = path.read_text(encoding="utf-8")
        nb = notebook.read(path)
        stored, before = kept_outputs(nb, path), nbformat.from_dict(nb)
        used = notebook.execute(nb, path.parent)
        keep_ratios(before, nb)
        for index, outputs in stored.items():
            nb.cells[index].outputs = outputs
        notebook.normalise(nb)
        new = nbformat.writes(nb) + "\n"
        changed += new != old
        if not options.check:
            notebook.write(nb, path)
        state = "changed" if new != old else "same"
        figures = ", ".join(f"{name} {value:.1f}" for name, value in used.items())
        print(
            f"{path.name:28} {state:8} {figures}  {len(new) / 1e3:.0f} kB", flush=True
        )
    changed += ledger.write(check=options.check)
    return int(options.check and changed > 0)


def chosen(names: list[str]) -> list[Path]:
    """The notebooks whose file name holds one of the parts; all if there is none."""
    found = [
        path
        for path in notebook.lessons()
        if not names or any(name in path.name for name in names)
    ]
    if not found:
        sys.exit(f"no notebook has {' or '.join(names)} in its name")
    return found


def kept_outputs(nb: NotebookNode, path: Path) -> dict[int, list]:
    """Index → outputs of the tagged cells that have outputs and were not edited."""
    committed = {cell.get("id"): cell.source for cell in _committed_cells(path)}
    return {
        index: cell.outputs
        for index, cell in enumerate(nb.cells)
        if cell.cell_type == "code"
        and IGNORED in notebook.tags(cell)
        and cell.outputs
        and committed.get(cell.get("id"), cell.source) == cell.source
    }


def keep_ratios(before: NotebookNode, after: NotebookNode) -> None:
    """Put back the stored claims about ratios of this machine that only vary.

    Args:
        before: the notebook as it was read.
        after: the same, executed; changed in place.
    """
    stored = {
        output.metadata.claim.number: output
        for cell in before.cells
        for output in cell.get("outputs", [])
        if output.get("metadata", {}).get("claim", {}).get("machine")
    }
    for cell in after.cells:
        for index, output in enumerate(cell.get("outputs", [])):
            claim = output.get("metadata", {}).get("claim", {})
            old = stored.get(claim.get("number"))
            if old and not differences([old], [output]):
                cell.outputs[index] = old


def _committed_cells(path: Path) -> list[NotebookNode]:
    name = path.relative_to(ROOT).as_posix()
    try:
        shown = subprocess.run(
            ["git", "show", f"HEAD:{name}"], cwd=ROOT, capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return []
    return nbformat.reads(shown.stdout.decode("utf-8"), as_version=4).cells


if __name__ == "__main__":
    sys.exit(main())
