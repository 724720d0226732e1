"""Tests of the project file."""
