"""alibi_bias(n, num_heads) -> (num_heads, n, n): minus slope times distance."""

from __future__ import annotations

from collections.abc import Sequence

from .. import behaviours as behave
from ..program import Program
from ..space import Case, Exercise

LINES = {
    "h": (
        "torch.arange(1, num_heads + 1).double()",
        {"torch.arange(num_heads).double()": "alibi-heads-from-zero"},
    ),
    "slopes": (
        "2.0 ** (-8 * h / num_heads)",
        {
            "2.0 ** (-8 / h)": "alibi-division-swapped",
            "2.0 ** (-8 * (num_heads + 1 - h) / num_heads)": "alibi-slopes-reversed",
            "2.0 ** (-h)": "alibi-slopes-of-eight-heads",
            "1 / h": "alibi-slopes-one-over-h",
            "2.0 ** (8 * h / num_heads)": "alibi-exponent-positive",
            "(2.0 ** (-8 * h / num_heads))[:1].expand(num_heads)": "alibi-one-slope",
            "torch.ones(num_heads).double()": "alibi-one-slope",
            "-8 * h / num_heads": "alibi-no-power",
        },
    ),
    "i": ("torch.arange(n).double()[:, None]", {}),
    "j": ("torch.arange(n).double()", {}),
    "distance": (
        "(i - j).abs()",
        {
            "i - j": "alibi-signed",
            "j - i": "alibi-signed-other-way",
            "(i - j).clamp(min=0)": "alibi-future-zero",
            "torch.where(j > i, INF, i - j)": "alibi-mask-included",
            "j + 0 * i": "alibi-key-place",
            "i + 0 * j": "alibi-query-place",
            "(i - j) ** 2": "alibi-squared",
            "(i - j).abs() + 1": "alibi-from-one",
            "((i - j).abs() - 1).clamp(min=0)": "alibi-neighbours-free",
        },
    ),
    "bias": (
        "-slopes[:, None, None] * distance",
        {"slopes[:, None, None] * distance": "alibi-sign"},
    ),
    "returned": (
        "bias.float()",
        {
            "bias.float()[None]": "alibi-batch-axis",
            "bias.float().permute(1, 2, 0)": "alibi-heads-last",
            "bias.float().exp()": "alibi-exponentiated",
            "-distance.float()": "alibi-no-slopes",
        },
    ),
}


def cases(seed: int) -> Sequence[Case]:
    """Nothing is drawn: the formula has no random part."""
    sizes = ((7, 4), (11, 2), (5, 8), (4, 4), (6, 1), (1, 2))
    return [
        Case(f"{n} tokens, {h} heads", f"n = {n}, {h} heads", (n, h), tol=1e-5)
        for n, h in sizes
    ]


EXERCISES = [
    Exercise(
        name="alibi_bias",
        parts=("bias",),
        compute=Program("n num_heads", LINES),
        cases=cases,
        behaviours=(behave.calls_agree("7 tokens, 4 heads"),),
    )
]
