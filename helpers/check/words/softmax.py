"""Words: softmax."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "no-max-subtraction": Words(
        "no max subtracted",
        "For large numbers exp overflows to infinity, and inf/inf is NaN: the maximum "
        "is not subtracted before the exponential.",
        "Which number can you take from every score without changing the result, so "
        "that no exponent is above 0?",
    ),
    "global-max-subtraction": Words(
        "one maximum for all rows",
        "One maximum is subtracted from the whole tensor, not each row's own (its max "
        "along dim): rows far below it become 0/0.",
        "What is the largest exponent in a row that lies 300 below another?",
    ),
    "min-subtracted": Words(
        "the minimum subtracted",
        "The minimum is subtracted, not the maximum, so the largest exponent can still "
        "overflow.",
        "Which number keeps every exponent at or below 0?",
    ),
    "max-divided-out": Words(
        "divided by the maximum",
        "The numbers are divided by the maximum before exp; subtracting it leaves the "
        "result as it is, dividing changes it.",
        "What does exp turn a difference into, and what a ratio?",
    ),
    "max-subtracted-after-exp": Words(
        "maximum subtracted after exp",
        "The maximum is subtracted after the exponential, so weights turn negative.",
        "When does a large number do harm: before exp or after?",
    ),
    "softmax-base-2": Words(
        "powers of another base than e",
        "The powers are of base 2 (or 10), not of base e: the weights come out flatter "
        "or sharper.",
        "What is the ratio of two weights whose scores differ by 1?",
    ),
    "softmax-plus-one": Words(
        "1 added in the denominator",
        "A 1 is added to the denominator (softmax1): the weights sum to {row_sum}, "
        "less "
        "than 1.",
        "What is the sum of the weights if every score is very low?",
    ),
    "eps-too-large": Words(
        "an epsilon that matters",
        "A number (eps) added in the denominator is large enough to change the result: "
        "the weights sum to {row_sum}.",
        "Can the denominator be 0 at all after the max is subtracted?",
    ),
    "normalised-without-exp": Words(
        "divided by the sum without exp",
        "The raw numbers are divided by their sum without an exponential (no exp): the "
        "smallest result is {least}.",
        "What happens to a negative score, and to a sum near 0?",
    ),
    "exp-not-normalised": Words(
        "exp, not normalised",
        "The exponentials are not divided by their sum (not normalised): they sum to "
        "{row_sum}, not 1.",
        "What has to be true of all weights of one row together?",
    ),
    "sigmoid-not-softmax": Words(
        "sigmoid in place of softmax",
        "This is a sigmoid, not a softmax: each weight is computed on its own, and a "
        "row "
        "sums to {row_sum}.",
        "Should a key's weight fall when another key's score rises?",
    ),
    "tanh-not-softmax": Words(
        "tanh in place of softmax",
        "This is tanh, not softmax: weights may be negative, and a row sums to "
        "{row_sum}.",
        "Should a weight be able to be negative?",
    ),
    "relu-not-softmax": Words(
        "ReLU in place of softmax",
        "This uses ReLU, not the exponential: every negative score gets weight 0.",
        "What share should a score of −1 get beside a score of 0?",
    ),
    "softplus-not-softmax": Words(
        "softplus in place of exp",
        "This uses softplus where softmax has the exponential.",
        "What is the ratio of two weights whose scores differ by 1?",
    ),
    "min-max-not-softmax": Words(
        "min-max scaling in place of softmax",
        "The scores are stretched to 0…1 (min-max), not turned into shares: a row sums "
        "to {row_sum}.",
        "What must all weights of a row sum to?",
    ),
    "softmax-l2-normalised": Words(
        "divided by the length, not the sum",
        "The exponentials are divided by their length (the root of the sum of squares, "
        "L2 norm), not by their sum: a row sums to {row_sum}.",
        "Which total must be 1: of the weights or of their squares?",
    ),
    "divided-by-max": Words(
        "divided by the maximum",
        "The numbers are divided by the largest one, not by their sum: the largest "
        "weight is {most}, and a row sums to {row_sum}.",
        "What must all weights of a row sum to?",
    ),
    "divided-by-mean": Words(
        "divided by the mean",
        "The exponentials are divided by their mean, not their sum: a row sums to "
        "{row_sum}, the number of entries.",
        "How do the mean and the sum of a row differ?",
    ),
    "log-softmax": Words(
        "log_softmax in place of softmax",
        "These are logarithms of the weights (log_softmax): all are ≤ 0, and the "
        "smallest is {least}.",
        "Can a share of something be negative?",
    ),
    "double-softmax": Words(
        "softmax twice",
        "Softmax is applied twice: the weights become nearly equal, and even what had "
        "weight 0 gets some again.",
        "What are the largest and smallest numbers that the second softmax gets to "
        "see?",
    ),
    "softmax-of-minus-scores": Words(
        "softmax of the negated numbers",
        "The sign is turned round: the lowest score gets the largest weight.",
        "Which key should win, and which wins here?",
    ),
    "hard-argmax": Words(
        "argmax in place of softmax",
        "All weight goes to the single largest score (argmax, one-hot, hard): the rest "
        "gets 0, and no gradient can flow.",
        "How would a tiny change of a score show in the result?",
    ),
    "no-softmax": Words(
        "no softmax at all",
        "The softmax is left out: these are still scores, some below 0 ({least}), and "
        "a "
        "row sums to {row_sum}.",
        "Which step turns scores into shares that sum to 1?",
    ),
    "weights-rounded": Words(
        "rounded weights",
        "The weights are rounded: a row sums to {row_sum}, and no gradient passes a "
        "rounding.",
        "Is rounding part of the formula, or of how it is shown?",
    ),
    "softmax-in-half-precision": Words(
        "softmax in half precision",
        "The softmax runs in half precision (float16 or bfloat16): only about 3 digits "
        "of the weights are right.",
        "Which cast throws digits away?",
    ),
    "dim-ignored": Words(
        "dim ignored",
        "The argument dim is ignored: the sums are made along a fixed dimension, "
        "whatever dim is (this case has dim={dim}).",
        "Along which dimension do your results sum to 1 when dim=0?",
    ),
    "other-dim": Words(
        "another dimension than dim",
        "The sums are made along another dimension than dim ({dim}).",
        "Along which dimension do your results sum to 1?",
    ),
    "sum-over-everything": Words(
        "the sum over the whole tensor",
        "The sum runs over the whole tensor (all entries, no dim): the total is "
        "{total}, "
        "so each row gets only a part of 1.",
        "How many sums should there be: one, or one for each row?",
    ),
    "keepdim-forgotten": Words(
        "keepdim forgotten",
        "The sum (or max) along dim loses that dimension (keepdim is missing), so it "
        "meets the wrong axis in the division: an error, or in a square tensor "
        "silently "
        "wrong numbers.",
        "What is the shape of the sum, and with which axis does it line up?",
    ),
    "result-flattened": Words(
        "a flattened result",
        "The result is flattened to shape {got}.",
        "Which shape should softmax give back?",
    ),
    "sums-not-one": Words(
        "sums other than 1",
        "The results do not sum to 1 along dim={dim}.",
        "By what is each number divided?",
    ),
}
