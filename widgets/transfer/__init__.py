"""Schedules of other models, and what they gave."""
