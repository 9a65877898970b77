"""Words: splitting and merging heads."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "split-by-view": Words(
        "a view where the axes should change places",
        "The shape is right, but the numbers are only counted out again (view or "
        "reshape straight to the new shape): head 0's row for token 1 holds features "
        "{d_k} and on of token 0, so a head mixes tokens.",
        "Which number of which token stands at [0, 0, 1, 0] of yours, and which "
        "should?",
    ),
    "split-interleaved": Words(
        "heads interleaved",
        "The heads are interleaved: head 0 takes every {heads}-th feature (0, {heads},"
        " …) instead of the first {d_k} side by side.",
        "Of the two sizes that d_model is cut into, which one counts slowly and which "
        "fast?",
    ),
    "split-sizes-swapped": Words(
        "num_heads taken for the width of a head",
        "There are {d_k} heads of {heads} features, not {heads} heads of {d_k}: the "
        "two sizes have changed roles, and the shape is {got}; due is {want}.",
        "Which of the two sizes counts the heads, and which the features of one?",
    ),
    "split-along-tokens": Words(
        "the tokens cut, not the features",
        "The cut goes along the token axis: a head gets some of the tokens with all "
        "their features, instead of all tokens with some of their features.",
        "Which of the three axes of x should keep its whole length in every head?",
    ),
    "split-first-features-only": Words(
        "the first features for every head",
        "Every head gets the same features, the first {d_k}: all heads are identical "
        "copies of head 0.",
        "What should depend on the number of the head, and does it?",
    ),
    "split-last-features-only": Words(
        "the last features for every head",
        "Every head gets the same features, the last {d_k}: all heads are identical.",
        "What should depend on the number of the head, and does it?",
    ),
    "split-mixes-samples": Words(
        "samples and heads mixed",
        "The axes of head and batch (or token) are mixed up before the last reshape: "
        "the shape is right, but what stands under sample 0 comes from other samples.",
        "Just before each reshape: in which order are the axes, and which two does it "
        "take for each other?",
    ),
    "split-mixes-tokens-and-features": Words(
        "tokens and features mixed",
        "Tokens and features change places first and are then counted out into a shape"
        " where the tokens come before the features: they are mixed.",
        "Which axis is last before the reshape, and which is last behind it?",
    ),
    "split-every-head-gets-all": Words(
        "all features for every head",
        "Every head gets all {d_model} features: nothing is split, x is only repeated.",
        "How wide is a head if {heads} of them share {d_model} features?",
    ),
    "split-overlapping": Words(
        "heads that overlap",
        "Head 1 starts at feature 1, one step behind head 0: the heads overlap.",
        "At which feature should head 1 start, if head 0 has {d_k} of them?",
    ),
    "split-heads-reversed": Words(
        "heads in reverse order",
        "The heads come in reverse order: the first features are in the last head.",
        "Which features belong to head 0?",
    ),
    "split-features-reversed": Words(
        "features in reverse order",
        "In every head the features come in reverse order.",
        "Which feature of x is the first of head 0?",
    ),
    "split-one-head-short": Words(
        "one head missing",
        "One head is missing: the shape is {got}, due is {want}.",
        "At which number does the loop over the heads start, and at which does it end?",
    ),
    "split-sample-0-only": Words(
        "only the first sample",
        "Only the first sample of the batch comes back, {got} instead of {want}.",
        "How many samples go in, and how many should come out?",
    ),
    "split-averages": Words(
        "heads averaged",
        "The heads' features are averaged: a split changes no number, it only says "
        "where each one stands.",
        "Is there any arithmetic in a split?",
    ),
    "split-not-transposed": Words(
        "the transpose forgotten",
        "The features are cut rightly, but the axes stay in the order (batch, tokens, "
        "heads, d_k): the shape is {got}, due is {want}. Attention would compare the "
        "heads of one token with each other (where tokens and heads are as many, "
        "without any error).",
        "Over which two axes does QKᵀ multiply, and where do the heads stand then?",
    ),
    "split-features-before-tokens": Words(
        "features before tokens",
        "The last two axes have changed places: the shape is {got}, due is {want}.",
        "What is one row of a head: a token or a feature?",
    ),
    "split-heads-first": Words(
        "heads before the batch",
        "The heads come first and the batch second: the shape is {got}, due is {want}.",
        "Which axis comes first everywhere in this course?",
    ),
    "split-list-of-heads": Words(
        "a list of heads",
        "The heads come back one by one, {count} tensors; due is one tensor with an "
        "axis for the heads.",
        "How do several tensors of one shape become one with a new axis?",
    ),
    "split-heads-in-batch": Words(
        "heads folded into the batch",
        "Heads and batch are folded into one axis: the shape is {got}, due is {want}. "
        "(Some code does that; here the heads have an axis of their own.)",
        "How many axes are due, and which two have you joined?",
    ),
    "split-heads-last": Words(
        "heads on the last axis",
        "The heads are on the last axis: the shape is {got}, due is {want}.",
        "Along which axis do you put the heads beside each other?",
    ),
    "split-unchanged": Words(
        "nothing split",
        "x comes back as it was, {got}: due is {want}.",
        "Which axis is cut in two, and where does the new one go?",
    ),
    "split-other-axes": Words(
        "axes in another order",
        "The features are cut rightly, but the axes come out in another order: the "
        "shape is {got}, due is {want}.",
        "Which place does each of batch, heads, tokens and d_k have before and after?",
    ),
    "split-ragged-in-silence": Words(
        "features lost in silence",
        "With d_model = 10 and 3 heads nothing fits, yet there is no error: the result"
        " has shape {got}, and features are lost or made up in silence.",
        "How do you notice that the heads do not share the features evenly, and what "
        "should happen then?",
    ),
    "merge-by-view": Words(
        "a view where the axes should change places",
        "The shape is right, but heads and tokens have not changed places before the "
        "reshape (view): token 0 is filled with head 0 of the first tokens.",
        "Which numbers stand side by side in memory just before the reshape: one "
        "token's heads, or one head's tokens?",
    ),
    "merge-interleaved": Words(
        "heads interleaved",
        "The heads are interleaved: first feature 0 of every head, then feature 1 of "
        "every head. Due is all of head 0, then all of head 1.",
        "Just before the last axis is flattened, which comes last: the head or its "
        "features?",
    ),
    "merge-turns-tokens-and-features": Words(
        "tokens and features exchanged",
        "The features have changed places with the tokens (or moved before the heads),"
        " so the reshape fills a token with numbers of other tokens.",
        "Which two axes must be side by side, in which order, before they are joined?",
    ),
    "merge-mixes-samples": Words(
        "samples mixed with tokens or heads",
        "The batch is not the first axis when the numbers are counted out: what stands"
        " under sample 0 comes from other samples.",
        "Just before the reshape: in which order are the axes?",
    ),
    "merge-averages-heads": Words(
        "heads averaged",
        "The heads are averaged; due is to lay them side by side, {want}.",
        "How many numbers go in for each token, and how many should come out?",
    ),
    "merge-sums-heads": Words(
        "heads summed",
        "The heads are summed (added up); due is to lay them side by side, {want}.",
        "How many numbers go in for each token, and how many should come out?",
    ),
    "merge-largest-of-heads": Words(
        "the largest of the heads",
        "Only the largest of the heads' numbers is kept; due is all of them, {want}.",
        "How many numbers go in for each token, and how many should come out?",
    ),
    "merge-multiplies-heads": Words(
        "heads multiplied",
        "The heads are multiplied; due is to lay them side by side, {want}.",
        "Is there any arithmetic in a merge?",
    ),
    "merge-one-head-only": Words(
        "only one head",
        "Only one head is kept (the first or the last), whatever the others found.",
        "Where do the numbers of the other {heads} − 1 heads go?",
    ),
    "merge-one-head-short": Words(
        "one head missing",
        "One head is missing: the shape is {got}, due is {want}.",
        "At which number does the loop over the heads start, and at which does it end?",
    ),
    "merge-heads-reversed": Words(
        "heads in reverse order",
        "The heads are laid side by side in reverse order.",
        "Which head should fill the first {d_k} features?",
    ),
    "merge-features-reversed": Words(
        "features in reverse order",
        "In every head the features come in reverse order.",
        "Does a merge change the order of the features in a head?",
    ),
    "merge-sample-0-only": Words(
        "only the first sample",
        "Only the first sample of the batch comes back, {got} instead of {want}.",
        "How many samples go in, and how many should come out?",
    ),
    "merge-along-tokens": Words(
        "heads joined along the tokens",
        "The heads are joined along the token axis: the sentence becomes {heads} times"
        " as long, {got}; due is {want}.",
        "Which axis should grow when the heads are laid side by side?",
    ),
    "merge-stops-early": Words(
        "not merged yet",
        "There are still four axes, {got}: heads and features are not joined into one;"
        " due is {want}.",
        "Which two axes have to become one?",
    ),
    "merge-unchanged": Words(
        "nothing merged",
        "The heads come back as they were, {got}: due is {want}.",
        "Which axis disappears, and which one grows?",
    ),
    "merge-flattens-tokens": Words(
        "tokens flattened with features",
        "Tokens and features are joined into one axis, {got}; due is {want}.",
        "Which axis should keep its own place: the tokens or the heads?",
    ),
    "merge-flattens-all": Words(
        "everything flattened",
        "All axes of a sample are joined into one, {got}; due is {want}.",
        "Which axis should survive beside the batch?",
    ),
    "merge-flattens-samples": Words(
        "samples and tokens flattened",
        "Samples and tokens are joined into one axis, {got}; due is {want}.",
        "Which axes should the result have?",
    ),
    "merge-tokens-first": Words(
        "tokens before the batch",
        "The tokens come first and the batch second, {got}; due is {want}.",
        "Which axis comes first everywhere in this course?",
    ),
    "merge-features-before-tokens": Words(
        "features before tokens",
        "The last two axes have changed places, {got}; due is {want}.",
        "What is one row of the result: a token or a feature?",
    ),
    "merge-into-batch": Words(
        "heads joined along the batch",
        "The heads are joined along the batch, {got}; due is {want}.",
        "Which axis should grow when the heads are laid side by side?",
    ),
}
