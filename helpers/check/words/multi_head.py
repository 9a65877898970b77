"""Words: multi-head attention."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "instance-not-class": Words(
        "an object, not the class",
        "This is a {type} that is built already; the check needs the class itself, to "
        "build it in several sizes.",
        "What is the difference between a class's name and a call of it?",
    ),
    "no-class": Words(
        "not a module's class",
        "Called with d_model and num_heads this gives a {type}, not a module with a "
        "forward.",
        "Does the exercise ask for a class or for a function?",
    ),
    "layers-missing": Words(
        "layers under other names",
        "The check copies the same weights into your layers and compares the numbers, "
        "so the names W_q, W_k, W_v and W_o are needed to copy weights in; missing: "
        "{missing}.",
        "Which of your layers plays which of these four parts?",
    ),
    "layers-not-linear": Words(
        "weights that are no nn.Linear",
        "{name} is a {kind}, not an nn.Linear: the check can't tell which way round "
        "its weight lies, and where the bias is.",
        "Which layer of PyTorch holds a weight and a bias together?",
    ),
    "layers-in-a-list": Words(
        "layers in a list",
        "{name} is a list of layers (the first has a weight of shape {got}); the check"
        " can't copy its weights in.",
        "Which single layer holds the rows of all heads, one below the other?",
    ),
    "weights-plain-tensors": Words(
        "weights that are plain tensors",
        "{name} is a plain tensor: it is not registered as a parameter, so no "
        "optimiser would find it and it would never be trained.",
        "What makes a tensor a parameter of a module, and which layer does it for you?",
    ),
    "parameters-not-registered": Words(
        "parameters that are not registered",
        "The numbers may be right, but {lost} is not among the module's parameters: no"
        " optimiser would find its weights, and saving the model would lose them. (A "
        "plain Python list hides layers from nn.Module, and so does a class that is no"
        " nn.Module.)",
        "What does list(model.parameters()) show, and what should it?",
    ),
    "extra-parameters": Words(
        "parameters too many",
        "The module has {count} parameters for d_model = 12, more than its four layers"
        " need; beside them stands {extra}.",
        "Which of your layers does the formula not mention?",
    ),
    "layers-shared": Words(
        "one layer under two names",
        "{one} and {other} share their weight: they are one layer under two names, so "
        "whatever changes one changes the other.",
        "How many matrices does the formula have, and how many do you make?",
    ),
    "layer-gets-no-gradient": Words(
        "a layer without gradient",
        "The output is right, but no gradient reaches the weight of {lost}: it would "
        "never be trained.",
        "Which step takes that weight, or what it made, out of the graph (data, "
        "detach, no_grad)?",
    ),
    "projection-of-one-head": Words(
        "room for one head only",
        "With d_model = 12 and 3 heads {name}.weight is {got}: that projects to the "
        "width of a single head. All heads together need {want}.",
        "How many rows do the matrices of all heads have, one below the other?",
    ),
    "projection-per-head-too-wide": Words(
        "d_model features for every head",
        "With d_model = 12 and 3 heads {name}.weight is {got}: every head is d_model "
        "wide. The heads share d_model, so {want} is due.",
        "If 3 heads share 12 features, how wide is one?",
    ),
    "projection-to-num-heads": Words(
        "a projection to num_heads numbers",
        "With d_model = 12 and 3 heads {name}.weight is {got}: it makes one number a "
        "head.",
        "How wide are the queries of all heads together?",
    ),
    "w-o-of-one-head": Words(
        "W_o for one head only",
        "With d_model = 12 and 3 heads {name}.weight is {got}: it takes a single head "
        "in. It comes after the heads are joined, so {want} is due.",
        "How wide is what W_o gets?",
    ),
    "projection-misshapen": Words(
        "a layer of another shape",
        "With d_model = 12 and 3 heads {name}.weight has shape {got}; due is {want}.",
        "What goes into this layer, and what comes out, for all heads together?",
    ),
    "projections-of-slices": Words(
        "each head projects only its own slice",
        "The input is cut into slices first, and a head projects only its slice of "
        "{d_k} features (a block-diagonal matrix): most of W_q, W_k and W_v is unused,"
        " and no head sees the whole token.",
        "Which comes first in the formula: the projection of the whole token, or the "
        "split?",
    ),
    "projections-not-transposed": Words(
        "weights not transposed",
        "The weights of W_q, W_k and W_v are used as they stand (x W), not as "
        "nn.Linear uses them: they are square, so nothing fails, but rows and columns "
        "have changed roles.",
        "What does nn.Linear do with its weight?",
    ),
    "projections-twice": Words(
        "projected twice",
        "Q, K and V go through their projections twice.",
        "How many times does W_q stand in the formula?",
    ),
    "projections-relu": Words(
        "an activation behind the projections",
        "Behind the projections stands an activation (ReLU or tanh); the formula has "
        "none.",
        "Which non-linear function does multi-head attention have, and where?",
    ),
    "biases-missing": Words(
        "no biases at all",
        "No bias is added anywhere (bias=False, or only the weight is used), neither "
        "in W_q, W_k, W_v nor in W_o; they are part of this exercise.",
        "What does nn.Linear add to x Wᵀ, and do your layers have it?",
    ),
    "projection-biases-missing": Words(
        "biases missing in the projections",
        "A bias is missing in the projections (W_q, W_k, W_v): they multiply by the "
        "weight only.",
        "What does nn.Linear add to x Wᵀ?",
    ),
    "w-o-bias-missing": Words(
        "W_o without its bias",
        "W_o is used without its bias.",
        "What does nn.Linear add to x Wᵀ?",
    ),
    "key-and-value-ignored": Words(
        "key and value ignored",
        "Q, K and V are all projected from query: the arguments key and value are "
        "ignored, and cross-attention becomes self-attention (weights {got}).",
        "Which argument should each of W_q, W_k and W_v get?",
    ),
    "value-ignored": Words(
        "value ignored",
        "V is projected from key: the argument value is ignored. Nobody notices as "
        "long as key and value are the same tensor.",
        "Which argument does W_v get in your code?",
    ),
    "v-from-query": Words(
        "V made from query",
        "V is projected from query, not from value: a token collects from those who "
        "ask, not from those who are asked.",
        "Which argument does W_v get in your code?",
    ),
    "q-from-key": Words(
        "Q made from key",
        "Q is projected from key: the argument query is ignored, and the number of "
        "outputs is that of the keys (weights {got}).",
        "Which argument does W_q get in your code?",
    ),
    "q-from-value": Words(
        "Q made from value",
        "Q is projected from value: the argument query is ignored (weights {got}).",
        "Which argument does W_q get in your code?",
    ),
    "k-from-query": Words(
        "K made from query",
        "K is projected from query: the queries are compared with each other, and key "
        "is ignored for that.",
        "Which argument does W_k get in your code?",
    ),
    "k-from-value": Words(
        "K made from value",
        "K is projected from value: the argument key is ignored.",
        "Which argument does W_k get in your code?",
    ),
    "key-and-value-swapped": Words(
        "key and value swapped",
        "The arguments key and value have changed places.",
        "In which order does the signature name the three?",
    ),
    "query-and-key-swapped": Words(
        "query and key swapped",
        "The arguments query and key have changed places (weights {got}).",
        "In which order does the signature name the three?",
    ),
    "query-and-value-swapped": Words(
        "query and value swapped",
        "The arguments query and value have changed places (weights {got}).",
        "In which order does the signature name the three?",
    ),
    "inputs-swapped-key-first": Words(
        "query in the place of key and value",
        "Q is projected from key, K and V from query: the two sides have changed "
        "places.",
        "Who asks, and who is asked?",
    ),
    "inputs-rotated": Words(
        "the three inputs in another order",
        "query, key and value reach the three projections in another order.",
        "In which order does the signature name the three?",
    ),
    "only-key-used": Words(
        "only key used",
        "Q, K and V are all projected from key; query and value are ignored.",
        "Which argument should each of W_q, W_k and W_v get?",
    ),
    "only-value-used": Words(
        "only value used",
        "Q, K and V are all projected from value; query and key are ignored.",
        "Which argument should each of W_q, W_k and W_v get?",
    ),
    "one-projection-for-all": Words(
        "one projection for Q, K and V",
        "The same projection is used for Q, K and V: the weights of the other two are "
        "never used (no gradient would reach them).",
        "How many different matrices does the formula have before the heads are "
        "joined?",
    ),
    "w-k-w-v-swapped": Words(
        "W_k and W_v swapped",
        "W_k and W_v are swapped: keys are made with W_v and values with W_k. Trained "
        "from scratch it would learn as well; with copied weights the numbers differ.",
        "Which matrix makes what is compared, and which what is handed over?",
    ),
    "w-q-w-k-swapped": Words(
        "W_q and W_k swapped",
        "W_q and W_k are swapped: queries are made with W_k and keys with W_q.",
        "Which matrix makes what a token looks for?",
    ),
    "w-q-w-v-swapped": Words(
        "W_q and W_v swapped",
        "W_q and W_v are swapped: queries are made with W_v and values with W_q.",
        "Which matrix makes what a token looks for?",
    ),
    "projections-rotated": Words(
        "the three projections in another order",
        "W_q, W_k and W_v are all in another's place (an unpacking in another order?).",
        "In which order do you make them, and in which do you take them apart?",
    ),
    "w-q-used-for-k": Words(
        "W_q used for the keys too",
        "W_q makes the queries and the keys; W_k is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-k-used-for-q": Words(
        "W_k used for the queries too",
        "W_k makes the keys and the queries; W_q is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-k-used-for-v": Words(
        "W_k used for the values too",
        "W_k makes the keys and the values; W_v is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-q-used-for-v": Words(
        "W_q used for the values too",
        "W_q makes the queries and the values; W_v is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-v-used-for-k": Words(
        "W_v used for the keys too",
        "W_v makes the values and the keys; W_k is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-v-used-for-q": Words(
        "W_v used for the queries too",
        "W_v makes the values and the queries; W_q is never used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-o-used-as-projection": Words(
        "W_o used before the attention",
        "W_o makes the queries, keys or values in the place of the matrix that should.",
        "Where in the formula does W_O stand?",
    ),
    "projections-missing": Words(
        "no projections",
        "query, key and value are split as they are: W_q, W_k and W_v are not used.",
        "What does a head multiply the tokens with before it compares them?",
    ),
    "w-q-missing": Words(
        "W_q not used",
        "query is split as it is: W_q is not used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-k-missing": Words(
        "W_k not used",
        "key is split as it is: W_k is not used.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-v-missing": Words(
        "W_v not used",
        "value is split as it is: W_v is not used.",
        "Which of the four layers does your forward never mention?",
    ),
    "scale-d-model": Words(
        "divided by d_model",
        "The scores are divided by d_model ({d_model}), not by √d_k.",
        "How many products are added up in one score of one head, and how does their "
        "spread grow?",
    ),
    "head-0-for-all": Words(
        "head 0 in the place of all",
        "All heads are copies of head 0: the others' features are never looked at.",
        "What should change from one head to the next, and does your code use the "
        "head's number?",
    ),
    "last-head-for-all": Words(
        "the last head in the place of all",
        "All heads are copies of the last head.",
        "What is left of the earlier heads when the loop is over?",
    ),
    "head-0-k-and-v-for-all": Words(
        "head 0's keys and values for all",
        "The queries are split, but all heads share the keys and values of head 0. "
        "(Multi-query attention does that on purpose.)",
        "How many heads do K and V have in the formula?",
    ),
    "heads-never-split": Words(
        "one head only",
        "The heads are never split: there is one head over the whole d_model, and the "
        "weights have shape {got}.",
        "Where does num_heads enter your forward?",
    ),
    "attention-over-heads": Words(
        "heads compared, not tokens",
        "The split is not transposed, so the heads of one token attend to each other: "
        "the weights have shape {got}.",
        "Which two axes come last when QKᵀ is computed, and which should?",
    ),
    "w-o-missing": Words(
        "W_o missing",
        "The output is what the heads found, laid side by side: W_o is missing, so the"
        " heads are never mixed.",
        "Which matrix of the formula comes after the concatenation?",
    ),
    "w-o-twice": Words(
        "W_o applied twice",
        "W_o is applied twice.",
        "How often does W_O stand in the formula?",
    ),
    "w-o-bias-per-head": Words(
        "W_o's bias once for every head",
        "W_o's bias is added once for every head, {heads} times.",
        "How often is a bias added if the heads' results are summed afterwards?",
    ),
    "w-o-not-transposed": Words(
        "W_o not transposed",
        "The weight of W_o is used as it stands, not as nn.Linear uses it.",
        "What does nn.Linear do with its weight?",
    ),
    "w-o-replaced": Words(
        "another matrix in the place of W_o",
        "At the end stands W_q, W_k or W_v a second time, not W_o.",
        "Which of the four layers does your forward never mention?",
    ),
    "w-o-before-attention": Words(
        "W_o before the attention",
        "W_o is applied to the values before the heads attend, not to what they found.",
        "What is laid side by side in the formula, and when is it multiplied by W_O?",
    ),
    "w-o-per-head": Words(
        "W_o applied head by head",
        "Each head goes through its own block of W_o only: the heads are never mixed.",
        "Which numbers of which heads should reach the first number of the output?",
    ),
    "w-o-bias-only": Words(
        "only W_o's bias",
        "Of W_o only the bias is added; its weight is not used.",
        "What does nn.Linear do before it adds its bias?",
    ),
    "output-activation": Words(
        "an activation behind W_o",
        "Behind W_o stands an activation (ReLU or tanh); the formula has none.",
        "What is the last step of the formula?",
    ),
    "residual-inside": Words(
        "a residual inside the class",
        "An input is added to the output (a residual connection). A Transformer block "
        "does that *around* multi-head attention; it is no part of the formula.",
        "What is the last step of the formula?",
    ),
    "layer-norm-inside": Words(
        "a LayerNorm inside the class",
        "A LayerNorm is in it. A Transformer block has one *around* multi-head "
        "attention; it is no part of the formula.",
        "Which steps does the formula name, from the input to W_O?",
    ),
    "residual-and-norm-inside": Words(
        "residual and LayerNorm inside the class",
        "The output is the LayerNorm of input plus attention. A Transformer block does"
        " both (residual and norm) *around* multi-head attention.",
        "What is the last step of the formula?",
    ),
    "q-and-k-normalised": Words(
        "queries and keys normalised",
        "Queries and keys go through a LayerNorm before they are compared.",
        "Which steps does the formula name before the scores?",
    ),
    "output-divided-by-heads": Words(
        "output divided by the number of heads",
        "The output is divided by the number of heads: are they averaged? They are "
        "laid side by side and mixed by W_o.",
        "Which sum is there whose terms number {heads}?",
    ),
    "weights-divided-by-heads": Words(
        "weights divided by the number of heads",
        "The weights returned are divided by the number of heads.",
        "What must the weights of one query in one head sum to?",
    ),
    "mask-only-2d-used": Words(
        "only a 2-D mask used",
        "Only a 2-D mask is used: one with four axes (padding, or one for every head) "
        "is ignored.",
        "Which shapes may a mask have here, and what does your code do with each?",
    ),
    "mask-only-4d-used": Words(
        "only a 4-D mask used",
        "Only a 4-D mask is used: one of shape (n_q, n_k) is ignored.",
        "Which shapes may a mask have here, and what does your code do with each?",
    ),
    "mask-on-head-0-only": Words(
        "the mask on head 0 only",
        "Only head 0 gets the mask; the other heads see everything.",
        "Over which axis does the mask have to be spread out?",
    ),
    "causal-buffer-of-fixed-size": Words(
        "a causal mask of fixed size inside",
        "A causal mask of a fixed size is built in: the future is hidden without being"
        " asked (always causal), and other lengths than 5 raise an error.",
        "Who should decide which keys are hidden, and how long may a sentence be?",
    ),
    "tokens-before-batch": Words(
        "batch and tokens exchanged",
        "The first two axes are taken for each other (batch_first mixed up): the "
        "samples of a batch attend to each other instead of the tokens; the weights "
        "have shape {got}.",
        "Which axis of the input holds the tokens, and which the samples?",
    ),
    "returns-heads": Words(
        "what the heads found returned, not the output",
        "What is returned is what the heads found, before W_o.",
        "Which name holds the result of the last step?",
    ),
}
