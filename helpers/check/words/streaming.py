"""Words: streaming attention."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "stream-o-not-rescaled": Words(
        "the sum of values not brought to the new maximum",
        "When the maximum rises, the normaliser l is brought to the new one but the "
        "sum of values o is not: earlier blocks count too much in it.",
        "Relative to which maximum were the terms already in o computed?",
    ),
    "stream-l-not-rescaled": Words(
        "the normaliser not brought to the new maximum",
        "When the maximum rises, the sum of values o is brought to the new one but the "
        "normaliser l is not: it grows too large, so the output is too small.",
        "Relative to which maximum were the terms already in l computed?",
    ),
    "stream-nothing-rescaled": Words(
        "nothing brought to the new maximum",
        "When the maximum rises, neither the sum of values o nor the normaliser l is "
        "brought to the new one: the factor between old and new is missing, or it is "
        "1 because m was overwritten before the factor was computed.",
        "What were the old terms divided by, what are the new ones divided by, and "
        "when does m change?",
    ),
    "stream-factor-inverted": Words(
        "the factor upside down",
        "The factor that brings old sums to the new maximum is upside down: it makes "
        "them larger where it should make them smaller (and overflows when scores "
        "rise by hundreds).",
        "When a larger maximum turns up, should the old terms shrink or grow?",
    ),
    "stream-o-factor-inverted": Words(
        "the factor of o upside down",
        "The sum of values o is brought to the new maximum by the inverse of the right "
        "factor; l is right.",
        "When a larger maximum turns up, should the old terms shrink or grow?",
    ),
    "stream-l-factor-inverted": Words(
        "the factor of l upside down",
        "The normaliser l is brought to the new maximum by the inverse of the right "
        "factor; o is right.",
        "When a larger maximum turns up, should the old terms shrink or grow?",
    ),
    "stream-rescaled-after-adding": Words(
        "brought to the new maximum after adding",
        "Old sums are brought to the new maximum only after the new block was added: "
        "the new terms, which had it already, are made smaller as well.",
        "Which terms were computed with the old maximum, and which with the new one?",
    ),
    "stream-rescaled-twice": Words(
        "brought to the new maximum twice",
        "Old sums are multiplied by the factor between the maxima twice.",
        "How many changes of the maximum does one block bring?",
    ),
    "stream-factor-without-exp": Words(
        "the factor without the exponential",
        "Old sums are multiplied by the difference of the maxima itself.",
        "If every score is lowered by 1, what happens to its exponential?",
    ),
    "stream-block-max": Words(
        "the block's maximum in place of the running one",
        "The maximum kept is that of the newest block, not of all keys so far. On "
        "ordinary scores that comes out right; when later scores lie far lower, the "
        "factor between the maxima overflows.",
        "After a block of very low scores, which maximum should be remembered?",
    ),
    "stream-first-max": Words(
        "the first block's maximum for ever",
        "The maximum of the first block is kept for all later ones: on ordinary scores "
        "that comes out right, but scores that rise by hundreds overflow.",
        "What is exp of a score that lies 100 above the maximum you subtract?",
    ),
    "stream-one-max-for-all-rows": Words(
        "one maximum for all rows",
        "One maximum is taken over all queries, not one for each: rows whose scores "
        "lie far below it underflow to 0 / 0.",
        "Which axis should still be there after the maximum?",
    ),
    "stream-minimum": Words(
        "the minimum kept",
        "The running value is the smaller of the two maxima, not the larger: rising "
        "scores overflow.",
        "Which of two numbers must be subtracted so that no exponent is above 0?",
    ),
    "stream-max-from-zero": Words(
        "the maximum starts at 0",
        "The running maximum starts at 0. If all scores of a row are very negative, it "
        "stays there, every exponential is 0 and the result 0 / 0.",
        "What should the maximum of nothing be, so that any score is larger?",
    ),
    "stream-no-max": Words(
        "no maximum subtracted",
        "No maximum is subtracted before the exponential: large scores overflow to "
        "infinity, very negative ones leave 0 / 0.",
        "What is exp(200) in float32, and what could be subtracted from every score?",
    ),
    "stream-max-not-stored": Words(
        "the new maximum not remembered",
        "The new maximum is computed and used, but m keeps its first value: every "
        "block brings the sums down from the first maximum again.",
        "What is m at the start of the third block?",
    ),
    "stream-old-max-in-exponent": Words(
        "the old maximum in the exponent",
        "The new block's exponentials are taken relative to the *old* maximum, while "
        "o and l are brought to the new one.",
        "Relative to which maximum must all terms of a sum be taken?",
    ),
    "stream-block-max-in-exponent": Words(
        "the block's own maximum in the exponent",
        "The new block's exponentials are taken relative to the block's own maximum, "
        "while o and l are brought to the running one.",
        "Relative to which maximum must all terms of a sum be taken?",
    ),
    "stream-no-max-in-exponent": Words(
        "no maximum in the exponent",
        "The new block's exponentials are taken without a maximum, while o and l are "
        "brought to the running one.",
        "Relative to which maximum must all terms of a sum be taken?",
    ),
    "stream-no-division": Words(
        "not divided by l at the end",
        "The output is not divided by the normaliser: each row is too large by its "
        "sum of exponentials.",
        "What must the weights of a row sum to?",
    ),
    "stream-divided-each-block": Words(
        "divided after every block",
        "The output is divided by l after every block: what was normalised already is "
        "added to and divided again.",
        "In which units is o when the next block is added to it?",
    ),
    "stream-normalised-in-block-too": Words(
        "a softmax in each block, and l besides",
        "The exponentials of a block are divided by their own sum before they are "
        "added; at the end everything is divided by l as well.",
        "In which units must the exponentials of two blocks be when they are added?",
    ),
    "stream-mean-of-blocks": Words(
        "the mean of the blocks' attentions",
        "Each block is attended to by itself, then the {blocks} outputs are averaged: "
        "a block with large scores counts no more than one with small ones.",
        "How much of the softmax over all keys belongs to the first block?",
    ),
    "stream-sum-of-blocks": Words(
        "the sum of the blocks' attentions",
        "Each block is attended to by itself, then the outputs are added: the weights "
        "of a row sum to {blocks}.",
        "What must the weights of a row sum to over all blocks?",
    ),
    "stream-merged-by-max": Words(
        "blocks weighted by their maximum alone",
        "The blocks' outputs are weighted by the exponential of their maximum; their "
        "share of the softmax is a sum over all their keys.",
        "Which block has more weight: one with a score of 2, or one with five of 1.9?",
    ),
    "stream-merged-by-own-sums": Words(
        "sums of blocks with maxima of their own",
        "The blocks are weighted by sums that were each taken relative to the block's "
        "own maximum: they are in different units.",
        "What has to be done to two sums with different maxima before they are added?",
    ),
    "stream-divided-by-n": Words(
        "divided by the number of keys",
        "The output is divided by the number of keys, {n_k}, not by the sum of the "
        "exponentials.",
        "What must the weights of a row sum to?",
    ),
    "stream-divided-twice": Words(
        "divided by l twice",
        "The output is divided by the normaliser twice.",
        "Where is each of the two divisions?",
    ),
    "stream-multiplied-by-l": Words(
        "multiplied by l",
        "The output is multiplied by the normaliser instead of divided.",
        "What must the weights of a row sum to?",
    ),
    "stream-tail-lost": Words(
        "the last block that is not full lost",
        "The last block is lost when it is not full: the keys after the last full "
        "block are never seen.",
        "Where does your loop end if the block does not divide the number of keys?",
    ),
    "stream-tail-padded": Words(
        "the last block filled up with zeros",
        "The last block is filled up with keys of zeros, which get a score of 0 and so "
        "a share of the weights.",
        "What is the exponential of a score of 0, and what should it be for a key "
        "that does not exist?",
    ),
    "stream-last-block-overlaps": Words(
        "a last block that reaches back",
        "The last block is made full by reaching back: some keys of the block before "
        "count twice.",
        "At which key should the last block begin?",
    ),
    "stream-max-of-absolute": Words(
        "the maximum of absolute scores",
        "The maximum is taken of the absolute scores: very negative ones underflow to "
        "0 / 0.",
        "What is the largest of -120 and -121?",
    ),
    "stream-divided-by-max": Words(
        "divided by the maximum",
        "The output is divided by the running maximum, not by the normaliser.",
        "What must the weights of a row sum to?",
    ),
    "stream-first-block-only": Words(
        "the first block alone",
        "Only the first block of keys is attended to.",
        "How often does your loop run, and where does it return?",
    ),
    "stream-last-block-only": Words(
        "the last block alone",
        "Only the last block of keys counts: what was gathered before is lost.",
        "What do o and l hold at the start of the second block?",
    ),
    "stream-first-block-missing": Words(
        "the first block missing",
        "The first block of keys is left out.",
        "At which key does your loop begin?",
    ),
    "stream-last-block-missing": Words(
        "the last block missing",
        "The last block of keys is left out, even when it is full.",
        "At which key does your loop end?",
    ),
    "stream-first-block-twice": Words(
        "the first block twice",
        "The first block of keys is counted twice.",
        "Which keys are in the sums before the loop, and which does it add first?",
    ),
    "stream-block-diagonal": Words(
        "queries cut into blocks as well",
        "Queries and keys are cut alike and each block of queries sees its own block "
        "of keys only: everything off the diagonal is missing.",
        "Which keys must the first query meet?",
    ),
    "stream-range-over-queries": Words(
        "a loop as long as the queries",
        "The loop over the keys ends at the number of queries, {n_q}: of {n_k} keys "
        "the rest is never seen.",
        "Which tensor's length does the loop run over?",
    ),
    "stream-blocks-overlap": Words(
        "blocks that overlap",
        "The blocks overlap by one key, so some keys count twice.",
        "Which key is the last of block 0, and which the first of block 1?",
    ),
    "stream-blocks-have-gaps": Words(
        "gaps between the blocks",
        "A key is lost between one block and the next.",
        "Which key is the last of block 0, and which the first of block 1?",
    ),
    "stream-blocks-end-early": Words(
        "the last key of each block missing",
        "Each block ends one key too early: its last key is never seen.",
        "Does a slice a:b hold the key b?",
    ),
    "stream-last-key-missing": Words(
        "the last key missing",
        "The last of all keys is never seen, in whichever block it lies.",
        "Which number has the last of {n_k} keys, and where does your last slice end?",
    ),
    "stream-v-not-sliced": Words(
        "the values of another block",
        "The keys move on from block to block but the values do not move with them: "
        "weights meet the values of other keys.",
        "Which rows of V belong to the keys of the second block?",
    ),
    "stream-l-overwritten": Words(
        "the normaliser of one block only",
        "The normaliser l is that of one block; it is not gathered over all of them.",
        "Over which keys does the softmax of a row sum?",
    ),
    "stream-o-overwritten": Words(
        "the values of the last block only",
        "The sum of values is overwritten by each block; only l is gathered.",
        "What does o hold at the start of the second block, and what after it?",
    ),
    "stream-l-not-summed": Words(
        "a normaliser that is no sum of exponentials",
        "The normaliser does not add up a block's exponentials (it counts keys, or "
        "takes the largest).",
        "What must the weights of a row be divided by, to sum to 1?",
    ),
    "stream-l-from-one": Words(
        "the normaliser starts at 1",
        "The normaliser starts at 1, not at 0, so the weights sum to less than 1.",
        "What is the sum of no exponentials?",
    ),
    "stream-scale-root-block": Words(
        "scaled by the root of the block",
        "Scores are divided by the root of the block size, {block}.",
        "Whose size makes the variance of q·k grow?",
    ),
    "stream-max-without-scale": Words(
        "a maximum of unscaled scores",
        "The maximum is that of the unscaled scores, subtracted from the scaled ones.",
        "Is the number you subtract the largest of the numbers you subtract it from?",
    ),
    "stream-overflow-falling": Words(
        "an overflow when scores fall",
        "It is right on ordinary scores, but {bad} when later blocks lie hundreds "
        "below earlier ones: perhaps the newest block's maximum replaces the larger "
        "one before it.",
        "Which exponent is above 0 when the second block comes?",
    ),
    "stream-overflow-rising": Words(
        "an overflow when scores rise",
        "It is right on ordinary scores, but {bad} when later blocks lie hundreds "
        "above earlier ones: some exponent is taken relative to an old maximum.",
        "Which exponent is above 0 when the second block comes?",
    ),
    "stream-underflow-low": Words(
        "0 / 0 when all scores are very negative",
        "It is right on ordinary scores, but {bad} when all scores are very negative: "
        "the running maximum seems to start too high.",
        "With which value does the maximum start?",
    ),
    "stream-underflow-spread": Words(
        "0 / 0 when rows lie far apart",
        "It is right on ordinary scores, but {bad} when the rows of scores lie far "
        "apart: they seem to share one maximum.",
        "Over which axis is the maximum taken?",
    ),
    "stream-low-precision": Words(
        "too coarse numbers",
        "The numbers are right to about {off} only, as if something were kept in "
        "{kind}.",
        "In which dtype are o, l and m kept?",
    ),
    "stream-rows-scaled": Words(
        "each row off by a factor",
        "Each row of the output is the right one times a number of its own (the first: "
        "{ratio}): the sum of values is right, the normaliser is not.",
        "Which sum does each row have to be divided by?",
    ),
    "stream-whole-matrix": Words(
        "the whole score matrix at once",
        "a tensor of {size} numbers was made where {due} are enough: the whole score "
        "matrix at once, which a stream avoids.",
        "What is the largest tensor your loop needs?",
    ),
}
