"""Write the lessons as a folder of static pages that needs no network and no server.

usage: python -m tools.html [--output build/html] [PART_OF_A_NAME ...]

What the pages show is what the notebooks store; nothing is run. Formulas become MathML
(tools/mathml.py), which browsers draw themselves, so there is no script at all.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from tools import notebook
from tools.mathml import mathml
from tools.run import chosen
from tools.settings import ROOT

COURSE = "Attention from the Ground Up"
HERE = Path(__file__).parent
TEMPLATE = HERE / "page.html.j2"
STYLE = HERE / "page.css"
FONTS = ("STIXGeneral.ttf", "DejaVuSerif.ttf", "LICENSE_STIX", "LICENSE_DEJAVU")
SHOWN = ["image/svg+xml", "image/png", "image/jpeg", "text/html", "text/markdown"]
QUESTION = re.compile(r"\*\*Question\.\*\*\s*(.+?)(?:\n\s*\n|\Z)", re.DOTALL)
MINUTES = re.compile(
    r"\*(?:About )?(\d+) minutes\b(?:\s+for\s+the\s+core\s+path,\s+(\d+)\s+for)?"
)


@dataclass(frozen=True)
class Lesson:
    """What the index says of a lesson, read from its first cells."""

    path: Path
    title: str
    question: str
    minutes: str

    @property
    def page(self) -> str:
        """Its file in the built folder."""
        return f"{self.path.stem}.html"

    @property
    def number(self) -> str:
        """00, 01 …, as in the name of its file."""
        return self.path.stem.partition("_")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PART_OF_A_NAME")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "html")
    options = parser.parse_args()
    try:
        print(build(chosen(options.names), options.output))
    except ValueError as error:
        sys.exit(str(error))
    return 0


def build(paths: list[Path], folder: Path) -> Path:
    """Write the pages of some lessons, the index and the style; returns the index."""
    notebooks = {path: notebook.read(path) for path in paths}
    lessons = [described(path, nb) for path, nb in notebooks.items()]
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(STYLE, folder / "style.css")
    for name in FONTS:
        shutil.copyfile(_fonts() / name, folder / name)
    for lesson, before, behind in zip(lessons, [None, *lessons], [*lessons[1:], None]):
        page = _page(notebooks[lesson.path], lesson, before, behind, lessons)
        (folder / lesson.page).write_text(page, encoding="utf-8", newline="\n")
    index = folder / "index.html"
    index.write_text(_index(lessons), encoding="utf-8", newline="\n")
    return index


def described(path: Path, nb: NotebookNode) -> Lesson:
    """Title, question and minutes (of all, where the core path has fewer)."""
    prose = "\n\n".join(c.source for c in nb.cells if c.cell_type == "markdown")
    title = next(
        (line[2:].strip() for line in prose.splitlines() if line.startswith("# ")),
        path.stem,
    )
    question, minutes = QUESTION.search(prose), MINUTES.search(prose)
    return Lesson(
        path,
        title,
        " ".join(question[1].split()) if question else "",
        minutes[2] or minutes[1] if minutes else "",
    )


class _Renderer(IPythonRenderer):
    """Markdown with formulas as MathML and links between the pages."""

    pages: dict[str, str]

    def block_math(self, body: str) -> str:
        return mathml(body, display=True)

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link to a lesson leads to its page; one to any other file is text only."""
        file, _, part = url.partition("#")
        if file and not re.match(r"[a-z]+:", file):
            page = self.pages.get(file.removeprefix("./"))
            if page is None:
                return text
            url = page + (f"#{part}" if part else "")
        return super().link(text, url, title)


class _Exporter(HTMLExporter):
    """nbconvert with our renderer; set `pages` before use."""

    pages: dict[str, str]

    def default_filters(self) -> Iterator[tuple[str, Callable[..., str]]]:
        yield from super().default_filters()
        yield "markdown2html", self.rendered

    def rendered(self, source: str) -> str:
        renderer = _Renderer(escape=False)
        renderer.pages = self.pages
        return MarkdownWithMath(renderer=renderer).render(source)


def _page(
    nb: NotebookNode,
    lesson: Lesson,
    before: Lesson | None,
    behind: Lesson | None,
    lessons: list[Lesson],
) -> str:
    exporter = _Exporter(raw_template=TEMPLATE.read_text(encoding="utf-8"))
    exporter.pages = {other.path.name: other.page for other in lessons}
    exporter.config.NbConvertBase.display_data_priority = [*SHOWN, "text/plain"]
    about = {
        "course": COURSE,
        "title": f"{lesson.title} · {COURSE}",
        "notebook": lesson.path.name,
        "before": before,
        "behind": behind,
    }
    try:
        return exporter.from_notebook_node(nb, about)[0]
    except ValueError as error:
        raise ValueError(f"{lesson.path.name}: {error}") from error


def _index(lessons: list[Lesson]) -> str:
    rows = "\n".join(
        f'<tr><td><a href="{lesson.page}">{escape(lesson.number)} '
        f"{escape(lesson.title)}</a></td><td>{escape(lesson.question)}</td>"
        f"<td>{lesson.minutes}</td></tr>"
        for lesson in lessons
    )
    return INDEX.format(course=COURSE, rows=rows)


def _fonts() -> Path:
    """matplotlib's copies of two free fonts that have the signs of mathematics."""
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


INDEX = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{course}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
<h1>{course}</h1>
<p>A course on the attention mechanism in which every claim is an experiment. These
pages are a copy to read: code, results and figures as the notebooks store them, hints
and solutions folded away. To run and change the code, open the notebooks in
JupyterLab.</p>
<table>
<thead><tr><th>lesson</th><th>question</th><th>minutes</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</main>
</body>
</html>
"""

if __name__ == "__main__":
    sys.exit(main())
