"""Words: drawing a map."""

from __future__ import annotations

from .entry import Words

WORDS = {
    "nothing-drawn": Words(
        "no heat map",
        "There is no heat map on the axes: nothing there is coloured by numbers.",
        "Which method of `ax` draws a matrix of numbers as coloured cells?",
    ),
    "map-on-other-axes": Words(
        "drawn on other axes",
        "The map is drawn on other axes than the `ax` that was given (in a new figure "
        "or on pyplot's current axes).",
        "Which object do you call the drawing method of?",
    ),
    "map-on-current-axes": Words(
        "drawn on pyplot's current axes",
        "If `ax` is not pyplot's current axes, not all lands on `ax`. Elsewhere then: "
        "{what}.",
        "Which lines begin with plt., and where do they draw if a figure has two axes?",
    ),
    "map-in-colours": Words(
        "a picture of colours, not of numbers",
        "The picture holds colours (red, green, blue), not numbers: no colour scale "
        "belongs to it.",
        "Which shape does the matrix have that you draw?",
    ),
    "map-not-in-cells": Words(
        "no cell for each weight",
        "What is drawn is coloured by numbers, but has no cell for each weight.",
        "How many cells should the map have, and what stands in one of them?",
    ),
    "map-normalised": Words(
        "normalised before drawing",
        "The weights are stretched to run from {least} to {most} before they are "
        "drawn: they no longer sum to 1, and nearly equal ones look very different.",
        "What should a weight of 0.3 look like, on this map and on any other?",
    ),
    "map-rows-normalised": Words(
        "each row normalised before drawing",
        "Each row is stretched by itself before it is drawn, so that its largest "
        "weight always looks like 1.",
        "How would a reader tell a sure query from one that cannot decide?",
    ),
    "map-columns-normalised": Words(
        "each column normalised before drawing",
        "Each column (key) is normalised before it is drawn; weights sum to 1 over "
        "the keys of a query.",
        "Over which tokens does one query share out its attention?",
    ),
    "map-standardised": Words(
        "standardised before drawing",
        "The weights are standardised (mean 0, deviation 1) before they are drawn.",
        "Which number should a cell show?",
    ),
    "map-softmax-again": Words(
        "softmax once more",
        "A softmax is applied again before drawing: the map is nearly flat, from "
        "{least} to {most}.",
        "What are the numbers that come in: scores, or weights already?",
    ),
    "map-of-logs": Words(
        "logarithms drawn",
        "The logarithms of the weights are drawn (or the scores, which are the same "
        "but for a number a row): they are negative, or grow as a weight falls.",
        "Which number should a cell of weight 0.5 show?",
    ),
    "map-rounded": Words(
        "rounded before drawing",
        "The weights are rounded before they are drawn: small ones vanish.",
        "Which step takes digits away, and does a colour need that?",
    ),
    "map-in-percent": Words(
        "in another unit",
        "The numbers drawn run up to {most}: they are weights times a constant "
        "(percent, or 255).",
        "On which scale do the weights of a row sum to 1?",
    ),
    "map-inverted": Words(
        "turned into their opposite",
        "The opposite of each weight is drawn (1 − w or −w): strong attention looks "
        "weak.",
        "Which number should a cell of weight 0.9 show?",
    ),
    "map-of-largest": Words(
        "only yes or no drawn",
        "Only yes or no is drawn (the largest weight, or those above a limit), not "
        "the weights.",
        "How would a reader tell 0.4 from 0.9?",
    ),
    "map-squared": Words(
        "a function of the weights drawn",
        "A function of the weights is drawn (a square, a root, an exponential), not "
        "the weights themselves.",
        "What do the numbers of a row sum to in your picture?",
    ),
    "map-half-drawn": Words(
        "a part of the map left out",
        "A part of the cells is blank or 0 though their weights are not.",
        "Which cells of the causal map are 0 by themselves, and which do you hide?",
    ),
    "map-cut-off": Words(
        "rows or columns cut off",
        "Not all cells can be seen: {want} are due, {got} are drawn, {hidden} of them "
        "out of view, wholly or in part.",
        "How many rows and columns does the matrix have, and what do your limits show?",
    ),
    "map-other-shape": Words(
        "another shape of map",
        "The map has {got} cells; due are {want}: a row a query, a column a key.",
        "What did you draw in place of the whole matrix?",
    ),
    "map-of-sums": Words(
        "sums drawn",
        "Sums or means of the weights are drawn, not each of them.",
        "Which number should the cell of query 1 and key 2 show?",
    ),
    "map-empty": Words(
        "the same number everywhere",
        "Every cell shows the same number.",
        "Where do the weights come into your picture?",
    ),
    "map-of-scores": Words(
        "negative numbers drawn",
        "There are negative numbers in the map (down to {least}): those may be scores, "
        "but no weights.",
        "What is the smallest weight that a softmax can give?",
    ),
    "map-rows-not-one": Words(
        "rows that do not sum to 1",
        "The numbers of the first row sum to {row_sum}; weights sum to 1.",
        "What happens to the weights on their way into the picture?",
    ),
    "map-other-numbers": Words(
        "other numbers than the weights",
        "The numbers of each row sum to 1, but they are not the weights.",
        "What happens to the weights on their way into the picture?",
    ),
    "map-upside-down": Words(
        "query 0 at the bottom",
        "The map is upside down: query 0 stands at the bottom (its label with it), so "
        "a causal map looks like an upper triangle.",
        "Where does row 0 of a printed matrix stand?",
    ),
    "map-rows-reversed": Words(
        "rows in reverse order",
        "The rows are drawn in reverse order, but the labels are not: query 0 bears "
        "the last token.",
        "Which row of the weights is at the top of your picture?",
    ),
    "map-columns-reversed": Words(
        "columns in reverse order",
        "The columns are drawn from right to left.",
        "Where does key 0 stand in your picture?",
    ),
    "map-turned": Words(
        "turned by half a circle",
        "Rows and columns are both drawn in reverse order.",
        "Where do query 0 and key 0 stand in your picture?",
    ),
    "map-transposed": Words(
        "the map transposed",
        "The map is transposed: each row shows a key's column of weights (labels do "
        "not follow), so the rows do not sum to 1.",
        "Which axis of the weights counts queries, and in which direction is it drawn?",
    ),
    "map-transposed-with-labels": Words(
        "queries across, keys down",
        "The map is transposed and its labels with it: queries go across and keys "
        "down. The course draws a row a query.",
        "Along which direction do the weights of your picture sum to 1?",
    ),
    "map-transposed-and-reversed": Words(
        "the map turned",
        "The map is transposed and reversed: it is turned by a quarter, or mirrored.",
        "Where do query 0 and key 0 stand in your picture?",
    ),
    "scale-of-each-map": Words(
        "a colour scale for each map",
        "The colours run from the smallest to the largest weight of each map (here "
        "{low} to {high}): two maps cannot be compared, and nearly equal weights look "
        "very different.",
        "Which two numbers bound every weight, whatever the map?",
    ),
    "scale-half-fixed": Words(
        "one end of the colour scale open",
        "The {end} end of the colour scale is left to each map: it runs from {low} to "
        "{high}.",
        "Which two numbers bound every weight, whatever the map?",
    ),
    "scale-not-zero-to-one": Words(
        "another colour scale",
        "The colours run from {low} to {high}, not from 0 to 1.",
        "Which two numbers bound every weight, whatever the map?",
    ),
    "scale-of-colours-reversed": Words(
        "the colour scale reversed",
        "The colour scale runs backwards, from {low} to {high}.",
        "Which end of the scale should a weight of 1 have?",
    ),
    "scale-of-colours-not-linear": Words(
        "a colour scale that is not linear",
        "The colours do not follow the weights evenly (a logarithm, a power).",
        "How much darker should 0.8 look than 0.4?",
    ),
    "labels-missing": Words(
        "labels missing",
        "The {side} bear no labels: nobody can tell which token is which.",
        "Where do the tokens of the {of} come into your picture?",
    ),
    "labels-are-numbers": Words(
        "numbers in place of labels",
        "The {side} bear numbers, not the tokens of the {of}.",
        "Where do the tokens of the {of} come into your picture?",
    ),
    "labels-shifted": Words(
        "labels out of place",
        "The labels of the {side} do not stand at their cells: they are shifted.",
        "At which coordinate is the middle of the first cell?",
    ),
    "labels-swapped": Words(
        "tokens of the other axis",
        "The {side} bear the tokens of the other axis; due are those of the {of}.",
        "Which of the two lists belongs to the {of}?",
    ),
    "labels-reversed": Words(
        "labels in reverse order",
        "The labels of the {side} stand in reverse order, the cells do not.",
        "Which token does row 0, or column 0, belong to?",
    ),
    "labels-merged": Words(
        "equal tokens merged",
        "A token that comes twice has one label only: {count} labels on {due} {side}.",
        "What happens to a repeated word in a set or as the key of a dict?",
    ),
    "labels-sorted": Words(
        "labels sorted",
        "The labels of the {side} are sorted by the alphabet, the cells are not.",
        "In which order do the tokens come?",
    ),
    "labels-some-missing": Words(
        "some labels missing",
        "Some of the {side} bear no label: {count} labels on {due} {side}.",
        "How many ticks does the axis have, and where?",
    ),
    "labels-wrong": Words(
        "wrong labels",
        "The labels of the {side} are not the tokens of the {of}.",
        "Which label stands at the first cell, and which should?",
    ),
    "axis-titles-missing": Words(
        "no axis titles",
        "No title says what goes {lost}: a reader cannot tell queries from keys.",
        "What are the rows of the map, and what the columns?",
    ),
    "axis-titles-swapped": Words(
        "axis titles exchanged",
        "The titles stand at each other's axis: across are the keys, down the queries.",
        "Which of the two directions sums to 1?",
    ),
    "axis-titles-other": Words(
        "axis titles that name something else",
        "The titles are {across} (across) and {down} (down); they should say which is "
        "the key and which the query.",
        "What are the rows of the map, and what the columns?",
    ),
    "settings-changed": Words(
        "global settings changed",
        "settings of matplotlib stay changed after the call ({names}).",
        "Which other pictures will look different now?",
    ),
    "map-needs-detach": Words(
        "no weights that need a gradient",
        "weights straight from a model need a gradient, and with such it raises.",
        "What cuts a tensor off from the graph?",
    ),
}
