from __future__ import annotations

import math
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch

from helpers.claims import claim

NAN = float("nan")


def test_it_prints_statement_and_bound_but_no_digits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    claim("3.2", "The std is √d_k", 0.0123456, at_most=0.05, article="3: std 1")
    printed = capsys.readouterr().out
    assert printed.startswith("Claim 3.2  The std is √d_k.\n")
    assert "at most 0.05" in printed
    assert "The article, section 3: std 1. Verdict: holds.\n" in printed
    assert "0.0123" not in printed


def test_it_prints_the_verdict_on_the_article(
    capsys: pytest.CaptureFixture[str],
) -> None:
    claim(
        "8.1", "It is", 1, equals=1, article="summary: it is not", verdict="corrected"
    )
    printed = capsys.readouterr().out
    assert "The article, summary: it is not. Verdict: corrected.\n" in printed
    with pytest.raises(ValueError, match="8.2.*one of holds, .*; got 'wrong'"):
        claim("8.2", "It is", 1, equals=1, article="8: it is not", verdict="wrong")


@pytest.mark.parametrize("number", ["3.2", "3.12", "10.12"])
def test_lines_hang_together_and_keep_their_width(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    claim(number, "word " * 40 + ".", 1, at_least=0, article="4: ends in a stop.")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"Claim {number} ") and "word word" in lines[0]
    assert all(line.startswith(" " * 11) for line in lines[1:])
    assert max(map(len, lines)) <= 88
    assert not any(".." in line or " ." in line for line in lines)


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        (1, {"at_least": 1}),
        (1, {"at_most": 1}),
        (0.9, {"between": (0.9, 1.1)}),
        (1.1, {"between": (0.9, 1.1)}),
        (0, {"at_most": 0}),
        (0, {"equals": 0}),
        ("cat", {"equals": "cat"}),
        ([1, 2], {"equals": [1, 2]}),
        (False, {"equals": False}),
        (torch.tensor([1, 2]), {"equals": [1, 2]}),
        ([1, 2], {"equals": torch.tensor([1, 2])}),
        (torch.tensor([[1.5]]), {"equals": torch.tensor([[1.5]])}),
        (np.array([1, 2]), {"equals": np.array([1, 2])}),
        (torch.Size([4, 20, 512]), {"equals": (4, 20, 512)}),
        (torch.tensor(3.0), {"between": (2, 4)}),
        (torch.tensor([3.0]), {"at_least": 3}),
        (np.float32(3), {"at_least": torch.tensor(3)}),
        (True, {"at_least": 1}),
        ([torch.tensor([1, 2])], {"equals": [[1, 2]]}),
        ((np.array([1, 2]), 3), {"equals": (torch.tensor([1, 2]), 3)}),
        (math.inf, {"at_least": 7}),
    ],
)
def test_holds(value: object, bound: dict) -> None:
    claim("1.1", "it holds", value, **bound)


@pytest.mark.parametrize(
    ("value", "bound", "essence"),
    [
        (0.25, {"at_least": 0.5}, "0.25.*at least 0.5"),
        (0.75, {"at_most": 0.5}, "0.75.*at most 0.5"),
        (1.2, {"between": (0.9, 1.1)}, "1.2.*between 0.9 and 1.1"),
        ([1, 3], {"equals": [1, 2]}, r"\[1, 3\].*equal to \[1, 2\]"),
        (torch.tensor([1, 3]), {"equals": [1, 2]}, r"\[1, 3\].*\[1, 2\]"),
        (torch.tensor(0.25), {"at_least": 0.5}, "0.25"),
        (1.0000001, {"at_most": 1}, "1.0000001.*at most 1"),
        (NAN, {"at_least": 0}, "nan"),
        (NAN, {"at_most": 0}, "nan"),
        (NAN, {"between": (-math.inf, math.inf)}, "nan"),
        (NAN, {"equals": NAN}, "nan"),
        (torch.tensor(NAN), {"at_most": 0}, "nan"),
        (torch.tensor([NAN]), {"equals": torch.tensor([NAN])}, "nan"),
        (1, {"at_least": NAN}, "nan"),
    ],
)
def test_broken(
    value: object, bound: dict, essence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError, match=f"7.1.*it holds.*Measured.*{essence}"):
        claim("7.1", "it holds", value, **bound)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "bounds", [{}, {"at_least": 0, "at_most": 1}, {"between": (0, 1), "equals": 1}]
)
def test_exactly_one_bound(bounds: dict) -> None:
    with pytest.raises(TypeError, match=f"1.1.*exactly one.*got {len(bounds)}"):
        claim("1.1", "it holds", 1, **bounds)


@pytest.mark.parametrize("value", [None, "cat", "3", b"3", [1, 2], torch.ones(3), 1j])
def test_bounds_need_a_number(value: object) -> None:
    with pytest.raises(TypeError, match=f"1.1.*one number.*{type(value).__name__}"):
        claim("1.1", "it holds", value, at_least=0)


def test_claims_are_kept_without_assertions() -> None:
    code = "from helpers import claim; claim('7.1', 'it holds', 0, at_least=1)"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 1 and "Claim 7.1 does not hold" in done.stderr


def test_a_value_with_gradient_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        claim("1.1", "it holds", torch.tensor(1.0, requires_grad=True), at_least=0)
