"""The learner's code can do nothing to the notebook."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from helpers import check

RIGHT = torch.softmax


def softmax_that(deed):
    def softmax(x, dim):
        deed()
        return torch.softmax(x, dim)

    return softmax


def stop():
    raise KeyboardInterrupt


def test_an_interrupt_passes_and_the_next_check_is_sound():
    with pytest.raises(KeyboardInterrupt):
        check.diagnose("softmax", softmax_that(stop))
    assert check.diagnose("softmax", RIGHT).status == "correct"
    assert torch.is_grad_enabled()


@pytest.mark.parametrize(
    "deed",
    [
        lambda: torch.manual_seed(0),
        lambda: random.seed(0),
        lambda: np.random.seed(0),
        lambda: torch.set_num_threads(2),
        lambda: torch.set_grad_enabled(False),
        lambda: torch.set_default_dtype(torch.float64),
        lambda: print("hello"),
    ],
)
def test_global_state_is_put_back(deed, capsys):
    before = (
        torch.get_rng_state().tolist(),
        random.getstate(),
        str(np.random.get_state()),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
    )
    check.diagnose("softmax", softmax_that(deed))
    assert before == (
        torch.get_rng_state().tolist(),
        random.getstate(),
        str(np.random.get_state()),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
    )
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "error", [ValueError, SystemExit, RecursionError, AssertionError]
)
def test_no_exception_reaches_the_notebook(error):
    def fails(x, dim):
        raise error("no")

    found = check.diagnose("softmax", fails)
    assert found.status == "wrong"
    assert 'raise error("no")' in found.message or error is not ValueError


def empty(x, dim): ...


def passing(x, dim):
    """Not written yet."""
    pass


def returns_ellipsis(x, dim):
    return ...


def to_do(*args):
    raise NotImplementedError


@pytest.mark.parametrize("stub", [..., None, empty, passing, returns_ellipsis, to_do])
def test_a_stub_is_not_attempted(stub):
    for exercise in check.exercises():
        assert check.diagnose(exercise, stub).status == "not attempted"


@pytest.mark.parametrize("thing", [3, "softmax", torch.zeros(3), [1], object()])
def test_what_is_no_function_is_told_so(thing):
    assert check.diagnose("softmax", thing).mistakes == ("not-callable",)


@pytest.mark.parametrize(
    "result",
    ["text", {"a": 1}, object(), [], (None, None), torch.zeros(0), torch.zeros(3), 1.5],
)
def test_any_result_is_judged(result):
    for exercise in check.exercises():
        found = check.diagnose(exercise, lambda *args, r=result: r)
        assert found.status == "wrong"
        assert "checker-stumbled" not in found.mistakes, str(found)


def test_an_exception_names_line_and_shapes():
    def attention(Q, K, V, mask=None):
        scores = Q @ V
        return scores, scores

    found = check.diagnose("scaled_dot_product_attention", attention)
    assert "Q (2, 3, 5, 11)" in str(found)
    assert "scores = Q @ V" in str(found)


def test_check_prints_and_returns_nothing(capsys):
    assert check.softmax(RIGHT) is None
    assert capsys.readouterr().out.startswith("softmax: correct.")


def test_probe_gives_the_arguments_of_the_evidence():
    x, dim = check.probe("softmax", "columns")
    assert dim == 0 and x.shape == (3, 5)
