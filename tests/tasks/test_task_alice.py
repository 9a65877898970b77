"""The book: its parts, its alphabet, and that it travels with the package."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from helpers.tasks.alice import (
    ALPHABET,
    FILE,
    decode,
    encode,
    kinds_of_character,
    read_alice,
    words_of,
)

ROOT = Path(__file__).parents[2]


def test_parts_of_the_book() -> None:
    book = read_alice()
    assert book.train.startswith("down the rabbit-hole\nalice was beginning")
    assert book.tune.startswith("who stole the tarts?")
    assert book.test.startswith("alice's evidence\n`here!' cried alice")
    assert book.test.endswith("the happy summer days.\n")
    assert set("".join(book)) == set(ALPHABET) and len(ALPHABET) == 40


def test_there_and_back() -> None:
    text = read_alice().tune[:200]
    assert decode(encode(text)) == text
    with pytest.raises(ValueError, match="not in the alphabet"):
        encode("Alice")


def test_kinds_and_words() -> None:
    text = "`oh, my ears' said"
    kinds = "".join("FOM"[k] for k in kinds_of_character(text))
    assert kinds == "MFOMMFOMFOOOMMFOOO"
    assert words_of(text) == ["ears", "said"]


def test_the_text_is_package_data() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    data = project["tool"]["setuptools"]["package-data"]
    assert FILE.suffix == ".txt" and "*.txt" in data["helpers.tasks"]
    assert b"\r" not in FILE.read_bytes()
