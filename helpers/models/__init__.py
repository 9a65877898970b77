"""The small networks that the experiments train, one a file."""
