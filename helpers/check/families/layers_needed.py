"""layers_needed: a prediction. How many causal layers does induction take?

A: one. B: one, if it is wide enough or trained for long enough. C: two. D: no number.
"""

from __future__ import annotations

from ..judged import choice

EXERCISES = [
    choice(
        name="layers_needed",
        question="the number of layers that induction takes",
        choices={
            "A": "induction-in-one-look",
            "B": "induction-by-size",
            "C": "",
            "D": "induction-not-learnable",
        },
        praise=(
            "One look finds the twin of the last token. But the twin does not know "
            "what follows it, for it may not look ahead; and what follows does not "
            "know whom it follows. One layer tells every token who stands before it, "
            "the next one looks for that."
        ),
    )
]
