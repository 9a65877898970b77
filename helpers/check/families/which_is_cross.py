"""which_is_cross: a prediction. Three calls on two sentences; which one is it?

A: query = english, key = value = french.
B: query = key = french, value = english.
C: query = french, key = value = english.
French is what the decoder has so far; both sentences are of one length, so that no
shape gives the answer away.
"""

from __future__ import annotations

from ..judged import choice

EXERCISES = [
    choice(
        name="which_is_cross",
        question="which call is the decoder's cross-attention",
        choices={"A": "cross-the-other-way", "B": "cross-values-by-place", "C": ""},
        praise=(
            "Each French word asks, every English word is asked and hands over its "
            "value. A is cross-attention the other way round: English words ask the "
            "French. B is the decoder's self-attention, but what it hands over are the "
            "English words that happen to stand in the same places."
        ),
    )
]
