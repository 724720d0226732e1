"""Tests of engine.search."""
