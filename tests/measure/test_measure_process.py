"""Memory of a fresh process: known sizes, to the fifth part."""

from __future__ import annotations

import sys

import pytest

from helpers.measure import machine_bytes, process, process_peaks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not say")


def test_a_fresh_process_sees_what_is_held_at_the_peak():
    megabytes = 64
    setup = f"n = {megabytes} * 2**18"
    small, large = process_peaks(setup, "torch.ones(n)", "torch.ones(2 * n) + 1")
    assert small == pytest.approx(megabytes * 2**20, rel=0.2)
    assert large == pytest.approx(4 * megabytes * 2**20, rel=0.2)


def test_a_process_that_fails_says_why(monkeypatch):
    monkeypatch.setattr(process, "_FRESH", "peak = forget = lambda: 0")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        process_peaks("", "1 / 0")


def test_a_machine_has_memory():
    assert machine_bytes() > 2**28
