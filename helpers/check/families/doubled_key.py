"""doubled_key: a prediction. One key is made twice as long: what of its weight?"""

from __future__ import annotations

import torch

from ..judged import choice


def weight(score: float) -> float:
    """The weight of a key with this score beside two keys that score 0."""
    return float(torch.tensor([score, 0.0, 0.0]).softmax(0)[0])


EXERCISES = [
    choice(
        name="doubled_key",
        question="the weight of a key of twice the length",
        choices={
            "A": "weight-doubles",
            "B": "",
            "C": "weight-always-rises",
            "D": "weight-unchanged",
        },
        praise=(
            "The score doubles: it moves away from 0, on its own side. So a positive "
            "score gains weight and a negative one loses it (beside two keys that "
            f"score 0: {weight(1):.2f} → {weight(2):.2f} and {weight(-1):.2f} → "
            f"{weight(-2):.2f}). A score of 0 stays where it is."
        ),
        facts={"a1": f"{weight(1):.2f}", "a2": f"{weight(2):.2f}"},
        evidence={
            "score 1 → 2, beside 0 and 0": f"weight {weight(1):.2f} → {weight(2):.2f}",
            "score −1 → −2, beside 0 and 0": (
                f"weight {weight(-1):.2f} → {weight(-2):.2f}"
            ),
        },
    )
]
