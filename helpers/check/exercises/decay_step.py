"""decay_step(S, q, k, v, a) -> the output and the new state, the old one decayed."""

from __future__ import annotations

from ..program import Program
from ._steps import OUTPUT, RETURNED, step_exercise

LINES = {
    "written": (
        "torch.outer(k, v)",
        {
            "(1 - a) * torch.outer(k, v)": "decay-write-scaled",
            "a * torch.outer(k, v)": "decay-own-pair-too",
            "torch.outer(q, v)": "step-writes-with-q",
        },
    ),
    "kept": (
        "a * S",
        {
            "S": "decay-missing",
            "(1 - a) * S": "decay-one-minus-a",
            "S - a": "decay-subtracted",
            "a ** 2 * S": "decay-twice",
            "S / a": "decay-divided",
        },
    ),
    "new": (
        "kept + written",
        {"written": "step-state-overwritten", "kept": "step-nothing-written"},
    ),
    "read": (
        "new",
        {
            "S": "step-read-before-write",
            "kept": "step-read-before-write",
            "S + written": "decay-not-in-the-read",
            "written": "step-reads-itself",
        },
    ),
    "output": ("q @ read", {**OUTPUT, "a * (q @ read)": "decay-of-output"}),
    "returned": (
        "(output, new)",
        {**RETURNED, "(output, S + written)": "decay-in-the-read-only"},
    ),
}
EXERCISES = [
    step_exercise("decay_step", Program("S q k v a", LINES), gate=True, unit=False)
]
