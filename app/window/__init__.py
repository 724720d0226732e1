"""A window of the console, and what its parts share."""
