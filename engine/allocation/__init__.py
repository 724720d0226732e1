"""Policies that say which task gets the next slot."""
