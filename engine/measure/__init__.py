"""Builds, runners and the measurement protocol."""
