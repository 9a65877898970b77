"""Pictures: one message each, tokens on the axes, no global state left behind."""

from helpers.plots.alignment import plot_alignment
from helpers.plots.attention import plot_attention
from helpers.plots.bars import plot_bars
from helpers.plots.cells import plot_cells
from helpers.plots.colours import COLOURS, SIGNED_MAP, WEIGHTS_MAP
from helpers.plots.diagram import Arrow, Box, Frame, plot_diagram
from helpers.plots.heads import plot_heads
from helpers.plots.mask import plot_mask
from helpers.plots.patches import plot_patches
from helpers.plots.points import plot_points
from helpers.plots.row import plot_row
from helpers.plots.shares import plot_shares
from helpers.plots.spread import plot_spread
from helpers.plots.steps import plot_steps

__all__ = [
    "COLOURS",
    "SIGNED_MAP",
    "WEIGHTS_MAP",
    "Arrow",
    "Box",
    "Frame",
    "plot_alignment",
    "plot_attention",
    "plot_bars",
    "plot_cells",
    "plot_diagram",
    "plot_heads",
    "plot_mask",
    "plot_patches",
    "plot_points",
    "plot_row",
    "plot_shares",
    "plot_spread",
    "plot_steps",
]
