"""delta_step(S, q, k, v, beta) -> the output and the new state, by the delta rule."""

from __future__ import annotations

from ..program import Program
from ._steps import OUTPUT, RETURNED, step_exercise

LINES = {
    "stored": (
        "k @ S",
        {
            "q @ S": "delta-error-at-the-query",
            "0 * (k @ S)": "delta-no-error-term",
            "S.mean(0)": "delta-mean-of-the-state",
        },
    ),
    "error": (
        "v - stored",
        {"v + stored": "delta-sign", "stored - v": "delta-both-signs"},
    ),
    "correction": (
        "beta * error",
        {
            "error": "delta-no-beta",
            "beta * v - stored": "delta-beta-on-the-value-only",
            "v - beta * stored": "delta-beta-on-the-stored-only",
            "(1 - beta) * error": "delta-one-minus-beta",
            "beta ** 2 * error": "delta-beta-twice",
        },
    ),
    "written": (
        "torch.outer(k, correction)",
        {"torch.outer(q, correction)": "step-writes-with-q"},
    ),
    "new": (
        "S + written",
        {
            "(1 - beta) * S + beta * torch.outer(k, v)": "delta-is-decay",
            "beta * S + written": "delta-state-scaled",
            "S - written": "delta-both-signs",
            "written": "step-state-overwritten",
            "S": "step-nothing-written",
        },
    ),
    "read": ("new", {"S": "step-read-before-write", "written": "step-reads-itself"}),
    "output": ("q @ read", OUTPUT),
    "returned": ("(output, new)", RETURNED),
}
EXERCISES = [
    step_exercise("delta_step", Program("S q k v beta", LINES), gate=True, unit=True)
]
