"""One thread, no window, and examples of hypothesis that are the same on every run."""

from __future__ import annotations

from collections.abc import Iterator

import hypothesis
import matplotlib
import pytest
import torch

matplotlib.use("Agg")
hypothesis.settings.register_profile(
    "course", deadline=None, derandomize=True, database=None, max_examples=40
)
hypothesis.settings.load_profile("course")


@pytest.fixture(autouse=True)
def one_seeded_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield
    torch.set_num_threads(threads)
