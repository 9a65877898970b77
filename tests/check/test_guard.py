"""The learner's code can do nothing to the notebook."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib.pyplot as plt
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


class Unshaped:
    """Its shape can't be read."""

    @property
    def shape(self):
        raise RuntimeError("no shape")


class Unarrayed:
    """It promises an array and has none."""

    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")


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
        lambda: torch.set_default_device("meta"),
        lambda: torch.set_autocast_enabled("cpu", True),
        lambda: torch.set_anomaly_enabled(True),
        lambda: torch.set_float32_matmul_precision("medium"),
        lambda: np.seterr(all="raise"),
        lambda: np.set_printoptions(precision=1),
        lambda: os.chdir(os.sep),
        lambda: os.environ.update(LEFT_BY_A_LEARNER="1"),
        lambda: sys.path.insert(0, "left by a learner"),
        lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 100),
        lambda: warnings.simplefilter("error"),
        lambda: plt.figure(),
        lambda: plt.rcParams.update({"font.size": 99}),
        lambda: print("hello"),
    ],
)
def test_global_state_is_put_back(deed, capsys):
    before = state()
    found = check.diagnose("softmax", softmax_that(deed))
    assert state() == before
    assert "checker-stumbled" not in found.mistakes, str(found)
    assert capsys.readouterr().out == ""


def state() -> list:
    """What code can change for all."""
    return [
        str(torch.get_default_device()),
        torch.is_autocast_enabled("cpu"),
        torch.is_anomaly_enabled(),
        torch.get_float32_matmul_precision(),
        np.geterr(),
        np.get_printoptions(),
        os.getcwd(),
        dict(os.environ),
        list(sys.path),
        sys.getrecursionlimit(),
        list(warnings.filters),
        plt.get_fignums(),
        dict(plt.rcParams),
        torch.get_rng_state().tolist(),
        random.getstate(),
        str(np.random.get_state()),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
    ]


def attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    keep = torch.ones(scores.shape, dtype=torch.bool) if mask is None else mask != 0
    attn_weights = scores.masked_fill(~keep, -torch.inf).softmax(-1).nan_to_num(0.0)
    attn_weights = attn_weights.masked_fill(~keep, 0.0)
    return attn_weights @ V, attn_weights


@pytest.mark.parametrize(
    "surroundings",
    [
        torch.no_grad,
        torch.inference_mode,
        lambda: torch.autocast("cpu", torch.bfloat16),
        lambda: torch.device("meta"),
        lambda: np.errstate(all="raise"),
    ],
)
def test_a_right_answer_is_right_wherever_it_is_checked(surroundings):
    with surroundings():
        before = state()
        found = [
            check.diagnose("softmax", RIGHT),
            check.diagnose("scaled_dot_product_attention", attention),
        ]
        assert state() == before
    assert [f.status for f in found] == ["correct"] * 2, str(found)


def test_a_default_device_is_no_mistake_of_the_learners():
    torch.set_default_device("meta")
    try:
        found = check.diagnose("scaled_dot_product_attention", attention)
        assert torch.get_default_device().type == "meta"
    finally:
        torch.set_default_device(None)
    assert found.status == "correct", str(found)


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


def loops(x, dim):
    while True:
        pass


def sleeps(x, dim):
    time.sleep(1e6)


def loops_if_large(x, dim):
    while x.numel() > 20:
        pass
    return torch.softmax(x, dim)


def catches_exceptions(x, dim):
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def catches_all(x, dim):
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722
            continue


def catches_all_twice(x, dim):
    try:
        while True:
            try:
                sum(i for i in range(100))
            except BaseException:
                continue
    except BaseException:
        return torch.softmax(x, dim)


def goes_on_in_finally(x, dim):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.01)


def checks_another(x, dim):
    check.diagnose("softmax", loops, seconds=1e6)
    return torch.softmax(x, dim)


ENDLESS = [loops, sleeps, loops_if_large, catches_exceptions, catches_all]
ENDLESS += [catches_all_twice, goes_on_in_finally, checks_another]
needs_signals = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no signal ends an answer here"
)


@needs_signals
@pytest.mark.parametrize("answer", ENDLESS)
def test_an_endless_answer_is_stopped_and_the_kernel_is_unharmed(answer, capsys):
    before, handler, tracer = state(), signal.getsignal(signal.SIGALRM), sys.gettrace()
    check.softmax(answer, seconds=0.3)
    said = " ".join(capsys.readouterr().out.split())
    assert "stopped after 0.3 s" in said and "seconds=1.8" in said
    assert state() == before
    assert sys.exc_info() == (None, None, None)  # else each later traceback shows it
    assert signal.getsignal(signal.SIGALRM) is handler and sys.gettrace() is tracer
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert check.diagnose("softmax", RIGHT).status == "correct"


@needs_signals
def test_another_timer_goes_on():
    rung = []
    handler = signal.signal(signal.SIGALRM, lambda *given: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        check.diagnose("softmax", loops, seconds=0.1)
        time.sleep(1)
        assert rung == [1]
    finally:
        signal.signal(signal.SIGALRM, handler)


@pytest.mark.parametrize("answer", [loops, loops_if_large, catches_exceptions])
def test_in_another_thread_an_endless_answer_is_stopped_too(answer):
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(check.diagnose, "softmax", answer, seconds=0.3).result(60)
    assert found.mistakes == ("out-of-time",)


def test_a_slow_right_answer_is_right_if_it_gets_its_time():
    def slow(x, dim):
        time.sleep(0.02)
        return RIGHT(x, dim)

    assert check.diagnose("softmax", slow, seconds=0.02).mistakes == ("out-of-time",)
    assert check.diagnose("softmax", slow).status == "correct"


@pytest.mark.parametrize("stub", [..., None, empty, passing, returns_ellipsis, to_do])
def test_a_stub_is_not_attempted(stub):
    for exercise in check.catalogue():
        assert check.diagnose(exercise, stub).status == "not attempted"


@pytest.mark.parametrize("thing", [3, "softmax", torch.zeros(3), [1], object()])
def test_what_is_no_function_is_told_so(thing):
    assert check.diagnose("softmax", thing).mistakes == ("not-callable",)


@pytest.mark.parametrize(
    "result",
    ["text", {"a": 1}, object(), [], (None, None), torch.zeros(0), torch.zeros(3), 1.5]
    + [torch.zeros(3, 5, device="meta"), torch.zeros(3, 5, dtype=torch.complex64)]
    + [torch.eye(3).to_sparse(), np.array([object()]), torch.ones(1).expand(3, 5)]
    + [iter([1]), Unshaped(), Unarrayed()],
)
def test_any_result_is_judged(result):
    for exercise in check.catalogue():
        found = check.diagnose(exercise, lambda *args, r=result: r)
        assert found.status == "wrong"
        assert "checker-stumbled" not in found.mistakes, str(found)


class Bare(Exception):
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("error", [Bare, Exception, GeneratorExit, StopIteration])
def test_an_exception_without_a_text(error):
    def fails(x, dim):
        raise error

    found = check.diagnose("softmax", fails)
    assert found.mistakes == ("raises",), str(found)
    assert "no reason is given" in found.message and "raise error" in found.message


def generator(x, dim):
    yield RIGHT(x, dim)


async def coroutine(x, dim):
    return RIGHT(x, dim)


class Forgetful:
    """A class where a function is due."""

    def reply(self, x, dim):
        return RIGHT(x, dim)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (generator, "wrong-type"),
        (coroutine, "wrong-type"),
        (lambda x, dim: RIGHT(x, dim).tolist(), "wrong-type"),
        (lambda x, dim: RIGHT(x, dim).cfloat(), "wrong-type"),
        (lambda x, dim: RIGHT(x, dim).to("meta"), "wrong-type"),
        (lambda **named: RIGHT(**named), "wrong-arguments"),
        (lambda x: x, "wrong-arguments"),
        (lambda x, dim, more: x, "wrong-arguments"),
        (lambda x, dim: print(RIGHT(x, dim)), "prints-instead-of-returning"),
        (lambda x, dim: RIGHT(x.sub_(1), dim), "changes-argument"),
        (Forgetful, "raises"),
    ],
)
def test_answers_of_another_kind_are_named(answer, mistake):
    found = check.diagnose("softmax", answer)
    assert found.mistakes[0] == mistake, str(found)
    assert "Line None" not in found.message and "``" not in found.message


@pytest.mark.parametrize(
    "answer",
    [
        lambda *given: RIGHT(*given),
        lambda x, dim, **more: RIGHT(x, dim),
        lambda x, dim: RIGHT(x, dim).as_subclass(torch.nn.Buffer),
        lambda x, dim: RIGHT(x.double(), dim),
        lambda x, dim: RIGHT(x, dim).to_sparse().to_dense(),
    ],
)
def test_right_answers_of_another_kind_are_accepted(answer):
    assert check.diagnose("softmax", answer).status == "correct"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "utf-8"])
def test_every_console_can_show_the_verdict(encoding):
    code = (
        "from helpers import check, claim; from helpers.doctor import check_up;"
        "check.softmax(lambda x, dim: x.softmax(0)); check_up();"
        "claim('0.1', 'It is √d_k × 1', 1, at_least=1)"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", code],
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr.decode(encoding)
    assert "Measured 1 (claimed: at least 1)." in done.stdout.decode(encoding)


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
