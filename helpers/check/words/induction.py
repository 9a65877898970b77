"""Words: induction, its score, the matrix of the previous token, and where it fails."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "induction-in-one-look": Words(
        "one look for two steps",
        "In one look the last token can find its twin, the same token earlier on. What "
        "it takes home is the twin's own vector, and a causal layer let the twin see "
        "only what stood before it.",
        "Where in the sequence does the answer stand, and how should the last token "
        "know that this position is the one it looks for?",
    ),
    "induction-by-size": Words(
        "size in place of a second look",
        "More width makes a score a richer function of two tokens, and more steps find "
        "a better one. It stays a function of the two tokens that meet.",
        "Does either of them, the last token or the answer's, know which token stands "
        "before the answer?",
    ),
    "induction-not-learnable": Words(
        "no rule, because the tokens are random",
        "Which token follows which is random, so no pair can be learned by heart. But "
        "what to do is the same in every sequence: find the last token's earlier self, "
        "and say what came next.",
        "You can do it yourself with tokens that you have never seen; what do you look "
        "at first, and what second?",
    ),
    "score-zero": Words(
        "always 0",
        "The score is 0 for every map.",
        "Is the place that you read one that a query may look at, and what becomes of "
        "its weight on the way out?",
    ),
    "score-in-percent": Words(
        "percent instead of a share",
        "The score is 100 times the right one.",
        "How large is the score of a head that never errs?",
    ),
    "score-half-a-sequence-back": Words(
        "a stripe at half the length",
        "The weights are read along one stripe, as if every sequence were a block "
        "written twice.",
        "At which distance does a token stand from its twin in the first case?",
    ),
    "score-other": Words(
        "another score",
        "For {n} tokens, {repeats} of them repeats, the score is {got}; due is {due}.",
        "For which rows do you look for an earlier place, and which cell of each row "
        "is counted?",
    ),
    "previous-no-matrix": Words(
        "no matrix",
        "This is {got}, not a matrix of numbers.",
        "Which 2 × 2 numbers turn one hand of the clock into a query?",
    ),
    "previous-is-a-map": Words(
        "the map itself",
        "The shape {got} is that of the map of weights, one number a pair of "
        "positions. Due is a (2, 2) matrix that makes the queries of the hands.",
        "How does one small matrix do the same for every position, even for positions "
        "it was not made for?",
    ),
    "previous-misshapen": Words(
        "another shape",
        "The shape is {got}; a hand has 2 numbers and its query too, so (2, 2) is due.",
        "What goes in, what comes out, and how many numbers are they each?",
    ),
    "previous-flat": Words(
        "all scores equal",
        "All scores of a row are the same, so every position that may be seen gets the "
        "same weight.",
        "Which direction should the query of position {t} point in?",
    ),
    "previous-one-place": Words(
        "one place for all",
        "Without the mask every query scores highest at the same position, {place}.",
        "Should two positions ask for the same hour?",
    ),
    "previous-spread": Words(
        "the right hour, not sharply enough",
        "Every query points at the hour before it, as it should, but query {t} gives "
        "position {before} only {got} of its weight; due is 0.9. Neighbouring hands "
        "have nearly the same direction, so a hand of length {size} gives them nearly "
        "the same score.",
        "What happens to the gap between two scores if the matrix is multiplied by 10?",
    ),
    "previous-is-next": Words(
        "turned the wrong way",
        "The hand is turned ahead: without the mask every query scores highest at the "
        "*next* position. The mask hides that one, and position {winner} gets {most}. "
        "(The same numbers come from the transposed matrix: a hand is a row, and "
        "stands to the left of it.)",
        "Take the hand (1, 0) of position 0: where does your matrix send it, and which "
        "sign has the sine of the hour before?",
    ),
    "previous-is-itself": Words(
        "every position finds itself",
        "The hand is not turned far enough: query {t} scores highest at itself, "
        "with weight {most}.",
        "By which angle do the hands of two neighbouring positions differ?",
    ),
    "previous-two-back": Words(
        "two hours back",
        "The hand is turned back by two hours: query {t} scores highest at position "
        "{winner}.",
        "How many positions does the clock have, and what is one of them in radians?",
    ),
    "previous-negated": Words(
        "the sign turned round",
        "Every query points away from the hour before it: that one has the *lowest* "
        "score. With all signs turned round the direction would be right.",
        "When is the dot product of two hands largest, and when smallest?",
    ),
    "previous-opposite": Words(
        "the other side of the clock",
        "Every query points to the other side of the clock, {hours} hours ahead: the "
        "hour before it has one of the lowest scores.",
        "When is the dot product of two hands largest, and when smallest?",
    ),
    "previous-degrees": Words(
        "degrees taken for radians",
        "The hand is turned by 15 radians: that is more than two full turns. One hour "
        "is 15 degrees.",
        "In which unit do sin and cos of torch and math take their angle?",
    ),
    "previous-wrong-hour": Words(
        "another hour",
        "The hand is turned to the wrong hour, {hours}: query {t} gives position "
        "{winner} {most}, and position {before} {got}.",
        "By which angle do the hands of two neighbouring positions differ?",
    ),
    "previous-half-an-hour": Words(
        "between two hours",
        "The query points between two hours: both have the same score, and "
        "share the weight. Query {t} gives position {before} {got}.",
        "By which angle do the hands of two neighbouring positions differ?",
    ),
    "previous-transposed": Words(
        "transposed",
        "Transposed it would do: the query and the key have changed places.",
        "In p M pᵀ, which of the two is the one that asks, and which is asked?",
    ),
    "previous-mirrored": Words(
        "a mirror, not a turn",
        "The matrix mirrors the clock: some hands go ahead and others back. Query {t} "
        "puts {most} on position {winner}.",
        "Two of the four numbers of a turn are equal; what of the signs of the other "
        "two?",
    ),
    "previous-another-place": Words(
        "another position wins",
        "Query {t} puts {most} on position {winner}; position {before}, the one before "
        "it, gets {got}.",
        "What does your matrix do to a hand: is it a turn, by the same angle for all?",
    ),
    "score-on-the-twin": Words(
        "the earlier occurrence itself",
        "The weight on the earlier occurrence itself is taken.",
        "The head is to find what can be copied as the answer; does the answer stand "
        "there, or beside it?",
    ),
    "score-before-the-twin": Words(
        "one position too far back",
        "The weight one position *before* the earlier occurrence is taken.",
        "In a b … a, on which side of the first a does the answer stand?",
    ),
    "score-two-behind": Words(
        "two positions behind",
        "The weight two positions behind the earlier occurrence is taken.",
        "In a b … a, how far is the answer from the first a?",
    ),
    "score-previous-token": Words(
        "a score for the previous token",
        "The weight on the position right before the query is taken: that is a score "
        "for the *other* kind of head, the one of layer 1.",
        "Where does an induction head look?",
    ),
    "score-itself": Words(
        "the weight on itself",
        "The weight of each position on itself is taken.",
        "Where was this token before, and what stood behind it then?",
    ),
    "score-last-token": Words(
        "the last column",
        "The weight on the last token of the sequence is taken, in every row.",
        "Which column counts for a row, and must it not depend on the tokens?",
    ),
    "score-first-occurrence": Words(
        "the first occurrence",
        "Where a token has occurred several times, the weight behind its first "
        "occurrence is taken; due is the latest.",
        "Of several earlier places, which is the last one before the query?",
    ),
    "score-all-occurrences": Words(
        "all occurrences added up",
        "Where a token has occurred several times, the weights behind all of its "
        "earlier places are added.",
        "Which one of the earlier places does the card name?",
    ),
    "score-divided-by-n": Words(
        "rows that cannot score",
        "Tokens that occur for the first time count as 0: {n} tokens, and only "
        "{repeats} have occurred before.",
        "For which rows is there anything to find at all?",
    ),
    "score-last-row-only": Words(
        "only the last row",
        "Only the last row counts.",
        "Which other tokens have occurred before?",
    ),
    "score-second-half": Words(
        "only the second half",
        "Only rows of the second half count.",
        "Can a token of the first half not have occurred before?",
    ),
    "score-transposed": Words(
        "the map transposed",
        "Rows and columns have changed places: the weight *from* the earlier place to "
        "the later one is taken.",
        "Which index is the query that asks, and which the key?",
    ),
    "score-summed": Words(
        "a sum, not a mean",
        "The weights are added up, {got}, and not divided by their number.",
        "What would a perfect head get for a sequence of any length?",
    ),
    "score-argmax-share": Words(
        "a share of largest weights",
        "The score counts how often the right place has the largest weight of its row. "
        "That is a good measure too, but here the mean of the weights is due.",
        "What becomes of a head that is right but unsure?",
    ),
    "score-largest": Words(
        "the largest only",
        "The largest of the weights is returned.",
        "Does one lucky row make a head?",
    ),
    "failing-no-pair": Words(
        "no pair",
        "This is {got}; due are two things, the letters and the reason.",
        "Did both of your variables get a value?",
    ),
    "failing-no-letters": Words(
        "no sequence of letters",
        "The sequence holds {got}; due is text made of the letters a to p.",
        "Which letters may it be made of, and are they small or capital?",
    ),
    "failing-too-long": Words(
        "too long",
        "The sequence has {length} letters; at most {longest} are tried.",
        "What is it that a long sequence breaks, and from which length on?",
    ),
    "failing-nothing-to-continue": Words(
        "nothing to continue",
        "The last letter, {last}, has not occurred before, so there is no right answer "
        "that could be missed.",
        "Which letter must stand twice, at least?",
    ),
    "failing-is-right": Words(
        "the circuit is right",
        "On {sequence} the circuit is right: it hands {right} {share} of the weight.",
        "Which step of it relies on something that need not be so: a neighbour before, "
        "a single twin, a hand that no other position has?",
    ),
    "failing-other-reason": Words(
        "another reason",
        "On {sequence} the circuit does fail: the right letter, {right}, gets only "
        "{share}. But the reason given is not it ({said}).",
        "Which positions have the weight in the last row, and what has each of them in "
        "the room for the letter before?",
    ),
}
