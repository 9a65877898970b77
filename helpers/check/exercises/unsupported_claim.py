"""unsupported_claim: a judgement. Which of four sentences do the data not support?"""

from __future__ import annotations

from ..judged import choice

EXERCISES = [
    choice(
        name="unsupported_claim",
        question="which sentence the data do not support",
        choices={
            "A": "supported-by-its-interval",
            "B": "",
            "C": "supported-by-construction",
            "D": "supported-by-its-null",
        },
        praise=(
            "The head sends the subject to its verb, and that is measured. But it "
            "sends nouns that are no subjects to the same verb too. What it was seen "
            "to do is to look for the next verb; 'what a subject is' goes beyond that."
        ),
    )
]
