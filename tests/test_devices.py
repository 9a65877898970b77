"""No MPS here: the rule is tested with its name, the comparison with the CPU's own."""

from __future__ import annotations

import warnings

import pytest
import torch

from helpers import attention, devices
from helpers.attention import MultiHeadAttention, scaled_dot_product_attention


@pytest.fixture(autouse=True)
def asked_anew():
    devices._warn_once.cache_clear()
    yield
    devices._warn_once.cache_clear()


def test_two_ways_to_calculate_agree_on_this_machine() -> None:
    assert devices.difference("cpu") <= 1e-5


@pytest.mark.skipif(not torch.backends.mps.is_available(), reason="no MPS here")
def test_mps_agrees_with_the_cpu() -> None:
    assert devices.difference("mps") <= devices.TOLERANCE


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_on_mps_is_refused(dtype: torch.dtype) -> None:
    with pytest.raises(ValueError, match=r"16 on MPS is refused.*\.float\(\).*\.cpu"):
        devices.check_device("mps", dtype)
    devices.check_device("cpu", dtype)
    devices.check_device("cuda", dtype)


@pytest.mark.parametrize("off", [0.3, float("nan")])
def test_a_device_that_calculates_otherwise_is_warned_of_once(
    off: float, monkeypatch
) -> None:
    monkeypatch.setattr(devices, "difference", lambda device: off)
    with pytest.warns(UserWarning, match="mps differs from the CPU.*do not trust"):
        devices.check_device("mps", torch.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        devices.check_device("mps", torch.float32)


def test_a_device_that_agrees_gets_no_warning(monkeypatch) -> None:
    monkeypatch.setattr(devices, "difference", lambda device: 1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        devices.check_device("mps", torch.float32)


@pytest.mark.parametrize("need_weights", [True, False])
def test_attention_asks_on_both_paths(need_weights: bool, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(attention, "check_device", lambda *given: asked.append(given))
    x = torch.ones(1, 2, 4)
    MultiHeadAttention(4, 2)(x, x, x, need_weights=need_weights)
    scaled_dot_product_attention(*[x[None]] * 3)
    assert asked == [("cpu", torch.float32)] * 2
