"""linear_attention_step(S, q, k, v) -> the output and the new state."""

from __future__ import annotations

from ..program import Program
from ._steps import OUTPUT, RETURNED, step_exercise

LINES = {
    "written": (
        "torch.outer(k, v)",
        {
            "torch.outer(q, v)": "step-writes-with-q",
            "torch.outer(k, v) / len(k) ** 0.5": "step-write-scaled",
            "-torch.outer(k, v)": "step-write-subtracted",
            "k[:, None] + v": "step-added-not-multiplied",
        },
    ),
    "new": (
        "S + written",
        {
            "written": "step-state-overwritten",
            "S": "step-nothing-written",
            "(S + written) / 2": "step-state-averaged",
            "S * written": "step-state-multiplied",
            "S + S + written": "step-state-twice",
        },
    ),
    "read": ("new", {"S": "step-read-before-write", "written": "step-reads-itself"}),
    "output": ("q @ read", OUTPUT),
    "returned": ("(output, new)", RETURNED),
}
EXERCISES = [
    step_exercise(
        "linear_attention_step", Program("S q k v", LINES), gate=False, unit=False
    )
]
