"""A person's way through the whole console, on a real display."""
