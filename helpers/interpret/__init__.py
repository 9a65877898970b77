"""What heads look at, and whether it matters: maps are scored, explanations judged."""
