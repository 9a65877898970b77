"""The static pages: complete, without any other host, with formulas and folds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import html, notebook
from tools.exercises import exercises
from tools.extras import needs_browser
from tools.lab import CHROMIUM_FLAGS, chromium
from tools.mathml import mathml

LESSONS = notebook.lessons()
CHOSEN = LESSONS[3:5]
FORMULA = re.compile(r"\$\$.+?\$\$|(?<!\$)\$[^$\n]+\$(?!\$)", re.DOTALL)
LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src"}


class Page(HTMLParser):
    """What a page refers to, its anchors, and its visible text outside of code."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.counts: dict[str, int] = {}
        self.inside: list[str] = []
        self.text = ""
        self.open_folds = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list) -> None:
        found = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.open_folds += tag == "details" and "open" in found
        if tag in LINKS and LINKS[tag] in found:
            self.links.append((tag, found[LINKS[tag]]))
        if "id" in found:
            self.anchors.add(found["id"])
        if tag in ("pre", "code", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        self.text += "" if self.inside else data


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Two lessons that follow on each other, and the index."""
    folder = tmp_path_factory.mktemp("static pages") / "é"
    html.build(CHOSEN, folder)
    return folder


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, Page]:
    return {path.name: Page(path) for path in built.glob("*.html")}


def test_every_link_leads_somewhere(built: Path, pages: dict[str, Page]) -> None:
    assert len(pages) == 3
    for name, page in pages.items():
        for tag, target in page.links:
            if target.startswith(("data:", "https:")):
                assert tag == "a" or target.startswith("data:"), (name, target[:80])
                continue
            file, _, anchor = target.partition("#")
            assert (built / (file or name)).is_file(), (name, target)
            assert not anchor or anchor in pages[file or name].anchors, (name, target)
            assert not target.endswith(".ipynb"), (name, target)


def test_no_page_needs_another_host_or_a_script(built: Path, pages) -> None:
    for name, page in pages.items():
        assert "script" not in page.counts and "iframe" not in page.counts, name
    style = (built / "style.css").read_text(encoding="utf-8")
    assert "@import" not in style and "//" not in re.sub(r"/\*.*?\*/", "", style)
    for file in re.findall(r'url\("([^"]+)"\)', style):
        assert (built / file).stat().st_size > 10_000, file


@pytest.mark.parametrize("path", CHOSEN, ids=[p.stem for p in CHOSEN])
def test_a_page_has_all_that_its_notebook_has(path: Path, built, pages) -> None:
    nb, page = notebook.read(path), pages[f"{path.stem}.html"]
    prose = "\n\n".join(c.source for c in nb.cells if c.cell_type == "markdown")
    unfenced = re.sub(r"```.*?```|`[^`\n]*`", "", prose, flags=re.DOTALL)
    assert page.counts.get("math", 0) == len(FORMULA.findall(unfenced))
    assert "$" not in page.text and "\\frac" not in page.text
    assert page.counts["details"] == prose.count("<details>") and not page.open_folds
    outputs = [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]
    figures = sum("image/png" in o.get("data", {}) for o in outputs)
    assert page.counts["img"] == figures > 0
    written = (built / f"{path.stem}.html").read_text(encoding="utf-8")
    assert written.count('class="code exercise"') == len(exercises(nb)) > 2


def test_the_index_has_title_question_and_minutes(pages) -> None:
    text = pages["index.html"].text
    for path in CHOSEN:
        lesson = html.described(path, notebook.read(path))
        assert lesson.question.endswith("?") and int(lesson.minutes) > 0
        assert f"{lesson.number} {lesson.title}" in text and lesson.question in text


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_every_formula_of_the_course_can_be_drawn(path: Path) -> None:
    for cell in notebook.read(path).cells:
        if cell.cell_type == "markdown":
            unfenced = re.sub(r"```.*?```|`[^`\n]*`", "", cell.source, flags=re.DOTALL)
            for formula in FORMULA.findall(unfenced):
                ElementTree.fromstring(mathml(formula.strip("$")))


def test_a_picture_stands_for_a_widget_and_a_dead_link_is_text(tmp_path: Path) -> None:
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    data = {"text/plain": "Explorer()", "image/png": "iVBORw0KGgo=", **view}
    cell = new_code_cell("explore()")
    cell.outputs = [new_output("display_data", data=data)]
    prose = "# T\n\n[a](../README.md) [b](x.ipynb#c) [d](https://example.org) <b>e</b>"
    nb = new_notebook(cells=[new_markdown_cell(prose), cell])
    nbformat.write(nb, tmp_path / "x.ipynb")
    html.build([tmp_path / "x.ipynb"], tmp_path / "out")
    page = Page(tmp_path / "out/x.html")
    assert ("img", "data:image/png;base64,iVBORw0KGgo=") in page.links
    assert "script" not in page.counts and "Explorer()" not in page.text
    targets = [target for tag, target in page.links if tag == "a"]
    assert "x.html#c" in targets and "https://example.org" in targets
    assert not any("README" in target for target in targets)


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"\sqrt{d_k}", "<msub><mi>d</mi><mi>k</mi></msub>"),
        (r"\mathrm{head}_1", "<mi>head</mi>"),
        (r"\mathrm{softmax}(x)", "<mi>softmax</mi>"),
        ("a < b", "<mo>&lt;</mo>"),
    ],
)
def test_latex_becomes_mathml(tex: str, drawn: str) -> None:
    found = mathml(tex)
    assert ElementTree.fromstring(found).get("alttext") == tex
    assert drawn in found.replace("&#x0003C;", "&lt;")


@pytest.mark.parametrize("tex", [r"\foo{x}", r"\left(a", "x^2^3"])
def test_what_cannot_be_drawn_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match="in the formula"):
        mathml(tex)


def test_the_notebook_is_named_in_which_a_formula_is_unknown(tmp_path: Path) -> None:
    nb = new_notebook(cells=[new_markdown_cell("# T\n\n$$\\foo$$")])
    nbformat.write(nb, tmp_path / "x.ipynb")
    with pytest.raises(ValueError, match=r"x\.ipynb: \\foo is not known"):
        html.build([tmp_path / "x.ipynb"], tmp_path / "out")


LOOK = """() => ({
  broken: [...document.images].filter(i => !i.complete || !i.naturalWidth).length,
  flat: [...document.querySelectorAll('math')].filter(m => {
    const fold = m.closest('details');
    if (fold) fold.open = true;
    return m.getBoundingClientRect().height < 8;
  }).length,
  tall: Math.max(...[...document.querySelectorAll('math mo[stretchy=true]')]
    .map(m => m.getBoundingClientRect().height), 0),
  wide: document.documentElement.scrollWidth - window.innerWidth,
  ground: getComputedStyle(document.body).backgroundColor})"""


@pytest.mark.browser
def test_the_pages_in_a_browser(built: Path) -> None:
    """From the file system, nothing but files asked for; formulas have a height."""
    needs_browser()
    from playwright.sync_api import sync_playwright

    asked: list[str] = []

    def only_files(route) -> None:
        if route.request.url.startswith((built.as_uri(), "data:")):
            route.continue_()
        else:
            asked.append(route.request.url[:200])
            route.abort()

    def errors_of(message) -> None:
        if message.type == "error":  # a slow machine is only a warning
            asked.append(message.text)

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium(), args=CHROMIUM_FLAGS
        )
        try:
            for scheme, width in (("light", 1280), ("dark", 400)):
                page = browser.new_page(
                    color_scheme=scheme, viewport={"width": width, "height": 800}
                )
                page.route("**/*", only_files)
                page.on("requestfailed", lambda r: asked.append(r.url[:200]))
                page.on("console", errors_of)
                for path in sorted(built.glob("*.html")):
                    page.goto(path.as_uri())
                    page.evaluate("() => document.fonts.ready.then(() => true)")
                    seen = page.evaluate(LOOK)
                    where = f"{path.name}, {scheme}, {width}: {seen}"
                    assert not seen["broken"] and not seen["flat"], where
                    assert seen["wide"] <= 0, where
                    light = seen["ground"] == "rgb(255, 255, 255)"
                    assert light == (scheme == "light"), where
                    if path.stem.startswith("03"):  # the brackets round QKᵀ/√d_k
                        assert seen["tall"] > 35, where
                page.close()
        finally:
            browser.close()
    assert asked == []
