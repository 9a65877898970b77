"""Words: reading maps, the jobs of heads, and the map that lies."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "maps-no-letters": Words(
        "not three letters",
        "Three letters are due, one a map, out of {letters}; got {got}.",
        "Which letter belongs to the first map, which to the second, which to the "
        "third?",
    ),
    "maps-read-by-columns": Words(
        "columns read as if they asked",
        "For map {number} you say that {choice}. That is what it would show if the "
        "columns asked and the rows answered.",
        "Which axis is called query, and whose weights sum to 1?",
    ),
    "maps-diagonal-for-same-word": Words(
        "the diagonal seen where there is none",
        "For map 3 you say that {choice}. Then the cells from top left to bottom right "
        "would be dark.",
        "Take one dark cell: which word is its row, and which word is its column?",
    ),
    "maps-in-another-order": Words(
        "the right three in another order",
        "These are the three right descriptions, but not each at its map: map {number} "
        "shows something else.",
        "Where is the dark cell in the row of 'saw', in each of the maps?",
    ),
    "maps-another-job": Words(
        "another job",
        "Map {number} does not show that {choice}.",
        "Go along one row of it: above which word is the dark cell?",
    ),
    "jobs-no-dict": Words(
        "no dict with the three jobs",
        "A dict with the keys {due} is due; got {got}.",
        "Which number of a head belongs to each of the three names?",
    ),
    "jobs-no-head": Words(
        "no number of a head",
        "What stands at {name} is no number of a head, from 0 to {last}.",
        "Which axis of the weights counts heads, and what is found along it?",
    ),
    "jobs-read-by-columns": Words(
        "columns read as if they asked",
        "Columns are taken for queries: a head is judged by who looks at a word, not "
        "by where the word looks.",
        "Which of the last two axes is the one that sums to 1?",
    ),
    "jobs-behind-for-before": Words(
        "the word behind in place of the one before",
        "'before' is given to the head that looks at the next word.",
        "In row i, which column is the word before: i + 1 or i − 1?",
    ),
    "jobs-last-for-first": Words(
        "the last word for the first",
        "'first' is given to the head that looks at the last word.",
        "Which number has the column of the first word?",
    ),
    "jobs-itself-counts": Words(
        "itself counted as the same word elsewhere",
        "'same' is given to a head on whose diagonal the weight lies: every word is "
        "the same as itself.",
        "Which cells must not count when you look for the word elsewhere?",
    ),
    "jobs-one-row-decides": Words(
        "decided by a single row",
        "A head is chosen because of one row. There is a head here that does the job "
        "once and nothing in all other rows.",
        "How does the head do over all its queries?",
    ),
    "jobs-smallest-picked": Words(
        "the smallest score picked",
        "The head with the least weight on the job is taken.",
        "Should the head that does a job have much or little of its weight there?",
    ),
    "jobs-counted-from-one": Words(
        "heads counted from 1",
        "Every number is one too high: heads are counted from 0.",
        "What is the number of the first head?",
    ),
    "jobs-names-exchanged": Words(
        "names exchanged",
        "The right heads are found, but not each under its name.",
        "Which of the scores belongs to which of the three keys?",
    ),
    "jobs-fixed": Words(
        "the same answer for all weights",
        "The answer is 0, 1, 2 whatever the weights are. In the next model the jobs "
        "sit elsewhere.",
        "Which number, computed from the weights, could decide it?",
    ),
    "jobs-by-entropy": Words(
        "the least spread heads",
        "The heads with the least entropy are taken. A sharp row says that a head "
        "looks at one place, not at which.",
        "On which cells should the weight of each job lie?",
    ),
    "jobs-wrong-head": Words(
        "a job at the wrong head",
        "{name} is given to head {got}; head {due} does it in more of its weight.",
        "Which cells does your score for this job add up, and over which rows?",
    ),
    "lie-largest-effect-ignored": Words(
        "the largest effect not asked for",
        "The sentence is picked whose pointed-at word has the least effect. In a "
        "sentence where no word has any effect, there is nothing to lie about.",
        "How much effect does the map miss: compared with which word?",
    ),
    "lie-as-a-ratio": Words(
        "a ratio of effects",
        "The effects are divided. A sentence in which all effects are tiny can then "
        "win.",
        "How much of the answer does the map miss, in the units of the effect itself?",
    ),
    "lie-measured-in-weight": Words(
        "measured in weight",
        "The lie is measured in weight: how little the most effective word gets.",
        "The judge speaks in effects: which two effects should be compared?",
    ),
    "lie-any-mismatch": Words(
        "the first that differs",
        "Any sentence in which the two largest stand at different words counts alike, "
        "so the first one wins.",
        "In which of these sentences does it matter most that they differ?",
    ),
    "lie-distance-of-places": Words(
        "distance between the words",
        "The lie is measured by how far apart the two words stand.",
        "Is a word nearby a better explanation, or one with a similar effect?",
    ),
    "lie-weights-minus-effects": Words(
        "weights and effects mixed",
        "Weights and effects are set off against each other word by word. They are "
        "measured in different units, and the map points at one word only.",
        "Which one word does the map point at, and what is the effect there?",
    ),
    "lie-one-table-only": Words(
        "only one of the tables used",
        "The answer looks at one of the two tables only.",
        "What does the map say, and what does the judge say of that?",
    ),
    "lie-smallest-weight": Words(
        "the smallest weight",
        "The word with the smallest weight is taken for the one that the map points "
        "at.",
        "Which cell of a row catches the eye?",
    ),
    "lie-tables-exchanged": Words(
        "weights and effects exchanged",
        "Weights and effects have changed places: this asks how much weight the most "
        "effective word misses.",
        "Which of the two tables points, and which judges?",
    ),
    "lie-smallest-picked": Words(
        "the most honest sentence",
        "This is the sentence on which the map lies least.",
        "Should the gap be large or small where the map lies?",
    ),
    "lie-word-returned": Words(
        "a word in place of the sentence",
        "The number of a word is returned, not that of the sentence.",
        "Along which axis are sentences counted?",
    ),
    "lie-size-returned": Words(
        "the size of the lie",
        "The size of the lie is returned, not the number of the sentence.",
        "Where does the largest one stand?",
    ),
    "lie-all-sentences": Words(
        "a number for each sentence",
        "There is a number for each sentence; one sentence is asked for.",
        "Which of them is the largest, and where does it stand?",
    ),
    "lie-counted-from-one": Words(
        "sentences counted from 1",
        "The number is one too high: sentences are counted from 0.",
        "What is the number of the first sentence?",
    ),
    "lie-mean-effect": Words(
        "the mean or the sum of the effects",
        "The effect of the word pointed at is compared with the mean or the sum of the "
        "sentence's effects.",
        "Which one effect of the sentence should it be compared with?",
    ),
    "lie-another-sentence": Words(
        "another sentence",
        "Sentence {got} is returned, where the largest effect exceeds that of the word "
        "pointed at by {gap}. There is one where it does so by {due}.",
        "Which two effects does your answer compare, in each sentence?",
    ),
    "lie-no-sentence": Words(
        "no number of a sentence",
        "What is returned ({got}) is no number of a sentence, from 0 to {last}.",
        "Which axis counts the sentences?",
    ),
}
