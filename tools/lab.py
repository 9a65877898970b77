"""Open notebooks in a real JupyterLab with a real Chromium, and run all their cells.

usage: python -m tools.lab NOTEBOOK [--screenshot FILE.png]

The server listens on 127.0.0.1 with empty settings of its own; whatever the page asks
of another host is refused and reported. The notebook is opened in a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS: dict[str, dict[str, Any]] = {
    # no dialog asks anything, and cells out of sight are in the page too
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}
# JupyterLab shows an idle kernel before there is one, so ask the session itself.
KERNEL_IS_READY = """() => {
  const session = window.jupyterapp?.shell.currentWidget?.sessionContext;
  const kernel = session?.session?.kernel;
  return session?.isReady && kernel?.connectionStatus === 'connected'
    && kernel.status === 'idle';
}"""
ALL_HAVE_RUN = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const cells = panel.content.widgets.filter(
    w => w.model.type === 'code' && w.model.sharedModel.getSource().trim());
  const failed = cells.some(
    w => w.model.sharedModel.outputs.some(o => o.output_type === 'error'));
  return panel.sessionContext.session?.kernel?.status === 'idle'
    && (failed || cells.every(w => w.model.executionCount && w.prompt !== '*'));
}"""
OUTPUTS = """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
  .map(c => c.toJSON()).filter(c => c.cell_type === 'code').map(c => ({
    count: c.execution_count,
    errors: c.outputs.filter(o => o.output_type === 'error')
      .map(o => o.ename + ': ' + o.evalue),
    stderr: c.outputs.filter(o => o.name === 'stderr')
      .map(o => [].concat(o.text).join('')).join('')}))"""
DEAD_WIDGETS = ":text-matches('(Loading|Error displaying|Error creating) widget')"


@dataclass
class Report:
    """What a run in the browser showed; all lists are empty if it was clean."""

    code_cells: int = 0
    not_run: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    dead_widgets: int = 0
    outside_requests: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether all cells ran, nothing went wrong and no other host was asked."""
        bad = (self.not_run, self.errors, self.stderr, self.outside_requests)
        return self.code_cells > 0 and not any(bad) and not self.dead_widgets


def chromium() -> str | None:
    """The installed Chromium or Chrome, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def run_in_browser(notebook: Path, screenshot: Path | None = None) -> Report:
    """Open a copy of a notebook, choose Run > Run All Cells, and report.

    Args:
        notebook: the file.
        screenshot: where to save the whole notebook as one picture, if wanted.

    Raises:
        RuntimeError: if there is no browser, or JupyterLab does not start.
    """
    with opened(notebook) as (page, report):
        run_all(page)
        _read(page, report)
        if screenshot is not None:
            _photograph(page, screenshot)
    return report


@contextmanager
def opened(notebook: Path) -> Iterator[tuple[Page, Report]]:
    """A page that shows a copy of a notebook in a JupyterLab of its own.

    What the page asks of another host is refused and stands in the report.

    Args:
        notebook: the file.

    Raises:
        RuntimeError: if there is no browser, or JupyterLab does not start.
    """
    from playwright.sync_api import sync_playwright

    if (browser := chromium()) is None:
        raise RuntimeError("no Chromium or Chrome is installed")
    report = Report()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        work = Path(folder)
        root = work / "course"
        root.mkdir()
        shutil.copy(notebook, root)
        with _server(root, work) as (url, token):
            context = playwright.chromium.launch_persistent_context(
                str(work / "profile"),
                executable_path=browser,
                headless=True,
                args=CHROMIUM_FLAGS,
                viewport={"width": 1280, "height": 900},
            )
            page = context.new_page()
            context.route("**/*", lambda route: _only(url, route, report))
            page.goto(f"{url}/lab/tree/{notebook.name}?token={token}")
            try:
                yield page, report
            finally:
                context.close()


def run_all(page: Page) -> None:
    """Choose Run > Run All Cells, and wait until all have run or one has failed."""
    page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=120_000)
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=120_000)
    page.wait_for_function(KERNEL_IS_READY, timeout=120_000, polling=200)
    page.locator("#jp-MainMenu").get_by_text("Run", exact=True).click()
    page.locator(".lm-Menu-item", has_text="Run All Cells").first.click()
    page.wait_for_function(ALL_HAVE_RUN, timeout=900_000, polling=500)
    page.wait_for_timeout(1000)  # widgets are drawn after the kernel is idle


def _read(page: Page, report: Report) -> None:
    cells = page.evaluate(OUTPUTS)
    report.code_cells = len(cells)
    for index, cell in enumerate(cells):
        if not cell["count"]:
            report.not_run.append(index)
        report.errors += [f"code cell {index}: {e}" for e in cell["errors"]]
        if cell["stderr"]:
            report.stderr.append(f"code cell {index}: {cell['stderr'][:300]}")
    # an error in the callback of a widget is not among the outputs of its cell
    shown = '.jp-OutputArea [data-mime-type="application/vnd.jupyter.stderr"]'
    report.errors += [
        text[-300:]
        for text in page.locator(shown).all_inner_texts()
        if "Traceback" in text
    ]
    report.dead_widgets = page.locator(f".jp-OutputArea {DEAD_WIDGETS}").count()


def _photograph(page: Page, file: Path) -> None:
    height = page.evaluate(
        "() => document.querySelector('.jp-WindowedPanel-inner').scrollHeight"
    )
    page.set_viewport_size({"width": 1280, "height": int(height) + 150})
    page.evaluate(
        "() => { document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0 }"
    )
    page.wait_for_timeout(1500)
    page.screenshot(path=str(file))


def _only(url: str, route: Route, report: Report) -> None:
    asked = route.request.url
    if asked.startswith((url, "data:", "blob:")):
        route.continue_()
    else:
        report.outside_requests.append(asked[:200])
        route.abort()


@contextmanager
def _server(root: Path, work: Path) -> Iterator[tuple[str, str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(16)
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    environment = dict(os.environ) | {k: str(work / v) for k, v in folders.items()}
    for name, value in SETTINGS.items():
        file = work / "config/lab/user-settings" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
        *(f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True"),
    ]
    url = f"http://127.0.0.1:{port}"
    log = work / "server.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        _wait_for(f"{url}/api/status?token={token}", process, log)
        yield url, token
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_for(address: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=2)
            return
        except (urllib.error.URLError, OSError):
            if process.poll() is not None:
                break
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start: {log.read_text()[-2000:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--screenshot", type=Path)
    options = parser.parse_args()
    report = run_in_browser(options.notebook, options.screenshot)
    print(report)
    return int(not report.clean)


if __name__ == "__main__":
    sys.exit(main())
