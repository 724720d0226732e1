"""The steps of a run's plan, and what they try."""
