"""What heads look at, and whether it matters: maps scored, explanations judged."""
