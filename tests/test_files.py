"""The files around the code: the same on every machine, whoever checks them out."""

from __future__ import annotations

import re
import sys

from tools.settings import ROOT

TEXTS = sorted(
    path
    for folder in ("notebooks", "helpers", "tools", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".ipynb", ".py", ".js", ".css", ".json", ".j2", ".html"}
)


def test_git_checks_text_out_with_the_same_line_ends_everywhere() -> None:
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert "* text=auto eol=lf" in lines
    assert any(re.match(r"\*\.ipynb text eol=lf", line) for line in lines)


def test_no_file_has_the_line_ends_of_windows() -> None:
    assert len(TEXTS) > 100
    assert [path.name for path in TEXTS if b"\r\n" in path.read_bytes()] == []


def test_conda_and_pip_install_the_same_list() -> None:
    environment = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert re.search(r"^ +- -r requirements\.txt$", environment, re.MULTILINE)
    (wanted,) = re.findall(r"^ +- python=(3\.\d+)$", environment, re.MULTILINE)
    # beside Python and pip nothing comes from conda, so nothing can differ
    assert len(re.findall(r"^  - ", environment, re.MULTILINE)) == 3
    assert tuple(map(int, wanted.split("."))) >= (3, 11) <= sys.version_info[:2]
