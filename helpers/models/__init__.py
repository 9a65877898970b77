"""The small networks that the experiments train, one per file."""
