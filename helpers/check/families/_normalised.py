"""Scores to weights, in the right way and in many wrong ones."""

from __future__ import annotations

import torch

INF = float("inf")


def normalised(
    s: torch.Tensor, how: str, keep: torch.Tensor | None = None, dim: int = -1
) -> torch.Tensor:
    """Scores to weights in the way named by `how`; "keys" (along `dim`) is right."""
    over = {"keys": dim, "queries": -2, "heads": 1, "batch": 0}
    if how in over:
        return torch.softmax(s, over[how])
    if how == "double":
        return torch.softmax(torch.softmax(s, dim).nan_to_num(0.0), dim)
    if how == "matrix":
        return torch.softmax(s.flatten(-2), -1).view_as(s)
    if how == "everything":
        return torch.softmax(s.flatten(), -1).view_as(s)
    if how == "sigmoid":
        return torch.sigmoid(s)
    if how == "exp":
        return s.exp()
    if how == "log":
        return torch.log_softmax(s, dim)
    if how == "negated":
        return torch.softmax(-s, dim)
    if how == "argmax":
        best = s.argmax(dim, keepdim=True)
        return torch.zeros_like(s).scatter_(dim, best, 1.0)
    if how == "plus one":
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / (1 + e.sum(dim, keepdim=True))
    if how == "one added":
        e = s.exp()
        return e / (1 + e.sum(dim, keepdim=True))
    if how in ("no max", "no max masked", "no max zeroed"):
        e = s.exp()
        total = e.sum(dim, keepdim=True)
        return e / (total.clamp_min(1e-30) if how.endswith("masked") else total)
    if how == "global max":
        e = (s - s.max()).exp()
        return e / e.sum(dim, keepdim=True)
    if how == "global max zeroed":
        return normalised(s, "global max", keep, dim).nan_to_num(0.0)
    if how.startswith("eps"):
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / (e.sum(dim, keepdim=True) + float(how[4:]))
    if how == "min":
        e = (s - s.amin(dim, keepdim=True)).exp()
        return e / e.sum(dim, keepdim=True)
    if how in ("base 2", "base 10"):
        x = s * torch.tensor(float(how[5:])).log()
        return torch.softmax(x, dim)
    if how in ("1 decimal", "2 decimals"):
        return torch.round(torch.softmax(s, dim), decimals=int(how[0]))
    if how in ("half", "bfloat"):
        kind = torch.float16 if how == "half" else torch.bfloat16
        return torch.softmax(s.to(kind), dim).to(s.dtype)
    if how.startswith("exp over"):
        e = (s - s.amax(-1, keepdim=True)).exp()
        axes = -2 if how.endswith("queries") else (-2, -1)
        return e / e.sum(axes, keepdim=True)
    if how in ("none -inf", "raw -inf"):
        return s if how == "none -inf" else s / s.sum(dim, keepdim=True)
    return _without_exp(s if keep is None else s.masked_fill(~keep, 0.0), how, dim)


def _without_exp(s: torch.Tensor, how: str, dim: int) -> torch.Tensor:
    if how == "none":
        return s
    if how == "relu raw":
        return s.relu()
    if how == "tanh":
        return s.tanh()
    if how == "min-max":
        low, high = s.amin(dim, keepdim=True), s.amax(dim, keepdim=True)
        return (s - low) / (high - low)
    if how == "by max":
        return s / s.amax(dim, keepdim=True)
    if how == "l2":
        e = (s - s.amax(dim, keepdim=True)).exp()
        return e / e.norm(dim=dim, keepdim=True)
    if how == "relu zeroed":
        return _without_exp(s, "relu", dim).nan_to_num(0.0)
    positive = {
        "raw": s,
        "relu": s.relu(),
        "abs": s.abs(),
        "square": s * s,
        "softplus": torch.nn.functional.softplus(s),
    }[how]
    return positive / positive.sum(dim, keepdim=True)
