"""Tests of what files are fed."""
