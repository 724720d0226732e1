"""Tests of widgets/sources."""
