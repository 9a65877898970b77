"""Words: the number of parameters."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "params-heads-multiply": Words(
        "full matrices for every head",
        "Each head is given matrices of its own over the full d_model × d_model, so "
        "the count is multiplied by the {heads} heads.",
        "How wide is one head if {heads} of them share d_model = {d_model}, and how "
        "many rows do all their matrices have together?",
    ),
    "params-heads-multiply-no-w-o": Words(
        "full matrices for every head, and W_o forgotten",
        "Each head is given full d_model × d_model matrices, so the count is "
        "multiplied by the {heads} heads; and W_o is forgotten.",
        "How wide is one head, and what comes after the heads are joined?",
    ),
    "params-w-o-forgotten": Words(
        "W_o forgotten",
        "Three matrices are counted: W_o, behind the joined heads, is forgotten.",
        "Which layer of the class comes last?",
    ),
    "params-one-matrix": Words(
        "one matrix only",
        "A single matrix of d_model × d_model is counted.",
        "How many layers does the class make in its __init__?",
    ),
    "params-two-matrices": Words(
        "two matrices only",
        "Two matrices of d_model × d_model are counted.",
        "How many layers does the class make in its __init__?",
    ),
    "params-five-matrices": Words(
        "a matrix too many",
        "Five matrices of d_model × d_model are counted.",
        "How many layers does the class make in its __init__?",
    ),
    "params-too-many-matrices": Words(
        "too many matrices",
        "Too many matrices of d_model × d_model are counted (with a feed-forward "
        "network, or W_q, W_k, W_v twice?).",
        "How many layers does this class alone make in its __init__?",
    ),
    "params-one-head": Words(
        "one head's share counted",
        "The matrices of a single head are counted, d_model × d_k = {d_model} × {d_k};"
        " there are {heads} heads.",
        "How many rows do the matrices of all heads have, one below the other?",
    ),
    "params-d-k-squared": Words(
        "d_k² instead of d_model²",
        "The matrices are counted as d_k × d_k ({d_k}² = {small}).",
        "How many numbers has the token that a head's W_q is multiplied with?",
    ),
    "params-slices": Words(
        "each head's own slice only",
        "The matrices are counted as {heads} small ones of d_k × d_k, as if each head "
        "projected only its slice of the token.",
        "Does the split come before the projection or after it?",
    ),
    "params-vectors": Words(
        "vectors in the place of matrices",
        "A matrix is counted as d_model numbers, not d_model × d_model.",
        "How many numbers has a layer that makes {d_model} numbers of {d_model}?",
    ),
    "params-biases-only": Words(
        "only the biases",
        "Only the biases are counted.",
        "What else does a linear layer hold?",
    ),
    "params-d-times-heads": Words(
        "d_model × num_heads",
        "A matrix is counted as d_model × num_heads.",
        "How wide are the queries of all heads together?",
    ),
    "params-divided-by-heads": Words(
        "divided by the heads",
        "The count is divided by the number of heads: that is the share of one.",
        "Is one head asked for, or the whole layer?",
    ),
    "params-no-biases": Words(
        "biases forgotten",
        "The biases are forgotten: {got} is the count of the matrices alone.",
        "What does nn.Linear hold beside its weight, and how many numbers is that?",
    ),
    "params-bias-missing": Words(
        "a bias forgotten",
        "Not every layer's bias is counted.",
        "How many of the layers have a bias?",
    ),
    "params-biases-per-head": Words(
        "a full bias for every head",
        "A bias of d_model numbers is counted for every head.",
        "How many numbers does one layer's bias hold, for all heads together?",
    ),
    "params-biases-of-one-head": Words(
        "the biases of one head",
        "Only the biases of a single head are counted, {d_k} numbers a layer.",
        "How many numbers does a layer put out, and how many of them get a bias?",
    ),
    "params-one-number-a-bias": Words(
        "one number a bias",
        "A bias is counted as a single number.",
        "How many numbers does a layer put out, and how many of them get a bias?",
    ),
    "params-biases-as-matrices": Words(
        "biases as large as matrices",
        "A bias is counted as large as a matrix.",
        "What shape has the bias of nn.Linear?",
    ),
    "params-bias-too-many": Words(
        "a bias too many",
        "More biases are counted than there are layers.",
        "How many layers does the class make?",
    ),
    "params-times-heads": Words(
        "multiplied by the heads",
        "The whole count is multiplied by the {heads} heads.",
        "Does num_heads change the size of W_q, or only how its rows are shared out?",
    ),
    "params-doubled": Words(
        "doubled",
        "The count is twice the right one.",
        "What is counted twice (weight and gradient, encoder and decoder)?",
    ),
    "params-tripled": Words(
        "three times",
        "The count is three times the right one.",
        "What is counted three times?",
    ),
    "params-halved": Words(
        "half",
        "The count is half of the right one.",
        "Which of the four layers are in your sum?",
    ),
    "params-in-bytes": Words(
        "bytes, not parameters",
        "{got} is the number of bytes in float32 (four for each), not of parameters.",
        "In which unit is the answer due?",
    ),
    "params-in-bits": Words(
        "bits, not parameters",
        "{got} is the number of bits in float32, not of parameters.",
        "In which unit is the answer due?",
    ),
    "params-in-millions": Words(
        "millions",
        "{got} is the count in millions.",
        "In which unit is the answer due?",
    ),
    "params-in-thousands": Words(
        "thousands",
        "{got} is the count in thousands.",
        "In which unit is the answer due?",
    ),
    "params-depend-on-heads": Words(
        "a count that depends on the heads",
        "For one d_model the count changes with num_heads; but the heads share the "
        "d_model features, they do not add any.",
        "If d_model stays and num_heads doubles, what happens to d_k, and to the size "
        "of W_q?",
    ),
    "params-other-formula": Words(
        "another formula",
        "What is counted is {formula} (d for d_model).",
        "Which layers are there, and how many numbers are in the weight and the bias "
        "of each?",
    ),
}
