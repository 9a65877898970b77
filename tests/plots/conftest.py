"""No picture is left over from one test to the next."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def no_figures_before_or_after() -> Iterator[None]:
    plt.close("all")
    yield
    plt.close("all")
