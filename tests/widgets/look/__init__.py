"""Tests of widgets/look."""
