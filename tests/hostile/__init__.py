"""Hostile and damaged things that a seed decides: what tests and the torture share."""
