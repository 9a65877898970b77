"""Words: scaled dot-product attention."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "softmax-over-queries": Words(
        "softmax over the queries",
        "The softmax runs over the queries (dim=-2), so the columns sum to 1 and the "
        "rows do not: the first row sums to {row_sum}.",
        "Who shares out 1 here: a query among the keys, or a key among the queries?",
    ),
    "softmax-over-heads": Words(
        "softmax over the heads",
        "The softmax runs over the heads (dim=1): the same entry of all heads sums to "
        "1, "
        "and the first row sums to {row_sum}.",
        "Should one head's weights depend on another head's scores?",
    ),
    "softmax-over-batch": Words(
        "softmax over the batch",
        "The softmax runs over the batch axis (dim=0): samples compete with each "
        "other, "
        "and the first row sums to {row_sum}.",
        "Should a sentence's weights depend on its neighbours in the batch?",
    ),
    "softmax-over-matrix": Words(
        "one softmax over the whole matrix",
        "The softmax runs over all scores of a matrix at once: the whole matrix sums "
        "to "
        "1 ({matrix_sum}), a row only to {row_sum}.",
        "How many sums should be 1: one for each matrix or one for each query?",
    ),
    "softmax-over-everything": Words(
        "one softmax over everything",
        "The softmax runs over all numbers at once, the whole tensor: together they "
        "sum "
        "to 1, a row only to {row_sum}.",
        "How many sums should be 1?",
    ),
    "mask-ignored": Words(
        "the mask ignored",
        "The mask is ignored: it changes nothing, and forbidden keys keep their weight "
        "(up to {hidden}).",
        "Is the result of the masking step kept, and used by the next line?",
    ),
    "mask-inverted": Words(
        "the mask inverted",
        "The mask is inverted: the keys it allows (True) get weight 0 and the "
        "forbidden "
        "ones share the weight. Here True (1) means may attend.",
        "Which places should be filled: where the mask is True or where it is False?",
    ),
    "mask-transposed": Words(
        "the mask transposed",
        "The mask is transposed: it is applied along the query axis.",
        "Which axis of the mask names the queries, and which the keys?",
    ),
    "mask-2d-taken-as-padding": Words(
        "a 2-D mask taken for padding",
        "A 2-D mask (n_q, n_k) is taken for a padding mask (batch, n_k): its query "
        "axis "
        "becomes the batch axis.",
        "What does the first axis of a causal mask stand for?",
    ),
    "mask-unsqueezed-again": Words(
        "an extra axis put into the mask",
        "The mask always gets one more axis (unsqueeze): a 4-D mask becomes 5-D, and "
        "with it the scores.",
        "How many axes has the mask before that line, and how many after?",
    ),
    "mask-of-first-sample": Words(
        "the first sample's mask for all",
        "The first sample's mask is used for all samples of the batch.",
        "Are all sentences of a batch equally long?",
    ),
    "mask-of-last-sample": Words(
        "the last sample's mask for all",
        "The last sample's mask is used for all samples of the batch.",
        "Are all sentences of a batch equally long?",
    ),
    "mask-of-first-head": Words(
        "head 0's mask for all",
        "The mask of head 0 is used for all heads.",
        "What if every head brings a mask of its own?",
    ),
    "mask-of-first-query": Words(
        "the first query's mask for all",
        "The first query's row of the mask is used for all queries.",
        "Do all queries see the same keys in a causal mask?",
    ),
    "mask-of-last-query": Words(
        "the last query's mask for all",
        "The last query's row of the mask is used for all queries.",
        "Do all queries see the same keys in a causal mask?",
    ),
    "mask-of-other-sample": Words(
        "masks of another sample",
        "Samples and heads change places in the mask: flattened batch-first, the "
        "scores "
        "meet a mask repeated heads-first, so a sample gets the mask of another "
        "sample.",
        "In which order do (sample, head) pairs stand in the scores, and in the mask?",
    ),
    "mask-any-query": Words(
        "a key shown to all if one may see it",
        "A key is shown to every query as soon as any query may see it: the mask has "
        "lost its query axis.",
        "What does a causal mask hide then?",
    ),
    "mask-on-queries-too": Words(
        "padded queries masked as well",
        "The mask is applied to the query rows as well as to the keys: padded queries "
        "get empty rows.",
        "Does a padding mask say who may look, or who may be looked at?",
    ),
    "always-causal": Words(
        "causal without being asked",
        "The attention is always causal: the future is hidden even without a mask.",
        "Who should decide which keys are hidden: the function or its caller?",
    ),
    "causal-instead-of-mask": Words(
        "a causal mask in place of the given one",
        "Whatever mask is given, a causal one is used in its place.",
        "Where does the mask that was passed in go?",
    ),
    "everything-masked": Words(
        "everything masked",
        "Everything is masked, every key of every query: ~ on integers 0 and 1 gives "
        "−1 "
        "and −2, and both count as true.",
        "What is the dtype of this mask, and what does ~ make of a 0 and of a 1?",
    ),
    "mask-self-always-allowed": Words(
        "the own position always allowed",
        "Every query may always see its own position, whatever the mask says.",
        "What if the mask hides that key?",
    ),
    "mask-self-forbidden": Words(
        "the own position hidden",
        "Every query's own position (the diagonal) is hidden as well.",
        "Who said that a token may not see itself?",
    ),
    "mask-reshaped": Words(
        "the mask reshaped",
        "The mask is reshaped to swap its axes, which mixes queries and keys.",
        "Which entry of the mask belongs to query 0 and key 1?",
    ),
    "mask-flipped": Words(
        "the mask read from the wrong end",
        "The mask is flipped: it is read from the last key to the first.",
        "Which entry belongs to key 0?",
    ),
    "mask-shifted": Words(
        "the mask shifted by one",
        "The mask is shifted by one key.",
        "Which entry belongs to key 0?",
    ),
    "mask-multiplied": Words(
        "scores multiplied by the mask",
        "A forbidden score becomes 0 before the softmax (multiplied by the 0/1 "
        "mask, or "
        "filled with 0), and exp(0) = 1 is weight (up to {hidden}).",
        "Which score gives a weight of exactly 0?",
    ),
    "mask-after-softmax": Words(
        "masked after softmax, not renormalised",
        "The mask is applied after the softmax, and the rest is not renormalised: the "
        "first row sums to {row_sum}, not 1.",
        "Where does the weight of a hidden key go, if the row must still sum to 1?",
    ),
    "mask-added": Words(
        "the 0/1 mask added to the scores",
        "The 0/1 mask is added to the scores: allowed keys only get +1, and nothing is "
        "hidden (a forbidden key keeps up to {hidden}).",
        "What would you have to add to a score so that its weight is 0?",
    ),
    "mask-subtracted": Words(
        "the 0/1 mask subtracted",
        "The 0/1 mask is subtracted from the scores: allowed keys lose 1, and nothing "
        "is "
        "hidden (a forbidden key keeps up to {hidden}).",
        "What would you have to add to a score so that its weight is 0?",
    ),
    "mask-brackets": Words(
        "brackets missing in 1 − mask",
        "The brackets around 1 − mask are missing: a huge number (1e9) is added to the "
        "allowed scores, the scores drown in it, and all allowed keys get equal "
        "(uniform) weights.",
        "What comes first: the minus or the times?",
    ),
    "mask-inf-times-zero": Words(
        "infinity times 0",
        "The mask is multiplied by infinity: 0·inf is NaN, exactly where the key is "
        "allowed.",
        "How can a fill reach only the forbidden places?",
    ),
    "minus-inf-into-weights": Words(
        "−inf put into the weights",
        "−inf (or a huge negative number) is put into the weights, after the softmax: "
        "there it is multiplied with V.",
        "Before or after which step does −inf turn into 0?",
    ),
    "mask-on-values": Words(
        "the mask applied to V",
        "The mask is applied to V (its rows become zero), the weights stay unmasked: a "
        "hidden key keeps up to {hidden}.",
        "Do the weights still sum to 1 over the keys that count?",
    ),
    "mask-on-keys-and-values": Words(
        "masked keys set to zero",
        "The rows of K and V are set to zero where the mask forbids, in place of "
        "masking "
        "the scores: a zero key has the score 0, and weight exp(0) (up to {hidden}).",
        "Which score gives a weight of exactly 0?",
    ),
    "mask-on-output": Words(
        "the mask applied to the output",
        "The mask is applied to the rows of the output (the query side); the weights "
        "stay unmasked, hidden keys keep up to {hidden}.",
        "Does the mask say who may look, or who may be looked at?",
    ),
    "fill-zero": Words(
        "masked scores filled with 0",
        "Masked scores are filled with 0, and exp(0) = 1: a forbidden key gets weight, "
        "up to {hidden}. (Scores multiplied by the 0/1 mask give the same.)",
        "Which score gives a weight of exactly 0?",
    ),
    "fill-tiny": Words(
        "a tiny positive fill",
        "Masked scores are filled with a tiny number near 0 (1e-9, perhaps −1e9 was "
        "meant): a forbidden key gets weight, up to {hidden}.",
        "Is the number very small or very negative?",
    ),
    "fill-plus-inf": Words(
        "+inf as the fill",
        "Masked scores are filled with +inf (a sign error): softmax makes NaN of it.",
        "Which end of the number line means 'never'?",
    ),
    "fill-plus-large": Words(
        "a large positive fill",
        "Masked scores are filled with a large positive number (a sign error): the "
        "forbidden keys get all the weight.",
        "Which end of the number line means 'never'?",
    ),
    "fill-min-score": Words(
        "the lowest score as the fill",
        "Masked scores are filled with the lowest score, the min: forbidden keys get "
        "the least weight, but not 0 (up to {hidden}).",
        "Which score gives a weight of exactly 0?",
    ),
    "fill-nan": Words(
        "NaN as the fill",
        "Masked scores are filled with NaN.",
        "What is NaN plus anything?",
    ),
    "fill-too-small": Words(
        "a fill not negative enough",
        "Masked scores are filled with about {fill}: the fill value is too small in "
        "size, and forbidden keys leak weight, up to {hidden}; more when the real "
        "scores "
        "are low.",
        "Is there a score below which no real one can lie?",
    ),
    "fill-before-scale": Words(
        "a small fill before the scale",
        "Masked scores are filled with {fill} before the scale, so the fill is divided "
        "by √d_k as well, and forbidden keys leak weight.",
        "Which fill stays the same when it is divided?",
    ),
    "nan-for-empty-row": Words(
        "NaN for an empty row",
        "A query that may see no key gets NaN: a softmax over nothing but −inf is 0/0.",
        "What should a query get that nobody answers, and where could you put it in?",
    ),
    "uniform-for-empty-row": Words(
        "uniform weights for an empty row",
        "A query that may see no key (an empty row, fully masked) gets uniform "
        "weights, "
        "1/n_k for every forbidden key: with a finite fill such as -1e9 all its scores "
        "are equal.",
        "What should a query get that may look at nothing?",
    ),
    "unmasked-for-empty-row": Words(
        "an empty row left unmasked",
        "A query that may see no key is treated as if it were not masked (a finite "
        "number added to all its scores does that too).",
        "What should a query get that may look at nothing?",
    ),
    "first-key-for-empty-row": Words(
        "key 0 shown to an empty row",
        "A query that may see no key is given key 0.",
        "What should a query get that may look at nothing?",
    ),
    "empty-row-output-only": Words(
        "a mean of V for an empty row",
        "A query that may see no key has weights 0, yet its output is not 0.",
        "What is a sum of values with weights 0?",
    ),
    "q-k-swapped": Words(
        "Q and K swapped",
        "Q and K are swapped in the product (K with Qᵀ): rows belong to keys, columns "
        "to "
        "queries.",
        "Which axis of the weights should name the queries?",
    ),
    "q-used-as-k": Words(
        "Q used as K",
        "Q is multiplied with itself (Q used as K): K plays no part in the scores.",
        "Whom does a query compare itself with?",
    ),
    "k-used-as-q": Words(
        "K used as Q",
        "K is multiplied with itself (K used as Q): Q plays no part in the scores.",
        "Who asks, and who is asked?",
    ),
    "v-used-as-k": Words(
        "V used as K",
        "The scores compare Q with V: V is used as K.",
        "What is a key for, and what is a value for?",
    ),
    "k-reshaped": Words(
        "K reshaped, not transposed",
        "K is reshaped (view/reshape), not transposed: the shape fits, but the numbers "
        "are read in the old order and vectors get mixed.",
        "Where does the first feature of key 1 stand after each of the two?",
    ),
    "k-not-transposed": Words(
        "K not transposed",
        "Q meets K as it is, not transposed: that fits only where n_k = d_k by chance, "
        "and then features meet positions.",
        "Which axis of Q and which axis of K should be summed over?",
    ),
    "all-axes-reversed": Words(
        "all axes of K reversed",
        "All axes of K are reversed (.T does that on a 4-D tensor), batch and heads "
        "too; only the last two should swap.",
        "What is the shape of K after that line?",
    ),
    "elementwise-product": Words(
        "an elementwise product",
        "Q and K are multiplied elementwise: each query meets only the key at its own "
        "position (no pairs), so the weights have shape {got} and not (…, n_q, n_k).",
        "How many scores are there for n_q queries and n_k keys?",
    ),
    "cosine-similarity": Words(
        "cosine in place of the dot product",
        "This is cosine similarity: the vectors are normalised to length 1 before the "
        "dot product, so their length no longer counts.",
        "What should happen to the weights when a query is ten times as long?",
    ),
    "scores-negated": Words(
        "scores negated",
        "The scores have the wrong sign (negated): the least fitting key wins.",
        "Which key should win?",
    ),
    "scores-absolute": Words(
        "absolute scores",
        "The scores lose their sign (absolute value).",
        "Should a key that points the other way win?",
    ),
    "distance-not-product": Words(
        "distances in place of products",
        "The scores are (negative) distances between q and k, not dot products.",
        "Which product of two vectors measures how well they fit?",
    ),
    "scores-transposed": Words(
        "scores transposed",
        "The scores are transposed before the softmax: rows belong to keys.",
        "Which axis of the weights should name the queries?",
    ),
    "heads-summed": Words(
        "scores summed over the heads",
        "The scores of all heads are summed: every head gets the same weights.",
        "Why are there several heads?",
    ),
    "head-0-only": Words(
        "head 0 used for all heads",
        "Head 0 is used for all heads.",
        "Where does the index of the head enter?",
    ),
    "sample-0-only": Words(
        "sample 0 used for all samples",
        "Sample 0 is used for the whole batch.",
        "Where does the batch axis go?",
    ),
    "k-used-as-v": Words(
        "K used as V",
        "The weights are right, but they average K, not V (K used as V).",
        "What is handed on when a key has won: the key or its value?",
    ),
    "q-used-as-v": Words(
        "Q used as V",
        "The weights are right, but they average Q, not V (Q used as V).",
        "What is handed on when a key has won?",
    ),
    "v-changed-first": Words(
        "V changed before the sum",
        "V is changed (normalised, scaled or put through a softmax) before the "
        "weighted "
        "sum.",
        "What does the formula do to V?",
    ),
    "v-flipped": Words(
        "V in reverse order",
        "V is taken in reverse order.",
        "Which value belongs to key 0?",
    ),
    "weights-transposed": Words(
        "the weights transposed before the sum",
        "The weights are right, but they are transposed before they meet V: the sum "
        "runs over the queries.",
        "Over which axis of the weights should the sum run?",
    ),
    "mean-not-sum": Words(
        "a mean in place of the weighted sum",
        "The output is a mean over the keys where a weighted sum is due: it is n_k "
        "({n_k}) times too small.",
        "The weights sum to 1 already: what does another division do?",
    ),
    "weights-unused": Words(
        "weights not used",
        "The output is the plain mean (or sum) of V: the weights are not used.",
        "Where do the weights enter the output?",
    ),
    "output-scaled": Words(
        "the output scaled",
        "The output is scaled by √d_k once more; the weights are right.",
        "What is it that the formula divides?",
    ),
    "output-plus-v": Words(
        "V added to the output",
        "V is added to the output.",
        "Is the residual connection part of attention itself?",
    ),
    "output-plus-q": Words(
        "Q added to the output",
        "Q is added to the output (a residual connection).",
        "Is the residual connection part of attention itself?",
    ),
    "output-heads-merged": Words(
        "the heads merged in the output",
        "The output has its heads merged into one axis already.",
        "Whose task is the merging of heads: this function's or its caller's?",
    ),
    "output-heads-summed": Words(
        "the output summed over the heads",
        "The output is summed or averaged over the heads.",
        "What is left of the single heads?",
    ),
    "output-transposed": Words(
        "the result transposed",
        "The result is transposed at the end.",
        "Which axes should come last?",
    ),
    "softmax-of-output": Words(
        "softmax of the output",
        "A softmax is applied to the output too.",
        "What should be shares: the weights or the output?",
    ),
    "best-value-only": Words(
        "the best key's value only",
        "The output is the value of the one best key (argmax, hard), not the weighted "
        "sum.",
        "What happens to the other keys' values?",
    ),
    "returns-swapped": Words(
        "results in the wrong order",
        "The results are returned in the wrong order (swapped).",
        "Which of the two does the exercise ask for first?",
    ),
    "returns-scores": Words(
        "scores returned, not weights",
        "The second result is the scores (before the softmax, logits), not the "
        "weights; "
        "the output is right.",
        "Do the rows of what you return sum to 1?",
    ),
    "returns-log-weights": Words(
        "log weights returned",
        "The second result is the logarithm of the weights.",
        "Do the rows of what you return sum to 1?",
    ),
    "returns-output-only": Words(
        "only the output returned",
        "Only the output is returned; the weights are missing.",
        "How many things does the exercise ask you to return?",
    ),
    "returns-weights-only": Words(
        "only the weights returned",
        "Only the weights are returned; the output is missing.",
        "How many things does the exercise ask you to return?",
    ),
    "returns-output-twice": Words(
        "the output returned twice",
        "The output is returned in place of the weights.",
        "What should the second result be?",
    ),
    "returns-three": Words(
        "three results returned",
        "Three results are returned; output and weights are due.",
        "How many things does the exercise ask you to return?",
    ),
    "returns-unmasked-weights": Words(
        "unmasked weights returned",
        "The output is right, but the weights returned are those without the mask.",
        "Which weights made the output?",
    ),
    "returns-unscaled-weights": Words(
        "unscaled weights returned",
        "The output is right, but the weights returned are those without the scale.",
        "Which weights made the output?",
    ),
    "returned-weights-transposed": Words(
        "transposed weights returned",
        "The output is right, but the weights are returned transposed.",
        "Which axis of the weights should name the queries?",
    ),
    "returns-head-0-weights": Words(
        "head 0's weights only",
        "Only head 0's weights are returned.",
        "How many weight matrices are there?",
    ),
    "weights-averaged-over-heads": Words(
        "weights averaged over the heads",
        "The weights returned are averaged (or summed) over the heads: shape {got}.",
        "Where have the single heads gone?",
    ),
    "scores-detached": Words(
        "scores cut off from the graph",
        "The numbers are right, but no gradient reaches {lost}: the scores (or "
        "weights) "
        "are detached from the graph, only V could learn.",
        "Which step between {lost} and the output leaves the graph?",
    ),
    "q-detached": Words(
        "Q cut off from the graph",
        "The numbers are right, but no gradient reaches Q: Q is detached.",
        "Which step on Q leaves the graph?",
    ),
    "k-detached": Words(
        "K cut off from the graph",
        "The numbers are right, but no gradient reaches K: K is detached.",
        "Which step on K leaves the graph?",
    ),
    "v-detached": Words(
        "V cut off from the graph",
        "The numbers are right, but no gradient reaches V: V is detached.",
        "Which step on V leaves the graph?",
    ),
}
