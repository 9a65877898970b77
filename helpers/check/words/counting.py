"""Words: FLOPs and bytes."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "text-not-a-number": Words(
        "text, not a number",
        "This returns the text {got}; due is a number for the given sizes. How "
        "something grows is a statement about it, not its count.",
        "What is the number for the sizes of the first case?",
    ),
    "several-numbers": Words(
        "several numbers",
        "This returns a {type} of {count} things; due is one number.",
        "How do its parts make up the whole?",
    ),
    "no-number": Words(
        "not a number",
        "This returns {got}, a {type}; due is one number.",
        "What is the number for the sizes of the first case?",
    ),
    "count-grows-otherwise": Words(
        "another growth",
        "Doubling {argument} multiplies your number by {yours}; it should multiply it "
        "by {due}{more}.",
        "Where does {argument} stand in the shapes that are counted, and how often?",
    ),
    "count-always-the-same": Words(
        "the same number for all sizes",
        "The number is {got} whatever the sizes are.",
        "Which of the arguments should change it, and does your formula use them?",
    ),
    "count-times-constant": Words(
        "a constant factor",
        "Your number is {factor} times the right one, whatever the sizes: it grows as "
        "it should, but a constant is off.",
        "Which constant stands in your formula, and what does it count?",
    ),
    "weights-times-v-not-counted": Words(
        "weights·V not counted",
        "Only the product QKᵀ is counted: {got} does not depend on d_v = {d_v}.",
        "What is done with the weights once the softmax has made them?",
    ),
    "scores-not-counted": Words(
        "QKᵀ not counted",
        "Only the product of weights and V is counted: {got} does not depend on "
        "d_k = {d_k}.",
        "Where do the weights come from?",
    ),
    "d-k-for-d-v": Words(
        "d_k in both products",
        "Both products are counted with d_k = {d_k}; the values have d_v = {d_v} "
        "features.",
        "Which shapes meet in the second product?",
    ),
    "d-v-for-d-k": Words(
        "d_v in both products",
        "Both products are counted with d_v = {d_v}; queries and keys have "
        "d_k = {d_k} features.",
        "Which shapes meet in the first product?",
    ),
    "d-not-counted": Words(
        "the width d not counted",
        "The number does not depend on d_k or d_v: each pair of tokens is counted as "
        "one number. But one score is a whole dot product.",
        "How many multiplications does a single score take?",
    ),
    "widths-multiplied": Words(
        "d_k times d_v",
        "The widths are multiplied ({d_k} · {d_v}): that is the cost of a projection, "
        "a matrix of d_k × d_v. In attention the two products come one after the "
        "other, each with its own width.",
        "Which of the two products has d_k in it, and which d_v?",
    ),
    "larger-width-only": Words(
        "one of the widths only",
        "Only one of d_k = {d_k} and d_v = {d_v} is counted.",
        "How many products are there, and which width does each have?",
    ),
    "widths-squared": Words(
        "the width squared",
        "The width is squared: that is the cost of projections, not of attention.",
        "How many multiplications does one dot product of {d_k} numbers take?",
    ),
    "first-addition-not-counted": Words(
        "2d − 1 for 2d",
        "Each dot product of d numbers is counted as d products and d − 1 additions. "
        "That is exact; the rule here is two operations for each multiply–add.",
        "What does the exercise count for one multiply–add?",
    ),
    "n-q-for-n-k": Words(
        "n_q in place of n_k",
        "The number of keys plays no part: the pairs are counted as n_q · n_q.",
        "Between which {n_q} rows and which {n_k} columns are there scores?",
    ),
    "n-k-for-n-q": Words(
        "n_k in place of n_q",
        "The number of queries plays no part: the pairs are counted as n_k · n_k.",
        "How many rows does the score matrix have?",
    ),
    "projection-not-attention": Words(
        "a projection, not attention",
        "{got} is linear in the length and quadratic in the width: that is the cost "
        "of a projection (n · d²). In attention every query meets every key.",
        "How many scores are there for {n_q} queries and {n_k} keys?",
    ),
    "linear-in-n": Words(
        "one of the lengths missing",
        "Only one of n_q = {n_q} and n_k = {n_k} is counted: the cost would be linear "
        "in the length.",
        "How many scores are there if every query meets every key?",
    ),
    "lengths-added": Words(
        "the lengths added",
        "n_q and n_k are added ({n_q} + {n_k}), as if each token were met once.",
        "How many scores are there if every query meets every key?",
    ),
    "pairs-squared": Words(
        "a length squared",
        "A length stands in the formula once too often.",
        "How many scores does the matrix hold for {n_q} queries and {n_k} keys?",
    ),
    "lengths-not-counted": Words(
        "the lengths not counted",
        "The number depends neither on n_q nor on n_k: that is one pair's cost.",
        "How many pairs of query and key are there?",
    ),
    "causal-half-counted": Words(
        "half of the pairs only",
        "Half of the pairs are counted, as if a causal mask spared the others. A "
        "mask hides scores after they have been computed and stored.",
        "Which shape does the score matrix have, masked or not?",
    ),
    "multiply-adds-not-flops": Words(
        "multiply–adds counted once",
        "It is exactly half: each multiply–add is counted once. That convention "
        "(MACs) exists; here a multiplication and an addition are two operations. "
        "(A causal half, or only one of two equal products, would be half as well.)",
        "How many operations are a multiplication and the addition after it?",
    ),
    "flops-doubled": Words(
        "counted twice",
        "It is exactly twice the number: something is counted twice, perhaps the "
        "factor of the multiply–add or of the two products.",
        "Which factor 2 in your formula stands for what?",
    ),
    "flops-tripled": Words(
        "a factor 3",
        "There is a factor 3 in it: three products are counted, perhaps one each for "
        "Q, K and V, or a backward pass.",
        "Which matrix products does a forward pass of attention have?",
    ),
    "flops-doubled-twice": Words(
        "four times the number",
        "It is exactly four times the number.",
        "Which factor 2 in your formula stands for what?",
    ),
    "flops-halved-twice": Words(
        "a quarter of the number",
        "It is exactly a quarter of the number.",
        "What does each factor of your formula count?",
    ),
    "second-product-with-n-q": Words(
        "weights·V counted with n_q twice",
        "The second product is counted with n_q · n_q; the weights have {n_q} rows "
        "and {n_k} columns.",
        "Over which axis does the second product sum?",
    ),
    "second-product-with-n-k": Words(
        "weights·V counted with n_k twice",
        "The second product is counted with n_k · n_k; the weights have {n_q} rows "
        "and {n_k} columns.",
        "How many rows does the output have?",
    ),
    "softmax-counted": Words(
        "the softmax counted",
        "The two products are right, but a few operations a score are counted besides: "
        "the softmax or the scale. The exercise leaves them out.",
        "Which operations does the exercise tell you to count?",
    ),
    "projections-counted": Words(
        "the projections counted",
        "Attention itself is right, but the projections (n · d² each) are counted "
        "besides.",
        "Which matrix products lie between Q, K, V and the output?",
    ),
    "outputs-counted": Words(
        "something besides the two products",
        "The two products are right, but n_q · d_v operations are counted besides.",
        "Which operations does the exercise tell you to count?",
    ),
    "flops-in-larger-unit": Words(
        "another unit",
        "The count is right but in another unit (thousands, millions or billions).",
        "How many single operations are these?",
    ),
    "heads-not-counted": Words(
        "the heads not counted",
        "The number of heads plays no part; each of the {heads} heads has a matrix of "
        "its own.",
        "How many score matrices does one sentence have?",
    ),
    "heads-counted-twice": Words(
        "the heads counted twice",
        "The number of heads stands in it twice ({heads} · {heads}).",
        "What is the shape of the weights, axis by axis?",
    ),
    "heads-divided": Words(
        "divided by the heads",
        "The number is divided by the heads. Heads share out the features, not the "
        "tokens.",
        "How large is the weight matrix of one of {heads} heads?",
    ),
    "batch-not-counted": Words(
        "the batch not counted",
        "The batch plays no part: this is the memory of one sequence, not of {batch}.",
        "What is kept for each sequence by itself?",
    ),
    "batch-counted-twice": Words(
        "the batch counted twice",
        "The batch stands in it twice ({batch} · {batch}).",
        "What is the shape, axis by axis?",
    ),
    "batch-divided": Words(
        "divided by the batch",
        "The number is divided by the batch.",
        "Does a larger batch need more memory, or less?",
    ),
    "length-not-squared": Words(
        "n not squared",
        "n stands in it once ({n}): one number a token. Attention has one a *pair*.",
        "How many weights are there between {n} queries and {n} keys?",
    ),
    "length-not-counted": Words(
        "n not counted",
        "The number does not depend on n: that is the memory of a single token or "
        "pair.",
        "What does a text of twice the length change?",
    ),
    "length-cubed": Words(
        "n too often",
        "n stands in it more than twice.",
        "Which two axes of the weights have length n?",
    ),
    "length-added-not-squared": Words(
        "n + n for n · n",
        "n is doubled, not squared: {n} + {n} numbers in place of {n} rows of {n}.",
        "How many numbers stand in a square of {n} rows?",
    ),
    "length-times-its-log": Words(
        "n log n",
        "The number grows like n log n.",
        "How many numbers stand in a square of {n} rows?",
    ),
    "one-token-missing": Words(
        "one token missing",
        "One of the {n} tokens is not counted.",
        "Does the newest token have a row (and a key) of its own?",
    ),
    "one-token-too-many": Words(
        "one token too many",
        "One more than {n} tokens is counted.",
        "How many tokens are there, the newest included?",
    ),
    "numbers-not-bytes": Words(
        "numbers, not bytes",
        "{got} is how many numbers there are; due is how many bytes they take, with "
        "{bytes_per_number} a number.",
        "How much room does each of these numbers take?",
    ),
    "number-size-squared": Words(
        "the size of a number twice",
        "The bytes of a number stand in it twice.",
        "How many bytes do three numbers of {bytes_per_number} bytes take?",
    ),
    "number-size-divided": Words(
        "divided by the size of a number",
        "The number is divided by the bytes of a number.",
        "How many bytes do three numbers of {bytes_per_number} bytes take?",
    ),
    "number-size-hard-coded": Words(
        "a size of your own for each number",
        "The bytes of a number are always the same; here they are given: "
        "bytes_per_number = {bytes_per_number}.",
        "Which of the arguments does your formula not use?",
    ),
    "bits-not-bytes": Words(
        "bits, not bytes",
        "It is exactly 8 times the number: these are bits (a float32 has 32 of them, "
        "and 4 bytes).",
        "In which unit is bytes_per_number given?",
    ),
    "bytes-divided-by-eight": Words(
        "an eighth",
        "It is exactly an eighth: bytes_per_number is taken for bits.",
        "In which unit is bytes_per_number given?",
    ),
    "bytes-in-larger-unit": Words(
        "another unit",
        "The number is right but in a larger unit (thousands, millions or billions, "
        "perhaps KiB, MiB or GiB); due are bytes.",
        "How many single bytes are these?",
    ),
    "scores-and-weights-counted": Words(
        "twice the matrix",
        "It is exactly twice the number: perhaps scores and weights are both counted, "
        "or K and V. Asked for is one matrix of weights a head.",
        "What does the factor 2 stand for here?",
    ),
    "three-matrices-counted": Words(
        "several matrices for one",
        "It is a whole number of times too large: several matrices are counted, "
        "perhaps Q, K and V. Asked for is one matrix of weights a head.",
        "What does the constant in your formula stand for?",
    ),
    "row-sums-counted": Words(
        "a number a row besides",
        "The matrix is right, but n more numbers a head are counted: its row sums or "
        "maxima, perhaps.",
        "What is the shape of the weights, axis by axis?",
    ),
    "added-up-not-multiplied": Words(
        "added, not multiplied",
        "The sizes are added up; a tensor holds the product of its axes.",
        "How many numbers does a tensor of shape (2, 3, 4) hold?",
    ),
    "keys-or-values-only": Words(
        "keys or values only",
        "It is exactly half: one tensor a layer is counted, but the cache keeps two.",
        "Which two things of a past token does a new query need?",
    ),
    "cache-doubled": Words(
        "counted twice",
        "It is exactly two (or four) times the number.",
        "Which factor 2 in your formula stands for what?",
    ),
    "queries-cached-too": Words(
        "the queries counted too",
        "It holds a factor 3 where the cache keeps two tensors: the queries are "
        "counted too.",
        "Who asks for the query of a past token again?",
    ),
    "layers-not-counted": Words(
        "the layers not counted",
        "The layers play no part: this is the cache of one layer, not of {layers}.",
        "Can layer 2 use the keys of layer 1?",
    ),
    "layers-counted-twice": Words(
        "the layers counted twice",
        "The number of layers stands in it twice ({layers} · {layers}).",
        "What does one layer keep for itself?",
    ),
    "layers-divided": Words(
        "divided by the layers",
        "The number is divided by the layers.",
        "Does each layer keep a cache of its own?",
    ),
    "cache-length-squared": Words(
        "n squared",
        "n stands in it more than once: that is a matrix of weights. The cache keeps "
        "one key and one value a token.",
        "By how much does the cache grow with one more token?",
    ),
    "kv-heads-not-counted": Words(
        "the heads not counted",
        "The {kv_heads} heads play no part: d_head is the width of *one* head.",
        "How many keys does one token have in one layer?",
    ),
    "kv-heads-counted-twice": Words(
        "the heads counted twice",
        "The heads stand in it twice ({kv_heads} · {kv_heads}): perhaps all heads "
        "together (d_model) are taken for the width of one.",
        "Which width does one head have, and how many heads are there?",
    ),
    "kv-heads-divided": Words(
        "divided by the heads",
        "The number is divided by the heads.",
        "Does each of the {kv_heads} heads keep keys of its own?",
    ),
    "d-head-not-counted": Words(
        "the width not counted",
        "The width d_head = {d_head} plays no part: a key is a vector, not a number.",
        "How many numbers is one key of one head?",
    ),
    "d-head-counted-twice": Words(
        "the width counted twice",
        "The width d_head = {d_head} stands in it twice.",
        "How many numbers is one key of one head?",
    ),
    "d-head-divided": Words(
        "divided by the width",
        "The number is divided by the width d_head = {d_head}.",
        "How many numbers is one key of one head?",
    ),
    "heads-and-width-added": Words(
        "heads and width added",
        "Heads and width are added: {kv_heads} + {d_head}.",
        "How many numbers are {kv_heads} keys of {d_head} numbers?",
    ),
}
