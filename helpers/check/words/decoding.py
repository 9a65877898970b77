"""Words: decoding with a cache."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "decode-no-pair": Words(
        "no pair (output, cache)",
        "Call {call} returns a {type}; due is a pair: the output for the tokens of x, "
        "and the cache for the next call.",
        "What will the next call need, and how does it get it?",
    ),
    "decode-joined-on-another-axis": Words(
        "joined on another axis",
        "The cache and what is new are joined along axis {axis}. After a first call "
        "with 3 tokens, 1 more does not fit there: their numbers of tokens differ.",
        "Which axis of (B, t, D) grows from call to call?",
    ),
    "decode-remembers": Words(
        "a cache outside the function",
        "A second sequence, begun with cache None, comes out otherwise than the first "
        "one did: something is remembered between sequences (a global, a default "
        "argument, an attribute).",
        "Where does your cache live, and who empties it when a new sequence begins?",
    ),
    "decode-first-wrong-token": Words(
        "wrong from one token on",
        "In chunks of {chunks}, token {token} (counted from 0, in {call}) is the first "
        "that differs from what the whole sequence gives.",
        "For that token: which position is added, which keys does it see, and whose "
        "values do they bring?",
    ),
    "decode-position-zero": Words(
        "the position always 0",
        "Every call starts at position 0 again: the new tokens get the positions of "
        "the first ones. Only the first call comes out right.",
        "How many tokens have been read before this call?",
    ),
    "decode-position-off-by-one": Words(
        "the position off by one",
        "The position is off by one: new tokens do not go on where the last call "
        "ended.",
        "If 3 tokens are in the cache, which position (from 0) has the next one?",
    ),
    "decode-position-after-chunk": Words(
        "positions that begin where the chunk ends",
        "The new tokens get the positions *after* themselves: they are counted as read "
        "before they get a position.",
        "How many tokens were read before the first of this call?",
    ),
    "decode-position-last-for-all": Words(
        "the last position for the whole chunk",
        "All tokens of a chunk get the position of its last one. One token a call "
        "comes out right.",
        "Which positions have the tokens of a chunk of {t}?",
    ),
    "decode-position-first-for-all": Words(
        "the first position for the whole chunk",
        "All tokens of a chunk get the position of its first one: only one row of the "
        "table is added. One token a call comes out right.",
        "Which positions have the tokens of a chunk of {t}?",
    ),
    "decode-position-counts-calls": Words(
        "calls counted, not tokens",
        "The position goes up by one a call, not by one a token: after a chunk of "
        "several it lags behind.",
        "Where does the position stand after a first call with 4 tokens?",
    ),
    "decode-position-advanced-twice": Words(
        "the position advanced twice",
        "The position runs ahead: it is advanced by twice the tokens read.",
        "Which places of your code move the position on?",
    ),
    "decode-no-position": Words(
        "no position added",
        "No position is added to x: the outputs do not depend on params.pos.",
        "How would the step know in which order the tokens came?",
    ),
    "decode-position-of-queries-only": Words(
        "positions for the queries only",
        "Positions are added on the way to the queries only; keys and values are made "
        "from x alone.",
        "How does a query tell a near key from a far one?",
    ),
    "decode-position-of-keys-only": Words(
        "positions for the keys only",
        "Positions are added on the way to the keys only.",
        "What are queries and values made of in the exercise?",
    ),
    "decode-position-not-in-values": Words(
        "no positions in the values",
        "Positions are added for queries and keys, but the values are made from x "
        "alone. (Some models do so; this exercise adds them once, before all three.)",
        "What are the values made of in the exercise?",
    ),
    "decode-position-of-values-only": Words(
        "positions for the values only",
        "Positions are added on the way to the values only.",
        "What are queries and keys made of in the exercise?",
    ),
    "decode-position-after-projecting": Words(
        "positions added after the projections",
        "Positions are added to queries, keys and values, after the matrices; due is "
        "before them, to x.",
        "Which comes first: saying where a token stands, or projecting it?",
    ),
    "decode-position-added-twice": Words(
        "positions added twice",
        "Positions are added twice to the same tokens.",
        "Which lines add positions, and to which tokens?",
    ),
    "decode-position-multiplied": Words(
        "multiplied by the positions",
        "x is multiplied by the positions; due is a sum.",
        "What would a position of zeros do to the token?",
    ),
    "decode-position-backwards": Words(
        "positions of a chunk backwards",
        "The positions within a chunk are in reverse order.",
        "Which position has the first token of a chunk?",
    ),
    "decode-position-first-call-only": Words(
        "positions in the first call only",
        "Only the first call adds positions; later tokens get none.",
        "Which position has the newest token?",
    ),
    "decode-position-later-calls-only": Words(
        "no positions in the first call",
        "The first call adds no positions; later ones do.",
        "Which positions have the first tokens?",
    ),
    "decode-mask-top-left": Words(
        "the causal mask at the wrong corner",
        "The causal mask is aligned with the first key, not with the last: with a "
        "cache, a new token sees the oldest keys and not the newest (a single one "
        "sees key 0 alone).",
        "Which keys may the newest of {n} tokens see, if it is row 0 of this call?",
    ),
    "decode-no-mask": Words(
        "no causal mask",
        "There is no causal mask: within a chunk a token sees the ones after it. One "
        "token a call comes out right.",
        "What may the first token of a chunk know of the second one?",
    ),
    "decode-mask-first-call-only": Words(
        "a mask in the first call only",
        "Only the first call is masked: in a later chunk of several tokens each one "
        "sees those after it.",
        "What may the first token of a *second* chunk know of its neighbour?",
    ),
    "decode-mask-later-calls-only": Words(
        "no mask in the first call",
        "Later calls are masked but the first one is not: in the first chunk each "
        "token sees those after it.",
        "What may the very first token know of the second one?",
    ),
    "decode-self-excluded": Words(
        "a token that does not see itself",
        "A token sees the ones before it, but not itself.",
        "Does the causal rule say 'before' or 'not after'?",
    ),
    "decode-itself-only": Words(
        "each token sees itself alone",
        "In a later call a token sees itself (and what comes after it), not the past.",
        "What is the cache there for?",
    ),
    "decode-mask-one-more": Words(
        "one token of the future seen",
        "The mask lets each token see one more than it may.",
        "What is the last key that row 0 of this call may see?",
    ),
    "decode-cache-not-seen": Words(
        "the cache not attended to",
        "A later call attends to its own tokens only; what is in the cache is not "
        "seen.",
        "Which keys must the newest query meet?",
    ),
    "decode-chunk-not-seen": Words(
        "the new tokens not attended to",
        "A later call attends to what was cached before, not to its own tokens.",
        "Does a token see itself?",
    ),
    "decode-cache-overwritten": Words(
        "a cache that is overwritten",
        "The cache holds the newest call's keys and values only: it is overwritten, "
        "not extended. A later token sees only itself.",
        "How many keys should there be after {calls} calls?",
    ),
    "decode-cache-in-front": Words(
        "new keys in front of the old",
        "New keys and values are put before the old ones: then the causal mask "
        "hides the wrong ones.",
        "Along the axis of tokens, on which side does time go on?",
    ),
    "decode-cache-swapped": Words(
        "keys and values exchanged in the cache",
        "Keys and values come back from the cache in each other's place.",
        "In which order do you pack the cache, and in which do you unpack it?",
    ),
    "decode-keys-cached-only": Words(
        "only the keys remembered",
        "The keys are gathered from call to call, but the values of new tokens (or of "
        "old ones) are not.",
        "Which two things of each token does the cache hold?",
    ),
    "decode-values-cached-only": Words(
        "only the values remembered",
        "The values are gathered from call to call, but the keys are not.",
        "Which two things of each token does the cache hold?",
    ),
    "decode-old-cache-returned": Words(
        "the old cache handed back",
        "The call hands back the cache it was given: after the first call nothing new "
        "is kept.",
        "Which of your variables holds the longer keys, and which do you return?",
    ),
    "decode-cache-never-returned": Words(
        "every call a first call",
        "Every call is a first call: no cache is handed back (None), or the one that "
        "comes in is not looked at.",
        "What does the second call get as `cache`?",
    ),
    "decode-first-call-lost": Words(
        "the first call not kept",
        "The keys and values of the first call do not reach the cache (it begins empty "
        "or with zeros): later tokens miss the beginning.",
        "What is in the cache after the very first call?",
    ),
    "decode-appended-twice": Words(
        "new tokens appended twice",
        "The new keys and values are appended twice, so past tokens count double.",
        "How long is the cache after a first call with {t} tokens?",
    ),
    "decode-inputs-cached-without-positions": Words(
        "inputs cached without their positions",
        "The cache holds x and projects it again, but without the positions that the "
        "old tokens had.",
        "What was added to the old tokens before they were projected?",
    ),
    "decode-positions-added-again": Words(
        "old tokens get their positions again",
        "The cache holds the inputs with their positions added and adds them again: "
        "old tokens get them twice.",
        "What is in the cache already: x, x with positions, or keys and values?",
    ),
    "decode-cache-projected-again": Words(
        "cached keys projected again",
        "What comes out of the cache is projected once more.",
        "What is in the cache: inputs, or keys and values?",
    ),
    "decode-queries-cached": Words(
        "queries cached as keys",
        "The cache keeps the queries in the place of the keys.",
        "With what does a later query compare itself?",
    ),
    "decode-keys-cached-as-values": Words(
        "keys cached as values",
        "The cache keeps the keys in the place of the values.",
        "What is mixed once the weights are known?",
    ),
    "decode-values-cached-as-keys": Words(
        "values cached as keys",
        "The cache keeps the values in the place of the keys.",
        "With what does a later query compare itself?",
    ),
    "decode-samples-mixed": Words(
        "another sample's cache",
        "The cache of another sample is used: the batch is mixed (reordered, shared or "
        "averaged). With a single sample it would be right.",
        "Which rows of the cache belong to sample 0?",
    ),
    "decode-last-of-chunk-only": Words(
        "one token of a chunk kept",
        "Of a chunk of several tokens only one is kept in the cache.",
        "How many keys should a first call with 4 tokens leave?",
    ),
    "decode-cache-window": Words(
        "a cache that forgets",
        "The cache keeps only the newest few tokens: older keys and values are lost.",
        "How many keys should there be after {n} tokens?",
    ),
    "decode-cache-averaged": Words(
        "the cache averaged",
        "The old keys and values are averaged into one.",
        "How would a query pick one of them?",
    ),
    "decode-matrices-mixed": Words(
        "a matrix in another's place",
        "One of Wq, Wk and Wv stands in another's place.",
        "Which matrix makes the queries, which the keys, which the values?",
    ),
    "decode-not-projected": Words(
        "a projection missing",
        "Queries, keys or values are used without their matrix.",
        "Which of the three matrices does your step not use?",
    ),
    "decode-matrices-transposed": Words(
        "matrices transposed",
        "The matrices are transposed (as nn.Linear keeps them); here a row of x times "
        "the matrix is meant.",
        "Which axis of Wq has the features of x?",
    ),
    "decode-last-output-only": Words(
        "the last token's output only",
        "The output is that of a chunk's last token only, {got}; due is one for each "
        "token of x.",
        "How many rows should come out for {t} that go in?",
    ),
}
