"""Pictures: one message each, tokens on the axes, no global state left behind."""

from helpers.plots.attention import plot_attention
from helpers.plots.bars import plot_bars
from helpers.plots.colours import COLOURS

__all__ = ["COLOURS", "plot_attention", "plot_bars"]
