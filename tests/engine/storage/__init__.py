"""Tests of what lies on the disk."""
