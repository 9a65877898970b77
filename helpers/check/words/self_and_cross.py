"""Words: four shapes, and which call is cross-attention."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "shapes-missing": Words(
        "shapes missing",
        "Four shapes are due, each a tuple of whole numbers, under the names {names}.",
        "Which of the four did you not fill in, or spell otherwise?",
    ),
    "shape-lengths-exchanged": Words(
        "the two lengths exchanged",
        "{name} {got}: the lengths are exchanged, {n_q} words ask and {n_k} are asked.",
        "Who asks here, and does a row belong to one that asks or one that is asked?",
    ),
    "shape-without-heads": Words(
        "the heads forgotten",
        "{name} {got} has no place for the three heads.",
        "Does each head have its own, and if so, on which axis do they stand? If not, "
        "what became of their features?",
    ),
    "shape-features-not-shared-out": Words(
        "all features in every head",
        "{name} {got}: every head has all d_model features.",
        "How many of the features does one head get?",
    ),
    "shape-heads-behind-tokens": Words(
        "the heads behind the tokens",
        "{name} {got}: the heads stand behind the tokens.",
        "Between which two axes is the product QKᵀ taken, and which must be "
        "left alone?",
    ),
    "shape-features-before-tokens": Words(
        "features before tokens",
        "{name} {got} is transposed: features stand before the tokens.",
        "Which of Q and K is transposed for the product, and is it so when it is made?",
    ),
    "shape-d-v-for-d-k": Words(
        "d_v in place of d_k",
        "{name} {got} is as wide as a value.",
        "With what is a query multiplied, and how wide must it be for that?",
    ),
    "shape-d-k-for-d-v": Words(
        "d_k in place of d_v",
        "{name} {got} is as wide as a query.",
        "Of what is the result of a head a weighted mean, and how wide is that?",
    ),
    "shape-of-the-weights": Words(
        "the shape of the weights",
        "{name} {got}: the last axis counts keys, so this would be a shape for "
        "weights.",
        "What is summed away when the weights meet the values?",
    ),
    "shape-square": Words(
        "a square map",
        "{name} {got} is square, as in self-attention.",
        "How many ask here, and how many are asked?",
    ),
    "shape-weights-with-features": Words(
        "features in the weights",
        "{name} {got}: its last axis counts features.",
        "How many numbers does a query share out, one for each of what?",
    ),
    "shape-merged-too-soon": Words(
        "merged too soon",
        "{name} {got}: the heads are already side by side.",
        "What is the shape before they are merged?",
    ),
    "shape-before-W-o": Words(
        "before W_o",
        "{name} {got}: this is what goes into W_o.",
        "What is the last step for, and how wide is what comes out?",
    ),
    "shape-not-merged": Words(
        "heads not merged",
        "{name} {got} still has an axis for the heads.",
        "What must the output look like, to be added to what came in?",
    ),
    "shape-without-batch": Words(
        "the batch forgotten",
        "{name} {got} is right for one sentence; there are two.",
        "Which axis keeps the sentences apart?",
    ),
    "shape-batch-times-heads": Words(
        "batch and heads in one axis",
        "{name} {got} has batch and heads folded into one axis; some code "
        "works so, but "
        "this course keeps them apart.",
        "Which four axes do Q, K and V have in this course?",
    ),
    "shape-other": Words(
        "another shape",
        "{name} is not {got}.",
        "Go through it axis by axis: which sentence, which head, which token, what?",
    ),
    "cross-the-other-way": Words(
        "cross-attention the other way round",
        "Here the English words ask and the French ones are asked: cross-attention, "
        "but the other way round. The result has a row for each English word.",
        "Whose rows does the decoder need, and who has to ask for that?",
    ),
    "cross-values-by-place": Words(
        "values taken by place",
        "Here French words ask French words, as in self-attention. But where a French "
        "word is found, the English word in the same place is handed over: the weights "
        "know nothing of English.",
        "Which two of the three must come from the same tokens, and why?",
    ),
}
