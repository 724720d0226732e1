"""Runs and replays side by side, and experiments."""
