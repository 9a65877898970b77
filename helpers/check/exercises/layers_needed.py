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
            "what follows it, because it may not look ahead, and what follows does not "
            "know what it follows. One layer tells every token which token is before "
            "it, and the next one looks for that."
        ),
    )
]
