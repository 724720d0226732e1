"""Tests of what `make package` makes, and of its recipes."""
