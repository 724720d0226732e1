"""What each source of trials gave."""
