"""Made-up heads do their job, and nothing else in particular."""

from __future__ import annotations

import pytest
import torch

from helpers.tasks.made_heads import JOBS, made_head

TOKENS = "we know what we know and we say".split()


def head(job: str) -> torch.Tensor:
    return made_head(job, TOKENS, torch.Generator().manual_seed(2))


@pytest.mark.parametrize("job", JOBS)
def test_rows_sum_to_1(job):
    assert torch.allclose(head(job).sum(-1), torch.ones(8))
    assert (head(job) > 0).all()


@pytest.mark.parametrize(
    ("job", "places"),
    [
        ("before", [None, 0, 1, 2, 3, 4, 5, 6]),
        ("behind", [1, 2, 3, 4, 5, 6, 7, None]),
        ("itself", range(8)),
        ("first", [0] * 8),
        ("last", [7] * 8),
    ],
)
def test_the_weight_lies_where_the_job_says(job, places):
    for row, place in zip(head(job), places, strict=True):
        assert place is None or row[place] > 0.7
        assert place is not None or row.max() < 0.3


def test_the_same_word_shares_its_weight_and_leaves_out_itself():
    w = head("same")
    assert (w[0, [3, 6]] > 0.35).all() and w[0, 0] < 0.1
    assert w[2].max() < 0.3  # "what" has no double


def test_an_unknown_job_is_refused():
    with pytest.raises(ValueError, match="no job 'syntax'"):
        head("syntax")
