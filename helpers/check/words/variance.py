"""Words: the variance of a score."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "vectors-standardised": Words(
        "the vectors standardised first",
        "The vectors are shifted and stretched to mean 0 and variance 1 first: then "
        "it is no longer the measured ones whose scores are looked at.",
        "Which vectors were you handed, and what does their mean do to the scores?",
    ),
    "variances-multiplied": Words(
        "variances of the entries multiplied",
        "It returns d times the variance of q's entries times that of k's. That holds "
        "on average for independent entries with mean 0; measured are these pairs.",
        "Which n numbers have the variance that is asked for?",
    ),
    "theory-not-measured": Words(
        "the theory, not a measurement",
        "It returns d and 1, which theory says of vectors with mean 0 and variance 1, "
        "whatever vectors it is given.",
        "What are the variances of the dot products that you were handed?",
    ),
    "second-not-scaled": Words(
        "the second variance not scaled",
        "The second variance is of unscaled scores: it equals the first, {first}.",
        "What has to happen to the scores before the second variance?",
    ),
    "variance-divided-by-root-d": Words(
        "the variance divided by √d",
        "The variance itself is divided by √d ({root_d}); dividing the scores by √d "
        "does something else to their variance: the second is {second}.",
        "If every score is divided by c, by what is their variance divided?",
    ),
    "scale-root-samples": Words(
        "scaled by the number of samples",
        "The scores are scaled by the number of samples n ({n}), not by √d.",
        "Which size makes a dot product large: how many there are or how long they "
        "are?",
    ),
    "products-not-summed": Words(
        "no sum over the features",
        "There is no sum over d: this is the variance of the single products, {first}, "
        "and does not grow with d.",
        "What makes a dot product of all those products?",
    ),
    "summed-over-samples": Words(
        "summed over the samples",
        "The sum runs over the samples (axis 0), not over the features: the variance "
        "grows with n ({n}), not with d ({d}).",
        "How many dot products are there, and how many numbers did you get?",
    ),
    "mean-over-features": Words(
        "the mean over the features, not the sum",
        "The products are averaged over d (mean), not summed: the mean divides by d "
        "already, and the first variance is {first}.",
        "Which of the two, mean or sum, is part of a dot product?",
    ),
    "one-dot-product": Words(
        "one dot product only",
        "There is only one dot product: the variance of a single number is not defined "
        "({first}).",
        "How many pairs of vectors are there, and how many scores do you use?",
    ),
    "all-pairs": Words(
        "every q with every k",
        "Every q is paired with every k (all {n}×{n} pairs); asked for is row i of q "
        "with "
        "row i of k.",
        "Which entries of that matrix are the pairs?",
    ),
    "q-with-itself": Words(
        "q with itself",
        "q is multiplied with itself, k is not used.",
        "Which two vectors meet in a score?",
    ),
    "k-with-itself": Words(
        "k with itself",
        "k is multiplied with itself, q is not used.",
        "Which two vectors meet in a score?",
    ),
    "variance-of-q": Words(
        "the variance of q itself",
        "This is the variance of q's own entries, {first}.",
        "Of what is the variance asked?",
    ),
    "variance-of-k": Words(
        "the variance of k itself",
        "This is the variance of k's own entries, {first}.",
        "Of what is the variance asked?",
    ),
    "added-not-multiplied": Words(
        "q and k added",
        "q and k are added, not multiplied.",
        "What is a dot product made of?",
    ),
    "absolute-products": Words(
        "absolute products",
        "The products lose their sign (absolute value).",
        "What do products of opposite sign do in a sum?",
    ),
    "one-feature-only": Words(
        "one feature only",
        "Only the first feature is used.",
        "How many products make a dot product?",
    ),
    "std-not-variance": Words(
        "the standard deviation, not the variance",
        "This is the standard deviation, the square root of the variance: {first}.",
        "Which of the two grows like d, and which like √d?",
    ),
    "mean-not-subtracted": Words(
        "the mean not subtracted",
        "This is the mean of the squares, {first}: the mean is not subtracted (these "
        "scores are not centred at 0).",
        "From where is a spread measured?",
    ),
    "mean-not-variance": Words(
        "the mean, not the variance",
        "This is the mean of the scores, not their variance.",
        "What measures the spread around the mean?",
    ),
    "mean-deviation": Words(
        "the mean absolute deviation",
        "This is the mean absolute deviation, not the variance.",
        "What is done to a deviation before the mean is taken?",
    ),
    "not-divided-by-n": Words(
        "a sum of squares",
        "The squared deviations are summed but not divided by their number ({n}).",
        "Should the variance grow when you take more samples?",
    ),
    "variance-squared": Words(
        "the variance squared",
        "The variance is squared once more.",
        "What is squared: the deviations or the result?",
    ),
    "returns-first-only": Words(
        "only the first variance",
        "Only the first variance is returned.",
        "How many numbers are asked for?",
    ),
    "returns-second-only": Words(
        "only the scaled variance",
        "Only the scaled variance is returned.",
        "How many numbers are asked for?",
    ),
    "returns-ratio": Words(
        "a ratio",
        "The second result is the ratio of the two variances.",
        "What are the two numbers asked for?",
    ),
    "second-is-root-of-first": Words(
        "the root of the first variance",
        "The second result is the square root of the first variance ({second}), not "
        "the "
        "variance of the scaled scores.",
        "What has to be scaled: the scores or their variance?",
    ),
}
