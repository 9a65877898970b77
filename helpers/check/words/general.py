"""Words: any exercise."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "not-callable": Words(
        "not a function",
        "This is a {type}, not a function: it seems to be called already.",
        "What is the difference between a function's name and a call of it?",
    ),
    "no-return": Words(
        "nothing returned",
        "The function computes something but returns None.",
        "Which word hands a result back to the caller?",
    ),
    "prints-instead-of-returning": Words(
        "printed, not returned",
        "The function prints its result and returns None: a caller gets nothing.",
        "What would x = f(...) hold after this call?",
    ),
    "wrong-type": Words(
        "another type returned",
        "The function returns a {type}; due are tensors or numbers: {due}.",
        "What is the type of what you return, and what would the next layer need?",
    ),
    "wrong-count": Words(
        "another number of results",
        "The number of results is {count}; due are {due}.",
        "What does the exercise ask you to hand back, and in which order?",
    ),
    "wrong-shape": Words(
        "another shape",
        "The {part} has shape {got}; due is {want}.",
        "Which axis did each step keep, add or lose? Write the shape beside each line.",
    ),
    "changes-argument": Words(
        "an argument changed in place",
        "The function changes its argument {argument} in place: after the call, the "
        "caller's own {argument} is no longer what it was.",
        "Which of your operations writes into what it was given?",
    ),
    "remembers-between-calls": Words(
        "a second call that differs",
        "A second call with the same arguments returns other numbers: something is "
        "remembered between calls.",
        "What outlives a call (a global, a default argument, an attribute)?",
    ),
    "random-each-call": Words(
        "random results",
        "Two calls with the same arguments return different numbers: there is chance "
        "(noise or dropout) in it.",
        "Which line draws random numbers, and should it when nothing is trained?",
    ),
    "dropout-on": Words(
        "dropout left on",
        "Dropout is on: {share} of the numbers are set to 0 at random and the rest are "
        "scaled up, so two calls differ.",
        "How does this function know whether it is training or not?",
    ),
    "no-gradient": Words(
        "no gradient at all",
        "The numbers are right but no gradient flows back to {lost}: the result is cut "
        "off (detached) from the computation graph, so nothing could be trained.",
        "Which step (no_grad, detach, data, numpy, a copy into a new tensor) leaves "
        "the graph?",
    ),
    "some-gradient-lost": Words(
        "gradient lost",
        "No gradient reaches {lost}: it is cut off from the graph.",
        "Where between {lost} and the result is the graph cut?",
    ),
    "numpy-cuts-gradient": Words(
        "numpy cuts the gradient",
        "The computation goes through numpy: arguments that need a gradient are "
        "refused "
        "or cut off from the graph.",
        "Which torch function does the same as the numpy one?",
    ),
    "in-place-breaks-gradient": Words(
        "an in-place step breaks the gradient",
        "A tensor needed for the gradient is overwritten in place.",
        "Which operation could make a new tensor instead?",
    ),
    "gradient-raises": Words(
        "an error when a gradient is needed",
        "With arguments that need a gradient it raises: {text}.",
        "What is different about such a tensor?",
    ),
    "gradient-differs": Words(
        "a wrong gradient",
        "The results are right, but the gradient of {lost} is not: part of the graph "
        "is cut (detached) on the way.",
        "Which of the values was taken out of the graph?",
    ),
    "fill-overflows-half": Words(
        "a fill too large for half precision",
        "In half precision (float16) it fails: the number put at masked places "
        "overflows, float16 ends at 65504.",
        "Which value means 'never' in every dtype?",
    ),
    "other-precision-fails": Words(
        "an error in another precision",
        "It works in float32 but raises with {kind} arguments.",
        "Which tensor do you make yourself, and with which dtype?",
    ),
    "other-precision-wrong": Words(
        "wrong in another precision",
        "It is right in float32, but not with {kind} arguments.",
        "Which of your numbers does not fit into {kind}?",
    ),
    "nan-gradient-empty-row": Words(
        "NaN gradients from an empty row",
        "a query that may see no key gives zeros, as it should, but the gradients of "
        "{lost} are not finite (NaN) then, and training would break.",
        "Is the NaN kept from arising, or only painted over afterwards?",
    ),
    "samples-mixed": Words(
        "samples mixed",
        "Sample 0's output changes when sample 1 changes: the samples of the batch are "
        "mixed.",
        "Which of your operations runs over the batch axis?",
    ),
    "not-finite": Words(
        "NaN or infinity",
        "There is {bad} in {share} of the places of the {part}, on the case: {case}.",
        "Which step meets inf − inf, 0/0, or an exponential so large (or so "
        "small) that "
        "the sum is lost?",
    ),
    "rows-not-one": Words(
        "rows that do not sum to 1",
        "The weights of a query should sum to 1; one row sums to {row_sum}.",
        "Over which axis, and after which step, is the sum made 1?",
    ),
    "wrong-in-one-place": Words(
        "one sample or head treated otherwise",
        "Only {axis} {place} is wrong; the others are right.",
        "What does your code do differently for {axis} {place}: where does the loop "
        "start and end?",
    ),
    "empty-row-not-zero": Words(
        "an empty row with weight",
        "A query that may see no key (an empty row) gets weights that are not 0.",
        "What should a query get that may look at nothing?",
    ),
    "masked-keys-keep-weight": Words(
        "masked keys with weight",
        "Keys that the mask forbids keep weight, up to {hidden}.",
        "What is the weight of a forbidden key, and which score gives it?",
    ),
    "checker-stumbled": Words(
        "the checker stumbled",
        "The checker itself stumbled over this answer ({kind}: {text}): that is its "
        "fault, not a judgement of yours.",
        "Please report it; what differs about what your function returns?",
    ),
    "unexplained": Words(
        "other numbers",
        "{right}In the {wrong} the numbers differ in a way that has no name "
        "here{ratio}.",
        "Which step differs first, if you go through the case below (check.probe has "
        "it) "
        "by hand?",
    ),
    "returns-two": Words(
        "more than one result",
        "More than one tensor is returned.",
        "What alone is asked for?",
    ),
    "scale-hard-coded": Words(
        "a hard-coded scale",
        "The scores are divided by a fixed number, {divisor}, whatever the size of the "
        "vectors.",
        "What should happen to the divisor when d_k changes?",
    ),
}
