"""The command line, `tunewright`, by topic."""
