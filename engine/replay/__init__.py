"""Recorded runs, played again on a virtual clock or before a window."""
