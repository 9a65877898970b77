"""Words: the test that finds models which look ahead."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "leak-no-verdict": Words(
        "no verdict",
        "The test returns a {got}; due is True (it leaks) or False.",
        "From which size on does a difference count as a leak?",
    ),
    "leak-all-accused": Words(
        "every box accused",
        "The test says True of every box, the sound ones too.",
        "Which rows of the output may change when a token changes: those before it, "
        "its own, those behind it?",
    ),
    "leak-none-accused": Words(
        "no box accused",
        "The test says False of every box, even of the one that has no mask at all.",
        "Is the future of the second run really another one, and are the rows before "
        "it compared with those of the first run?",
    ),
    "leak-verdict-inverted": Words(
        "the verdict turned round",
        "The test is wrong about every box: it says True of the sound ones and False "
        "of those that leak.",
        "What should True mean here?",
    ),
    "leak-large-outputs-accused": Words(
        "rounding of large outputs accused",
        "Box {box} is accused, and it is sound: {about}. Large numbers have a large "
        "rounding error, as it always is about the ten-millionth part of them.",
        "How large is the difference, measured by the size of the outputs?",
    ),
    "leak-rounding-accused": Words(
        "rounding accused",
        "Box {box} is accused, and it is sound: {about}. Its outputs differ between "
        "the two runs by rounding only, about the ten-millionth part of their size.",
        "Which difference is too large to be rounding, and too small for no leak?",
    ),
    "leak-sound-accused": Words(
        "a sound box accused",
        "Box {box} is accused, and it is sound: {about}.",
        "In which row do the two runs differ, and may that row see the changed token?",
    ),
    "leak-neighbour-missed": Words(
        "the next token missed",
        "The test misses the boxes in which a token sees only the one behind it, as "
        "box {box}: {about}.",
        "Is the row right before the first changed token among those compared?",
    ),
    "leak-future-reordered": Words(
        "the same tokens in the future",
        "The test misses box {box}: {about}. In the second run the future seems to "
        "hold the same tokens, only in another order.",
        "What does a sum over the future notice of a new order?",
    ),
    "leak-one-place-only": Words(
        "one place only",
        "The test misses box {box}: {about}. It finds a box whose every token sees the "
        "next, so it seems to look at one place of the sequence only.",
        "After which tokens could the future begin?",
    ),
    "leak-one-sample-only": Words(
        "one sample of the batch only",
        "The test misses box {box}: {about}.",
        "Are all samples of the batch compared?",
    ),
    "leak-one-feature-only": Words(
        "one feature only",
        "The test misses box {box}: {about}.",
        "Are all features of a row compared, each for itself?",
    ),
    "leak-hard-choice-missed": Words(
        "a hard choice missed",
        "The test misses box {box}: {about}. A choice between yes and no has no "
        "gradient, and does not move when the future changes a little.",
        "Does the test change the future itself, and by enough?",
    ),
    "leak-small-outputs-missed": Words(
        "small outputs missed",
        "The test misses box {box}: {about}. The leak is as large as the outputs, and "
        "they are small.",
        "With what should a difference be compared?",
    ),
    "leak-faint-missed": Words(
        "a faint leak missed",
        "The test misses box {box}: {about}.",
        "Rounding is about the ten-millionth part of the outputs, this leak about the "
        "thousandth: between which two does your threshold lie?",
    ),
    "leak-denominator-missed": Words(
        "the denominator missed",
        "The test misses box {box}: {about}. No value of the future enters there, only "
        "its scores, through the sum that divides.",
        "What of a future token does your second run change, and what does it keep?",
    ),
    "leak-statistic-missed": Words(
        "a statistic missed",
        "The test misses box {box}: {about}.",
        "What of the future does your second run leave as it was: its mean, its size?",
    ),
    "leak-missed": Words(
        "leaks missed",
        "The test misses box {box}: {about}.",
        "Which row sees which later token there, and does your test change that token "
        "and compare that row?",
    ),
}
