"""Words: the soft look-up and its two predictions."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "lookup-argmax": Words(
        "a hard look-up",
        "The best key gets the weight 1 and all others 0: this is a hard look-up, as a "
        "dict's.",
        "How much should a key get that fits nearly as well?",
    ),
    "lookup-no-softmax": Words(
        "scores used as weights",
        "The scores are used as weights: they sum to {weight_sum}, not to 1, and the "
        "smallest is {least}.",
        "Which step makes positive numbers that sum to 1 of any scores?",
    ),
    "lookup-mean": Words(
        "the plain mean of the values",
        "Every key gets the same weight, {most}: the query plays no part.",
        "Where does the query meet the keys?",
    ),
    "lookup-softmax-over-features": Words(
        "softmax over the features",
        "Softmax runs over the features of each key, not over the keys: the weights of "
        "one *key* sum to 1.",
        "What has to sum to 1: the shares of the n keys, or the d features of one?",
    ),
    "lookup-softmax-of-one": Words(
        "softmax over an axis of length 1",
        "Softmax runs over an axis that has one entry only, so every weight is 1 and "
        "they sum to {weight_sum}.",
        "What is the shape of the scores, and which of its axes are the keys?",
    ),
    "lookup-softmax-of-keys": Words(
        "softmax of the keys themselves",
        "Softmax is applied to the keys or the query before they meet: the scores are "
        "made of shares.",
        "Which numbers should become weights: the features, or the scores?",
    ),
    "lookup-keys-as-values": Words(
        "the keys handed over",
        "The weights are right, but what is blended are the keys, not the values.",
        "By what is a thing found, and what is taken home?",
    ),
    "lookup-values-as-keys": Words(
        "the values compared with the query",
        "The query is compared with the values, not with the keys.",
        "By what is a thing found, and what is taken home?",
    ),
    "lookup-scaled": Words(
        "scores divided by √d",
        "The scores are divided by √d = {root_d}. Lesson 03 will do that too; this "
        "exercise asks for the plain dot products.",
        "What does the card say about dividing?",
    ),
    "lookup-divided-by-d": Words(
        "scores divided by d",
        "The scores are divided by {d}, the number of features (a mean in place of a "
        "sum does that).",
        "Is a dot product a sum of products, or their mean?",
    ),
    "lookup-divided-by-n": Words(
        "the output divided by n",
        "The weights are right, but the output is divided by the number of keys, {n}.",
        "The weights sum to 1 already: what is left to divide by?",
    ),
    "lookup-distance": Words(
        "distances in place of dot products",
        "The scores are distances between query and key, not dot products. With a "
        "minus sign that is another soft look-up, the one of section 1.",
        "Which product of two vectors does the card ask for?",
    ),
    "lookup-cosine": Words(
        "lengths divided out",
        "Query and keys are cut to length 1 first (cosine similarity): a long key "
        "scores no more than a short one.",
        "Does the plain dot product notice how long a vector is?",
    ),
    "lookup-plain-shares": Words(
        "shares without the exponential",
        "The scores are divided by their sum, with no exponential: the smallest weight "
        "is {least}.",
        "What becomes of a negative score?",
    ),
    "lookup-overflows": Words(
        "overflow for large scores",
        "For large scores exp overflows to infinity, and inf/inf is NaN.",
        "Which number can be taken from all scores without changing a weight?",
    ),
    "lookup-not-blended": Words(
        "values that are not added up",
        "Each value is multiplied by its weight, but they are not added up: the output "
        "has shape {got}.",
        "How many vectors come out of one look-up?",
    ),
    "lookup-other-function": Words(
        "another function than softmax",
        "The weights are positive, but they are not the softmax of the scores; they "
        "sum to {weight_sum}.",
        "What is e to the power of each score, divided by?",
    ),
    "lookup-negated": Words(
        "the worst key first",
        "The softmax is taken of minus the scores: the key that fits worst gets most.",
        "Should a high score give a large weight or a small one?",
    ),
    "not-two-matrices": Words(
        "not two matrices",
        "Two matrices are due, W_q and W_k; this is {got}.",
        "What are the two things, and in which order?",
    ),
    "matrices-transposed": Words(
        "matrices lying on their side",
        "{name} has shape {got}. A word is a row of {features} features and is "
        "multiplied from the left, so a matrix has {features} rows.",
        "What has to stand in row 0, if feature 0 is 'animal'?",
    ),
    "matrix-of-words": Words(
        "one row a word",
        "{name} has {rows} rows, one for each word: these are the queries or keys "
        "themselves. Due is the matrix that makes them from the {features} features.",
        "If the sentence had two words more, would your matrix still fit?",
    ),
    "matrix-misshapen": Words(
        "a matrix of another shape",
        "{name} has shape {got}; due is ({features}, d_k), a row for each feature.",
        "How many features has a word here?",
    ),
    "widths-differ": Words(
        "queries and keys of two widths",
        "W_q makes queries of {wide_q} numbers, W_k keys of {wide_k}: they have no dot "
        "product.",
        "What must be equal for two vectors to be multiplied and added up?",
    ),
    "roles-swapped": Words(
        "W_q and W_k swapped",
        "The two matrices have changed places: with W_k used for the queries and W_q "
        "for the keys, every row is right. As it is, {query} puts {weight} on "
        "{winner}.",
        "Which of the two says what a word looks for?",
    ),
    "sign-flipped": Words(
        "a sign turned round",
        "{query} avoids what it should find: {wanted} has the lowest score, {score}. "
        "With the sign of one matrix turned round it would be right.",
        "Is the product of what is sought and what is offered positive?",
    ),
    "row-is-flat": Words(
        "a row that is flat",
        "{before}All scores of {query} are the same, so every word gets {weight}: "
        "{query} asks for nothing that any word offers.",
        "In which column of W_q does {query} ask, and which word has something in that "
        "column of W_k?",
    ),
    "finds-itself": Words(
        "a word that finds itself",
        "{before}{query} finds itself, with weight {weight}; {wanted} gets {got}.",
        "What does {query} offer as a key, and does it look for just that?",
    ),
    "another-word-wins": Words(
        "another word wins",
        "{before}{query} puts most on {winner}, with weight {weight}; {wanted} gets "
        "{got}.",
        "Which feature has {winner} that makes it score so high for {query}?",
    ),
    "tie": Words(
        "two words that share",
        "{before}{wanted} and {winner} score the same for {query}, and both get "
        "{weight}.",
        "Which feature has {wanted} that {winner} has not?",
    ),
    "too-weak": Words(
        "the right word, not sharply enough",
        "{before}{query} does find {wanted}, but with weight {weight}; due is 0.9. The "
        "score of {wanted} is {gap} above the next one.",
        "What happens to that gap if a matrix is multiplied by 2?",
    ),
    "weight-doubles": Words(
        "a weight is no score",
        "The *score* doubles: q·(2k) = 2 (q·k). The weight does not: from a score of 1 "
        "to 2 it goes from {a1} to {a2}, and it can never pass 1.",
        "What does softmax do with a score after it has been doubled?",
    ),
    "weight-always-rises": Words(
        "true of positive scores only",
        "For a positive score, yes: 1 becomes 2, and the weight goes from {a1} to "
        "{a2}. But a score of −1 becomes −2.",
        "Which of −1 and −2 gets the larger weight?",
    ),
    "weight-unchanged": Words(
        "softmax does not divide lengths out",
        "Softmax makes the weights sum to 1, but it does not divide the lengths of the "
        "keys out: a score of 1 becomes 2, and the weight goes from {a1} to {a2}.",
        "What is q·(2k), and what does softmax see of it?",
    ),
    "no-such-choice": Words(
        "none of the choices",
        "The answer is {got}; due is one of the letters {letters}.",
        "Which letter stands before the sentence that you think is right?",
    ),
}
