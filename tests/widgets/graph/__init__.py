"""Tests of widgets/graph."""
