"""Take the README's picture: lesson 03's sentence, opened in the explorer.

usage: python -m tools.picture
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from tools import notebook
from tools.lab import opened, run_all
from tools.settings import ROOT

PICTURE = ROOT / ".github" / "explorer.png"
LESSON = ROOT / "notebooks" / "03_scaled_dot_product.ipynb"
EXPLORE = """
from helpers.explorer import AttentionExplorer

explorer = AttentionExplorer.from_qkv(Q[None], K[None], V[None], tokens)
explorer.query, explorer.key = tokens.index("sat"), tokens.index("cat")
explorer
"""


def main() -> None:
    sources = [c.source for c in notebook.read(LESSON).cells if c.cell_type == "code"]
    made_by_hand = next(source for source in sources if source.startswith("tokens = "))
    nb = new_notebook(
        cells=[
            new_code_cell(f"import torch\n\n{made_by_hand}"),
            new_code_cell(EXPLORE.strip()),
        ],
        metadata=notebook.METADATA,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.ipynb"
        notebook.write(nb, path)
        with opened(path) as (page, _):
            run_all(page)
            page.set_viewport_size({"width": 1150, "height": 1600})
            page.mouse.move(5, 5)
            page.wait_for_timeout(1500)
            page.locator(".jp-OutputArea-output .attx").last.screenshot(
                path=str(PICTURE)
            )


if __name__ == "__main__":
    main()
