"""Processes of our own: how they start, are watched and end."""
