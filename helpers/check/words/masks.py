"""Words: masks."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "mask-is-additive": Words(
        "a mask to be added",
        "This is an additive mask: 0 where a key may be seen and a huge negative "
        "number (or −inf) where not. Read as True and False it says the opposite.",
        "What should stand where a query may attend?",
    ),
    "mask-is-additive-inverted": Words(
        "−inf where a key may be seen",
        "−inf stands where a key may be seen, and 0 where not: that is neither a mask "
        "of True and False nor, in this sign, one to be added.",
        "What should stand where a query may attend?",
    ),
    "mask-one-or-inf": Words(
        "infinity in the mask",
        "The forbidden places hold an infinity, the allowed ones 1.",
        "Which two values may a mask hold here?",
    ),
    "mask-plus-minus": Words(
        "1 and −1",
        "The forbidden places hold −1, and read as True or False −1 is true.",
        "Which number is read as False?",
    ),
    "mask-is-averaged": Words(
        "a mask divided by its row sums",
        "Each row is divided by its sum: these are equal weights, not a mask.",
        "Who shares out the weights later: the mask or the softmax?",
    ),
    "padding-inverted": Words(
        "True for the padding",
        "The mask is inverted: True stands where the padding is, but True means *may* "
        "be attended to.",
        "Is place 0 of a sentence a real token, and what does your mask say of it?",
    ),
    "padding-inverted-and-shifted": Words(
        "inverted, and one off",
        "True stands behind the sentence, where the padding is (inverted), and begins "
        "one place too late.",
        "Is place 0 of a sentence a real token, and what does your mask say of it?",
    ),
    "padding-one-too-many": Words(
        "one padded place too many",
        "One place too many is True: in a sentence of {first} tokens, {first} + 1 may "
        "be seen.",
        "Places are counted from 0: which number has the last real one?",
    ),
    "padding-one-too-few": Words(
        "the last real token hidden",
        "The last real token of every sentence is hidden.",
        "Places are counted from 0: which number has the last real one?",
    ),
    "padding-on-the-left": Words(
        "padding taken to be in front",
        "The last places are taken for the real ones, as if the padding stood in front"
        " (left padding).",
        "In this exercise, where does a sentence start: at place 0 or later?",
    ),
    "padding-on-the-left-inverted": Words(
        "True for a padding in front",
        "True stands where left padding would be: inverted, and counted from the wrong"
        " end.",
        "Is place 0 of a sentence a real token, and what does your mask say of it?",
    ),
    "padding-hides-nothing": Words(
        "nothing hidden",
        "Everything is True: no padding is hidden.",
        "Where do the lengths enter your mask?",
    ),
    "padding-hides-everything": Words(
        "everything hidden",
        "Nothing is True: no token may be seen.",
        "What are the places compared with, and are they of the same kind?",
    ),
    "padding-only-the-boundary": Words(
        "a single place True",
        "A single place of each sentence is True, the one at its end.",
        "Which places lie *before* the end?",
    ),
    "padding-first-hidden": Words(
        "the first token hidden",
        "Place 0 is hidden in every sentence.",
        "From which number are the places counted?",
    ),
    "padding-first-length-for-all": Words(
        "the first length for all",
        "The first sentence's length, {first}, is used for all {batch} sentences.",
        "Which axis of the result belongs to the sentences?",
    ),
    "padding-last-length-for-all": Words(
        "the last length for all",
        "The last sentence's length is used for all {batch} sentences.",
        "Which axis of the result belongs to the sentences?",
    ),
    "padding-longest-for-all": Words(
        "the longest length for all",
        "The longest length, {longest}, is used for all {batch} sentences.",
        "Which axis of the result belongs to the sentences?",
    ),
    "padding-shortest-for-all": Words(
        "the shortest length for all",
        "The shortest length is used for all {batch} sentences.",
        "Which axis of the result belongs to the sentences?",
    ),
    "padding-lengths-reversed": Words(
        "sentences in reverse order",
        "The sentences' masks come in reverse order.",
        "Which sentence is sample 0?",
    ),
    "padding-counts-the-padding": Words(
        "as many places as there is padding",
        "As many places are True as there are padded ones, counted from the front.",
        "What does a length count: the real tokens or the padding?",
    ),
    "padding-holds-positions": Words(
        "positions in the place of True",
        "The mask holds the places' numbers where True is due, and place 0 counts as "
        "False.",
        "What question does a mask answer, and with which two words?",
    ),
    "padding-holds-lengths": Words(
        "lengths in the place of True",
        "The mask holds the sentence's length where True is due.",
        "What question does a mask answer, and with which two words?",
    ),
    "padding-size-longest": Words(
        "as wide as the longest sentence",
        "The mask is only as wide as the longest sentence ({longest}), not max_len "
        "({max_len}): a batch that is padded further does not fit it.",
        "Which argument says how wide the batch is?",
    ),
    "padding-size-one-more": Words(
        "one place too wide",
        "The mask is one place too wide, {got}; due is {want}.",
        "How many places are there from 0 up to max_len − 1?",
    ),
    "padding-size-one-less": Words(
        "one place too narrow",
        "The mask is one place too narrow, {got}; due is {want}.",
        "How many places are there from 0 up to max_len − 1?",
    ),
    "padding-size-sum": Words(
        "as wide as all lengths together",
        "The mask is as wide as all lengths together, {got}; due is {want}.",
        "Are the sentences one behind the other, or one below the other?",
    ),
    "padding-size-batch": Words(
        "as wide as the batch is large",
        "The mask is as wide as there are sentences, {got}; due is {want}.",
        "Which argument says how wide the batch is?",
    ),
    "padding-axes-missing": Words(
        "an axis missing",
        "The shape is {got}, an axis short of {want}. Against scores (batch, heads, "
        "n_q, n_k) the batch axis would be read as heads or queries: an error, or "
        "silently wrong when the sizes coincide.",
        "Broadcasting lines the axes up from the right: which axis meets which?",
    ),
    "padding-on-queries": Words(
        "the padding on the query axis",
        "The places lie on the query axis, {got}; due is {want}. Padded *queries* "
        "would see nothing, and padded keys would stay visible.",
        "Which axis of the scores belongs to the keys?",
    ),
    "padding-on-queries-too": Words(
        "padded queries hidden too",
        "Padded queries are masked as well as padded keys: the shape is {got}, due is "
        "{want}, and those queries may see nothing.",
        "Does a padding mask say who may look, or who may be looked at?",
    ),
    "padding-on-heads": Words(
        "the padding on the heads' axis",
        "The places lie on the axis of the heads, {got}; due is {want}.",
        "Which axis of the scores belongs to the keys?",
    ),
    "padding-batch-misplaced": Words(
        "the batch on another axis",
        "The sentences are not on the first axis: the shape is {got}, due is {want}.",
        "Which axis of the scores belongs to the samples?",
    ),
    "padding-turned": Words(
        "sentences and places exchanged",
        "Sentences and places have changed axes: the shape is {got}, due is {want}.",
        "Which axis comes first in the scores, and which comes last?",
    ),
    "padding-expanded": Words(
        "rows repeated for every query",
        "The same row is repeated for {max_len} queries, {got}; due is {want}. With "
        "another number of queries (cross-attention) it would not fit.",
        "What does an axis of size 1 do in broadcasting?",
    ),
    "padding-axis-too-many": Words(
        "an axis too many",
        "The shape is {got}, an axis more than {want}.",
        "How many axes have the scores?",
    ),
    "padding-flattened": Words(
        "all sentences in one row",
        "All sentences stand in one row, {got}; due is {want}.",
        "Which axis of the scores belongs to the samples?",
    ),
    "padding-first-sample-only": Words(
        "only the first sentence",
        "Only the first sentence's mask comes back, {got}; due is {want}.",
        "How many lengths go in?",
    ),
    "causal-inverted": Words(
        "the mask inverted",
        "The mask is inverted: it is True exactly where the future is, and True means "
        "*may* attend. The last query would see nothing at all.",
        "May query 0 see key 1, and what does your mask say there?",
    ),
    "causal-transposed": Words(
        "transposed: only the future seen",
        "The mask is transposed: a query sees itself and what comes *after* it, "
        "nothing before. (Rows are queries, columns are keys.)",
        "In row 0, column 1: which number is the query's and which the key's?",
    ),
    "causal-not-itself": Words(
        "a token that may not see itself",
        "The diagonal is missing: a query may not see its own place, and query 0 sees "
        "nothing at all.",
        "What is left for the first token to look at?",
    ),
    "causal-one-ahead": Words(
        "one future token leaks",
        "One future token is visible: query 0 may see key 1, which is what the model "
        "is to predict there.",
        "Which is the last column that row 0 may see?",
    ),
    "causal-two-ahead": Words(
        "two future tokens leak",
        "Two future tokens are visible to every query.",
        "Which is the last column that row 0 may see?",
    ),
    "causal-itself-only": Words(
        "each token sees only itself",
        "Only the diagonal is True: every token sees itself alone, so attention does "
        "nothing.",
        "Which keys lie *before* query 3?",
    ),
    "causal-hides-nothing": Words(
        "nothing hidden",
        "Everything is True: the whole future is visible.",
        "Which places of the square should be False?",
    ),
    "causal-hides-everything": Words(
        "everything hidden",
        "Nothing is True: no query may see anything.",
        "Which places of the square should be True?",
    ),
    "causal-all-but-itself": Words(
        "only the diagonal hidden",
        "Only the diagonal is hidden: everybody sees past and future, but not itself.",
        "Which keys lie after query 1?",
    ),
    "causal-mirrored": Words(
        "the triangle mirrored",
        "The triangle is mirrored: it runs along the other diagonal.",
        "Which keys may query 0 see, and which the last query?",
    ),
    "causal-window-of-two": Words(
        "only the newest two seen",
        "A query sees only itself and the one before it.",
        "May the last query see key 0?",
    ),
    "causal-one-before-only": Words(
        "only the one before seen",
        "A query sees only the key just before it.",
        "Which keys may the last query see?",
    ),
    "causal-first-key-only": Words(
        "only the first key seen",
        "Every query sees only key 0.",
        "Which keys may the last query see?",
    ),
    "causal-last-key-only": Words(
        "only the last key seen",
        "Every query sees only the last key.",
        "May query 0 see a key that comes later?",
    ),
    "causal-two-steps-late": Words(
        "two steps late",
        "A query sees neither itself nor the one before it.",
        "Which is the newest key that query 3 may see?",
    ),
    "causal-counts": Words(
        "numbers in the place of True",
        "The mask holds the keys' numbers where True is due.",
        "What question does a mask answer, and with which two words?",
    ),
    "causal-distances": Words(
        "distances in the place of True",
        "The mask holds distances; the diagonal's is 0, which reads as False.",
        "What question does a mask answer, and with which two words?",
    ),
    "causal-size-one-less": Words(
        "a row and a column short",
        "The mask is a row and a column short, {got}; due is {want}.",
        "How many numbers are there from your first to your last?",
    ),
    "causal-size-one-more": Words(
        "a row and a column too many",
        "The mask has a row and a column too many, {got}; due is {want}.",
        "How many numbers are there from your first to your last?",
    ),
    "causal-size-fixed": Words(
        "a fixed size",
        "The mask is {size} × {size} whatever seq_len is: its size is hard-coded.",
        "Where does seq_len enter your code?",
    ),
    "causal-one-row": Words(
        "one row only",
        "Only one row comes back, {got}; due is {want}, a row for every query.",
        "Do all queries see the same keys?",
    ),
    "causal-flat": Words(
        "flattened",
        "All rows stand one behind the other, {got}; due is {want}.",
        "Which two axes has the mask?",
    ),
    "between-top-left": Words(
        "first query on first key",
        "The triangle starts in the top left corner: query 0 is taken for position 0. "
        "But the queries are the *last* {n_q} of {n_k} positions; as it is, query 0 "
        "sees only key 0.",
        "At which position does query 0 stand, if {old} keys were there before it?",
    ),
    "between-one-too-early": Words(
        "the newest key hidden",
        "The diagonal lies one place too far left: a query misses its own key, the "
        "newest it may see.",
        "Which key should the last query see last?",
    ),
    "between-one-too-late": Words(
        "one future key leaks",
        "The diagonal lies one place too far right: all queries but the last see one "
        "key of the future.",
        "How many keys may query 0 see, if {old} were there before it?",
    ),
    "between-offset-negated": Words(
        "shifted the wrong way",
        "The diagonal is shifted to the left, not to the right: the offset has the "
        "wrong sign.",
        "Is n_q − n_k positive or negative, and how many keys may query 0 see?",
    ),
    "between-offset-n-q": Words(
        "shifted by n_q",
        "The diagonal is shifted by the number of queries, {n_q}, not by the number of"
        " older keys.",
        "At which position does query 0 stand, if {old} keys were there before it?",
    ),
    "between-offset-halved": Words(
        "centred",
        "The diagonal is shifted only half the way.",
        "At which position does query 0 stand, if {old} keys were there before it?",
    ),
    "between-hides-nothing": Words(
        "nothing hidden",
        "The diagonal lies beyond the last key: nothing is hidden.",
        "May query 0 see the newest key?",
    ),
    "between-transposed": Words(
        "rows and columns exchanged",
        "Rows and columns have changed places: the shape is {got}, due is {want}.",
        "Which comes first in a mask, the queries or the keys?",
    ),
    "between-arguments-swapped": Words(
        "n_q and n_k exchanged",
        "n_q and n_k have changed places: the mask is {got}, due is {want}.",
        "In which order does the signature name them?",
    ),
    "between-square": Words(
        "a square",
        "The mask is a square, {got}; due is {want}, a row for each query and a column"
        " for each key.",
        "Which rows of the square belong to the queries that are asked for?",
    ),
    "between-cache-cut-off": Words(
        "the older keys cut off",
        "The columns of the {old} older keys are missing: the shape is {got}, due is "
        "{want}.",
        "What do the queries need the older keys for?",
    ),
    "between-cache-hidden": Words(
        "the older keys hidden",
        "The {old} older keys are hidden: the queries see only each other.",
        "Are the older keys past or future for query 0?",
    ),
    "between-cache-on-the-wrong-side": Words(
        "older keys on the right",
        "The {old} older keys stand on the right side of the triangle, not on the "
        "left.",
        "In which order do the keys stand: oldest first or newest first?",
    ),
    "between-reshaped": Words(
        "reshaped, not turned",
        "The numbers are counted out into a new shape (reshape), not turned.",
        "What is the difference between a reshape and a transpose?",
    ),
    "combined-with-or": Words(
        "OR instead of AND",
        "The masks are joined with OR: a key is shown as soon as *one* of them allows "
        "it, so the future and the padding leak. (OR would be right if True meant "
        "forbidden.)",
        "If causality allows a key and padding forbids it, may it be seen?",
    ),
    "combined-with-xor": Words(
        "XOR instead of AND",
        "The masks are joined with XOR: True where *exactly one* of them is; a key "
        "that both allow is hidden.",
        "What should be said of a key that both allow?",
    ),
    "combined-by-adding": Words(
        "added",
        "The masks are added: the values are 0, 1 and 2, and read as True or False "
        "that is OR: whatever one of them allows is shown.",
        "Which number do you get for a key that only one of the two allows?",
    ),
    "combined-by-subtracting": Words(
        "subtracted",
        "The masks are subtracted: the values are −1, 0 and 1.",
        "What do you get for a key that both allow?",
    ),
    "combined-averaged": Words(
        "averaged",
        "The masks are averaged: the values are 0, 0.5 and 1.",
        "Which number do you get for a key that only one of the two allows?",
    ),
    "combined-causal-only": Words(
        "the padding dropped",
        "Only the causal mask is left: the padding mask has no effect, and padded keys"
        " are seen.",
        "Where does the padding mask enter the result?",
    ),
    "combined-padding-only": Words(
        "the causal mask dropped",
        "Only the padding mask is left: the causal mask has no effect, and the future "
        "is seen.",
        "Where does the causal mask enter the result?",
    ),
    "combined-inverted": Words(
        "the result inverted",
        "The result is inverted: True exactly where something forbids the key.",
        "What does True mean in the result?",
    ),
    "combined-with-nor": Words(
        "neither of the two",
        "The result is True where *neither* mask allows the key.",
        "What does True mean in each of the three masks?",
    ),
    "combined-where-equal": Words(
        "True where the two agree",
        "The result is True where the masks agree, also where both forbid the key.",
        "What should be said of a key that both forbid?",
    ),
    "combined-padding-inverted": Words(
        "the padding mask inverted",
        "The padding mask is inverted before it is joined: only padded keys are shown.",
        "What does True mean in the padding mask that comes in?",
    ),
    "combined-causal-inverted": Words(
        "the causal mask inverted",
        "The causal mask is inverted before it is joined: only the future is shown.",
        "What does True mean in the causal mask that comes in?",
    ),
    "combined-pads-see-all": Words(
        "padded keys shown",
        "Padded keys are shown whatever causality says.",
        "If one of the masks forbids a key, can the other allow it?",
    ),
    "combined-implication": Words(
        "the future shown where it is no padding",
        "Future keys are shown, whatever the padding mask says.",
        "If one of the masks forbids a key, can the other allow it?",
    ),
    "combined-hides-nothing": Words(
        "nothing hidden",
        "Everything is True: neither mask has an effect.",
        "What should be said of a key that one of them forbids?",
    ),
    "combined-hides-everything": Words(
        "everything hidden",
        "Nothing is True.",
        "What should be said of a key that both allow?",
    ),
    "combined-padding-on-queries": Words(
        "the padding on the query axis",
        "The padding mask is turned (transposed) to the query axis: padded *queries* "
        "see nothing, but padded keys stay visible.",
        "Which axis of the result belongs to the keys?",
    ),
    "combined-padding-on-queries-too": Words(
        "padded queries hidden too",
        "The padding mask is used for the queries as well as for the keys: padded "
        "queries see nothing.",
        "Does a padding mask say who may look, or who may be looked at?",
    ),
    "combined-padding-flipped": Words(
        "the padding mask mirrored",
        "The padding mask is mirrored: the last place comes first.",
        "Should the order of the keys change when masks are joined?",
    ),
    "combined-first-sample": Words(
        "the first sample's padding for all",
        "Only the first sample's padding mask is used (result {got}, due is {want}).",
        "Are all sentences of a batch equally long?",
    ),
    "combined-last-sample": Words(
        "the last sample's padding for all",
        "The last sample's padding mask is used for all samples.",
        "Are all sentences of a batch equally long?",
    ),
    "combined-any-sample": Words(
        "one padding mask for the whole batch",
        "The samples' padding masks are joined into one for the whole batch.",
        "Are all sentences of a batch equally long?",
    ),
    "combined-causal-transposed": Words(
        "the causal mask transposed",
        "The causal mask is transposed: the future is shown and the past hidden.",
        "Which axis of the causal mask belongs to the queries?",
    ),
    "combined-without-diagonal": Words(
        "no token sees itself",
        "The diagonal is missing: no token may see itself.",
        "Does one of the two masks forbid a token to see itself?",
    ),
    "combined-diagonal-always": Words(
        "every token sees itself",
        "The diagonal is always True, even for a padded key.",
        "If one of the masks forbids a key, can anything allow it?",
    ),
    "combined-axis-lost": Words(
        "the heads' axis lost",
        "The axis of size 1 for the heads is lost: the shape is {got}, due is {want}. "
        "Against (batch, heads, n_q, n_k) the batch would be read as heads.",
        "Broadcasting lines the axes up from the right: which axis meets which?",
    ),
    "combined-batch-misplaced": Words(
        "the batch on another axis",
        "The samples are on the axis of the heads: the shape is {got}, due is {want}.",
        "Which axis of the scores belongs to the samples?",
    ),
    "combined-query-axis-lost": Words(
        "the queries' axis lost",
        "One row is left for all queries: the shape is {got}, due is {want}.",
        "Do all queries see the same keys in a causal mask?",
    ),
    "combined-stacked": Words(
        "stacked, not joined",
        "The masks are laid on top of each other, {got}, not joined into one.",
        "One question a key: how do two answers become one?",
    ),
    "combined-both-returned": Words(
        "both returned",
        "Both masks come back; due is one.",
        "One question a key: how do two answers become one?",
    ),
}
