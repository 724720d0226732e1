"""Tests of the graph: layout and network."""
