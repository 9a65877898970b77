"""The page that a teacher reads: what it says, and that nothing in it is obeyed."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.check.__main__ import main
from helpers.check.grading import page
from helpers.check.grading.verdict import Verdict, own
from helpers.check.words import WORDS
from tools.extras import needs_browser

PAYLOAD = '<script>document.title = "run"</script><img src=x onerror=alert(1)>'
MISTAKE = "dim-ignored"


def wrong(
    file: str, exercise: str = "softmax", code: str = "my_softmax = 1"
) -> Verdict:
    words = (WORDS[MISTAKE].short,)
    return Verdict(file, exercise, "wrong", (MISTAKE,), words, "It says so.", "", code)


CLASS = [
    wrong("anna/02.ipynb"),
    wrong("ben/02.ipynb", code=f"my_softmax = '{PAYLOAD}'"),
    Verdict("dan/02.ipynb", "softmax", "correct"),
    wrong("dan/02.ipynb", "soft_lookup"),
    Verdict("eva/02.ipynb", "softmax", "not attempted"),
    own(f"{PAYLOAD}.ipynb", "", "not judged", "unreadable", PAYLOAD),
]


def test_it_begins_with_what_most_share() -> None:
    text = " ".join(page.page(CLASS).split())
    topics = text.partition("<ol>")[2].partition("</ol>")[0]
    assert "<b>softmax</b>: 2 of the 3 learners whose answer" in topics
    assert topics.index("softmax") < topics.index("soft_lookup")
    assert "3 learners have it: softmax 2 ×; soft_lookup 1 ×." in text
    assert "softmax by anna" in text and "It says so." in text


def test_an_exception_is_nothing_to_talk_about() -> None:
    raised = Verdict("a", "softmax", "wrong", ("raises",), ("an exception",), "m")
    text = page.page([raised])
    assert "No answer is wrong" in text and 'id="raises"' in text


def test_what_learners_write_is_escaped() -> None:
    text = page.page(CLASS)
    assert "<script" not in text and "<img" not in text and "&lt;script" in text


def test_without_names() -> None:
    text = page.page(CLASS, anonymous=True)
    for name in ("anna", "ben", "dan", "eva", "my_softmax = ", "script"):
        assert name not in text, name
    assert all(f"learner {n}<" in text for n in range(1, 6))


def test_of_two_answers_the_better_one_counts() -> None:
    twice = [wrong("anna/a.ipynb"), Verdict("anna/b.ipynb", "softmax", "correct")]
    for order in (twice, twice[::-1]):
        assert page.misconceptions(page._grid(order)) == []


@pytest.mark.parametrize(
    ("file", "name"),
    [("anna/02.ipynb", "anna"), ("anna.ipynb", "anna"), ("a/b/02.ipynb", "a")],
)
def test_a_learner_is_a_folder_or_a_file(file: str, name: str) -> None:
    assert page.learner(file) == name


def test_a_class_without_a_wrong_answer_and_one_without_any() -> None:
    assert "No answer is wrong" in page.page([Verdict("a", "softmax", "correct")])
    assert "0 learners" in page.page([])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--anonymous"], "add --report FILE"),
        (["--report", "nowhere/at/all.html"], "make it first"),
        (["--report", "."], "is a folder"),
    ],
)
def test_bad_arguments(arguments, said, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text("{}", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["a.ipynb", *arguments])
    assert said in capsys.readouterr().err


def test_the_command_writes_it(tmp_path: Path, capsys) -> None:
    (tmp_path / "a.ipynb").write_text("{", encoding="utf-8")
    report = tmp_path / "report.html"
    assert main([str(tmp_path / "a.ipynb"), "--report", str(report)]) == 0
    assert "Not judged at all" in report.read_text(encoding="utf-8")
    assert not report.with_name("report.html.part").exists()


@pytest.mark.browser
def test_in_a_browser_nothing_runs_and_nothing_is_asked_for(tmp_path: Path) -> None:
    needs_browser()
    from playwright.sync_api import sync_playwright

    from tools.lab import CHROMIUM_FLAGS, chromium

    page.write(tmp_path / "report.html", CLASS)
    asked: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium(), args=CHROMIUM_FLAGS
        )
        tab = browser.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto((tmp_path / "report.html").as_uri())
        assert tab.title() == "What the class handed in"
        assert tab.locator(".grid tbody tr").count() == 5
        browser.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
