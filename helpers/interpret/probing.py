"""A probe: can a straight line read something off vectors? And is that much?

What can be read need not be used. And a probe that is wide enough reads anything off
anything: a control task says how much comes free.

Source: Hewitt and Liang (2019), Designing and interpreting probes with control tasks.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def probe_accuracy(
    train: tuple[Tensor, Tensor], test: tuple[Tensor, Tensor], ridge: float = 1.0
) -> float:
    """Share of right labels of a linear probe, fitted by ridge regression.

    W = (XᵀX + λ I)⁻¹ XᵀY with Y one-hot; the label with the largest output wins.

    Args:
        train: vectors (N, d) and labels (N,), whole numbers from 0.
        test: the same, not seen in fitting.
        ridge: λ.
    """
    (x, y), (x_new, y_new) = train, test
    classes = int(torch.cat((y, y_new)).max()) + 1
    X, X_new = (F.pad(part.detach().double(), (0, 1), value=1.0) for part in (x, x_new))
    Y = F.one_hot(y, classes).double()
    W = torch.linalg.solve(X.T @ X + ridge * torch.eye(X.shape[1]).double(), X.T @ Y)
    return ((X_new @ W).argmax(dim=1) == y_new).double().mean().item()


def control_labels(kinds: Tensor, generator: torch.Generator) -> Tensor:
    """The labels of the kinds, dealt out anew: as many of each, but meaningless.

    Args:
        kinds: (types,) the label of each type, such as the gender of each noun.
        generator: deals.
    """
    return kinds[torch.randperm(len(kinds), generator=generator)]
