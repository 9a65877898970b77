"""Tiny tasks whose right attention pattern is known beforehand, one per file."""
