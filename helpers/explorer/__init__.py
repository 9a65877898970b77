"""A window into any attention, in JupyterLab: each weight shows its arithmetic."""

from helpers.explorer.explorer import AttentionExplorer

__all__ = ["AttentionExplorer"]
