"""What contributors run: execute, normalise and compare the notebooks."""
