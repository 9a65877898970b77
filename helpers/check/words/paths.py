"""Words: path lengths."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "path-before-steps": Words(
        "the two numbers in the other order",
        "Each pair has the longest path first and the sequential steps second; due is "
        "the other order. (Only the convolution shows it: its two numbers differ.)",
        "Which of the two numbers says how long one must wait, and which how far a "
        "signal travels?",
    ),
    "self-as-an-rnn": Words(
        "self-attention taken for an RNN",
        "Self-attention gets the pair of an RNN: its steps and its path both grow with "
        "n ({self_steps} and {self_path} for n = {n}). But all queries meet all keys "
        "in one product.",
        "Which token has to wait for which, and how many hops lie between any two?",
    ),
    "rnn-as-attention": Words(
        "an RNN taken for self-attention",
        "The RNN gets the pair of self-attention: neither its steps nor its path grow "
        "with n.",
        "What does the state after the last token need before it can be computed?",
    ),
    "conv-as-an-rnn": Words(
        "a convolution taken for an RNN",
        "The convolution gets the pair of an RNN: {conv_steps} steps and a path of "
        "{conv_path} for n = {n}.",
        "Does one place of a layer wait for its neighbour, and how far does a kernel "
        "of {k} reach?",
    ),
    "rnn-as-a-convolution": Words(
        "an RNN taken for a convolution",
        "The RNN gets the pair of the convolution, which depends on the kernel.",
        "How does a token reach the last state of an RNN?",
    ),
    "self-as-a-convolution": Words(
        "self-attention taken for a convolution",
        "Self-attention gets the pair of the convolution, which depends on the kernel. "
        "Attention looks at all places, not at a window.",
        "How far away may a key lie that a query can reach in one layer?",
    ),
    "self-steps-n": Words(
        "sequential steps of self-attention that grow with n",
        "Self-attention gets {self_steps} sequential steps for n = {n}: that is "
        "writing a text token by token. When all tokens are given (as in training), "
        "nothing in the layer waits for another token.",
        "Which of the n outputs needs another output before it can be computed?",
    ),
    "self-steps-two": Words(
        "two sequential steps for self-attention",
        "Self-attention gets 2 sequential steps: its two products are counted one by "
        "one. Here the whole layer counts as one step, whatever happens within it.",
        "How does the exercise define one step?",
    ),
    "self-steps-zero": Words(
        "no sequential step for self-attention",
        "Self-attention gets 0 sequential steps: nothing would be computed at all.",
        "How many layer-wide operations does one layer take?",
    ),
    "self-steps-other": Words(
        "another number of steps for self-attention",
        "Self-attention gets {self_steps} sequential steps for n = {n}; it does not "
        "depend on n or the kernel.",
        "Does any token wait for another one inside the layer?",
    ),
    "self-path-n": Words(
        "a path of self-attention that grows with n",
        "The longest path of self-attention is {self_path} for n = {n}: as if a signal "
        "had to pass from neighbour to neighbour.",
        "With which tokens is the last token's query compared, and in how many hops?",
    ),
    "self-path-two": Words(
        "a path of 2 for self-attention",
        "The longest path of self-attention is 2: perhaps key and value are counted as "
        "two hops. One layer counts as one.",
        "How many layers lie between a token and another one that attends to it?",
    ),
    "self-path-zero": Words(
        "a path of 0 for self-attention",
        "The longest path of self-attention is 0: the signal would not move at all.",
        "How many layers does a signal pass from the first token to the last one?",
    ),
    "self-path-other": Words(
        "another path for self-attention",
        "The longest path of self-attention is {self_path} for n = {n}; it does not "
        "depend on n or the kernel.",
        "How many hops lie between the two tokens that are farthest apart?",
    ),
    "rnn-steps-one": Words(
        "an RNN in one step",
        "The RNN gets {rnn_steps} sequential steps for n = {n}: as if all its states "
        "could be computed at once.",
        "What does the state after the second token need before it can be computed?",
    ),
    "rnn-steps-minus-one": Words(
        "one step of the RNN missing",
        "The RNN gets n − 1 = {rnn_steps} sequential steps: one token is not counted.",
        "How often is the cell called for {n} tokens, the first one included?",
    ),
    "rnn-steps-plus-one": Words(
        "one step of the RNN too many",
        "The RNN gets n + 1 = {rnn_steps} sequential steps: one more than tokens.",
        "How often is the cell called for {n} tokens?",
    ),
    "rnn-steps-squared": Words(
        "too many steps for the RNN",
        "The RNN gets {rnn_steps} sequential steps for n = {n}: more than one a token.",
        "How often is the cell called for each token?",
    ),
    "rnn-steps-other": Words(
        "another number of steps for the RNN",
        "The RNN gets {rnn_steps} sequential steps for n = {n}; due is one a token.",
        "Which state must be there before the next one can be computed?",
    ),
    "rnn-path-one": Words(
        "an RNN with a path of one",
        "The longest path of the RNN is {rnn_path} for n = {n}: as if the last state "
        "saw the first token directly.",
        "Through how many states does the first token pass on its way to the last one?",
    ),
    "rnn-path-minus-one": Words(
        "one step of the RNN's path missing",
        "The longest path of the RNN is n − 1 = {rnn_path}: the steps between the "
        "states. Counted here are all cells from the first token to the last state.",
        "Through how many cells does the first of {n} tokens pass, its own included?",
    ),
    "rnn-path-plus-one": Words(
        "one step of the RNN's path too many",
        "The longest path of the RNN is n + 1 = {rnn_path}.",
        "Through how many cells does the first of {n} tokens pass?",
    ),
    "rnn-path-squared": Words(
        "too long a path for the RNN",
        "The longest path of the RNN is {rnn_path} for n = {n}: longer than there are "
        "tokens.",
        "Through how many cells does the first token pass, at most?",
    ),
    "rnn-path-other": Words(
        "another path for the RNN",
        "The longest path of the RNN is {rnn_path} for n = {n}; due is one step a "
        "token.",
        "How does the first token reach the last state, if there is no short cut?",
    ),
    "conv-path-dilated": Words(
        "the path of a dilated convolution",
        "The path of the convolution grows with the logarithm of n ({conv_path} for "
        "n = {n}): so it is with *dilated* layers, whose reach multiplies. Here the "
        "layers are plain: each adds the same reach.",
        "By how many tokens does one more layer of kernel {k} widen the view?",
    ),
    "conv-path-by-kernel": Words(
        "kernel for kernel − 1",
        "The path of the convolution divides by the kernel {k}. But one of the {k} "
        "places of a kernel is the token itself.",
        "How many *new* tokens does one more layer of kernel {k} bring into view?",
    ),
    "conv-path-rounded-down": Words(
        "rounded down",
        "The number of layers is rounded down: {conv_path} for n = {n}, kernel {k}. "
        "Then the first token is still out of view.",
        "How many tokens does the last position see after {conv_path} layers?",
    ),
    "conv-path-not-rounded": Words(
        "not rounded to whole layers",
        "The path of the convolution is {conv_path}: no whole number of layers.",
        "How many whole layers does it take until the farthest token is in view?",
    ),
    "conv-path-rounded-to-nearest": Words(
        "rounded to the nearest",
        "The number of layers is rounded to the nearest whole one: where that goes "
        "down (n = {n}, kernel {k}), the farthest token is still out of view.",
        "What happens to the tokens that the missing part of a layer would reach?",
    ),
    "conv-path-n-not-n-minus-one": Words(
        "n for n − 1",
        "The path of the convolution bridges n tokens; between the first and the last "
        "one there are n − 1 places.",
        "How far is the first token from the last of {n}?",
    ),
    "conv-path-plus-one": Words(
        "one layer too many",
        "The path of the convolution has one layer too many: {conv_path} for n = {n}, "
        "kernel {k}.",
        "How many tokens does the last position see with one layer less?",
    ),
    "conv-path-minus-one": Words(
        "one layer missing",
        "The path of the convolution has one layer too few: {conv_path} for n = {n}, "
        "kernel {k}.",
        "How many tokens does the last position see after {conv_path} layers?",
    ),
    "conv-path-half-window": Words(
        "a window to both sides",
        "The path of the convolution counts half a kernel a layer: so it is if the "
        "window looks to both sides. A causal window looks at the past alone.",
        "Where in a causal kernel of {k} places does the token itself stand?",
    ),
    "conv-path-positions": Words(
        "the places of the kernel, not the layers",
        "{conv_path} is how many places a kernel of {k} can take on {n} tokens, not "
        "how many layers a signal has to pass.",
        "What does the second layer see that the first one does not?",
    ),
    "conv-path-one": Words(
        "a convolution with a path of one",
        "The longest path of the convolution is {conv_path}: as if one layer saw all "
        "{n} tokens. Its kernel sees {k}.",
        "Which layer is the first whose last position has seen the first token?",
    ),
    "conv-path-n": Words(
        "a convolution that moves one token a layer",
        "The longest path of the convolution is {conv_path} for n = {n}: as if each "
        "layer brought one more token into view. Its kernel has {k} places.",
        "By how many tokens does one layer of kernel {k} widen the view?",
    ),
    "conv-path-kernel": Words(
        "a path that does not depend on n",
        "The longest path of the convolution is {conv_path}, made of the kernel alone.",
        "Do {n} and {n} times ten tokens need equally many layers?",
    ),
    "conv-path-work": Words(
        "work, not a path",
        "The longest path of the convolution is {conv_path} for n = {n}, kernel {k}: a "
        "product that counts multiplications. A path counts layers.",
        "Through how many layers does a signal pass from the first token to the last?",
    ),
    "conv-path-other": Words(
        "another path for the convolution",
        "The longest path of the convolution is {got} for n = {n} and kernel {k}; due "
        "are {due} layers.",
        "How many tokens does the last position see after 1, 2 and 3 layers of kernel "
        "{k}?",
    ),
    "conv-steps-layers": Words(
        "layers counted as sequential steps",
        "The convolution gets {conv_steps} sequential steps: the layers of the stack. "
        "Those are its path; steps are what one layer takes, and within it no "
        "position waits for another.",
        "Which position of one convolution layer must wait for its neighbour?",
    ),
    "conv-steps-n": Words(
        "sequential steps of the convolution that grow with n",
        "The convolution gets {conv_steps} sequential steps for n = {n}: as if the "
        "kernel had to slide in time.",
        "Does the kernel's result at one place need its result at the place before?",
    ),
    "conv-steps-kernel": Words(
        "the kernel's places counted as steps",
        "The convolution gets {conv_steps} sequential steps: the places of the kernel.",
        "Must the kernel's products be taken one after the other?",
    ),
    "conv-steps-other": Words(
        "another number of steps for the convolution",
        "The convolution gets another number of sequential steps than one layer takes.",
        "How many layer-wide operations is one convolution layer?",
    ),
    "paths-under-other-names": Words(
        "the pairs under each other's names",
        "The three pairs are right but stand under each other's names.",
        "Which architecture has to read token by token, and which pair shows that?",
    ),
    "paths-no-dict": Words(
        "not a dict",
        "This returns a {type}; due is a dict with the keys {due}, each holding the "
        "pair (sequential steps, longest path).",
        "By which name would a reader find the numbers of the RNN?",
    ),
    "paths-key-missing": Words(
        "a name missing",
        "The dict has no key {missing}; its keys are {names}. Due are {due}.",
        "What are the three names in the exercise, letter by letter?",
    ),
    "paths-no-pair": Words(
        "no pair of numbers",
        "Under {name} stands {got}; due is a pair of numbers: how many sequential "
        "steps, and how long the longest path is.",
        "What are the two numbers for n = 10?",
    ),
}
