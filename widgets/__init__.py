"""Qt views over engine data; they show and ask, they never start work."""
