"""The explorer in a real JupyterLab: what is on the screen is what the tensors hold.

One JupyterLab and one page for all of it: a start costs more than all the checks.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import nbformat
import numpy as np
import pytest
import torch

from tools.extras import needs_browser
from tools.lab import DEAD_WIDGETS, opened, run_all
from tools.notebook import METADATA

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

H, N_Q, N_K, D_K, D_V = 3, 5, 7, 11, 13
TENSORS = f"""import torch
from torch import nn

_ = torch.manual_seed(7)
Q, K, V = (torch.randn({H}, n, d) for n, d in (({N_Q}, {D_K}), ({N_K}, {D_K}), ({N_K}, {D_V})))
mask = torch.rand({N_Q}, {N_K}) > 0.3
mask[3] = False
mask[1] = True
evil = "<img src=x onerror='window.broken = 1'>"
queries = ["the", "cat", evil, "the", "cat"]
keys = ["il", "gatto", evil, "il", "gatto", "", "fine"]
mha = nn.MultiheadAttention(12, 2, batch_first=True)
x, y = torch.randn(5, 12), torch.randn(3, 12)
big_weights = torch.softmax(3 * torch.randn(12, 12, 64, 64), dim=-1)
long_qkv = [torch.randn(2, 512, 4) for _ in range(3)]
"""  # noqa: E501
CELLS = [
    TENSORS + "from helpers.explorer import AttentionExplorer",
    "first = AttentionExplorer.from_qkv(Q, K, V, queries, keys, mask)\nfirst",
    "AttentionExplorer.from_module(mha, x, y, tokens=queries, key_tokens=list('abc'))",
    "AttentionExplorer(torch.softmax(x @ x.T, -1), queries)",
    "AttentionExplorer.from_qkv(*long_qkv, [f'w{i}' for i in range(512)])",
    "coarse = [t.bfloat16() for t in (Q, K, V)]\n"
    "AttentionExplorer.from_qkv(*coarse, queries, keys)",
]
BIG = "AttentionExplorer(big_weights, [f'w{i}' for i in range(64)])"
ASK = """async (code) => {
  const panel = window.jupyterapp.shell.currentWidget;
  const future = panel.sessionContext.session.kernel.requestExecute({ code });
  let text = "";
  future.onIOPub = (m) => { text += m.content.text ?? m.content.evalue ?? ""; };
  await future.done;
  return text;
}"""
DRAWN = """() => {
  const maps = [...document.querySelectorAll('.attx-layers .attx-thumb canvas')];
  return maps.length === 144 && maps.every((map) => map.width === 32);
}"""
PIXEL = """(canvas, [x, y]) => {
  const scale = canvas.width / canvas.clientWidth;
  return [...canvas.getContext('2d').getImageData(x * scale, y * scale, 1, 1).data];
}"""
CONTRAST = """(node) => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let paper = node;
  while ((parts(getComputedStyle(paper).backgroundColor)[3] ?? 1) === 0) {
    paper = paper.parentElement;
  }
  const [a, b] = [getComputedStyle(node).color, getComputedStyle(paper).backgroundColor]
    .map(light).sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}"""


@pytest.mark.browser
def test_in_a_real_jupyterlab(tmp_path: Path) -> None:
    needs_browser()
    cells = [nbformat.v4.new_code_cell(source) for source in [*CELLS, BIG]]
    path = tmp_path / "explorer.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), path)
    tensors: dict[str, Any] = {}
    exec(TENSORS, tensors)
    with opened(path) as (page, report):
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.set_viewport_size({"width": 1280, "height": 1400})
        run_all(page)
        explorers = [page.locator(".attx").nth(n) for n in range(6)]
        first, cross, plain, long, coarse, big = explorers
        big.wait_for()
        assert page.locator(DEAD_WIDGETS).count() == 0

        numbers_are_the_tensors_own(page, first, tensors)
        a_row_that_may_attend_to_nothing_says_so(first)
        the_pointer_lights_a_row(page, first, tensors)
        tokens_stay_text(page, first)
        the_keyboard_reaches_everything(page, first)
        both_sides_follow_each_other(page, first)
        it_answers_while_the_kernel_is_busy(page, first)
        only_weights_say_how_to_get_the_arithmetic(plain)
        another_module_and_two_lists_of_tokens(cross, tensors)
        a_long_sequence_says_what_is_left_out(page, long)
        a_coarse_type_is_named_where_it_shows(coarse, tensors)
        many_heads_open_soon_and_stay_smooth(page, big)
        it_can_be_read_in_both_themes(page, first)

        assert problems == [] and report.outside_requests == []
        assert "Error" not in page.evaluate(ASK, "1")
        assert not page.locator('[data-mime-type*="stderr"]').count()


def cell(explorer: Locator, query: int, key: int) -> dict[str, float]:
    """Where a cell of the large map is, from its corner."""
    box = explorer.locator(".attx-grid").bounding_box()
    rows = explorer.locator(".attx-list-q [role=option]").count()
    columns = explorer.locator(".attx-list-k [role=option]").count()
    return {
        "x": (key + 0.5) * box["width"] / columns,
        "y": (query + 0.5) * box["height"] / rows,
    }


def click(explorer: Locator, query: int, key: int) -> Locator:
    explorer.locator(".attx-grid").click(position=cell(explorer, query, key))
    panel = explorer.locator(".attx-panel")
    panel.wait_for()
    return panel


def numbers(panel: Locator) -> dict[str, list[str]]:
    """What is written in the panel, by kind."""
    found: dict[str, list[str]] = {}
    for kind, text in panel.evaluate(
        "(p) => [...p.querySelectorAll('[data-number]')]"
        ".map((n) => [n.dataset.number, n.textContent])"
    ):
        found.setdefault(kind, []).append(text)
    return found


def same(text: str, value: float) -> bool:
    """Whether the text is the number, to the last digit that it shows."""
    shown = text.replace("−", "-").replace("∞", "inf")
    mantissa, _, power = shown.partition("e")
    last = 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return abs(float(shown) - value) <= 0.51 * last + 1e-6 * abs(value)


def numbers_are_the_tensors_own(page: Page, explorer: Locator, given: dict) -> None:
    from helpers.attention import scaled_dot_product_attention

    Q, K, V, mask = (given[name] for name in ("Q", "K", "V", "mask"))
    output, weights = scaled_dot_product_attention(Q[None], K[None], V[None], mask)
    output, weights = output[0].double(), weights[0].double()
    blues = matplotlib.colormaps["Blues"]
    for head in range(H):
        explorer.locator(".attx-thumb").nth(head).click()
        q64, k64, v64 = (x[head].double() for x in (Q, K, V))
        scores = q64 @ k64.T / math.sqrt(D_K)
        for query, key in ((1, 5), (1, 2), (4, 3), (0, 6), (2, 0), (0, 1)):
            panel = click(explorer, query, key)
            seen = numbers(panel)
            allowed = scores[query][mask[query]]
            exp = torch.exp(scores[query] - allowed.max()) * mask[query]
            products = q64[query] * k64[key]
            part, out = weights[head, query, key] * v64[key], output[head, query]
            expected: dict[str, Any] = {
                "q": q64[query],
                "k": k64[key],
                "product": products,
                "dot": products.sum(),
                "root": math.sqrt(D_K),
                "score": scores[query, key],
                "largest": allowed.max(),
                "exp": exp[key],
                "total": exp.sum(),
                "total-again": exp.sum(),
                "quotient": weights[head, query, key],
                "weight": weights[head, query, key],
                "v": v64[key],
                "w": weights[head, query, key].expand(D_V),
                "part": part,
                "output": out,
                "share": part @ out / (out @ out),
            }
            if not mask[query, key]:
                expected.pop("largest")
                assert "forbidden" in panel.inner_text()
                assert seen["quotient"] == ["0"]
            for name, value in expected.items():
                values = torch.as_tensor(value, dtype=torch.float64).reshape(-1)
                assert len(seen[name]) == len(values), name
                for text, number in zip(seen[name], values.tolist()):
                    assert same(text, number), (head, query, key, name, text, number)
            assert seen["quotient"] == seen["weight"]
            place = cell(explorer, query, key)
            canvas = explorer.locator(".attx-grid canvas")
            spot = [place["x"] - 6, place["y"] - 6]  # beside the stroke of the mask
            pixel = canvas.evaluate(PIXEL, spot)[:3]
            colour = blues(seen_as_float(seen["weight"][0]), bytes=True)[:3]
            assert np.abs(np.subtract(pixel, colour, dtype=int)).max() <= 3


def seen_as_float(text: str) -> float:
    return float(text.replace("−", "-"))


def a_row_that_may_attend_to_nothing_says_so(explorer: Locator) -> None:
    assert "3 of 15 rows sum to 0" in explorer.locator(".attx-note").inner_text()
    panel = click(explorer, 3, 1)
    assert "No key is allowed in this row" in panel.inner_text()
    assert numbers(panel)["quotient"] == ["0"]


def the_pointer_lights_a_row(page: Page, explorer: Locator, given: dict) -> None:
    arcs = explorer.locator(".attx-arcs canvas")
    explorer.locator(".attx-title").hover()
    resting = arcs.evaluate("(c) => c.toDataURL()")
    token = explorer.locator(".attx-list-q [role=option]").nth(1)
    token.hover()
    assert "attx-lit" in token.get_attribute("class")
    lit = explorer.locator(".attx-ticks-q .attx-lit")
    assert lit.all_inner_texts() == ["cat"]
    assert explorer.locator(".attx-band:visible").count() == 1
    assert arcs.evaluate("(c) => c.toDataURL()") != resting
    from helpers.attention import scaled_dot_product_attention

    Q, K, V, mask = (given[name] for name in ("Q", "K", "V", "mask"))
    weights = scaled_dot_product_attention(Q[None], K[None], V[None], mask)[1]
    row = weights[0, H - 1, 1]
    readout = explorer.locator(".attx-readout").inner_text()
    assert readout.startswith("“cat” (1) attends most to")
    assert f"({int(row.argmax())}) {row.max():.4f}" in readout
    assert "sum to 1.0000" in readout
    explorer.locator(".attx-grid").hover(position=cell(explorer, 0, 4))
    assert "“the” (0) attends to “gatto” (4)" in (
        explorer.locator(".attx-readout").inner_text()
    )


def tokens_stay_text(page: Page, explorer: Locator) -> None:
    evil = "<img src=x onerror='window.broken = 1'>"
    options = explorer.locator(".attx-list-k [role=option]")
    names = ["il", "gatto", evil, "il", "gatto", "''", "fine"]
    assert options.evaluate_all("(all) => all.map((n) => n.textContent)") == names
    click(explorer, 2, 2)
    assert evil in explorer.locator(".attx-panel h4").inner_text()
    assert page.locator(".attx img").count() == 0
    assert page.evaluate("() => window.broken") is None


def focused(page: Page) -> str:
    return page.evaluate(
        "() => { const e = document.activeElement; "
        "return e.getAttribute('aria-label') ?? e.className; }"
    )


def lab_state(page: Page) -> str:
    """What the keys would change in JupyterLab if they were not the explorer's own."""
    return page.evaluate(
        "() => { const n = window.jupyterapp.shell.currentWidget.content; "
        "return [n.activeCellIndex, n.mode, n.widgets.length].join(); }"
    )


def the_keyboard_reaches_everything(page: Page, explorer: Locator) -> None:
    page.evaluate(ASK, "first.query = first.key = None")
    explorer.locator(".attx-panel").wait_for(state="hidden")
    explorer.locator(".attx-thumb").nth(1).click()
    before = lab_state(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # there is no fourth head
    assert focused(page) == "Head 2"
    page.keyboard.press("Home")
    assert explorer.locator(".attx-title").inner_text() == "Head 0"
    page.keyboard.press("Tab")
    assert focused(page).startswith("Weights of Head 0, queries down")
    grid, here = explorer.locator(".attx-grid"), explorer.locator(".attx-cursor")
    page.keyboard.press("Control+Home")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        page.keyboard.press(key)
    assert here.get_attribute("aria-label").startswith("“cat” (1) attends to “''” (5)")
    assert grid.get_attribute("aria-activedescendant") == here.get_attribute("id")
    assert here.get_attribute("aria-colindex") == "6"
    live = explorer.locator("[aria-live]")
    assert live.inner_text() == here.get_attribute("aria-label")
    style = (
        "(n) => { const s = getComputedStyle(n); return [s.visibility, s.boxShadow]; }"
    )
    visibility, shadow = here.evaluate(style)
    assert visibility == "visible" and shadow != "none"
    page.keyboard.press("Enter")
    explorer.locator(".attx-panel").wait_for()
    assert page.evaluate(ASK, "print(first.head, first.query, first.key)") == "0 1 5\n"
    assert live.inner_text().startswith("Arithmetic of “cat” (1) attends to")
    stops = []
    for _ in range(5):
        page.keyboard.press("Tab")
        outline = "() => getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(outline) != "none", focused(page)
        stops.append(focused(page))
    assert [stop.split()[0].rstrip(".,") for stop in stops] == (
        ["Queries", "Keys", "Close", "q", "the"]
    )
    page.keyboard.press("Escape")
    explorer.locator(".attx-panel").wait_for(state="hidden")
    assert focused(page).startswith("Weights of Head 0")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert explorer.locator(".attx-ticks-q .attx-lit").all_inner_texts() == ["cat"]
    page.keyboard.press("Enter")
    assert explorer.locator(".attx-panel h4 .attx-q").inner_text() == "“cat” (1)"
    assert lab_state(page) == before
    for role in ("grid", "listbox", "region", "group"):
        for node in explorer.locator(f"[role={role}]").all():
            assert node.get_attribute("aria-label"), role


def both_sides_follow_each_other(page: Page, explorer: Locator) -> None:
    page.evaluate(ASK, "first.head = 2; first.query = 0; first.key = 4")
    title = explorer.locator(".attx-title")
    explorer.page.wait_for_function(
        "(n) => n.textContent === 'Head 2'", arg=title.element_handle()
    )
    heading = explorer.locator(".attx-panel h4")
    assert heading.inner_text().startswith("“the” (0) asks “gatto” (4)")
    explorer.locator(".attx-thumb").nth(1).click()
    explorer.get_by_role("button", name="Close the arithmetic").click()
    asked = page.evaluate(ASK, "print(first.head, first.query, first.key)")
    assert asked == "1 None None\n"


def it_answers_while_the_kernel_is_busy(page: Page, explorer: Locator) -> None:
    page.evaluate(
        f"() => {{ window.slept = false; window.sleep = ({ASK})("
        "'import time; time.sleep(5)').then(() => { window.slept = true; }) }"
    )
    panel = click(explorer, 1, 1)
    assert same(numbers(panel)["root"][0], math.sqrt(D_K))
    assert page.evaluate("() => window.slept") is False
    page.evaluate("() => window.sleep")


def only_weights_say_how_to_get_the_arithmetic(explorer: Locator) -> None:
    text = click(explorer, 0, 1).inner_text()
    assert "Only weights were given" in text and "from_qkv(Q, K, V, tokens)" in text
    assert explorer.locator(".attx-thumb").count() == 0


def another_module_and_two_lists_of_tokens(explorer: Locator, given: dict) -> None:
    x, y, mha = given["x"], given["y"], given["mha"].eval()
    weights = mha(x, y, y, average_attn_weights=False)[1].detach()
    explorer.locator(".attx-thumb").nth(1).click()
    for query, key in ((0, 2), (4, 0)):
        seen = numbers(click(explorer, query, key))
        assert same(seen["quotient"][0], weights[1, query, key].item())
        assert len(seen["v"]) == 6
    heading = explorer.locator(".attx-panel h4").inner_text()
    assert heading.startswith("“cat” (4) asks “a” (0)")


def a_long_sequence_says_what_is_left_out(page: Page, explorer: Locator) -> None:
    note = explorer.locator(".attx-note").inner_text()
    assert "512 query tokens and 512 key tokens are too many" in note and "64" in note
    assert explorer.locator(".attx-list-q [role=option]").count() == 64
    slider = explorer.get_by_role("slider", name="First of the query tokens shown")
    slider.focus()
    page.keyboard.press("ArrowRight")
    labels = explorer.locator(".attx-ticks-q span")
    assert labels.first.inner_text() == "w1"
    grid = explorer.locator(".attx-grid")
    grid.focus()
    page.keyboard.press("Control+End")
    assert labels.last.text_content() == "w511"
    assert "queries 448 to 511 of 512" in explorer.inner_text()
    page.keyboard.press("Enter")
    assert "“w511” (511)" in explorer.locator(".attx-panel h4").inner_text()
    assert "504 other keys" in explorer.locator(".attx-panel").inner_text()
    page.keyboard.press("Escape")


def a_coarse_type_is_named_where_it_shows(explorer: Locator, given: dict) -> None:
    from helpers.attention import scaled_dot_product_attention

    coarse = [given[name].bfloat16()[None] for name in "QKV"]
    exact = scaled_dot_product_attention(*(x.double() for x in coarse))[1][0, 0]
    drawn = scaled_dot_product_attention(*coarse)[1][0, 0].double()
    query, key = divmod(int((exact - drawn).abs().argmax()), N_K)
    panel = click(explorer, query, key)
    seen = numbers(panel)
    assert same(seen["quotient"][0], drawn[query, key].item())
    assert same(seen["float64"][0], exact[query, key].item())
    assert "coarser type" in panel.inner_text()


def many_heads_open_soon_and_stay_smooth(page: Page, big: Locator) -> None:
    big.scroll_into_view_if_needed()
    page.wait_for_function(DRAWN)
    run = """async () => {
      const panel = window.jupyterapp.shell.currentWidget;
      panel.content.activeCellIndex = panel.content.widgets.length - 1;
      panel.content.widgets.at(-1).model.clearExecution?.();
      panel.content.widgets.at(-1).outputArea.model.clear();
      window.begin = performance.now();
      await window.jupyterapp.commands.execute('notebook:run-cell');
    }"""
    page.evaluate(run)
    page.wait_for_function(DRAWN, polling=20)
    opening = page.evaluate("() => performance.now() - window.begin") / 1e3
    moving = big.locator(".attx-grid").evaluate(
        """(grid) => {
          const box = grid.getBoundingClientRect();
          const begin = performance.now();
          for (let n = 0; n < 64; n++) {
            const place = (n + 0.5) / 64;
            grid.dispatchEvent(new PointerEvent('pointermove', {
              clientX: box.left + place * box.width,
              clientY: box.top + place * box.height,
            }));
          }
          return (performance.now() - begin) / 64;
        }"""
    )
    print(f"144 maps of 64 tokens: open in {opening:.2f} s, {moving:.1f} ms a move")
    assert opening < 20 and moving < 200  # seconds, milliseconds; a busy machine
    big.locator(".attx-thumb").nth(13).click()
    assert big.locator(".attx-title").inner_text() == "Layer 1, head 1"
    page.keyboard.press("ArrowDown")
    assert big.locator(".attx-title").inner_text() == "Layer 2, head 1"


def it_can_be_read_in_both_themes(page: Page, explorer: Locator) -> None:
    click(explorer, 1, 1)
    papers = []
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        page.evaluate(
            "(theme) => window.jupyterapp.commands.execute("
            "'apputils:change-theme', { theme })",
            theme,
        )
        light = str(theme.endswith("Light")).lower()
        page.locator(f'body[data-jp-theme-light="{light}"]').wait_for(state="attached")
        page.wait_for_timeout(500)
        papers.append(explorer.evaluate("(n) => getComputedStyle(n).backgroundColor"))
        for part in (
            *(".attx-head span", ".attx-title", ".attx-readout", "figcaption"),
            *(".attx-list-k span", ".attx-panel h4 .attx-q", ".attx-panel h4 .attx-k"),
            *(".attx-tiles .attx-v b", ".attx-tiles small", ".attx-panel dt"),
            *(".attx-aside", ".attx-list-q .attx-lit", ".attx-here th"),
        ):
            contrast = explorer.locator(part).first.evaluate(CONTRAST)
            assert contrast >= 4.5, (theme, part, contrast)
    assert papers[0] != papers[1]


def test_a_number_on_the_screen_is_read_to_its_last_digit() -> None:
    assert same("−0.1235", -0.12349) and same("2.60e−4", 2.597e-4)
    assert not same("0.1235", 0.1234) and not same("2.60e−4", 2.61e-4)
