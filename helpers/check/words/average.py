"""Words: the weighted average."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "weights-ignored": Words(
        "the plain mean",
        "This is the plain mean: every value counts the same, whatever its weight.",
        "Which number says how much a value counts, and where does it come in?",
    ),
    "weights-not-divided-out": Words(
        "a weighted sum, not an average",
        "This is the weighted sum. The weights here sum to {total}, so the result is "
        "{total} times as large as the average.",
        "What should the average of 5, 5 and 5 be, whatever the weights?",
    ),
    "divided-by-the-count": Words(
        "divided by the number of values",
        "The weighted sum is divided by the number of values, {n}. The weights here "
        "sum to {total}.",
        "A value with weight 2 counts as two values: how many are there in all?",
    ),
    "roles-exchanged": Words(
        "values and weights exchanged",
        "The sum of the products is divided by the sum of the values, not of the "
        "weights. (Or the two have changed places: it comes to the same.)",
        "Which of the two should the result look like?",
    ),
    "average-not-summed": Words(
        "products that are not added up",
        "Each value is multiplied by its weight, but the products are not added up: "
        "there are {count} numbers.",
        "How many numbers is an average?",
    ),
    "average-softmax": Words(
        "softmax of the weights",
        "The weights go through a softmax first, though they are weights already.",
        "What share of the whole does each weight have, as it stands?",
    ),
    "heaviest-only": Words(
        "only the heaviest value",
        "Only the value with the largest weight is returned; the others do not count.",
        "What should become of a value with the second largest weight?",
    ),
    "weights-squared": Words(
        "weights used twice",
        "The weights come in twice: each value counts by the square of its weight.",
        "How often is each product multiplied by its weight?",
    ),
}
