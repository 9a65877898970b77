"""Every wrong answer is refused and named, every right one accepted.

`pytest tests/check/test_answers.py -s -n0` prints the table: exercise, wrong answers,
refused, named right, right answers, accepted, slowest CPU time.
"""

from __future__ import annotations

import time
from itertools import groupby

import pytest
import torch

from helpers import check
from tests.answers import Answer, everything

BANK = everything()
WRONG = [a for a in BANK if a.mistakes]
BY_EXERCISE = {
    name: list(answers) for name, answers in groupby(BANK, key=lambda a: a.exercise)
}
TELL_TALE = (
    "softmax(",
    "@ V",
    "masked_fill(",
    "transpose(",
    ".sum(",
    "nan_to_num",
    "** 0.5",
    "sqrt(",
    "keepdim=True",
)
"""Code that would give a solution away; a quoted line of the learner's may hold it."""


def problems(answer: Answer, found: check.Diagnosis) -> list[str]:
    """What is wrong with the verdict on an answer; none if it is as it should be."""
    if not answer.mistakes:
        return [] if found.status == "correct" else ["a right answer is refused"]
    if found.status != "wrong":
        return [f"a wrong answer is {found.status}"]
    wanted = " or ".join(answer.mistakes)
    conditions = {
        f"should be {wanted}": found.mistakes[0] in answer.mistakes,
        "asks nothing": "?" in found.message,
        "gives the solution away": "`" in found.message
        or not any(code in found.message for code in TELL_TALE),
    }
    return [what for what, holds in conditions.items() if not holds]


@pytest.mark.parametrize("exercise", BY_EXERCISE)
def test_wrong_answers_are_named_and_right_ones_accepted(exercise: str):
    bad, counts, slowest = [], dict.fromkeys(("refused", "named", "accepted"), 0), 0.0
    answers = BY_EXERCISE[exercise]
    for answer in answers:
        start = time.process_time()
        found = check.diagnose(exercise, answer.fn)
        slowest = max(slowest, time.process_time() - start)
        bad += [f"{answer.name}: {p}: {found}" for p in problems(answer, found)]
        counts["refused"] += bool(answer.mistakes) and found.status == "wrong"
        counts["named"] += bool({*found.mistakes[:1]} & {*answer.mistakes})
        counts["accepted"] += not answer.mistakes and found.status == "correct"
    wrong = sum(bool(a.mistakes) for a in answers)
    print(
        f"\n{exercise:30} wrong {wrong:3}, refused {counts['refused']:3}, named "
        f"{counts['named']:3}, right {len(answers) - wrong:2}, accepted "
        f"{counts['accepted']:2}, slowest {slowest:.2f} s"
    )
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("exercise", BY_EXERCISE)
@pytest.mark.parametrize("seed", [1, 2])
def test_right_answers_are_accepted_with_other_probes(exercise: str, seed: int):
    for answer in BY_EXERCISE[exercise]:
        if not answer.mistakes:
            found = check.diagnose(exercise, answer.fn, seed=seed)
            assert found.status == "correct", f"{answer.name}: {found}"


def test_the_same_text_twice():
    for answer in WRONG[::17]:
        if "remembers" not in answer.mistakes[0]:
            first, second = (
                str(check.diagnose(answer.exercise, answer.fn)) for _ in "12"
            )
            assert first == second


def test_torch_is_left_as_found():
    torch.manual_seed(5)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    for answer in BANK[::17]:
        check.diagnose(answer.exercise, answer.fn)
    assert torch.equal(before, torch.get_rng_state())
    assert torch.get_num_threads() == threads
    assert torch.is_grad_enabled()
