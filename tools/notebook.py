"""Execute a notebook in a fresh kernel, and write it so that a rerun is no diff."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tools import settings
from tools.compare import VIEW

CHECK = "check"  # the tag of a cell that checks an exercise, and does nothing else

FOLDED = {"source_hidden": True}
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


def lessons() -> list[Path]:
    """The notebooks of the course, in their order."""
    found = (settings.ROOT / "notebooks").glob("*.ipynb")
    return sorted(path for path in found if not is_kept(path))


def is_kept(path: Path) -> bool:
    """Whether `make reset` has put this notebook aside for the learner."""
    return path.match("*.mine*.ipynb")


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def write(nb: NotebookNode, path: Path) -> None:
    path.write_text(nbformat.writes(nb) + "\n", encoding="utf-8", newline="\n")


def execute(
    nb: NotebookNode,
    cwd: Path,
    *,
    allow_errors: bool = False,
    after_cell: Callable[[NotebookClient, int, NotebookNode], None] | None = None,
    timeout: int = 300,
    first: str = "",
) -> dict[str, float]:
    """Run every code cell in place; what it used is returned.

    Args:
        nb: the notebook; its outputs are replaced.
        cwd: working directory of the kernel.
        allow_errors: go on behind a cell that raised.
        after_cell: called as (client, index, cell) behind each code cell.
        timeout: seconds a cell may take.
        first: code to run in the kernel before the notebook.

    Returns:
        {"cpu": seconds of the kernel, "memory": its peak in GB}; empty on Windows.
    """
    settings.apply()
    client = NotebookClient(
        nb,
        timeout=timeout,
        iopub_timeout=60,
        kernel_name="python3",
        extra_arguments=["--log-level=40"],
        record_timing=False,
        coalesce_streams=True,
        allow_errors=allow_errors,
        resources={"metadata": {"path": str(cwd)}},
    )
    with client.setup_kernel():
        if first:
            _execute_hidden(client, first)
        for index, cell in enumerate(nb.cells):
            client.execute_cell(cell, index)
            if after_cell and cell.cell_type == "code" and cell.source.strip():
                after_cell(client, index, cell)
        return _used(client)


def _used(client: NotebookClient) -> dict[str, float]:
    client.allow_errors = True
    probe = _execute_hidden(
        client,
        "import resource as _r; _u = _r.getrusage(_r.RUSAGE_SELF); "
        "print(_u.ru_utime + _u.ru_stime, _u.ru_maxrss / 1e6)",
    )
    if not probe.outputs or "text" not in probe.outputs[0]:
        return {}
    cpu, memory = map(float, probe.outputs[0]["text"].split())
    return {"cpu": cpu, "memory": memory}


def _execute_hidden(client: NotebookClient, source: str) -> NotebookNode:
    """Run a cell that is not in the notebook."""
    cell = nbformat.v4.new_code_cell(source)
    client.nb.cells.append(cell)
    try:
        client.execute_cell(cell, len(client.nb.cells) - 1)
    finally:
        client.nb.cells.remove(cell)
    return cell


def normalise(nb: NotebookNode) -> NotebookNode:
    """Drop what changes from run to run or machine to machine: metadata, widget ids.

    The data of a claim stays: it is the claim. So does a cell's fold.
    """
    nb.metadata = nbformat.from_dict(METADATA)
    nb.nbformat, nb.nbformat_minor = 4, 5
    count = 0
    for cell in nb.cells:
        cell.metadata = nbformat.from_dict(_kept(cell.metadata))
        cell.pop("attachments", None)
        if cell.cell_type != "code":
            continue
        if cell.source.strip():
            count += 1
            cell.execution_count = count
        for output in cell.outputs:
            output.get("data", {}).pop(VIEW, None)
            if "execution_count" in output:
                output["execution_count"] = cell.execution_count
            if "metadata" in output:
                claim = output["metadata"].get("claim")
                output["metadata"] = {"claim": claim} if claim else {}
    return nb


def _kept(metadata: Any) -> dict[str, Any]:
    """The tags of a cell, and whether JupyterLab shows its code folded away."""
    folded = metadata.get("jupyter", {}).get("source_hidden", False)
    kept = {"tags": metadata.get("tags"), "jupyter": folded and FOLDED}
    return {name: value for name, value in kept.items() if value}


def tags(cell: Any) -> set[str]:
    return set(cell.metadata.get("tags", []))
