from __future__ import annotations

import json
import math
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.claims import claim, describe, holds, shown

NAN = float("nan")


def test_it_prints_statement_value_bound_and_chance(
    capsys: pytest.CaptureFixture[str],
) -> None:
    claim("3.2", "It is", 0.123456, at_most=0.5, chance=0.25, article="3: std 1")
    assert capsys.readouterr().out == (
        "Claim 3.2  It is.\n"
        "           The article, section 3: std 1. Verdict: holds.\n"
        "           Measured 0.12 (claimed: at most 0.5; chance: 0.25).\n"
    )


@pytest.mark.parametrize(
    ("value", "bound", "text"),
    [
        (0.1449, {"between": (0.1, 0.2)}, "Measured 0.14 (claimed: 0.1 to 0.2)."),
        (0.3, {"between": (0.25, 0.5)}, "Measured 0.30 (claimed: 0.25 to 0.50)."),
        (0.99961, {"at_most": 0.9998}, "Measured 0.9996 (claimed: at most 0.9998)."),
        (0.9996, {"at_least": 0.99}, "Measured 1.0 (claimed: at least 0.99)."),
        (7063234.0, {"at_least": 1e6}, "Measured 7.1e+06 (claimed: at least 1e+06)."),
        (9.2e-21, {"at_most": 1e-15}, "Measured 9.2e-21 (claimed: at most 1e-15)."),
        (3456.7, {"at_least": 3}, "Measured 3500 (claimed: at least 3)."),
        (150, {"at_most": 150}, "Measured 150 (claimed: at most 150)."),
        (0.0, {"at_most": 0}, "Measured 0 (claimed: at most 0)."),
        (-0.1234, {"at_most": 0}, "Measured -0.12 (claimed: at most 0)."),
        (20, {"equals": 20}, "Measured 20, as claimed."),
        ((4, 20), {"equals": (4, 20)}, "Measured (4, 20), as claimed."),
    ],
)
def test_two_digits_or_as_many_as_keep_the_side_of_the_bound(
    value: object, bound: dict, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    claim("1.1", "It is", value, **bound)
    assert capsys.readouterr().out.splitlines()[-1].strip() == text


@given(
    value=st.floats(1e-30, 1e30) | st.floats(-1e6, 1e6),
    end=st.floats(1e-30, 1e30) | st.floats(-1e6, 1e6),
    name=st.sampled_from(["at_least", "at_most"]),
)
def test_what_is_shown_is_near_and_on_the_same_side(
    value: float, end: float, name: str
) -> None:
    bound = {name: [end]}
    seen = float(shown(value, bound))
    assert holds(seen, bound) == holds(value, bound)
    assert math.isclose(seen, value, rel_tol=0.051, abs_tol=0)


def test_a_kernel_gets_the_same_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    shell = types.SimpleNamespace(kernel=True)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(
        "IPython.display.publish_display_data", lambda *a, **k: kept.append((a, k))
    )
    claim(
        "3.2", "It is", torch.tensor(0.123456), at_most=0.5, chance=0.25, machine=True
    )
    with pytest.raises(AssertionError):
        claim("3.3", "It is", NAN, at_most=0.5)
    claim(
        "3.4",
        "It is",
        (1, 2),
        equals=torch.Size([1, 2]),
        article="4: so",
        verdict="illustrated",
    )
    claims = [k["metadata"]["claim"] for _, k in kept]
    assert json.loads(json.dumps(claims)) == claims
    for (data,), k in (kept[0], kept[2]):
        assert data["text/plain"] == describe(k["metadata"]["claim"])
    assert claims[0].pop("value") == pytest.approx(0.123456)
    assert claims == [
        {
            "number": "3.2",
            "statement": "It is.",
            "bound": {"at_most": [0.5]},
            "holds": True,
            "chance": 0.25,
            "machine": True,
        },
        {
            "number": "3.3",
            "statement": "It is.",
            "value": "nan",
            "bound": {"at_most": [0.5]},
            "holds": False,
        },
        {
            "number": "3.4",
            "statement": "It is.",
            "value": "(1, 2)",
            "bound": {"equals": "(1, 2)"},
            "holds": True,
            "article": {"where": "4", "says": "so", "verdict": "illustrated"},
        },
    ]


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
        (1.2, {"between": (0.9, 1.1)}, "1.2.*0.9 to 1.1"),
        ([1, 3], {"equals": [1, 2]}, r"\[1, 3\].*\[1, 2\]"),
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
    printed = capsys.readouterr().out
    assert "Measured" in printed and "as claimed" not in printed


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
