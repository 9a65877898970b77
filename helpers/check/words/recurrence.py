"""Words: a recurrent step and the chance level."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "rnn-no-tanh": Words(
        "tanh forgotten",
        "The sum is returned as it is, without the tanh: it goes from {least} to "
        "{most}, and over many steps nothing bounds it.",
        "Which function keeps every number of a state between −1 and 1?",
    ),
    "rnn-sigmoid-not-tanh": Words(
        "sigmoid instead of tanh",
        "The sum goes through a sigmoid: no number of the state is below 0.",
        "Which function in the formula has values from −1 to 1?",
    ),
    "rnn-relu-not-tanh": Words(
        "ReLU instead of tanh",
        "The sum goes through a ReLU: negative numbers become 0 and large ones stay.",
        "Which function in the formula has values from −1 to 1?",
    ),
    "rnn-softmax-not-tanh": Words(
        "softmax instead of tanh",
        "The state goes through a softmax: each row sums to 1, as if it were weights.",
        "Which function in the formula acts on each number alone?",
    ),
    "rnn-tan-not-tanh": Words(
        "tan instead of tanh",
        "The sum goes through the tangent of trigonometry, not the hyperbolic one.",
        "What does the h stand for, and what is the largest value of each?",
    ),
    "rnn-tanh-twice": Words(
        "tanh applied twice",
        "The tanh is applied twice.",
        "How many brackets does the formula close with one tanh?",
    ),
    "rnn-tanh-of-each": Words(
        "tanh of each term alone",
        "Each term goes through its own tanh, and the results are added.",
        "What stands inside the brackets of the tanh in the formula?",
    ),
    "rnn-sum-halved": Words(
        "a mean instead of a sum",
        "The terms are averaged, not added: half of the right sum reaches the tanh.",
        "Which sign stands between the terms of the formula?",
    ),
    "rnn-state-ignored": Words(
        "the old state ignored",
        "The old state h has no influence: the new one knows only this token.",
        "Through which term does what was read before get into the new state?",
    ),
    "rnn-w-h-not-transposed": Words(
        "W_h not transposed",
        "The state is multiplied by W_h as it stands. W_h is square, so nothing fails, "
        "but columns are used where rows are meant.",
        "What does nn.Linear do with its weight, and what does the formula say of W_h?",
    ),
    "rnn-state-without-matrix": Words(
        "W_h unused",
        "The old state is added as it is: W_h is not used.",
        "Which of the five arguments does your code never touch?",
    ),
    "rnn-elementwise": Words(
        "elementwise instead of a matrix product",
        "Each number of the state is multiplied with one number of W_h: the numbers of "
        "the state do not mix.",
        "Which product lets every number of h reach every number of the new state?",
    ),
    "rnn-matrices-swapped": Words(
        "W_x and W_h swapped",
        "W_x is applied to the state, or W_h to the token; that they fit is chance.",
        "Which of the two matrices has one column for every feature of the token?",
    ),
    "rnn-state-and-token-swapped": Words(
        "x and h swapped",
        "The token and the state have changed places.",
        "Which argument comes first, the token or the state?",
    ),
    "rnn-state-twice": Words(
        "the state's term twice",
        "The term of the old state is in the sum twice.",
        "How many terms has the sum, and where does each come from?",
    ),
    "rnn-state-subtracted": Words(
        "the state subtracted",
        "The term of the old state is subtracted.",
        "Which sign stands before h in the formula?",
    ),
    "rnn-state-squashed-again": Words(
        "tanh on the old state",
        "The old state goes through a tanh before it is used: it has been through one "
        "when it was made.",
        "On what does the tanh of the formula act?",
    ),
    "rnn-token-ignored": Words(
        "the token ignored",
        "The token x has no influence: the new state knows only the old one.",
        "Through which term does this token get into the new state?",
    ),
    "rnn-w-x-not-transposed": Words(
        "W_x not transposed",
        "The token is multiplied by W_x as it stands: that fits only where both have "
        "{d_in} features.",
        "What is the shape of W_x, and which axis must meet the features of x?",
    ),
    "rnn-both-not-transposed": Words(
        "both matrices not transposed",
        "Both matrices are used as they stand, not transposed.",
        "Which axis of W_x must meet the features of x?",
    ),
    "rnn-token-without-matrix": Words(
        "W_x unused",
        "The token is added as it is: W_x is not used.",
        "Which of the five arguments does your code never touch?",
    ),
    "rnn-bias-missing": Words(
        "the bias missing",
        "The bias b is not in the sum.",
        "Which of the five arguments does your code never touch?",
    ),
    "rnn-bias-twice": Words(
        "the bias twice",
        "The bias is added twice. (PyTorch's layer has two biases; here there is one.)",
        "How often does b stand in the formula?",
    ),
    "rnn-bias-outside": Words(
        "the bias outside the tanh",
        "The bias is added behind the tanh, so the state can leave −1 to 1.",
        "Where do the brackets of the tanh close?",
    ),
    "rnn-bias-subtracted": Words(
        "the bias subtracted",
        "The bias is subtracted.",
        "Which sign stands before b in the formula?",
    ),
    "rnn-bias-averaged": Words(
        "one number for the whole bias",
        "The mean of b is added to every number of the state.",
        "How many numbers has b, and how many has the state?",
    ),
    "rnn-multiplied-not-added": Words(
        "terms multiplied, not added",
        "The terms of token and state are multiplied with each other.",
        "Which sign stands between the terms of the formula?",
    ),
    "rnn-old-state-added": Words(
        "the old state added behind the tanh",
        "The old state is added to the result (a residual connection): a good idea in "
        "other networks, but not this formula.",
        "What, apart from the tanh, does the formula return?",
    ),
    "rnn-averaged-with-old": Words(
        "averaged with the old state",
        "The result is averaged with the old state.",
        "What, apart from the tanh, does the formula return?",
    ),
    "rnn-returns-old-state": Words(
        "the old state returned",
        "What comes back is the old state h, unchanged.",
        "Which name holds what you computed, and which one do you return?",
    ),
    "rnn-side-by-side": Words(
        "token and state side by side",
        "The token stands before the new state: the result has {got}.",
        "What alone is handed to the next step?",
    ),
    "rnn-first-sample-only": Words(
        "only the first sample",
        "Only the first row of the batch comes back, {got}.",
        "How many states go in, and how many should come out?",
    ),
    "rnn-averaged-over-batch": Words(
        "averaged over the batch",
        "The states of all samples are averaged into one, {got}.",
        "Do two sentences of a batch share a memory?",
    ),
    "chance-zero": Words(
        "guessing is sometimes right",
        "0 would mean that a guess is never right.",
        "If you always say the same one of {values} values, how often are you right?",
    ),
    "chance-one": Words(
        "guessing is not always right",
        "1 would mean that a guess is always right: that is a perfect score.",
        "If you always say the same one of {values} values, how often are you right?",
    ),
    "chance-half": Words(
        "not a question with two answers",
        "0.5 is the chance where there are two answers, such as yes and no.",
        "How many different values can the first token show?",
    ),
    "chance-in-percent": Words(
        "percent instead of a share",
        "{got} is the chance in percent; accuracies here are shares, from 0 to 1.",
        "Which number is as large, with a whole that is 1 and not 100?",
    ),
    "chance-upside-down": Words(
        "the number of values, not the share",
        "{got} is how many values there are; due is how often a guess is right.",
        "Which share of the guesses is right if there are that many values?",
    ),
    "chance-counts-no-value": Words(
        "one value too many",
        'The id that means "no value" is counted as one: it is never the answer.',
        "Which values can the first token show?",
    ),
    "chance-of-key-and-value": Words(
        "key and value guessed",
        "That is the chance to guess a key *and* a value.",
        "What is asked for, and what does the question show already?",
    ),
    "chance-twice": Words(
        "twice the chance",
        "That would be the chance if half of the values were ruled out.",
        "What, apart from the first token, tells anything about the value?",
    ),
    "chance-of-all-ids": Words(
        "keys counted with values",
        "Keys and values are counted together: an answer is always a value.",
        "How many of these can be the answer?",
    ),
    "chance-of-missing": Words(
        "the chance to miss",
        "{got} is how often a guess is *wrong*.",
        "What is left of 1?",
    ),
    "chance-of-the-place": Words(
        "a place guessed, not a value",
        "That is one over the number of tokens, the chance to point at the right one.",
        "What is to be named at the end, a place or a value? How many are there?",
    ),
    "chance-only-nearly": Words(
        "nearly right",
        "{got} is near, as if it were rounded, or measured in a few guesses.",
        "Which fraction is it exactly?",
    ),
    "chance-no-number": Words(
        "not a number",
        "This is not a number.",
        "Which number, from 0 to 1, is the share of right guesses?",
    ),
    "chance-other": Words(
        "another number",
        "{got} is not how often a guess is right.",
        "How many values are there, and how likely is each of them?",
    ),
}
