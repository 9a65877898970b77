"""One meaning for each colour, in the whole course.

The hues are those of Okabe and Ito, which colour-blind readers can tell apart; the
sky blue is a little darker and the orange a little lighter, for a print in grey.
Weights have a map of their own, Blues from 0 to 1; signed numbers have RdBu, with
white at 0.
"""

COLOURS = {
    "query": "#D55E00",
    "key": "#0072B2",
    "value": "#009E73",
    "output": "#CC79A7",
    "attention": "#3FA4DE",  # the lesson's subject: attention, or the scores divided
    "rival": "#F0AB00",  # what it is compared with: the LSTM, or no division
    "other": "#4D4D4D",  # a second rival: the RNN
    "chance": "#999999",  # chance level and other context, always dashed or thin
}
WEIGHTS_MAP = "Blues"
SIGNED_MAP = "RdBu_r"
