"""What the lessons of Attention from the Ground Up share: one idea per file.

The names of the article can be imported from here; everything else from its file.
"""

from helpers.attention import MultiHeadAttention, scaled_dot_product_attention
from helpers.claims import claim
from helpers.masks import combine_masks, create_causal_mask, padding_mask
from helpers.plots import plot_attention

__all__ = [
    "MultiHeadAttention",
    "claim",
    "combine_masks",
    "create_causal_mask",
    "padding_mask",
    "plot_attention",
    "scaled_dot_product_attention",
]
