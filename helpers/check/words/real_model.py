"""Words: loading a layer, scoring a head, and a claim beyond the data."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "kernel-not-transposed": Words(
        "kernels as they are stored",
        "The matrices are those of the file, as (in, out). They are square, {d} by "
        "{d}, so nothing complains, but the layer would multiply by the wrong side.",
        "In which order does the weight of a PyTorch linear layer keep its two axes?",
    ),
    "kernel-partly-transposed": Words(
        "some kernels not transposed",
        "Some of the four matrices are turned and some are as they are stored.",
        "Is there one of the four that the file stores in another order?",
    ),
    "query-and-key-exchanged": Words(
        "query and key exchanged",
        "The query's numbers are in W_q's place under key, and the key's under query.",
        "Which of the two projects the token that asks?",
    ),
    "key-and-value-exchanged": Words(
        "key and value exchanged",
        "The key's numbers are where the value's belong, and the other way round.",
        "Which of the two is compared with the query, and which is handed over?",
    ),
    "value-and-output-exchanged": Words(
        "value and output exchanged",
        "The value's numbers are where those of the output belong, and the other way "
        "round.",
        "Which of the two works on each token before the attention, and which behind?",
    ),
    "query-and-value-exchanged": Words(
        "query and value exchanged",
        "The query's numbers are where the value's belong, and the other way round.",
        "Which of the two asks, and which is handed over?",
    ),
    "query-and-output-exchanged": Words(
        "query and output exchanged",
        "The query's numbers are where those of the output belong, and the other way "
        "round.",
        "Which of the two works on each token before the attention, and which behind?",
    ),
    "one-name-twice": Words(
        "one projection loaded twice",
        "Two of the four layers hold the same numbers of the file; one part of the "
        "file is not used.",
        "Which four names does the file have for one layer, and where does each go?",
    ),
    "layers-sorted-as-text": Words(
        "layers in the order of their text",
        "The names are sorted as text, where layer_10 comes before layer_2: layer "
        "{layer} is then another one.",
        "What is the order of '2' and '10', as text and as numbers?",
    ),
    "layers-counted-from-the-end": Words(
        "layers counted from the end",
        "These are the numbers of layer {layer} counted from the last one.",
        "At which end of the network does the file begin to count?",
    ),
    "state-no-dict": Words(
        "no dict",
        "This returns a {type}; due is a dict with eight entries, each under its name.",
        "How does the course's class know which tensor is which?",
    ),
    "one-matrix-for-all": Words(
        "the query's numbers for all three",
        "W_q, W_k and W_v all hold the query's numbers.",
        "Which part of the name in the file changes from one to the next?",
    ),
    "always-layer-0": Words(
        "always layer 0",
        "These are the numbers of layer 0, whichever layer is asked for.",
        "Where does the number of the layer enter the name?",
    ),
    "always-the-last-layer": Words(
        "always the last layer",
        "These are the numbers of the last layer, whichever is asked for.",
        "How many names of the file fit, and which of them is kept in the end?",
    ),
    "layers-counted-from-1": Words(
        "a neighbouring layer",
        "These are the numbers of the layer beside the one that was asked for.",
        "With which number does the file begin to count its layers?",
    ),
    "layer-name-only-begins-so": Words(
        "a layer whose number begins the same",
        "Layer {layer} was asked for, but these are the numbers of another one whose "
        "number begins with {layer}.",
        "Which other names begin like the one that you look for?",
    ),
    "output-of-the-mlp": Words(
        "the MLP's output",
        "W_o holds the numbers of the MLP's second layer, whose name ends the same.",
        "Which part of the name tells the two outputs apart?",
    ),
    "biases-left-at-zero": Words(
        "biases left at zero",
        "The matrices are right, but all biases are 0.",
        "What else does the file hold for each linear layer?",
    ),
    "state-without-biases": Words(
        "no biases",
        "The four matrices are there; the four biases are missing.",
        "What does a linear layer add behind its product?",
    ),
    "names-of-the-file": Words(
        "the file's names",
        "The entries still have the file's names, such as {name}.",
        "Under which names does the course's class keep its four layers?",
    ),
    "entries-missing": Words(
        "entries missing",
        "{count} of the eight entries are missing, or have another name.",
        "Which names does the state of the course's class have?",
    ),
    "split-by-case": Words(
        "split by case, not by sentence",
        "The cases are split one by one. Then cases of one sentence lie on both sides, "
        "and the head is scored on sentences on which it was chosen.",
        "What must two cases of one sentence have in common, after the split?",
    ),
    "split-in-the-middle": Words(
        "first half against second half",
        "The split is in the middle: the first sentences against the later ones.",
        "By what does the exercise tell the two halves apart?",
    ),
    "chosen-on-everything": Words(
        "chosen on all cases",
        "The head is chosen with all {n} cases in view, the {scored} for scoring too.",
        "What may the choice not have seen, if the score is to be fair?",
    ),
    "chosen-where-scored": Words(
        "chosen on the odd sentences",
        "The head is chosen on the odd sentences, those that are for scoring.",
        "Which half is for choosing?",
    ),
    "scored-on-everything": Words(
        "scored on all cases",
        "The share is over all {n} cases; {chosen} of them served to choose the head.",
        "On which cases had the head no advantage?",
    ),
    "scored-where-chosen": Words(
        "scored on the even sentences",
        "The share is that of the even sentences, those on which the head was chosen.",
        "Why would the best of {heads} heads look good there, even by chance?",
    ),
    "worst-head": Words(
        "the worst head",
        "This is the head with the smallest share of hits.",
        "Which end of the shares is wanted?",
    ),
    "no-head-chosen": Words(
        "no head chosen",
        "The share is the mean over all heads.",
        "How many heads' hits belong into the score?",
    ),
    "best-case-not-best-head": Words(
        "the mean over the wrong axis",
        "The mean is over the heads, so what is chosen is a case.",
        "Which of the two axes of the hits counts the heads?",
    ),
    "best-again-on-the-scored-half": Words(
        "the best share of the odd sentences",
        "The share is the largest that any of the {heads} heads has on the odd "
        "sentences: a second choice, made where the score is taken.",
        "Whose share on the odd sentences is asked for?",
    ),
    "share-in-percent": Words(
        "percent instead of a share",
        "{got} is the share in percent.",
        "How large is the share of a head that always hits?",
    ),
    "heads-counted-from-one": Words(
        "heads counted from 1",
        "The number of the head is one too high: heads are counted from 0.",
        "What is the number of the first head?",
    ),
    "sentences-sorted-hits-not": Words(
        "sentences sorted, hits not",
        "The sentences' numbers were sorted and the hits were not: hits then belong to "
        "other sentences.",
        "To which sentence does the first row of the hits belong?",
    ),
    "sentences-numbered-anew": Words(
        "sentences numbered anew",
        "The sentences are counted from 0 again; then even ones become odd.",
        "What says whether a sentence is even: its number, or its rank?",
    ),
    "one-hit-is-enough": Words(
        "one hit a sentence is enough",
        "A sentence counts as a hit if the head hits in any of its cases.",
        "What is counted here, cases or sentences?",
    ),
    "count-not-share": Words(
        "a count, not a share",
        "{got} is the number of hits, not their share.",
        "Out of how many cases?",
    ),
    "divided-by-all-cases": Words(
        "divided by all cases",
        "The hits of the odd sentences are divided by all {n} cases.",
        "How many cases could have been hits?",
    ),
    "mean-over-sentences": Words(
        "a mean of sentences",
        "Each sentence counts the same here, however many cases it has.",
        "What is counted here, cases or sentences?",
    ),
    "share-of-misses": Words(
        "the share of misses",
        "This is the share of the cases that the head misses.",
        "What does a True in the hits stand for?",
    ),
    "head-and-share-swapped": Words(
        "share before head",
        "The two results are in the other order: the share first.",
        "In which order are they due?",
    ),
    "share-only": Words(
        "the head's number missing",
        "Only the share is returned.",
        "What else is asked for?",
    ),
    "supported-by-its-interval": Words(
        "a claim that its interval supports",
        "This one is supported: 51 of 57 held-out determiners, interval 0.79 to 0.95, "
        "beside 29 of 57 for the best fixed offset.",
        "Which other sentence says more than anybody counted?",
    ),
    "supported-by-construction": Words(
        "a claim that follows from the formula",
        "This one is supported, and more: scores of layer 0 are made of two word "
        "vectors, and neither changes with the adjective. It was asserted besides.",
        "Which other sentence says more than anybody counted?",
    ),
    "supported-by-its-null": Words(
        "a claim that the null supports",
        "This one is supported: with shuffled labels, too, one of 72 heads gets a "
        "single pair right in most cases.",
        "Which other sentence says more than anybody counted?",
    ),
}
