"""Tuned programs: compile, verify, execute, export."""
