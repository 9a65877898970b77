"""Made-up heads whose jobs are known: maps to learn reading on.

No model made them. Each row puts a part of its weight where its job says, and the rest
anywhere. A row about which its job says nothing puts all of its weight anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

JOBS = ("before", "behind", "itself", "same", "first", "last", "anywhere")
"""The token before, the one behind, itself; the same token elsewhere; the first or the
last token of all; nothing in particular."""


def made_head(
    job: str, tokens: Sequence[str], generator: torch.Generator, strength: float = 0.7
) -> Tensor:
    """The map of one head.

    Args:
        job: one of JOBS.
        tokens: n tokens.
        generator: where the rest of the weight comes from.
        strength: the part of a row's weight that does the job.

    Returns:
        (n, n) weights, rows sum to 1.

    Raises:
        ValueError: if there is no such job.
    """
    if job not in JOBS:
        raise ValueError(f"there is no job {job!r}, only {', '.join(JOBS)}")
    n = len(tokens)
    rest = torch.rand(n, n, generator=generator).softmax(dim=-1)
    query, key = torch.arange(n).unsqueeze(1), torch.arange(n)
    wanted = {
        "before": key == query - 1,
        "behind": key == query + 1,
        "itself": key == query,
        "first": (key == 0).expand(n, n),
        "last": (key == n - 1).expand(n, n),
        "anywhere": torch.zeros(n, n, dtype=torch.bool),
        "same": torch.tensor([[a == b for b in tokens] for a in tokens])
        & (key != query),
    }[job].float()
    count = wanted.sum(dim=-1, keepdim=True)
    share = torch.where(count > 0, strength, 0.0)
    return share * wanted / count.clamp_min(1) + (1 - share) * rest
